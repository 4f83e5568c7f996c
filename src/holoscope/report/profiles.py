"""Where a model stands on each axis: what a picture of a profile is made of, whoever draws it.

Places are between the fixed ends of each axis (`scale.py`), so that pictures made at different times can be laid over
each other. A value without a scale has no place, and a missing one is not there at all. Nothing is averaged here.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from holoscope.core import Axis
from holoscope.report.blocks import amount, unit
from holoscope.report.grid import Cell, Grid, Row
from holoscope.report.printable import interval, printable
from holoscope.report.scale import Ends, axis_ends, ends, position


class Spot(NamedTuple):
    """What one scenario has on one axis."""

    value: float
    label: str
    """Raw value and interval."""
    place: float | None
    """From 0 on the inner ring to 1 on the outer; None: the value has no fixed scale."""
    span: tuple[float, float] | None = None
    """Places of the interval's ends; None: there is no interval."""
    scale: Ends | None = None
    """The values at the two rings."""


class Trace(NamedTuple):
    """The marks of one scenario, or of one model."""

    name: str
    spots: Mapping[str, Spot]
    """By axis; an axis without a value is not among them."""


def traces(grid: Grid, rows: Sequence[Row]) -> list[Trace]:
    """What `profile` draws."""
    return [Trace(printable(str(row.label)), dict(_spots(grid, row))) for row in rows]


def scales(grid: Grid, rows: Sequence[Row]) -> str:
    """Which values the two rings stand for, in words: `accuracy 0 to 1, calibration 0.5 to 0; mmlu: from 0.25`."""
    shared = ", ".join(filter(None, (_scale_of(axis, rows) for axis in grid.axes)))
    own = {row.label.scenario: row.manifest.scenario.chance for row in rows}
    guessed = ", ".join(f"{name} {chance:.3g}" for name, chance in own.items() if chance is not None)
    return printable(shared + (f"; where guessing gets more, from that: {guessed}" if guessed else ""))


def _spots(grid: Grid, row: Row) -> Iterator[tuple[str, Spot]]:
    for axis in grid.axes:
        cell = row.headlines[axis.name]
        if cell.value is not None:
            yield axis.name, _spot(cell, cell.value, axis, row)


def _spot(cell: Cell, value: float, axis: Axis, row: Row) -> Spot:
    scale = ends(axis, cell.metric, row)
    place, low, high = (position(each, scale) for each in (value, cell.low, cell.high))
    raw = " ".join(part for part in (amount(cell), interval(cell.low, cell.high)) if part)
    span = None if low is None or high is None else (min(low, high), max(low, high))
    return Spot(value, raw if place is not None else f"{raw} (no scale)", place, span, scale)


def _scale_of(axis: Axis, rows: Sequence[Row]) -> str:
    """The ends of an axis that has any value."""
    shown = {cell.metric for row in rows if (cell := row.headlines[axis.name]).value is not None}
    found = {(scale, unit(metric)) for metric in sorted(shown) if (scale := axis_ends(axis, metric))}
    texts = [f"{scale.chance:g}{of} to {scale.ceiling:g}{of}" for scale, of in sorted(found)]
    return f"{axis.name} {' or '.join(texts)}" if texts else ""
