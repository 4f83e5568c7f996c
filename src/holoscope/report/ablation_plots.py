"""How a choice of prompting changes accuracy: runs that differ in that choice and in nothing else, side by side.

The choices are those of HELM's paper: how many in-context examples and which ones, the wording, the way of asking a
multiple-choice question. A suite that holds no two runs which differ in one of them has nothing to draw for it.
"""

from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean

from msgspec.structs import replace

from holoscope.core import AdapterSpec, canonical
from holoscope.report.evidence.measured import perturbations, stored_values, whole
from holoscope.report.figures import Against, Figure, Placed, Value, against, bars, boxes, curves
from holoscope.report.grid import Grid, Row
from holoscope.report.headline import ACCURACY
from holoscope.store import SCORES, StoredRun

_PLAIN = AdapterSpec()
_WORDING = (
    *("global_prefix", "global_suffix", "instructions", "input_prefix", "input_suffix", "reference_prefix"),
    *("reference_suffix", "output_prefix", "output_suffix", "instance_prefix", "substitutions"),
)
_NONE = "no two runs of a scenario and model differ in {} alone"


def in_context(grid: Grid) -> Figure | str:
    """Accuracy over the number of in-context examples, a panel for each scenario."""
    panels: dict[str, dict[str, list[tuple[float, Value]]]] = {}
    for scenario, rows in _varied(grid, ("max_train_instances",)):
        points = [(float(row.manifest.spec.adapter.max_train_instances), _accuracy(row)) for row in rows]
        panels.setdefault(scenario, {})[rows[0].model] = points
    if not panels:
        return _NONE.format("the number of in-context examples (max_train_instances)")
    ticks = sorted({x for lines in panels.values() for points in lines.values() for x, _ in points})
    return curves(panels, x_title="in-context examples", y_title="accuracy ↑", ticks=ticks)


def choice_of_examples(grid: Grid, runs: Mapping[str, StoredRun]) -> Figure | str:
    """The spread of accuracy over draws of in-context examples, a box for each model."""
    panels: dict[str, dict[str, dict[str, float]]] = {}
    for row in grid.rows:
        run = runs.get(row.manifest.spec.name)
        if run is not None and row.manifest.spec.adapter.num_train_trials > 1:
            means = _by_draw(row, run)
            if len(means) > 1:
                panels.setdefault(str(row.label), {})[row.model] = means
    if not panels:
        return "no run has several draws of in-context examples (num_train_trials)"
    return boxes(panels, y_title="accuracy ↑")


def prompts(grid: Grid) -> Figure | str:
    """Accuracy under each wording of the prompt, a group of bars for each model."""
    panels: dict[str, dict[str, dict[str, Value]]] = {}
    for scenario, rows in _varied(grid, _WORDING):
        panels.setdefault(scenario, {})[rows[0].model] = {_short(row): _accuracy(row) for row in rows}
    return bars(panels, y_title="accuracy ↑") if panels else _NONE.format("the wording of the prompt")


def multiple_choice(grid: Grid) -> Figure | str:
    """Accuracy by the way of asking a multiple-choice question, a group of bars for each model."""
    groups: dict[tuple[str, str, int], dict[str, Value]] = {}
    for row in grid.rows:
        adapter = row.manifest.spec.adapter
        if adapter.method.startswith("multiple_choice"):
            key = _scenario(row), row.model, adapter.max_train_instances
            groups.setdefault(key, {})[adapter.method.removeprefix("multiple_choice_")] = _accuracy(row)
    panels: dict[str, dict[str, dict[str, Value]]] = {}
    for (scenario, model, _), methods in groups.items():
        if len(methods) > 1:
            panels.setdefault(scenario, {})[model] = methods
    if not panels:
        return _NONE.format("the way of asking a multiple-choice question")
    return bars(panels, y_title="accuracy ↑", columns=2)


def contrast_sets(grid: Grid) -> Figure | str:
    """Accuracy on instances that have a contrast set against the worst case over it, a point for each model."""
    points = []
    for row in grid.rows:
        for name in perturbations(row):
            if name.split(":")[0] == "contrast_sets":
                as_it_is = whole(row, row.main_metric, f"{name}/original", ACCURACY)
                worst = whole(row, row.main_metric, f"{name}/worst", ACCURACY)
                if as_it_is is not None and worst is not None:
                    points.append(Placed(row.model, str(row.label), Value.of(as_it_is), Value.of(worst)))
    if not points:
        return "no run has contrast sets (data_augmentation=contrast_sets on boolq or imdb)"
    return against([Against("robustness ↑ (worst case)", tuple(points), True)], x_title="accuracy ↑", columns=1)


def _varied(grid: Grid, fields: Iterable[str]) -> Iterator[tuple[str, list[Row]]]:
    """Groups of a model's rows on a scenario that differ in these fields of the adapter and in no other."""
    names = [*fields]
    found: dict[bytes, list[Row]] = {}
    for row in grid.rows:
        spec = row.manifest.spec
        rest = replace(spec.adapter, **{name: getattr(_PLAIN, name) for name in names})
        found.setdefault(canonical([row.model, spec.scenario, rest, spec.augmentation, spec.seed]), []).append(row)
    for rows in found.values():
        values = {canonical([getattr(row.manifest.spec.adapter, name) for name in names]) for row in rows}
        if len(rows) > 1 and len(values) == len(rows):
            yield _scenario(rows[0]), rows


def _scenario(row: Row) -> str:
    """The scenario with its arguments, without what runs differ in."""
    spec = row.manifest.spec.scenario
    return " ".join(
        [spec.name, *(f"{key}={value}" for key, value in spec.args.items() if isinstance(value, str | int))]
    )


def _short(row: Row) -> str:
    """What tells a run from the others of its group."""
    return str(row.label).removeprefix(_scenario(row)).strip() or "as usual"


def _accuracy(row: Row) -> Value:
    return Value.of(row.headlines[ACCURACY])


def _by_draw(row: Row, run: StoredRun) -> dict[str, float]:
    """Accuracy by draw of in-context examples."""
    found = stored_values(row, run, SCORES, ("train_trial_index", "value"), {"metric": (row.main_metric,)})
    draws: dict[int, list[float]] = {}
    for draw, value in found if isinstance(found, list) else ():
        if value is not None:
            draws.setdefault(draw, []).append(value)
    return {f"draw {draw}": fmean(values) for draw, values in draws.items()}
