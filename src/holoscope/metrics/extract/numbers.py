r"""Finding the number that is the answer, and reading numbers as values.

Numbers are compared as exact fractions: `29`, `$29.00`, `29.` and `\$29` are one number, `29.5` is another. Rules in
order: what a box or a `####` marks (the last mark wins, since models recite worked examples before they answer), what
a sentence states as the answer, and the last number of the text. A mark without a number in it is an answer that is
no number: an earlier number is never taken in its place.
"""

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from holoscope.metrics.extract.boxed import last_boxed
from holoscope.metrics.extract.found import Found

_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_LONGEST = 300
"""Digits of the longest number that is read: a model's text must not make us compute for minutes."""

_INTEGER = r"(?:\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d)|\d+)"
_FRAC = r"\\[dt]?frac\s?\{(?P<%s>[-−]?\d+)\}\s?\{(?P<%s>\d+)\}"
_NUMBER = re.compile(
    rf"(?:(?<![\w)\]}}%])(?P<sign>[-+−]))?(?:\\?[$€£¥₹]\s?(?P<inner>[-−])?)?"
    rf"(?<![A-Za-z_\d])(?<!\d\.)"
    rf"(?:{_FRAC % ('above', 'below')}|(?P<vulgar>[{_VULGAR}])"
    rf"|(?P<whole>{_INTEGER}(?:\.\d+)?|(?<!\.)\.\d+)"
    rf"(?:(?P<exponent>[eE][-+−]?\d+(?!\w)|\s?(?:×|\\times|\*)\s?10\s?\^\s?\{{?[-−]?\d+\}}?)"
    rf"|\s?(?P<part>[{_VULGAR}])|\s?{_FRAC % ('part_above', 'part_below')}"
    rf"|\s(?P<part_over>\d+)/(?P<part_under>\d+)(?![\d/])|\s?/\s?(?P<under>\d+)(?![\d/]))?)"
)
_HASH_MARK = re.compile(r"####\s*(?P<rest>[^\n]*)")
_HEADING = re.compile(r"[.):]\s+\w|(?:\W+\w+){5}")
"""After the number: a numbered heading or a sentence, not an answer."""
_DECORATION = r"(?:\\[(\[]|[\s*_:：=\"'`(\[]){0,12}"
_HEDGE = r"(?:(?:about|approximately|around|exactly|roughly|only|just|simply|therefore|thus|a total of)\s{1,3}){0,2}"
_STATEMENT = re.compile(
    rf"\banswer\b(?:\s+(?:to|for|of)\b[^.\n:]{{0,60}}?)?[\s*_]{{0,4}}(?:is|was|=|:|：|equals|would be|should be)"
    rf"{_DECORATION}{_HEDGE}(?P<rest>[^\n]{{0,200}})",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)")


@lru_cache(maxsize=256)
def find_number(text: str) -> Found:
    """The number that the text gives as its answer."""
    numbers = list(_values(text, 0, len(text)))
    last = Found(numbers[-1].group(), "last_number", numbers[-1].span()) if numbers else None
    found = _marked(text) or _stated(text) or last
    return found or Found(None, reason="there is no number in the answer")


def parse_number(text: str) -> Fraction | None:
    """The value of a text that is a number and nothing else; None if it is not one.

    >>> parse_number("$1,234.50") == parse_number("1234.5")
    True
    """
    stripped = text.strip().removesuffix("%").rstrip(" .")
    match = _NUMBER.fullmatch(stripped)
    return _value(match) if match else None


def _marked(text: str) -> Found | None:
    box, mark = last_boxed(text), _last_hash_mark(text)
    if mark and (box is None or mark[0] > box[0]):
        return _result(text, *mark, "hash_mark")
    if box is None:
        return None
    return _result(text, *box, "boxed") or Found(None, "boxed", box, "the box holds no number")


def _last_hash_mark(text: str) -> tuple[int, int] | None:
    for match in reversed(list(_HASH_MARK.finditer(text))):
        start, end = match.span("rest")
        number = _NUMBER.match(text, start, end)
        if number and not _HEADING.match(text, number.end(), end):
            return start, end
    return None


def _stated(text: str) -> Found | None:
    for match in reversed(list(_STATEMENT.finditer(text))):
        start, end = match.span("rest")
        first = _NUMBER.match(text, start, end)
        if first:
            stop = _SENTENCE_END.search(text, first.end(), end)
            return _result(text, start, stop.start() if stop else end, "stated_number")
    return None


def _result(text: str, start: int, end: int, rule: str) -> Found | None:
    """The first number of a passage or, where it is a calculation, the first after its last equals sign."""
    equals = text.rfind("=", start, end)
    for begin in (equals + 1, start) if equals >= 0 else (start,):
        match = next(_values(text, begin, end), None)
        if match:
            return Found(match.group(), rule, match.span())
    return None


def _values(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    return (m for m in _NUMBER.finditer(text, start, end) if _value(m) is not None)


def _value(match: re.Match[str]) -> Fraction | None:
    if match.end() - match.start() > _LONGEST:
        return None
    negative = (match["sign"] in ("-", "−")) != (match["inner"] is not None)
    magnitude = _magnitude(match)
    return -magnitude if negative and magnitude is not None else magnitude


def _magnitude(match: re.Match[str]) -> Fraction | None:
    if match["vulgar"]:
        return _vulgar(match["vulgar"])
    if match["above"]:
        return _ratio(match["above"], match["below"])
    value = Fraction(_ascii(match["whole"].replace(",", "")))
    if match["exponent"]:
        power = int(_ascii(re.sub(r"^[eE]|^.*\^", "", match["exponent"]).strip(" {}")))
        return value * Fraction(10) ** power if abs(power) <= _LONGEST else None
    if match["under"]:
        divisor = int(_ascii(match["under"]))
        return value / divisor if divisor else None
    part = _part(match)
    return None if part is None else value + part


def _part(match: re.Match[str]) -> Fraction | None:
    """The fraction of a mixed number, `2½` or `2 1/2`; 0 where there is none."""
    if match["part"]:
        return _vulgar(match["part"])
    above, below = match["part_above"] or match["part_over"], match["part_below"] or match["part_under"]
    return _ratio(above, below) if above else Fraction(0)


def _ratio(above: str, below: str) -> Fraction | None:
    divisor = Fraction(_ascii(below))
    return Fraction(_ascii(above)) / divisor if divisor else None


def _vulgar(character: str) -> Fraction:
    return Fraction(unicodedata.numeric(character)).limit_denominator(10)


def _ascii(digits: str) -> str:
    """Digits of any script as ASCII, with a plain minus sign."""
    if digits.isascii():
        return digits
    return "".join("-" if c in "-−" else str(unicodedata.digit(c, c)) for c in digits)
