"""The expressions that find a label in an answer, built once for each set of labels."""

import re
from functools import lru_cache
from typing import NamedTuple

from holoscope.metrics.extract.labels import Labels, labels_of
from holoscope.metrics.extract.statements import CHOOSING, DECORATED, ENGLISH_CHOICE, HEADING, OTHERS

_CLOSE = r"(?:\\[)\]]|[\s.,;:!?)\]}*_`\"'»>$】」』》。،、])"
_FINAL = r"(?=[)\]}*$_\"'`\s]{0,6}(?:[.!。]|$|\n|\\[)\]]))"
"""After a label: the sentence ends."""
_AFTER_A_WORD = re.compile(
    r"\s{0,4}(?:$|[\n/&.,;:!?)\]}*_`\"»>$】」。،，—–]|\\[)\]]|-\s|\(|[^\x00-\x7f])"
    r"|\s{1,4}(?:because|since|as|and|or|for|due|given|which|so|but|not|rather|with|based|while|here)\b"
)
_AFTER_A_SMALL_WORD = re.compile(r"\s{0,4}(?:$|[\n.,;:!?)\]}*_`\"»>$。،，]|\\[)\]])")
_LIST = r"[)*_\]]{0,4}\s{0,2}(?:,|/|&|\bor\b|\band\b|,\s?(?:and|or)\b|和|或|及|、|와|과|と|หรือ|และ|او|و)\s{0,2}"
_NOT_ITS_OWN_SENTENCE = r"(?!\s+(?:is|are|was|were|fails|does|would|has|can|being|seems)\b)"
_CHOICE_WORDS = r"(?i:\s+(?:the\s+)?(?:correct\s+)?(?:option|choice|answer|letter))?"


class Patterns(NamedTuple):
    """Each expression but `announcement` names the label it finds `label`."""

    bare: re.Pattern[str]
    leading: re.Pattern[str]
    next_in_list: re.Pattern[str]
    announcement: re.Pattern[str]
    stated: tuple[re.Pattern[str], ...]
    chosen: tuple[re.Pattern[str], ...]
    correct: tuple[re.Pattern[str], ...]
    mentioned: tuple[re.Pattern[str], ...]


@lru_cache(maxsize=256)
def patterns_of(names: tuple[str, ...], *, english: bool) -> Patterns:
    """The expressions for these labels; with `english`, only those that can match English."""
    labels = labels_of(names)
    any_case, exact, starts = labels.any_case, labels.exact, labels.starts
    announcement = ENGLISH_CHOICE if english else f"(?:{ENGLISH_CHOICE}|(?:{OTHERS}))"
    others = () if english else _in_other_languages(exact, starts)
    return Patterns(
        bare=re.compile(
            rf"\s*+(?:[-#>•]{{1,4}}\s|\d{{1,2}}[.)]\s)?(?i:(?:option|choice|answer)\s|选项?|選項?|ข้อ|الخيار\s)?"
            rf"{DECORATED}{any_case}(?:です|でしょう|입니다|이다|번)?{_CLOSE}*+"
        ),
        leading=re.compile(rf"{DECORATED}{any_case}\)?[*_]{{0,2}}(?:[.):,、]|\s[-:])?[*_]{{0,2}}\s*"),
        next_in_list=re.compile(rf"{_LIST}{DECORATED}{exact}{_NOT_ITS_OWN_SENTENCE}"),
        announcement=re.compile(rf"{announcement}{DECORATED}", re.IGNORECASE),
        stated=(
            re.compile(rf"{announcement}{DECORATED}{any_case}", re.IGNORECASE),
            re.compile(rf"{HEADING}{DECORATED}{any_case}", re.IGNORECASE),
            re.compile(rf"\\(?:boxed|fbox)\s?\{{{DECORATED}{any_case}"),
            re.compile(rf"<(?:answer|choice|option)>{DECORATED}{any_case}", re.IGNORECASE),
        ),
        chosen=(*_chosen(exact), *others[:1]),
        correct=(
            _correct(exact, starts),
            re.compile(rf"\b(?i:is|be){_CHOICE_WORDS}{DECORATED}{exact}{_CLOSE}*+\Z"),
            re.compile(rf"\A\s*{DECORATED}{exact}[)\]*_\"]{{0,4}}\s(?=[-–—]|because\b|since\b|as\b)"),
            re.compile(
                rf"(?m:^)[\s*_(•-]{{0,6}}{exact}\)?[.):][^\n]{{0,160}}?(?:[-–—:(,]\s?\**(?i:correct|right|true)\b|[✓✅✔])"
            ),
            *others[1:-2],
        ),
        mentioned=(
            re.compile(
                rf"(?<![\w\\])(?:\((?=\w{{1,3}}\))|\*\*\(?|(?i:option|choice)\s+[(*\"']{{0,3}}"
                rf"|(?m:^)[\s*_(]{{0,4}}(?=\w{{1,2}}[.):、])){exact}"
            ),
            *others[-2:],
        ),
    )


