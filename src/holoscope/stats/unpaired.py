"""Differences and means of numbers that come with an interval each, where no pairs are left to use.

Each end of the new interval takes its distance from the ends of the given ones (MOVER: Zou and Donner 2008), so that a
lopsided interval stays lopsided. The numbers are taken for independent: on shared instances they hold each other's
company, and the difference's interval is then wider than it need be, never narrower.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from holoscope.stats.interval import Interval


class Estimate(NamedTuple):
    """A number and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def unpaired_difference(a: Estimate, b: Estimate) -> Interval:
    """The interval of `a.value - b.value`.

    >>> found = unpaired_difference(Estimate(0.5, 0.4, 0.6), Estimate(0.2, 0.2, 0.2))
    >>> round(found.low, 3), round(found.high, 3)
    (0.2, 0.4)
    """
    gap = a.value - b.value
    below, above = math.hypot(a.value - a.low, b.high - b.value), math.hypot(a.high - a.value, b.value - b.low)
    return Interval(gap - below, gap + above, "unpaired, from the two intervals")


def mean_of(parts: Sequence[Estimate]) -> Estimate:
    """The mean of independent numbers, each counting alike; `parts` must not be empty."""
    count = len(parts)
    mean = sum(part.value for part in parts) / count
    below = math.hypot(*(part.value - part.low for part in parts)) / count
    above = math.hypot(*(part.high - part.value for part in parts)) / count
    return Estimate(mean, mean - below, mean + above)
