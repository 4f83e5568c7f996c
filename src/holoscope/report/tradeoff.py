"""What a model costs against what it is worth: the data of a Pareto picture.

Both counts are means over the same scenarios, those that all models with both have. A model of unknown price is not
free: it has no point, and the reason. On the front is whom no other beats on both counts going by the estimates; who is
surely dominated is so beyond the noise of both.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from holoscope.core import Axis, Measure, UnknownNameError
from holoscope.report.averages import Mean, mean, panel
from holoscope.report.blocks import unit
from holoscope.report.grid import Cell, Grid, Row
from holoscope.report.standing import NOT_RUN, by_scenario, models_of

COSTS = ("cost", "request_time", "time_to_first_token", "num_completion_tokens")
"""Metrics that say what an answer takes; less is better."""

_WIDTH = 3.92
"""Standard errors that a 95 % interval spans."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A model in the picture."""

    model: str
    cost: float | None = None
    cost_low: float | None = None
    cost_high: float | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    is_on_front: bool = False
    surely_dominated_by: tuple[str, ...] = ()
    reason: str = ""
    """Why there is no point."""


class Tradeoff(msgspec.Struct, frozen=True, kw_only=True):
    """The models on two counts."""

    axis: str
    lower_is_better: bool
    against: str
    """The metric of the cost: per instance, mean over scenarios."""
    unit: str
    """Of the cost."""
    scenarios: tuple[str, ...]
    left_out: dict[str, str]
    spots: tuple[Spot, ...]
    """In the order of the models."""


class _Both(NamedTuple):
    """What one scenario says of a model."""

    cost: Measure
    worth: Cell


def tradeoff(grid: Grid, axis: str, against: str = "cost", *, models: Sequence[str] | None = None) -> Tradeoff:
    """`models` (all by default) on an axis and on what they cost."""
    known = {each.name: each for each in grid.axes}
    if axis not in known:
        raise UnknownNameError("axis", axis, known)
    if against not in COSTS:
        raise UnknownNameError("cost", against, COSTS)
    chosen, rows = models_of(grid) if models is None else tuple(models), by_scenario(grid)
    found = {label: _pairs(own, axis, against, chosen) for label, own in rows.items()}
    table = {label: {model: both.worth.metric for model, both in own.items()} for label, own in found.items()}
    over = panel(known[axis], table, chosen, grid.lower_is_better)
    means = {m: _means([found[label][m] for label in over.scenarios]) for m in over.models}
    spots = _spots(known[axis], means)
    lacking = {
        m: Spot(model=m, reason=_reason([own[m] for own in rows.values() if m in own], axis, against)) for m in chosen
    }
    return Tradeoff(
        axis=axis,
        lower_is_better=known[axis].lower_is_better,
        against=against,
        unit=unit(against),
        scenarios=over.scenarios,
        left_out=over.left_out,
        spots=tuple(spots.get(model, lacking[model]) for model in chosen),
    )


def _pairs(own: dict[str, Row], axis: str, against: str, models: Sequence[str]) -> dict[str, _Both]:
    made = {}
    for model in models:
        cost, worth = (_cost(own[model], against), own[model].headlines[axis]) if model in own else (None, None)
        if cost is not None and worth is not None and None not in (cost.value, worth.value):
            made[model] = _Both(cost, worth)
    return made


def _cost(row: Row, metric: str) -> Measure | None:
    split = row.manifest.scenario.main_split
    found = (measure for own in row.measures.values() for measure in own)
    own = [m for m in found if m.metric == metric and m.perturbation is None and m.sub_split is None]
    return min(own, key=lambda measure: measure.split != split, default=None)


def _means(cells: Sequence[_Both]) -> tuple[Mean, Mean]:
    costs, worths = ([Mean(cell.value or 0.0, cell.low, cell.high) for cell in own] for own in zip(*cells, strict=True))
    return mean(costs), mean(worths)


def _spots(axis: Axis, means: dict[str, tuple[Mean, Mean]]) -> dict[str, Spot]:
    from holoscope.stats import Point, pareto

    up = -1.0 if axis.lower_is_better else 1.0
    models = list(means)
    points = [Point(-c.value, up * w.value, _error(c), _error(w)) for c, w in means.values()]
    made = {}
    for model, found in zip(models, pareto(points), strict=True):
        cost, worth = means[model]
        made[model] = Spot(
            model=model,
            cost=cost.value,
            cost_low=cost.low,
            cost_high=cost.high,
            value=worth.value,
            low=worth.low,
            high=worth.high,
            is_on_front=found.on_front,
            surely_dominated_by=tuple(models[k] for k in found.surely_dominated_by),
        )
    return made


def _error(own: Mean) -> float:
    """A standard error; infinite where nothing is known of the noise, so that nothing is sure."""
    return float("inf") if own.low is None or own.high is None else (own.high - own.low) / _WIDTH


def _reason(rows: Sequence[Row], axis: str, against: str) -> str:
    for row in rows:
        cost, worth = _cost(row, against), row.headlines[axis]
        if cost is None or cost.value is None:
            return f"no {against}: {cost.reason if cost else NOT_RUN}"
        if worth.value is None:
            return f"no {axis}: {worth.reason}"
    return "no scenario is shared by all models" if rows else NOT_RUN
