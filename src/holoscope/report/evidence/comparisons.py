"""A comparison as figures take it: paired differences scenario by scenario, and the four ways two answers can go."""

from collections.abc import Callable, Iterator

from holoscope.report.comparison import Comparison, RunPair
from holoscope.report.differences import Difference as Found
from holoscope.report.figures import Difference, FourWay, Value

Way = str
"""`both`, `only_a`, `only_b` or `neither`; empty for all of them."""
Link = Callable[[RunPair, Found, Way], str]
"""Leads to the instances behind a mark or a part of a bar."""


def differences(comparison: Comparison, axis: str, link: Link | None = None) -> list[Difference]:
    """Differences on an axis, for `figures.paired_forest`; scenarios without one keep their reason."""
    return [
        Difference(
            pair.label,
            Value(d.value, d.low, d.high, d.n or 0, d.reason),
            d.detectable,
            link(pair, d, "") if link else "",
        )
        for pair, d in _of(comparison, axis)
    ]


def four_ways(comparison: Comparison, axis: str, link: Link | None = None) -> list[FourWay]:
    """Counts of right and wrong together and apart, for `figures.outcome_bars`: only where answers are either."""
    made = []
    for pair, d in _of(comparison, axis):
        if d.counts is not None:
            both, a, b, neither = ((link(pair, d, way) if link else "") for way in _WAYS)
            counts = d.counts
            links = both, a, b, neither
            made.append(FourWay(pair.label, counts.both, counts.only_a, counts.only_b, counts.neither, links))
    return made


_WAYS = ("both", "only_a", "only_b", "neither")


def _of(comparison: Comparison, axis: str) -> Iterator[tuple[RunPair, Found]]:
    for pair in comparison.pairs:
        yield from ((pair, d) for d in pair.differences if d.axis == axis)
