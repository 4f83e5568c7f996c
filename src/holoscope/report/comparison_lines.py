"""A comparison as rows of words and numbers, the same for the terminal and for Markdown.

A block is an axis, a row of it a scenario; below a row stands what its numbers rest on: the metric, how often both were
right or only one, the smallest difference that could have been found. A mean over scenarios closes the block and says
how many it is over. What may spoil the comparison comes last, each thing once with the scenarios it concerns.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holoscope.report.blocks import unit
from holoscope.report.comparison import Comparison, Overall, RunPair
from holoscope.report.differences import Better, Difference
from holoscope.report.headline import ACCURACY
from holoscope.report.printable import DASH, interval, number, printable

LEGEND = (
    "A - B is over the instances that both answered, with its 95 % interval. p is exact (McNemar) for right and wrong, "
    "else of Student's t or a studentised bootstrap; Holm is what is left of it among the scenarios of the axis. "
    "Detectable is the smallest true difference that a comparison of this size finds four times in five."
)
_NAMED = 3
"""Scenarios or instances that are named; the others are counted."""


class Span(NamedTuple):
    """Where a difference lies."""

    low: float
    value: float
    high: float


class Entry(NamedTuple):
    """A row of a block."""

    label: str
    a: str
    b: str
    difference: str
    interval: str
    p: str
    holm: str
    """The p-value that is left among the scenarios; empty where there is one."""
    better: Better
    span: Span | None
    details: tuple[str, ...]


class Block(NamedTuple):
    """An axis."""

    title: str
    entries: tuple[Entry, ...]


def blocks(comparison: Comparison) -> list[Block]:
    """The axes that either side has anything on."""
    axes = {d.axis: d.lower_is_better for pair in comparison.pairs for d in pair.differences}
    overall = {each.axis: each for each in comparison.overall}
    return [_block(axis, comparison.pairs, overall.get(axis)) for axis in axes]


def notes(comparison: Comparison) -> list[str]:
    """What may spoil the comparison, and what had no counterpart."""
    found: dict[str, list[str]] = {}
    for pair in comparison.pairs:
        for warning in pair.warnings:
            found.setdefault(warning, []).append(pair.label)
    lines = [f"{warning} ({_listed(labels)})" for warning, labels in found.items()]
    for each in comparison.overall:
        lines += [f"{each.axis}: the mean leaves out {name}: {why}" for name, why in each.left_out.items()]
    for side, names in (("A", comparison.only_a), ("B", comparison.only_b)):
        lines += [f"only {side} has {_listed(names)}"] if names else []
    return list(map(printable, lines))


def signed(value: float | None) -> str:
    """A difference with its sign.

    >>> signed(0.25), signed(-0.004), signed(0.0)
    ('+0.25', '-0.004', '0.00')
    """
    shown = number(value)
    return f"+{shown}" if value is not None and value > 0 else shown


def probability(p: float | None) -> str:
    """A p-value in two digits.

    >>> probability(0.0123), probability(1e-9), probability(1.0)
    ('.012', '<.001', '1')
    """
    if p is None:
        return ""
    return "<.001" if p < 0.001 else "1" if p > 0.995 else f"{p:.2g}".removeprefix("0")


def _block(axis: str, pairs: Sequence[RunPair], overall: Overall | None) -> Block:
    own = [(pair, d) for pair in pairs for d in pair.differences if d.axis == axis]
    lower = {d.lower_is_better for _, d in own}
    direction = "" if len(lower) > 1 else "lower is better" if lower == {True} else "higher is better"
    entries = [_entry(pair, d, several=len(own) > 1) for pair, d in own]
    if overall is not None:
        entries.append(_mean(overall))
    return Block(" · ".join(filter(None, (axis, direction))), tuple(entries))


def _entry(pair: RunPair, d: Difference, *, several: bool) -> Entry:
    units = unit(d.metric)
    span = None if d.low is None or d.high is None or d.value is None else Span(d.low, d.value, d.high)
    return Entry(
        label=pair.label,
        a=_amount(d.a, units),
        b=_amount(d.b, units),
        difference=_amount(d.value, units, sign=True),
        interval=interval(d.low, d.high),
        p=probability(d.p_value),
        holm=probability(d.p_adjusted) if several else "",
        better=d.better,
        span=span,
        details=tuple(map(printable, _details(d, flips=not several or d.axis == ACCURACY))),
    )


def _amount(value: float | None, units: str, *, sign: bool = False) -> str:
    return DASH if value is None else f"{signed(value) if sign else number(value)}{units}"


def _details(d: Difference, *, flips: bool) -> Iterator[str]:
    name = " ".join(filter(None, (d.metric, d.perturbation)))
    if d.value is None:
        yield " · ".join(filter(None, (name, d.reason, *_alone(d))))
        return
    clusters = f" in {d.n_clusters:,} clusters" if d.n_clusters else ""
    shared = f"n {d.n:,}{clusters}" if d.n is not None else d.method
    found = f"detectable {number(d.detectable)}" if d.detectable is not None else ""
    yield " · ".join(filter(None, (name, shared, *_alone(d), *_ways(d), found)))
    if flips and d.counts is not None and d.flips:
        first = [flip.instance_id for flip in d.flips if flip.a > flip.b]
        second = [flip.instance_id for flip in d.flips if flip.a < flip.b]
        parts = [f"only {side}: {_listed(ids)}" for side, ids in (("A", first), ("B", second)) if ids]
        yield "; ".join(parts)


def _alone(d: Difference) -> list[str]:
    return [f"{count:,} in {side} alone" for side, count in (("A", d.only_a), ("B", d.only_b)) if count]


def _ways(d: Difference) -> list[str]:
    if d.counts is not None:
        ways, both = d.counts, "both" if d.lower_is_better else "both right"
        return [f"{both} {ways.both:,}, only A {ways.only_a:,}, only B {ways.only_b:,}, neither {ways.neither:,}"]
    return [f"A higher {d.a_higher:,}, B higher {d.b_higher:,}, equal {d.equal:,}"] if d.is_paired else []


def _mean(overall: Overall) -> Entry:
    span = None
    if overall.low is not None and overall.high is not None:
        span = Span(overall.low, overall.value, overall.high)
    surely = f"surely better: A on {overall.a_better}, B on {overall.b_better}"
    return Entry(
        label=f"mean of {len(overall.scenarios)}",
        a="",
        b="",
        difference=_amount(overall.value, overall.unit, sign=True),
        interval=interval(overall.low, overall.high),
        p="",
        holm="",
        better=overall.better,
        span=span,
        details=(surely,),
    )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
