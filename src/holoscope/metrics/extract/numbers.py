r"""Finding the number that is the answer, and comparing numbers.

Rules: what a box, a `####` or a sentence (`the answer is 48`, in many languages) marks as the answer, and of several
marks the last, since models recite worked examples before they answer; else the last number of the text. A mark that
holds no number, or a formula, is an answer that is no number: an earlier number is never taken in its place.

    boxed            `\boxed{48}`, `\boxed{x = 48}`
    hash_mark        `#### 48`
    stated_number    `The answer is $48.`
    stated_formula   `Answer: x = 48`
    last_number      `... so she has 48 left.`

Percentages: `20 %` is 20, and 0.2 only where the gold is a fraction of 1, written without a percent sign.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from holoscope.metrics.extract.boxed import last_boxed
from holoscope.metrics.extract.folding import folded
from holoscope.metrics.extract.found import Found
from holoscope.metrics.extract.number_grammar import NUMBER, read_number, value_of
from holoscope.metrics.extract.statements import DECORATED, ENGLISH, OTHERS, speaks_english_only

_HASH_MARK = re.compile(r"####\s*(?P<rest>[^\n]*)")
_HEADING = re.compile(r"[.):]\s+\w|(?:\W+\w+){5}")
"""After the number: a numbered heading or a sentence, not an answer."""
_HEDGES = (
    r"(?:(?:about|approximately|approx\.?|around|exactly|roughly|only|just|simply|therefore|thus|a\s+total\s+of|\\approx|[≈~])"
    r"\s{0,3}){0,2}"
)
_COMPARED = re.compile(r"\s+(?:more|less|fewer)\b")
"""After the number: a difference from another one."""
_ENGLISH = re.compile(rf"(?:{ENGLISH}){DECORATED}{_HEDGES}", re.IGNORECASE)
_ALL = re.compile(rf"(?:{ENGLISH}|(?:{OTHERS})){DECORATED}{_HEDGES}", re.IGNORECASE)
_CALCULATION = re.compile(
    r"(?:(?:[-\d\s.,+*/×÷·()$€£¥%^{}x]|\\(?:times|cdot|div|[$%]|[dt]?frac|text\{[^{}]*\}))*(?:=|\\approx|≈)\s*)+"
)
_LONGEST_FORMULA = 200
_DIGIT = re.compile(r"\d")
_EQUALS = re.compile(r"=|≈|\\approx")
_WORD = re.compile(r"(?<!\\)[^\W\d_]{2}")
_GOES_ON = re.compile(r"\s?(?:[+*/×÷=<>^]|-|\\(?:times|cdot|div|pm|pi|sqrt))\s?\(?[\\$€£]?[\d(\\a-z]")
_ALTERNATIVE = re.compile(r"[\w\s*%.$]{0,20}?\s(?:or|oder|ou)\s+(?:\\?[$€£])?[\d]")
_UNITS = re.compile(
    r"\\(?:text|textbf|mathrm|mathbf|mbox|operatorname|rm)\s*\{(?:[^{}]*\}(?:\^\{?[\d\s]*\}?)?)?|[{}]"
    r"|\\(?:[ ,;:!$%]|q?quad|left|right|circ|displaystyle)|\^\{?\\circ\}?"
    r"|[A-Za-z]{2,}(?:\^\{?\d\}?)?|\s[A-Za-z](?![A-Za-z(])"
)
"""What may stand beside the number in a box."""
_FORMULA = re.compile(r"[\d\\+*/^=<>_]|(?<=\d)[A-Za-z]|^[A-Za-z]")


class _Mark(NamedTuple):
    """A passage that is marked as the answer."""

    start: int
    end: int
    rule: str


def find_number(text: str) -> Found:
    """The number that the text gives as its answer."""
    return _find(text)


@lru_cache(maxsize=256)
def _find(text: str) -> Found:
    plain = folded(text)
    announced = _announced(plain)
    marks = [mark for mark in (_box(plain), _last_hash_mark(plain), _last_statement(plain, announced)) if mark]
    if marks:
        return _in_mark(text, plain, max(marks))
    start = announced[-1] if announced else 0
    numbers = list(_values(plain, start, len(plain)))
    if numbers:
        return _found(text, numbers[-1], "last_number")
    if next(_values(plain, 0, start), None):
        return Found(None, "stated_number", reason="what is stated as the answer holds no number")
    return Found(None, reason="there is no number in the answer")


def parse_number(text: str) -> Fraction | None:
    """The value of a text that is a number and nothing else; None if it is not one.

    >>> parse_number("$1,234.50") == parse_number("1234.5")
    True
    """
    number = read_number(text)
    return number and number.value


def same_number(gold: str, said: str) -> bool:
    """True if both texts are numbers and equal; a percentage also equals its hundredth where that is the gold.

    >>> same_number("0.2", "20 %"), same_number("20", "20 %"), same_number("20 %", "0.2")
    (True, True, False)
    """
    wanted, found = read_number(gold), read_number(said)
    if wanted is None or found is None:
        return False
    is_part = found.percent and not wanted.percent and abs(wanted.value) <= 1
    return wanted.value == found.value or (is_part and wanted.value == found.value / 100)


def _box(text: str) -> _Mark | None:
    place = last_boxed(text)
    return place and _Mark(*place, "boxed")


def _last_hash_mark(text: str) -> _Mark | None:
    """The last mark before a number or, where it ends the text, before anything."""
    for match in reversed(list(_HASH_MARK.finditer(text))):
        start, end = match.span("rest")
        number = NUMBER.match(text, start, end)
        ends_text = not text[end:].strip() and start < end
        if ends_text or (number and not _HEADING.match(text, number.end(), end)):
            return _Mark(start, end, "hash_mark")
    return None


def _last_statement(text: str, announced: list[int]) -> _Mark | None:
    """The last announcement that a number follows at once, or a formula: anything with digits but without words."""
    for start in reversed(announced):
        end = _line_end(text, start)
        number = NUMBER.match(text, start, end)
        if number and value_of(number) is not None and not _COMPARED.match(text, number.end(), end):
            return _Mark(start, end, "stated_number")
        near = min(end, start + _LONGEST_FORMULA)
        if not number and _DIGIT.search(text, start, near) and not _WORD.search(text, start, near):
            return _Mark(start, near, "stated_formula")
    return None


def _announced(text: str) -> list[int]:
    """Where announcements of an answer end, if anything follows them."""
    matches = (_ENGLISH if speaks_english_only(text) else _ALL).finditer(text)
    length = len(text.rstrip())
    return [m.end() for m in matches if m.end() < length]


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _in_mark(text: str, plain: str, mark: _Mark) -> Found:
    """The number that a mark holds: after the equals signs, where it is a calculation."""
    start, end = mark.start, mark.end
    calculation = _CALCULATION.match(plain, start, end) if mark.rule == "stated_number" else None
    if calculation and NUMBER.match(plain, calculation.end(), end):
        start = calculation.end()
    elif mark.rule != "stated_number":
        start = max((m.end() for m in _EQUALS.finditer(plain, start, end)), default=start)
    number = next(_values(plain, start, end), None)
    if number is None:
        return Found(None, mark.rule, (mark.start, mark.end), "the marked answer holds no number")
    if _is_formula(plain, number, start, end, mark.rule):
        return Found(None, mark.rule, (mark.start, mark.end), "the marked answer is more than a number")
    return _found(text, number, mark.rule)


def _is_formula(text: str, number: re.Match[str], start: int, end: int, rule: str) -> bool:
    if rule == "stated_number":
        return any(pattern.match(text, number.end(), end) for pattern in (_GOES_ON, _ALTERNATIVE))
    before, after = text[start : number.start()], text[number.end() : end]
    if re.match(r"[A-Za-z](?![A-Za-z])", after):
        return True
    return any(_FORMULA.search(_UNITS.sub(" ", part).strip()) for part in (before, after))


def _found(text: str, match: re.Match[str], rule: str) -> Found:
    return Found(text[slice(*match.span())], rule, match.span())


def _values(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    return (m for m in NUMBER.finditer(text, start, end) if value_of(m) is not None)
