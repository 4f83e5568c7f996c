r"""Finding which option a multiple-choice answer names.

Rules in order, the first that matches winning:

    bare_label        the whole answer is a label: `B`, `B.`, `(B)`, `**B**`, `$B$`, `\boxed{B}`
    first_line        its first line is one (what follows is a model running on)
    stated_label      the last statement: `the answer is B`, `ANSWER: (B)`, `correct option is B`, `\boxed{B}`
    stated_text       the same with an option's full text: `The answer is Paris.`
    label_and_text    the first line is a label and that option's own text: `B. Paris`
    option_text       the whole answer is one option's text
    chosen_label      the last weaker statement: `I choose B`, `B is correct`, `Therefore, B.`
    only_label        a single label is set off anywhere: `(B)`, `option B`, a line that starts with `B.`

Letters inside words are never labels, and `A` and `I` are words unless they are set off or end what they stand in.
Where several labels are stated at once or only mentioned, no option is chosen and the reason says so.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from holoscope.metrics.extract.found import Found
from holoscope.metrics.normalise import normalise

_OPEN = (
    r"(?:\\(?:text|textbf|mathrm|mathbf|mathsf|boxed|fbox)\s?\{|\\[(\[]|[\s*_`\"'“‘’«(\[{<$（【「:：])"
    r"{0,12}"
)
_CLOSE = r"(?:\\[)\]]|[\s.,;:!)\]}*_`\"'”’»>$）】」。，])"
_WORD_GOES_ON = r"(?!\w)(?![’'`]\w)(?!-\w)(?!\.\w)(?![+#%])"
_WORDS = frozenset("AaIi")
"""Labels that are also English words."""
_AFTER_A_WORD = re.compile(
    r"\s{0,4}(?:$|[\n/&.,;:!?)\]}*_`\"”’»>$）】」。，—–]|\\[)\]]"
    r"|(?:because|since|as|and|or|for|due|given|which)\b|-\s|\()"
)
_HEADS = (
    r"(?:answer(?:\s+(?:choice|option|letter))?(?:\s+(?:to|for|of|here)\b[^.\n:]{0,60}?)?"
    r"|response"
    r"|(?:correct|right|best|final|appropriate|accurate)\s+(?:option|choice|one|statement|letter|selection|response))"
)
_LINK = (
    r"[\s*_\"'`)]{0,6}(?:is|was|=|:|：|would\s+be|should\s+be|must\s+be|will\s+be|has\s+to\s+be|→|->|=>)"
    r"(?:\s+(?:definitely|clearly|therefore|thus|indeed|likely|most\s+likely|probably|simply|actually|still|again)\b)?"
    r"[\s*_:：]{0,8}(?:(?:the\s+)?(?:option|choice|letter|answer)\b)?"
)
_ENDINGS = (re.compile(r"\n|\Z"), re.compile(r"\.\s"))
"""Of a stated text: its line, or its sentence."""
_HEAD_AND_LINK = re.compile(rf"\b{_HEADS}{_LINK}{_OPEN}", re.IGNORECASE)


_DENIED_BEFORE = re.compile(
    r"(?:\bnot|n[’']t|\bnever|\beliminated?|\bexcluded?|\brul(?:e|ed|ing)\s+out|\bexcept|\brather\s+than)\s+(?:to\s+|the\s+)?$",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"[)\]*_\"'”]{0,4}\s+(?:(?:is|are|was|seems)\s+(?:not|wrong|incorrect|false|unlikely|ruled)|isn[’']t|can(?:\s?not|[’']t)"
    r"|can\s+be\s+(?:ruled|eliminated|excluded)|fails)\b",
    re.IGNORECASE,
)


class _Patterns(NamedTuple):
    """Expressions for one set of labels; each names the label it finds `label`."""

    bare: re.Pattern[str]
    leading: re.Pattern[str]
    next_in_list: re.Pattern[str]
    stated: tuple[re.Pattern[str], ...]
    chosen: tuple[re.Pattern[str], ...]
    mentioned: re.Pattern[str]


def find_option(text: str, options: Mapping[str, str]) -> Found:
    """The label of the option that `text` names; `options` maps labels to texts."""
    return _find(text, tuple(options.items()))


@lru_cache(maxsize=256)
def _find(text: str, options: tuple[tuple[str, str], ...]) -> Found:
    labels = tuple(label for label, _ in options)
    patterns = _patterns(labels)
    bare = patterns.bare.fullmatch(text)
    if bare:
        return _named(bare, labels, "bare_label")
    first = _first_line(text)
    line = patterns.bare.fullmatch(text, *first)
    if line:
        return _named(line, labels, "first_line")
    return (
        _last_statement(text, labels, patterns, patterns.stated, "stated_label")
        or _stated_text(text, options)
        or _label_and_text(text, first, options, patterns)
        or _by_text(text, (0, len(text)), options, "option_text")
        or _last_statement(text, labels, patterns, patterns.chosen, "chosen_label")
        or _only_label(text, labels, patterns)
    )


@lru_cache(maxsize=256)
def _patterns(labels: tuple[str, ...]) -> _Patterns:
    longest_first = sorted({*labels, *(label.lower() for label in labels)}, key=lambda s: (-len(s), s))
    label = rf"(?P<label>{'|'.join(map(re.escape, longest_first))}){_WORD_GOES_ON}"
    upper = rf"(?P<label>{'|'.join(map(re.escape, sorted(labels, key=len, reverse=True)))}){_WORD_GOES_ON}"
    ends = r"(?=\s{0,4}(?:[.!*)]|$|\n))"
    return _Patterns(
        bare=re.compile(rf"\s*+(?i:(?:option|choice|answer)\s)?{_OPEN}{label}{_CLOSE}*+"),
        leading=re.compile(rf"{_OPEN}{label}\)?[*_]{{0,2}}[.):：,][*_]{{0,2}}\s*"),
        next_in_list=re.compile(
            rf"[)*_]{{0,4}}\s{{0,2}}(?:,|/|&|\bor\b|\band\b|,\s?and\b)\s{{0,2}}{_OPEN}{upper}"
            r"(?!\s+(?:is|are|was|were|fails|does|would|has|can)\b)"
        ),
        stated=(
            re.compile(_HEAD_AND_LINK.pattern + label, re.IGNORECASE),
            re.compile(rf"\\(?:boxed|fbox)\s?\{{{_OPEN}{label}"),
            re.compile(rf"<(?:answer|choice|option)>{_OPEN}{label}"),
        ),
        chosen=(
            re.compile(
                r"\b(?i:choose|chose|pick|picked|select|selected|(?:go|going|went)\s+with|opt\s+for|settle\s+on)"
                rf"(?i:\s+(?:the\s+)?(?:option|choice|answer|letter))?{_OPEN}{upper}"
            ),
            re.compile(
                rf"(?<![\w’']){upper}[)\]*_\"'”.:]{{0,4}}\s+(?i:is|seems|must\s+be|would\s+be)\s+"
                r"(?i:(?:the\s+)?(?:most\s+|only\s+)?(?:correct|right|best|true|accurate|answer)\b)"
            ),
            re.compile(rf"\b(?i:therefore|thus|hence|so|it[’']s|it\s+is|it\s+must\s+be)\b,?{_OPEN}{upper}{ends}"),
            re.compile(rf"(?:→|->|=>){_OPEN}{upper}{ends}"),
        ),
        mentioned=re.compile(
            rf"(?<![\w\\])(?:\((?=\w{{1,3}}\))|\*\*\(?|(?i:option|choice)\s+[(*\"'“]{{0,3}}|(?m:^)[\s*_(]{{0,4}}"
            rf"(?=\w{{1,2}}[.):])){upper}"
        ),
    )


def _first_line(text: str) -> tuple[int, int]:
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    return start, len(text) if end < 0 else end


def _named(match: re.Match[str], labels: Iterable[str], rule: str) -> Found:
    found = match["label"]
    label = found if found in labels else next(known for known in labels if known.lower() == found.lower())
    return Found(label, rule, match.span("label"))


def _last_statement(
    text: str, labels: tuple[str, ...], patterns: _Patterns, rules: tuple[re.Pattern[str], ...], rule: str
) -> Found | None:
    matches = [m for pattern in rules for m in pattern.finditer(text) if _stands_alone(text, m, labels)]
    matches = [m for m in matches if not _is_denied(text, m)]
    if not matches:
        return None
    last = max(matches, key=lambda m: m.start("label"))
    if patterns.next_in_list.match(text, last.end("label")):
        return Found(None, rule, last.span("label"), "several options are stated at once")
    return _named(last, labels, rule)


def _stands_alone(text: str, match: re.Match[str], labels: tuple[str, ...]) -> bool:
    """True unless the label is an ordinary word here: `A common trap`, `I don't know`, a lower-case letter."""
    label, (start, end) = match["label"], match.span("label")
    if label not in _WORDS and label in labels:
        return True
    return text[start - 1 : start] in tuple("([{*$") or _AFTER_A_WORD.match(text, end) is not None


def _is_denied(text: str, match: re.Match[str]) -> bool:
    """True for `not option B` and `(B) is wrong`."""
    before = _DENIED_BEFORE.search(text, max(0, match.start() - 24), match.start())
    return before is not None or _DENIED_AFTER.match(text, match.end("label")) is not None


def _stated_text(text: str, options: tuple[tuple[str, str], ...]) -> Found | None:
    longest = _longest(options)
    for match in reversed(list(_HEAD_AND_LINK.finditer(text))):
        for ending in _ENDINGS:
            stop = ending.search(text, match.end(), match.end() + longest)
            found = stop and _by_text(text, (match.end(), stop.start()), options, "stated_text")
            if found:
                return found
    return None


def _label_and_text(
    text: str, line: tuple[int, int], options: tuple[tuple[str, str], ...], patterns: _Patterns
) -> Found | None:
    leading = patterns.leading.match(text, *line)
    if leading is None:
        return None
    label = _named(leading, [label for label, _ in options], "label_and_text")
    said, meant = normalise(text[leading.end() : line[1]]), normalise(dict(options)[str(label.answer)])
    cut_off = said and line[1] == len(text) and meant.startswith(said)
    return label if said == meant or cut_off else None


def _by_text(text: str, span: tuple[int, int], options: tuple[tuple[str, str], ...], rule: str) -> Found | None:
    if span[1] - span[0] > _longest(options):
        return None
    said = normalise(text[slice(*span)])
    same = [label for label, option in options if said and normalise(option) == said]
    return Found(same[0], rule, span) if len(same) == 1 else None


def _longest(options: tuple[tuple[str, str], ...]) -> int:
    """More than any way of writing an option's text takes."""
    return 2 * max((len(option) for _, option in options), default=0) + 20


def _only_label(text: str, labels: tuple[str, ...], patterns: _Patterns) -> Found:
    matches = [m for m in patterns.mentioned.finditer(text) if not _is_denied(text, m)]
    mentioned = sorted({match["label"] for match in matches})
    if len(mentioned) == 1:
        return _named(matches[-1], labels, "only_label")
    if mentioned:
        return Found(None, reason=f"options {', '.join(mentioned)} are mentioned, none is stated as the answer")
    return Found(None, reason="no option is named")
