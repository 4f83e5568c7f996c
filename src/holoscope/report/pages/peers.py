"""A model's cells beside those of the other models: their ranks, and the numbers to take differences to.

The page of one model holds no other model's row, so what the overview's script works out from its own table is worked
out here: ranks for all models, and the numbers of as many as there is room for.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import hypot

from holoscope.core import Axis
from holoscope.report.grid import Cell, Grid, Row
from holoscope.report.pages.matrix import Matrix
from holoscope.report.standing import by_scenario

_ROOM = 24_000
"""Characters spent on the numbers of other models."""
_CHARACTERS = 20
"""Of a value with its interval."""

Numbers = tuple[float, float | None, float | None]
Peers = Sequence[Mapping[str, Row]]
"""For each of a model's rows, the rows of the same scenario by model."""
Others = dict[str, list[list[Numbers | None]]]
"""By model, then scenario, then axis: value and interval."""


def peers(grid: Grid, rows: Sequence[Row]) -> Peers:
    """The rows of all models on the scenarios of `rows`."""
    found = {id(row): own for own in by_scenario(grid).values() for row in own.values()}
    return [found.get(id(row), {row.model: row}) for row in rows]


def others(rows: Sequence[Row], axes: Sequence[Axis], found: Peers, models: Sequence[str]) -> Others:
    """The numbers of the first of `models`, where they are of the same metric."""
    size = _CHARACTERS * len(rows) * len(axes)
    return {
        model: [[_numbers(own.get(model), row, axis) for axis in axes] for row, own in zip(rows, found, strict=True)]
        for model in models[: max(1, _ROOM // max(1, size))]
    }


def ranked(matrix: Matrix, rows: Sequence[Row], axes: Sequence[Axis], found: Peers) -> Matrix:
    """The matrix of a model with the rank of each cell among all models."""
    lines = []
    for line, row, own in zip(matrix.lines, rows, found, strict=True):
        spots = (
            spot if spot.reason else spot._replace(rank=rank(row, own.values(), axis))
            for spot, axis in zip(line.spots, axes, strict=True)
        )
        lines.append(line._replace(spots=tuple(spots)))
    return matrix._replace(lines=tuple(lines))


def rank(row: Row, same: Iterable[Row], axis: Axis) -> str:
    """`2 5 9`: between second and fifth of nine, by the intervals of the differences to the other eight."""
    own = row.headlines[axis.name]
    cells = [c for each in same if (c := each.headlines[axis.name]).metric == own.metric and c.value is not None]
    sides = [_side(own, cell, lower=axis.lower_is_better) for cell in cells if cell is not own]
    return f"{1 + sides.count(-1)} {len(cells) - sides.count(1)} {len(cells)}"


def _numbers(other: Row | None, row: Row, axis: Axis) -> Numbers | None:
    if other is None:
        return None
    cell, own = other.headlines[axis.name], row.headlines[axis.name]
    if cell.value is None or cell.metric != own.metric:
        return None
    return _short(cell.value) or 0.0, _short(cell.low), _short(cell.high)


def _short(number: float | None) -> float | None:
    return None if number is None else float(f"{number:.4g}")


def _side(own: Cell, other: Cell, *, lower: bool) -> int:
    """1 if `own` is surely better, -1 if surely worse, else 0 (the interval that `stats.unpaired_difference` gives)."""
    if own.value is None or other.value is None or own.low is None or own.high is None:
        return 0
    if other.low is None or other.high is None:
        return 0
    gap = own.value - other.value
    if gap - hypot(own.value - own.low, other.high - other.value) > 0:
        return -1 if lower else 1
    if gap + hypot(own.high - own.value, other.value - other.low) < 0:
        return 1 if lower else -1
    return 0
