"""Where models stand on each axis of a grid, side by side: what a leaderboard shows.

There is no single ranking. On each axis a model has the mean over the scenarios that all shown models share, each
counted alike, with its interval and the places that it may hold. The places rest on paired instances where scores are
handed in, else on the cells' own intervals, which on shared instances says less than could be known, never more. What
an axis leaves out, and what a model lacks, is named.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from holoscope.core import Axis
from holoscope.report.averages import Mean, mean, panel
from holoscope.report.blocks import unit
from holoscope.report.conditions import condition
from holoscope.report.grid import Cell, Grid, Row
from holoscope.report.ranking import Scores, ranking
from holoscope.report.scale import ends, position

Rows = Mapping[str, Mapping[str, Row]]
"""By scenario's label, then by model."""

NOT_RUN = "not run"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A model on an axis."""

    model: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    place: float | None = None
    """Mean place between chance (0) and the best there is (1); None where a metric has no fixed scale."""
    place_low: float | None = None
    place_high: float | None = None
    n: int = 0
    """Instances, over all scenarios."""
    best: int | None = None
    """The best place that the model may hold, 1 being the first; with `worst`, all models' together at 95 %."""
    worst: int | None = None
    reason: str = ""
    """Why there is no value."""


class AxisStanding(msgspec.Struct, frozen=True, kw_only=True):
    """All models on an axis."""

    axis: str
    title: str
    lower_is_better: bool
    unit: str
    """Of the values; empty where they are shares."""
    metrics: tuple[str, ...]
    scenarios: tuple[str, ...]
    """What the means are over: the scenarios that all models share."""
    left_out: dict[str, str]
    """Scenarios that they are not over, each with the reason."""
    paired: tuple[str, ...]
    """Scenarios whose instances were paired."""
    entries: tuple[Entry, ...]
    """In the order of the models."""
    surely_better: tuple[tuple[str, str], ...]
    """Pairs of models, the first of which is surely better than the second."""


class WinRates(msgspec.Struct, frozen=True, kw_only=True):
    """HELM's mean win rate: it is of this panel, and another one gives other numbers."""

    axis: str
    rates: dict[str, float | None]
    """By model; None for one that no scenario with another model has."""
    scenarios: tuple[str, ...]
    """Those with at least two models, which are not the same for each model: as in HELM, a gap is no loss."""


def by_scenario(grid: Grid) -> dict[str, dict[str, Row]]:
    """The rows of a grid by scenario's label and by model; runs of one condition are one scenario."""
    found: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in grid.rows:
        found[condition(row.manifest.spec)][row.model] = row
    labels = {asked: str(next(iter(own.values())).label) for asked, own in found.items()}
    times = Counter(labels.values())
    return {labels[asked] if times[labels[asked]] == 1 else asked: own for asked, own in found.items()}


def models_of(grid: Grid) -> tuple[str, ...]:
    """The grid's models, in its order."""
    return tuple(dict.fromkeys(row.model for row in grid.rows))


def standings(
    grid: Grid, *, models: Sequence[str] | None = None, scores: Scores | None = None
) -> tuple[AxisStanding, ...]:
    """Where `models` (all by default) stand on each axis."""
    chosen, rows = models_of(grid) if models is None else tuple(models), by_scenario(grid)
    return tuple(_standing(axis, grid, rows, chosen, scores) for axis in grid.axes)


def win_rates(grid: Grid, axis: str, *, models: Sequence[str] | None = None) -> WinRates:
    """HELM's mean win rate of `models` on an axis, over every scenario that at least two of them have."""
    from holoscope.stats import mean_win_rates

    chosen = models_of(grid) if models is None else tuple(models)
    columns: dict[str, list[float | None]] = {}
    down: list[bool] = []
    for label, own in by_scenario(grid).items():
        cells = known_cells(axis, own, chosen)
        metrics = {cell.metric for cell in cells.values()}
        if len(cells) > 1 and len(metrics) == 1:
            columns[label] = [cells[model].value if model in cells else None for model in chosen]
            down.append(metrics.pop() in grid.lower_is_better)
    rates = mean_win_rates([*columns.values()], down) if columns else [None] * len(chosen)
    return WinRates(axis=axis, rates=dict(zip(chosen, rates, strict=True)), scenarios=tuple(columns))


