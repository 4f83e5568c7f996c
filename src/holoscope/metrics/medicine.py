"""What a rule can say of a medical answer: MedCalc-Bench's quantities, MEDEC's errors, and codes of diseases.

*MedCalc-Bench*: a date, a duration or a number is right within the limits that its row gives, a score or a class if it
is the reference. *MEDEC*: the answer says that the note is right, or names the sentence that is wrong. *ICD-10*: the
codes in an answer against those of the reference.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date

from holoscope.core import Metric, Outcome, Score, Trial
from holoscope.metrics.answers import answer, correct_texts, empty_score, moved, shown
from holoscope.metrics.extract import find_number, parse_number, same_number
from holoscope.metrics.normalise import normalise
from holoscope.metrics.separate import is_separate

ScoreFunction = Callable[..., Score]

CALC = "medcalc_bench_accuracy"
FLAG, SENTENCE = "medec_error_flag_accuracy", "medec_error_sentence_accuracy"
CODES = tuple(f"mimiciv_billing_code_{part}" for part in ("precision", "recall", "f1"))

BY_NAME = frozenset({"risk", "severity", "diagnosis"})
"""Kinds of quantity that have no limits: points and classes."""
_DURATION = re.compile(r"(\d+)\s*weeks?\W{0,8}(?:and\W{1,3})?(\d+)\s*days?", re.IGNORECASE)
_DATE = re.compile(r"\b(?:(\d{1,2})/(\d{1,2})/(\d{4})|(\d{4})-(\d{1,2})-(\d{1,2}))\b")
_RIGHT = re.compile(r"\W*correct\b", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:the\s+)?(?:sentence\s*)?(?:id\s*)?[#:*\"'(\[\s]*(\d+)", re.IGNORECASE)
_CODE = re.compile(r"\b[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4}|[0-9A-Z]{1,4})?\b")
NO_GOLD = "no reference of the instance is marked as right"


def calculated(trial: Trial) -> Score:
    """1 if the quantity lies within the limits of its row."""
    golds = correct_texts(trial)
    if is_separate(trial) or not golds:
        return Score(CALC, None, Outcome.NOT_SUPPORTED, NO_GOLD)
    given = answer(trial)
    if not given.text.strip():
        return empty_score(CALC, trial)
    low, high = (str(trial.instance.extra.get(f"{end}_limit", "")) for end in ("lower", "upper"))
    kind = str(trial.instance.extra.get("category", ""))
    if kind == "date":
        return _dated(given.text, golds[0], low, high)
    found = find_number(given.text)
    if kind in BY_NAME:
        right = normalise(golds[0], "en") == normalise(given.text, "en")
        named = found.answer is not None and same_number(golds[0], found.answer)
        return Score(CALC, float(right or named), rule=found.rule, answer=shown(given.text.strip()))
    value, ends = (
        (None if found.answer is None else parse_number(found.answer)),
        (parse_number(low), parse_number(high)),
    )
    if value is None:
        return Score(CALC, None, Outcome.UNGRADABLE, found.reason or "the answer is no number", rule=found.rule)
    if ends[0] is None or ends[1] is None:
        return Score(CALC, None, Outcome.NOT_SUPPORTED, "the instance gives no limits to the quantity")
    span = moved(found.span, given.start)
    return Score(CALC, float(ends[0] <= value <= ends[1]), rule=found.rule, span=span, answer=found.answer)


def _dated(said: str, gold: str, low: str, high: str) -> Score:
    """A date or a duration in weeks and days, read in any of the usual forms."""
    read = _days if _days(gold) is not None else _day
    value, first, last = read(said), read(low), read(high)
    if value is None:
        return Score(CALC, None, Outcome.UNGRADABLE, "the answer holds no date and no duration in weeks and days")
    if first is None or last is None:
        return Score(CALC, None, Outcome.NOT_SUPPORTED, "the instance gives no limits to the date")
    return Score(CALC, float(first <= value <= last), rule="date", answer=shown(said.strip()))


def _days(text: str) -> int | None:
    found = _DURATION.search(text)
    return int(found[1]) * 7 + int(found[2]) if found else None


def _day(text: str) -> int | None:
    found = _DATE.search(text)
    if found is None:
        return None
    month, day, year = (found[1], found[2], found[3]) if found[1] else (found[5], found[6], found[4])
    try:
        return date(int(year), int(month), int(day)).toordinal()
    except ValueError:
        return None


def _errors(name: str) -> ScoreFunction:
    """Whether the answer is right about there being an error, or about where it is."""

    def score(trial: Trial) -> Score:
        golds = correct_texts(trial)
        if is_separate(trial) or not golds:
            return Score(name, None, Outcome.NOT_SUPPORTED, NO_GOLD)
        said = answer(trial).text.strip()
        if not said:
            return empty_score(name, trial)
        wanted, found = _sentence(golds[0]), _sentence(said)
        if found is None:
            reason = "the answer neither says that the note is correct nor starts with a sentence's number"
            return Score(name, None, Outcome.UNGRADABLE, reason, rule="sentence_number")
        right = wanted == found if name == SENTENCE else (wanted == _NONE) == (found == _NONE)
        return Score(name, float(right), rule="sentence_number", answer=shown(said))

    return score


_NONE = -1
"""In place of a sentence's number: there is no error."""


def _sentence(text: str) -> int | None:
    if _RIGHT.match(text):
        return _NONE
    found = _NUMBERED.match(text)
    return int(found[1]) if found else None


def codes(name: str, pattern: re.Pattern[str]) -> ScoreFunction:
    """Precision, recall or F1 of the codes in an answer, each of them counted once."""
    part = name.rpartition("_")[2]

    def score(trial: Trial) -> Score:
        wanted = _found(pattern, " ".join(r.text for r in trial.instance.references))
        if is_separate(trial) or not wanted:
            return Score(name, None, Outcome.NOT_SUPPORTED, "no reference of the instance holds a code of ICD-10")
        said = _found(pattern, answer(trial).text)
        shared = len(said & wanted)
        of = {"precision": len(said), "recall": len(wanted), "f1": (len(said) + len(wanted)) / 2}[part]
        return Score(name, shared / of if of else 0.0, rule="codes", answer=shown(", ".join(sorted(said))))

    return score


def _found(pattern: re.Pattern[str], text: str) -> set[str]:
    return {code.rstrip(".") for code in pattern.findall(text.replace("**", ""))}


def cards() -> Iterator[Metric]:
    """The metrics of this module."""
    for name, title, function, binary in (
        (CALC, "Right quantity", calculated, True),
        (FLAG, "Right about an error", _errors(FLAG), True),
        (SENTENCE, "Right about the wrong sentence", _errors(SENTENCE), True),
        *((name, f"Codes: {name.rpartition('_')[2]}", codes(name, _CODE), False) for name in CODES),
    ):
        yield Metric(
            name=name,
            version="1",
            axis="accuracy",
            title=title,
            binary=binary,
            ends=(0.0, 1.0),
            score=function,
            needs=("references",),
        )
