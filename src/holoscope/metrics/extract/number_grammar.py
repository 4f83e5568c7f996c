r"""How numbers are written, and what they are worth, as exact fractions.

Signs, currencies (`$`, `\$`), thousands (`1,234`, `1 234`, `10,\!080`, `1.234,50`, `1,00,000`), decimals, exponents
(`1e3`, `3 \times 10^5`, `10⁵`), fractions (`3/4`, `\frac{3}{4}`, `¾`, `2½`, `2 1/2`), percent, and words such as
million; digits of any script. A comma belongs to a number only between digits. A number is worth what it says:
`20 %` is 20 and marked as a percentage, and it is for the comparison to know whether 0.2 is meant.
"""

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from holoscope.metrics.extract.folding import folded

_LONGEST = 300
"""Digits of the longest number that is read: a model's text must not make us compute for minutes."""
_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SCALES = {
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "lakh": 10**5,
    "crore": 10**7,
    **dict.fromkeys("万萬만", 10**4),
    **dict.fromkeys("亿億억", 10**8),
}

_GROUP = r"(?:,|\{,\}|,\\!|\\[,;]|\u00a0|')"
_INTEGER = rf"(?:\d{{1,3}}(?:{_GROUP}\d{{2,3}}){{0,99}}{_GROUP}\d{{3}}(?!\d)|\d+)"
_CONTINENTAL = r"\d{1,3}(?:\.\d{3}){1,99},\d{1,2}(?![\d,])|\d{1,3}(?:\.\d{3}){2,99}(?![\d.])"
_FRAC = (
    r"\\[dtc]?frac\s?(?:\{\s?(?P<%(n)s>[-]?\d+)\s?\}|(?P<%(n)s_short>\d))"
    r"\s?(?:\{\s?(?P<%(d)s>\d+)\s?\}|(?P<%(d)s_short>\d))"
)
_POWER = r"(?:\s?(?:\^|\*\*)\s?(?:\{\s?-?\d+\s?\}|-?\d+)|[⁻⁰¹²³⁴-⁹]+)"
NUMBER = re.compile(
    r"(?:(?<![\w)\]}%^])(?<!\^\{)(?P<sign>[-+]))?(?:\\?[$€£¥₹₩₽₺฿₫₱]\s?(?P<inner>-)?)?"
    r"(?<![A-Za-z_\d^])(?<!\d\.)(?<![_^]\{)(?<!\^-)(?<!\^\{-)"
    rf"(?:{_FRAC % {'n': 'above', 'd': 'below'}}|(?P<vulgar>[{_VULGAR}])"
    rf"|(?:(?P<continental>{_CONTINENTAL})|(?P<whole>{_INTEGER}(?:\.\d+)?|(?<!\.)\.\d+))"
    r"(?:(?P<exponent>[eE][-+]?\d+(?!\w))"
    rf"|\s?(?:×|\\times|\\cdot|·|\*|x)\s?10(?P<ten_power>{_POWER})|(?P<power>{_POWER})"
    rf"|\s?(?P<part>[{_VULGAR}])|\s?{_FRAC % {'n': 'part_above', 'd': 'part_below'}}"
    r"|\s(?:and\s)?(?P<part_over>\d+)/(?P<part_under>\d+)(?![\d/])|\s?/\s?(?P<under>\d+)(?![\d/]))?"
    rf"(?:\s?(?i:(?P<scale>thousand|million|billion|trillion|lakh|crore)s?(?![A-Za-z-])|(?P<sign_scale>[万萬만亿億억])))?)"
    r"(?P<percent>\s?(?:\\?%|(?i:per\s?cent(?:age)?)\b))?"
)


class Number(NamedTuple):
    """What a number is worth as it is written."""

    value: Fraction
    percent: bool = False


@lru_cache(maxsize=4096)
def read_number(text: str) -> Number | None:
    """A text that is a number and nothing else; None if it is more or less than that.

    >>> read_number("$1,234.50").value == read_number("1234.5").value
    True
    """
    plain = folded(text).strip().rstrip(" .$")
    match = NUMBER.fullmatch(plain)
    value = value_of(match) if match else None
    return None if match is None or value is None else Number(value, match["percent"] is not None)


def value_of(match: re.Match[str]) -> Fraction | None:
    """The worth of a match of `NUMBER`; None where it can't be computed (a zero below the line, endless digits)."""
    if match.end() - match.start() > _LONGEST:
        return None
    magnitude = _magnitude(match)
    if magnitude is None:
        return None
    scale = (match["scale"] or match["sign_scale"] or "").lower()
    negative = (match["sign"] == "-") != (match["inner"] is not None)
    return (-magnitude if negative else magnitude) * _SCALES.get(scale, 1)


def _magnitude(match: re.Match[str]) -> Fraction | None:
    if match["vulgar"]:
        return _vulgar(match["vulgar"])
    if match["above"] or match["above_short"]:
        return _ratio(match["above"] or match["above_short"], match["below"] or match["below_short"])
    value = _plain(match)
    if match["exponent"] or match["ten_power"]:
        power = _exponent(match["exponent"] or match["ten_power"])
        return value * Fraction(10) ** power if abs(power) <= _LONGEST else None
    if match["power"]:
        return _raised(value, _exponent(match["power"]))
    if match["under"]:
        return _ratio(value, match["under"])
    part = _part(match)
    return None if part is None else value + part


def _plain(match: re.Match[str]) -> Fraction:
    if match["continental"]:
        return Fraction(match["continental"].replace(".", "").replace(",", "."))
    return Fraction(re.sub(r"[^\d.]", "", match["whole"]))


def _exponent(written: str) -> int:
    return int(re.sub(r"[^\d-]", "", written.translate(_SUPERSCRIPTS)) or 0)


def _raised(base: Fraction, power: int) -> Fraction | None:
    too_long = abs(power) * len(str(base)) > _LONGEST or (base == 0 and power < 0)
    return None if too_long else base**power


def _part(match: re.Match[str]) -> Fraction | None:
    """The fraction of a mixed number, `2½` or `2 1/2`; 0 where there is none."""
    if match["part"]:
        return _vulgar(match["part"])
    above = match["part_above"] or match["part_above_short"] or match["part_over"]
    below = match["part_below"] or match["part_below_short"] or match["part_under"]
    return _ratio(above, below) if above else Fraction(0)


def _ratio(above: str | Fraction, below: str) -> Fraction | None:
    divisor = Fraction(below)
    return Fraction(above) / divisor if divisor else None


def _vulgar(character: str) -> Fraction:
    return Fraction(unicodedata.numeric(character)).limit_denominator(10)