def known_cells(axis: str, own: Mapping[str, Row], models: Sequence[str]) -> dict[str, Cell]:
    """By model, the cell that stands for an axis in one scenario, where it has a value."""
    cells = {model: own[model].headlines[axis] for model in models if model in own}
    return {model: cell for model, cell in cells.items() if cell.value is not None}


def _standing(axis: Axis, grid: Grid, rows: Rows, models: Sequence[str], scores: Scores | None) -> AxisStanding:
    known = {label: known_cells(axis.name, own, models) for label, own in rows.items()}
    metrics = {label: {model: cell.metric for model, cell in own.items()} for label, own in known.items()}
    over = panel(axis, metrics, models, grid.lower_is_better)
    cells = [[(rows[s][model], known[s][model]) for model in over.models] for s in over.scenarios]
    ranked = ranking(cells, scores, lower_is_better=axis.lower_is_better) if cells else None
    used = tuple(dict.fromkeys(cell.metric for own in cells for _, cell in own))
    entries = {
        model: _entry(model, axis, [own[k] for own in cells], ranked.places[k] if ranked else (1, len(over.models)))
        for k, model in enumerate(over.models)
    }
    return AxisStanding(
        axis=axis.name,
        title=axis.title,
        lower_is_better=axis.lower_is_better,
        unit=unit(used[0]) if len(used) == 1 else "",
        metrics=used,
        scenarios=over.scenarios,
        left_out=over.left_out,
        paired=tuple(s for s, is_paired in zip(over.scenarios, ranked.paired, strict=True) if is_paired)
        if ranked
        else (),
        entries=tuple(
            entries.get(m) or Entry(model=m, reason=_why_none(axis.name, rows, m, over.left_out)) for m in models
        ),
        surely_better=tuple((over.models[i], over.models[j]) for i, j in (ranked.surely_better if ranked else ())),
    )


def _entry(model: str, axis: Axis, cells: Sequence[tuple[Row, Cell]], places: tuple[int, int]) -> Entry:
    own = mean([Mean(cell.value or 0.0, cell.low, cell.high) for _, cell in cells])
    spots = [_spot(row, cell, axis) for row, cell in cells]
    known = [spot for spot in spots if spot is not None]
    spot = mean(known) if len(known) == len(spots) else None
    return Entry(
        model=model,
        value=own.value,
        low=own.low,
        high=own.high,
        place=spot and spot.value,
        place_low=spot and spot.low,
        place_high=spot and spot.high,
        n=sum(cell.n for _, cell in cells),
        best=places[0],
        worst=places[1],
    )


def _spot(row: Row, cell: Cell, axis: Axis) -> Mean | None:
    """Where a cell lies between chance and the best there is; None where its metric has no fixed scale."""
    scale = ends(axis, cell.metric, row)
    place, low, high = (position(value, scale) for value in (cell.value, cell.low, cell.high))
    if place is None:
        return None
    return Mean(place, None, None) if low is None or high is None else Mean(place, min(low, high), max(low, high))


def _why_none(axis: str, rows: Rows, model: str, left_out: Mapping[str, str]) -> str:
    """The commonest reason for a model's empty cells; where it has values, why they are not averaged."""
    cells = [own[model].headlines[axis] for own in rows.values() if model in own]
    if any(cell.value is not None for cell in cells):
        return "no scenario is shared by all models: " + next(iter(left_out.values()), NOT_RUN)
    reasons = Counter(cell.reason for cell in cells)
    return reasons.most_common(1)[0][0] if reasons else NOT_RUN
