"""The plots of HELM's paper (Liang et al. 2022), of any suite, under the names that `helm-create-plots` gives them.

Each is drawn from the cells of the grid, one point for a model on a scenario, and only where the suite has what it
shows: what can't be drawn says why. A mean win rate belongs to its panel of models and scenarios, so its size stands
beside it. Two plots are ours: `scenario_bars` and `head_to_head`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import StatisticsError, correlation
from typing import NamedTuple

from holoscope.core import Axis
from holoscope.report import ablation_plots
from holoscope.report.blocks import arrow, unit
from holoscope.report.evidence.measured import whole
from holoscope.report.figures import (
    Against,
    Figure,
    Placed,
    Shaded,
    Value,
    against,
    boxes,
    curves,
    heatmap,
    ranked_bars,
    strips,
)
from holoscope.report.grid import Cell, Grid, Row
from holoscope.report.headline import ACCURACY
from holoscope.report.standing import by_scenario, models_of, win_rates
from holoscope.store import StoredRun

_EFFICIENCY = "efficiency"
_FEWEST = 3
"""Models that a correlation needs: between two it is always 1 or -1."""
_MOST_BARS = 240
_TARGETED = {
    "language": ("the_pile", "twitter_aae", "ice", "wikitext_103", "blimp"),
    "knowledge": ("natural_qa", "commonsense", "openbookqa", "truthful_qa", "mmlu", "wikifact"),
    "reasoning": (
        *("synthetic_reasoning", "synthetic_reasoning_natural", "babi_qa", "dyck_language", "gsm", "math", "code"),
        *("lsat_qa", "legal_support", "entity_data_imputation", "entity_matching"),
    ),
}
"""HELM's targeted evaluations, by scenario."""
_BBQ = ("bbq_accuracy", "bbq_metric_ambiguous_bias", "bbq_metric_unambiguous_bias")
_COPYRIGHT = ("longest_common_prefix_length", "edit_similarity")
_UNKNOWN = "{} is in no run's manifest, and no list of it is kept here"
_ONE_MODEL = "needs at least two models on one scenario"


class Plot(NamedTuple):
    """A plot, or why there is none."""

    name: str
    """File name without its ending."""
    found: Figure | str


def plots(grid: Grid, runs: Mapping[str, StoredRun]) -> Iterator[Plot]:
    """Every plot of a suite's grid; `runs` are its runs by name."""
    yield Plot("accuracy_v_x", _accuracy_against(grid))
    yield Plot("metric_correlation", _correlations(grid))
    yield Plot("model_ranking_all", _ranking(grid))
    yield Plot("head_to_head", _head_to_head(grid))
    yield Plot("scenario_bars", _scenario_bars(grid))
    yield Plot("generic_summary", _summary(grid))
    yield Plot("targeted_evals", _targeted(grid))
    yield Plot("accuracy_over_the_pile_perplexity", _over_perplexity(grid))
    yield Plot("accuracy_over_release_date", _UNKNOWN.format("when a model was released"))
    yield Plot("accuracy_over_num_parameters", _UNKNOWN.format("how many parameters a model has"))
    yield Plot("accuracy_v_access", _UNKNOWN.format("how open a model is"))
    yield Plot("copyright", _copyright(grid))
    yield Plot("bbq_bars", _bbq(grid))
    yield Plot("in_context_ablations", ablation_plots.in_context(grid))
    yield Plot("in_context_choice", ablation_plots.choice_of_examples(grid, runs))
    yield Plot("prompt_ablations", ablation_plots.prompts(grid))
    yield Plot("mc_ablations", ablation_plots.multiple_choice(grid))
    yield Plot("contrast_sets", ablation_plots.contrast_sets(grid))


def _accuracy(grid: Grid) -> Axis | None:
    return next((axis for axis in grid.axes if axis.name == ACCURACY), None)


def _known(grid: Grid, axis: Axis) -> dict[str, dict[str, Cell]]:
    """By scenario and model, the cells of an axis that have a value and are in the units that most of them are in."""
    found: dict[str, dict[str, Cell]] = {}
    for label, own in by_scenario(grid).items():
        cells = {model: row.headlines[axis.name] for model, row in own.items()}
        found[label] = {model: cell for model, cell in cells.items() if cell.value is not None}
    units = Counter(_units(axis, cell) for own in found.values() for cell in own.values())
    usual = units.most_common(1)[0][0] if units else None
    kept = {
        label: {model: cell for model, cell in own.items() if _units(axis, cell) == usual}
        for label, own in found.items()
    }
    return {label: own for label, own in kept.items() if own}


