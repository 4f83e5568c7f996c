"""Where a value lies between knowing nothing and the best there is.

Each axis has fixed ends, so that a picture of one model can be laid over that of another, made elsewhere and later. The
ends are data: the axis' own, those it states for a metric in other units, and for a scenario's main metric the score
that guessing gets there. A value without a scale has no place; it is not put at zero.
"""

from typing import NamedTuple

from holoscope.core import Axis
from holoscope.report.grid import Cell, Row


class Ends(NamedTuple):
    """The two ends of a scale, in the metric's units."""

    chance: float
    ceiling: float


def ends(axis: Axis, metric: str, row: Row) -> Ends | None:
    """The scale of `metric` on `axis` in this run; None if it has none."""
    scale = axis_ends(axis, metric)
    guessing = row.manifest.scenario.chance if metric == row.main_metric and metric not in axis.scales else None
    return scale if scale is None or guessing is None else Ends(guessing, scale.ceiling)


def axis_ends(axis: Axis, metric: str) -> Ends | None:
    """The scale of `metric` on `axis`, whatever the run."""
    if metric in axis.scales:
        return Ends(*axis.scales[metric])
    return None if axis.chance is None or axis.ceiling is None else Ends(axis.chance, axis.ceiling)


def position(value: float | None, scale: Ends | None) -> float | None:
    """0 at chance and beyond, 1 at the ceiling, whichever of the two is the larger number.

    Where the best is 0, what is below it is as far off as what is above: a bias may go either way.

    >>> position(0.625, Ends(0.25, 1.0)), position(0.1, Ends(0.5, 0.0)), position(0.1, Ends(0.25, 1.0))
    (0.5, 0.8, 0.0)
    >>> position(-0.1, Ends(0.5, 0.0))
    0.8
    """
    if value is None or scale is None or scale.chance == scale.ceiling:
        return None
    value = abs(value) if scale.ceiling == 0 else value
    return min(1.0, max(0.0, (value - scale.chance) / (scale.ceiling - scale.chance)))


def place(cell: Cell, axis: Axis, row: Row) -> float | None:
    """The place of a cell's value on its axis."""
    return position(cell.value, ends(axis, cell.metric, row))
