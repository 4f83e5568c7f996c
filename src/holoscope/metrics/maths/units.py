"""Units, currencies and percent signs after a number: they don't make a right number wrong, unless both have one.

`5 cm` equals `5` and `5 centimetres`, but not `5 m`. A percentage equals its number and, where the other is a
fraction of 1, its hundredth.
"""

import re
from typing import NamedTuple

_ALIASES = {
    "centimeter": "cm", "centimetre": "cm", "millimeter": "mm", "millimetre": "mm", "kilometer": "km",
    "kilometre": "km", "meter": "m", "metre": "m", "inch": "in", "inche": "in", "foot": "ft", "feet": "ft",
    "mile": "mi", "yard": "yd", "second": "s", "sec": "s", "minute": "min", "hour": "h", "hr": "h",
    "degree": "°", "deg": "°", "gram": "g", "kilogram": "kg", "liter": "l", "litre": "l", "pound": "lb",
    "square": "sq", "cubic": "cu", "unit": "unit", "percent": "%", "dollar": "$", "usd": "$", "cent": "cent",
    "mile per hour": "mph", "mi/h": "mph", "kph": "km/h", "kmh": "km/h",
}  # fmt: skip
_SHORT = r"cm|mm|km|dm|nm|kg|mg|lb|lbs|oz|ft|in|yd|mi|mph|kph|sec|min|hr|hrs|ml|mL|Hz|Pa|mol|deg|rad|sq|cu|cc|am|pm"
_WORD = rf"(?:\\text\{{[^{{}}]*\}}|(?<![A-Za-z\\])(?:(?:{_SHORT})(?![A-Za-z])|(?<=\s)[A-Za-z]{{3,}}))"
_RAISED = r"(?:\s*\^\s*\{?\s*-?[1-4]\s*\}?)?"
_UNIT = re.compile(
    rf"(?:\s*(?:/|\*)?\s*{_WORD}{_RAISED})+\s*$|\s*\\degree\s*(?P<scale>(?:\\text\{{\s*)?[CFK]\s*\}}?)?\s*$"
)
_HEAD = re.compile(r"[\d})\]!]\s*$|\\(?:pi|infty)\s*$")
"""What a unit may follow: a number, a closed group, a constant."""
_NOT_UNITS = re.compile(r"\b(?:sqrt|sin|cos|tan|log|exp|mod|pi|infinity)\b")
_ANGLED = re.compile(r"sin|cos|tan|cot|sec|csc")
"""Functions whose degrees belong to their argument."""


class Measured(NamedTuple):
    """A formula and its unit."""

    body: str
    unit: str
    """As a short form; empty where there is none."""


def split_unit(formula: str) -> Measured:
    r"""Take the unit off a tidied formula.

    >>> split_unit(r"5\\text{ centimeters}^2")
    Measured(body='5', unit='cm^2')
    """
    match = _UNIT.search(formula)
    if match is None or _NOT_UNITS.search(match.group()):
        return Measured(formula, "")
    body = formula[: match.start()].rstrip()
    if not _HEAD.search(body) or (r"\degree" in match.group() and _ANGLED.search(body)):
        return Measured(formula, "")
    return Measured(body, _short(match.group()))


def agree(one: str, other: str) -> bool:
    """True if two units may stand for the same, one of them being left out or unnamed."""
    return one == other or "" in (one, other) or "unit" in (one.split("^")[0], other.split("^")[0])


def _short(unit: str) -> str:
    plain = re.sub(r"\\text|\\degree", lambda m: " " if m.group() == r"\text" else " ° ", unit)
    plain = re.sub(r"[{}]", " ", plain).lower()
    plain = re.sub(r"\s*([\^/*])\s*", r"\1", plain).replace(" per ", "/").strip()
    words = re.split(r"([\s/*^]+)", plain)
    joined = "".join(_ALIASES.get(w, _ALIASES.get(w.removesuffix("s"), w.removesuffix("s"))) for w in words)
    joined = re.sub(r"^sq\.? (.+)$", r"\1^2", re.sub(r"^cu\.? (.+)$", r"\1^3", joined))
    return _ALIASES.get(joined, joined)