def _chosen(exact: str) -> tuple[re.Pattern[str], ...]:
    verbs = (
        r"choos(?:e|ing)|chose|pick(?:ed)?|select(?:ed)?|(?:go|going|went)\s+with|opt\s+for|settle\s+(?:on|for)|answer"
    )
    beliefs = r"(?:think|believe|guess|say)(?:\s+(?:that\s+)?(?:it's|it\s+is|it\s+must\s+be))?"
    hedged = r"(?:\s(?!(?:not|never|cannot|\w+n't)\b)\w[\w']*){0,3}?"
    return (
        re.compile(rf"\b(?i:(?:I|we)(?:'\w+)?{hedged}\s(?:{verbs})\b){_CHOICE_WORDS}{DECORATED}{exact}"),
        re.compile(rf"\b(?i:(?:I|we)(?:'\w+)?{hedged}\s{beliefs}){_CHOICE_WORDS}{DECORATED}{exact}{_FINAL}"),
        re.compile(
            r"\b(?i:therefore|thus|hence|so|actually|(?:most\s+)?likely|probably|definitely|clearly|certainly|it's|it\s+is|it\s+(?:must|has\s+to|should)\s+be|but(?:\s+rather)?)\b,?"
            rf"{_CHOICE_WORDS}{DECORATED}{exact}{_FINAL}"
        ),
        re.compile(rf"(?:→|->|=>){DECORATED}{exact}{_FINAL}"),
        re.compile(rf":{DECORATED}{exact}{_CLOSE}*+\Z"),
    )


def _correct(exact: str, starts: str) -> re.Pattern[str]:
    return re.compile(
        rf"{starts}{exact}[)\]*_\"'.:]{{0,4}}\s+(?i:is|seems|must\s+be|would\s+be)\s+"
        r"(?i:(?:(?:the|my)\s+)?(?:most\s+|only\s+|clearly\s+)?(?:correct|right|best|true|accurate|answer|choice)\b)"
    )


def _in_other_languages(exact: str, starts: str) -> tuple[re.Pattern[str], ...]:
    """Choosing first, then what is called right, and two for what is merely mentioned."""
    return (
        re.compile(
            rf"(?:{CHOOSING}|(?:故|因此|所以|따라서|그러므로|よって|したがって|ゆえに|ดังนั้น)\s?[,、]?){DECORATED}{exact}"
        ),
        re.compile(
            rf"{starts}{exact}[)\]*_\"]{{0,4}}\s?(?:项|項|选项|選項|答案)?(?:才?[是为為]|最|均|都)?(?:最)?"
            r"(?:正确|正確|对(?!比)|對|符合|合适|恰当|最佳)"
        ),
        re.compile(rf"{starts}{exact}[)\]*_\"]{{0,4}}번?(?:이|가)\s?(?:정답|답|맞|옳)(?!이?\s?아[니닙])"),
        re.compile(
            rf"{starts}{exact}[)\]*_\"」]{{0,4}}(?:が|は)(?:最も|最)?(?:正解|正しい|適切|答え)(?!では|じゃ|とは)"
        ),
        re.compile(rf"{starts}{exact}[)\]*_\"]{{0,4}}\s+(?:هو|هي)\s+(?:ال)?(?:اجابة|جواب|صحيح)"),
        re.compile(rf"{starts}{exact}[)\]*_\"]{{0,4}}\s*(?:เป็นคำตอบที่|คือคำตอบที่)?ถูก"),
        re.compile(rf"(?:选项|選項|ข้อ\s?|(?<!\w)الخيار\s|선택지\s?|選択肢\s?){exact}"),
        re.compile(rf"{starts}{exact}(?=项|選項|选项|번)"),
    )


def stands_alone(text: str, label: str, place: tuple[int, int], labels: Labels) -> bool:
    """True unless the label is an ordinary word here: `A common trap`, `I don't know`, a lower-case letter."""
    start, end = place
    small = label not in labels.known.values()
    if not small and label not in ("A", "I", "a", "i") and not label.isdigit():
        return True
    if text[start - 1 : start] in tuple("([{*$`\"'"):
        return True
    after = _AFTER_A_SMALL_WORD if small or label in ("a", "i") else _AFTER_A_WORD
    return after.match(text, end) is not None