def _units(axis: Axis, cell: Cell) -> str:
    """Metrics on the axis' own scale can be shown together; any other one only with itself."""
    return "" if axis.ceiling is not None and cell.metric not in axis.scales else cell.metric


def _titled(axis: Axis, cells: Mapping[str, Mapping[str, Cell]]) -> str:
    metrics = {cell.metric for own in cells.values() for cell in own.values()}
    metric = f", {next(iter(metrics))}{unit(next(iter(metrics)))}" if len(metrics) == 1 else ""
    return f"{axis.name} {arrow(axis)}{metric}"


def _accuracy_against(grid: Grid) -> Figure | str:
    accuracy = _accuracy(grid)
    right = _known(grid, accuracy) if accuracy else {}
    panels = []
    for axis in grid.axes:
        cells = _known(grid, axis)
        points = [
            Placed(model, label, Value.of(right[label][model]), Value.of(cell, unit(cell.metric)))
            for label, own in cells.items()
            for model, cell in own.items()
            if model in right.get(label, {})
        ]
        if axis.name != ACCURACY and points:
            panels.append(Against(_titled(axis, cells), tuple(points), axis.name in ("robustness", "fairness")))
    return against(panels, x_title="accuracy ↑") if panels else "no run has accuracy and another axis"


def _correlations(grid: Grid) -> Figure | str:
    values = {axis.name: _known(grid, axis) for axis in grid.axes}
    panels = {
        one: {other: found for other in values if other != one and (found := _correlated(values[one], values[other]))}
        for one in values
    }
    panels = {name: own for name, own in panels.items() if own}
    if not panels:
        return f"needs a scenario on which two axes vary over at least {_FEWEST} models"
    return boxes(panels, y_title="Pearson correlation over models", columns=3, limits=(-1.05, 1.05))


def _correlated(one: Mapping[str, Mapping[str, Cell]], other: Mapping[str, Mapping[str, Cell]]) -> dict[str, float]:
    """The correlation over models, for each scenario that has one."""
    found = {}
    for label in one:
        shared = [model for model in one[label] if model in other.get(label, {})]
        pairs = [(one[label][model].value or 0.0, other[label][model].value or 0.0) for model in shared]
        if len(pairs) >= _FEWEST:
            try:
                found[label] = correlation(*zip(*pairs, strict=True))
            except StatisticsError:  # one of the two is the same for all models
                continue
    return found


def _ranking(grid: Grid) -> Figure | str:
    panels: dict[str, dict[str, Value]] = {}
    for axis in grid.axes:
        rates = win_rates(grid, axis.name)
        known = {model: Value(rate) for model, rate in rates.rates.items() if rate is not None}
        if axis.name != _EFFICIENCY and known:
            panels[f"{axis.name} ({len(rates.scenarios)} scenarios)"] = known
    if not panels:
        return _ONE_MODEL
    return ranked_bars(panels, title="mean win rate among these models", even=0.5)


def _head_to_head(grid: Grid) -> Figure | str:
    rates = win_rates(grid, ACCURACY).rates
    known = [model for model in models_of(grid) if rates.get(model) is not None]
    models = sorted(known, key=lambda model: -(rates[model] or 0.0))
    accuracy = _accuracy(grid)
    if not models or accuracy is None:
        return _ONE_MODEL
    cells = _known(grid, accuracy)
    table = [[_beaten(one, other, cells, grid) for other in models] for one in models]
    return heatmap(models, models, table, ends=("column wins", "row wins"), differences=True)


def _beaten(one: str, other: str, cells: Mapping[str, Mapping[str, Cell]], grid: Grid) -> Shaded:
    """How often the first is ahead of the second, ties being half."""
    pairs = [(own[one], own[other]) for own in cells.values() if one in own and other in own]
    won = [_points(*pair, grid) for pair in pairs if pair[0].metric == pair[1].metric]
    if one == other or not won:
        return Shaded(None, "", "the same model" if one == other else "no scenario in common")
    share = sum(won) / len(won)
    return Shaded(2 * share - 1, f"{share:.2f}", f"{one} is ahead on {sum(won):g} of {len(won)} scenarios")


def _points(one: Cell, other: Cell, grid: Grid) -> float:
    ahead = (one.value or 0.0) - (other.value or 0.0)
    if ahead == 0:
        return 0.5
    return float((ahead < 0) == (one.metric in grid.lower_is_better))


