"""Numbers as a dense table shows them: as many decimals as their intervals support, and no more.

A column has one number of decimals, so that its numbers can be compared at a glance: two significant digits of half the
width that its intervals usually have. What is below one loses its leading zero. The script of the pages reads its
numbers back from the text, so that nothing is sorted or shaded by digits that nobody sees.
"""

from collections.abc import Sequence
from math import floor, log10
from statistics import median
from typing import NamedTuple

_MOST = 6


class Reading(NamedTuple):
    """A number with its interval; None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None


def decimals(readings: Sequence[Reading]) -> int:
    """How many decimals the numbers of a column get.

    >>> decimals([Reading(0.62, 0.51, 0.72)]), decimals([Reading(0.623, 0.603, 0.643)]), decimals([Reading(1840.0)])
    (2, 3, 0)
    """
    halves = [(r.high - r.low) / 2 for r in readings if r.low is not None and r.high is not None and r.high > r.low]
    if halves:
        return _limited(1 - floor(log10(median(halves))))
    sizes = [abs(r.value) for r in readings if r.value]
    return _limited(2 - floor(log10(median(sizes)))) if sizes else 2


def shown(number: float, places: int) -> str:
    """A number with so many decimals.

    >>> shown(0.6234, 2), shown(-0.05, 2), shown(1.0, 2), shown(1840.2, 0), shown(0.00000004, 6)
    ('.62', '-.05', '1.00', '1,840', '4e-08')
    """
    if not number and places < 2:
        return "0"
    if number and abs(number) < 0.5 * 10.0**-_MOST:
        return f"{number:.2g}"
    text = f"{number:,.{places}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def span(low: float | None, high: float | None, places: int) -> str:
    """The ends of an interval; empty where there is none.

    >>> span(0.512, 0.719, 2), span(-0.05, 0.1, 2), span(None, None, 2)
    ('.51–.72', '-.05 to .10', '')
    """
    if low is None or high is None:
        return ""
    return f"{shown(low, places)}{'–' if low >= 0 else ' to '}{shown(high, places)}"


def _limited(places: int) -> int:
    return max(0, min(_MOST, places))
