"""The grid as figures take it: shaded cells, rows of small multiples, values of all models on an axis."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holoscope.core import Axis
from holoscope.report.blocks import amount, unit
from holoscope.report.figures import Dot, Shaded, Value
from holoscope.report.grid import Grid, Row
from holoscope.report.printable import interval
from holoscope.report.profiles import Trace
from holoscope.report.scale import place
from holoscope.report.standing import by_scenario, models_of


class Table(NamedTuple):
    """What `figures.heatmap` draws."""

    rows: list[str]
    columns: list[str]
    cells: list[list[Shaded]]


def by_axis(grid: Grid, axis: Axis, *, links: Mapping[tuple[str, str], str] | None = None) -> Table:
    """Models by scenarios on one axis, shaded by place; `links` leads from (model, scenario) to a page."""
    models, found, to = models_of(grid), by_scenario(grid), links or {}
    cells = [[_shaded(own.get(m), axis, to.get((m, label), "")) for label, own in found.items()] for m in models]
    return Table([*models], [*found], cells)


def by_model(grid: Grid, rows: Sequence[Row]) -> Table:
    """Scenarios by axes of one model's rows, shaded by place."""
    return Table(
        [str(row.label) for row in rows],
        [axis.name for axis in grid.axes],
        [[_shaded(row, axis, "") for axis in grid.axes] for row in rows],
    )


def axis_values(grid: Grid, axis: Axis) -> dict[str, dict[str, Value]]:
    """Each scenario's values by model, for `figures.strips`."""
    return {label: {model: _value(row, axis) for model, row in own.items()} for label, own in by_scenario(grid).items()}


def multiples(grid: Grid, profiles: Mapping[str, Sequence[Trace]]) -> dict[str, list[Dot]]:
    """Panels for `figures.small_multiples` from each model's `profiles.traces`: a panel for each scenario."""
    panels: dict[str, list[Dot]] = {}
    for model, traces in profiles.items():
        for trace in traces:
            for axis in grid.axes:
                spot = trace.spots.get(axis.name)
                place_, span, label = (spot.place, spot.span, spot.label) if spot else (None, None, "no value")
                panels.setdefault(trace.name, []).append(Dot(axis.name, place_, span, label, model))
    return panels


def _value(row: Row, axis: Axis) -> Value:
    cell = row.headlines[axis.name]
    return Value.of(cell, unit(cell.metric))


def _shaded(row: Row | None, axis: Axis, link: str) -> Shaded:
    cell = row.headlines[axis.name] if row else None
    if row is None or cell is None:
        return Shaded(None, "", "not run", link)
    if cell.value is None:
        return Shaded(None, "", cell.reason, link)
    label = f"{amount(cell)} {interval(cell.low, cell.high)}, n = {cell.n:,} ({cell.metric})"
    return Shaded(place(cell, axis, row), amount(cell), label, link)