def _scenario_bars(grid: Grid) -> Figure | str:
    accuracy = _accuracy(grid)
    cells = _known(grid, accuracy) if accuracy else {}
    if not cells:
        return "no run has a value for accuracy"
    values = {label: {model: Value.of(cell) for model, cell in own.items()} for label, own in cells.items()}
    if sum(map(len, values.values())) > _MOST_BARS:
        return strips(values, title="accuracy ↑")
    return ranked_bars(values, title="accuracy ↑")


def _summary(grid: Grid) -> Figure | str:
    panels = {}
    for axis in grid.axes:
        cells = {label: own for label, own in _known(grid, axis).items() if len(own) > 1}
        if cells and axis.name != _EFFICIENCY:
            panels[_titled(axis, cells)] = _plain(cells)
    return boxes(panels, y_title="value") if panels else _ONE_MODEL


def _plain(cells: Mapping[str, Mapping[str, Cell]]) -> dict[str, dict[str, float]]:
    return {label: {m: c.value for m, c in own.items() if c.value is not None} for label, own in cells.items()}


def _targeted(grid: Grid) -> Figure | str:
    panels: dict[str, dict[str, dict[str, float]]] = {}
    for label, own in by_scenario(grid).items():
        name = next(iter(own.values())).manifest.scenario.name
        cells = [(model, row.headlines[ACCURACY]) for model, row in own.items() if ACCURACY in row.headlines]
        known = {model: cell.value for model, cell in cells if cell.value is not None}
        for kind, scenarios in _TARGETED.items():
            if name in scenarios and known:
                metric = cells[0][1].metric
                sign = "↓" if metric in grid.lower_is_better else "↑"
                panels.setdefault(kind, {})[f"{label} ({metric} {sign})"] = known
    named = ", ".join(name for names in _TARGETED.values() for name in names[:2])
    return boxes(panels, y_title="accuracy") if panels else f"no run is of a targeted evaluation ({named}, ...)"


def _over_perplexity(grid: Grid) -> Figure | str:
    pile = [row for row in grid.rows if row.manifest.scenario.name == "the_pile"]
    bits = {row.model: m.value for row in pile if (m := whole(row, "bits_per_byte")) and m.value is not None}
    accuracy = _accuracy(grid)
    if len(bits) < 2 or accuracy is None:
        return "needs runs of the_pile by at least two models"
    cells = _known(grid, accuracy)
    lines: dict[str, list[tuple[float, Value]]] = {}
    for label, own in cells.items():
        known = [(bits[model], Value.of(cell)) for model, cell in own.items() if model in bits]
        if known and "bits_per_byte" not in {cell.metric for cell in own.values()}:
            lines[label] = known
    if not lines:
        return "no model has both accuracy and bits per byte of the_pile"
    return curves({"": lines}, x_title="bits per byte of The Pile", y_title="accuracy ↑", columns=1)


def _copyright(grid: Grid) -> Figure | str:
    rows = [row for row in grid.rows if row.manifest.scenario.name == "copyright"]
    categories: dict[str, dict[str, float]] = {}
    for row in rows:
        for metric in _COPYRIGHT:
            found = whole(row, metric)
            if found is not None and found.value is not None:
                categories.setdefault(f"{row.label} ({metric} ↓)", {})[row.model] = found.value
    return boxes({"copyright": categories}, y_title="value", columns=1) if categories else "no run of copyright"


def _bbq(grid: Grid) -> Figure | str:
    rows = [row for row in grid.rows if row.manifest.scenario.name == "bbq"]
    panels: dict[str, dict[str, Value]] = {}
    for metric in _BBQ:
        found = {model: _mean_of([r for r in rows if r.model == model], metric) for model in {r.model: 0 for r in rows}}
        known = {model: value for model, value in found.items() if value.value is not None}
        if known:
            panels[metric.removeprefix("bbq_").removeprefix("metric_").replace("_", " ")] = known
    if not panels:
        return "no run of bbq has a value"
    return ranked_bars(panels, title="BBQ", limits=(-1.0, 1.0), even=0.0)


def _mean_of(rows: Sequence[Row], metric: str) -> Value:
    """A metric of one run; of several (subjects) the mean, without an interval."""
    found = [m for row in rows if (m := whole(row, metric)) is not None and m.value is not None]
    if len(found) == 1:
        return Value.of(found[0])
    values = [m.value for m in found if m.value is not None]
    return Value(sum(values) / len(values), n=sum(m.n for m in found)) if values else Value(None)
