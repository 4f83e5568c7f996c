"""Two models, or one at two times, scenario by scenario: what differs, how surely, and on which instances.

Runs that ask the same are paired, and within them instances that both answered; where an axis has no value by instance
(a calibration error is one of a set) the two intervals are compared instead. What makes two runs less than comparable
stands beside their numbers. Every p-value is also given as Holm's correction leaves it among the scenarios of its axis:
of twenty scenarios one differs by luck.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from holoscope.core import Axis, Registry, UnknownNameError, UsageError
from holoscope.report.averages import panel
from holoscope.report.blocks import unit
from holoscope.report.comparability import warnings
from holoscope.report.conditions import matched
from holoscope.report.differences import Better, Difference, alike, better, difference
from holoscope.report.grid import NO_RIGHT_ANSWERS, Cell, Grid, Row, grid
from holoscope.report.headline import ACCURACY
from holoscope.report.printable import printable
from holoscope.store import StoredRun

_ALARM = 0.05


class Side(msgspec.Struct, frozen=True):
    """One of the two runs."""

    suite: str
    run: str
    folder: str
    model: str
    status: str


class RunPair(msgspec.Struct, frozen=True, kw_only=True):
    """Two runs that ask the same."""

    label: str
    scenario: str
    a: Side
    b: Side
    warnings: tuple[str, ...]
    differences: tuple[Difference, ...]
    """By axis."""


class Overall(msgspec.Struct, frozen=True, kw_only=True):
    """An axis over all scenarios that both have."""

    axis: str
    lower_is_better: bool
    value: float
    """Mean of the scenarios' differences, each counted alike."""
    low: float | None
    high: float | None
    unit: str
    """Of the values; empty where they are shares."""
    scenarios: tuple[str, ...]
    """What it is over."""
    left_out: dict[str, str]
    """Scenarios that it is not over, and why."""
    a_better: int
    """Scenarios on which A is surely better, after Holm's correction."""
    b_better: int
    better: Better = ""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that two models, or two runs, can be told apart by."""

    a: str
    b: str
    pairs: tuple[RunPair, ...]
    overall: tuple[Overall, ...]
    """By axis, where there are at least two scenarios to average."""
    only_a: tuple[str, ...]
    """Names of runs without a counterpart."""
    only_b: tuple[str, ...]


def compare(
    a: Sequence[StoredRun],
    b: Sequence[StoredRun],
    registry: Registry,
    *,
    names: tuple[str, str] = ("A", "B"),
    metric: str = "",
) -> Comparison:
    """Compare the runs of one side with those of the other.

    `metric` alone is compared where it is given, else each axis' own. Two single runs are paired whatever their
    settings, with a warning where they differ. UsageError where no two runs can be paired.
    """
    found = matched(a, b)
    pairs = found.pairs
    if not pairs and len(a) == len(b) == 1 and a[0].manifest.scenario.name == b[0].manifest.scenario.name:
        pairs, found = ((a[0], b[0]),), found._replace(only_a=(), only_b=())
    if not pairs:
        raise UsageError(f"{names[0]} and {names[1]} have no scenario in common: nothing can be paired")
    made = grid([run for pair in pairs for run in pair], registry)
    rows = {id(row.manifest): row for row in made.rows}
    if metric:
        _check_metric(metric, made)
    adjusted = _adjusted([_pair(each, rows, made, registry, metric) for each in pairs])
    return Comparison(
        a=names[0],
        b=names[1],
        pairs=adjusted,
        overall=tuple(filter(None, (_overall(axis, adjusted, made, names) for axis in made.axes))),
        only_a=tuple(run.name for run in found.only_a),
        only_b=tuple(run.name for run in found.only_b),
    )


def _check_metric(metric: str, made: Grid) -> None:
    known = {cell.metric for cell in made.cells if cell.metric}
    if metric not in known:
        raise UnknownNameError("metric", metric, known, "(holoscope list metrics)")


def _pair(
    runs: tuple[StoredRun, StoredRun], rows: Mapping[int, Row], made: Grid, registry: Registry, metric: str
) -> RunPair:
    a, b = (rows[id(run.manifest)] for run in runs)
    found = []
    for axis in made.axes:
        cells = _cells_of(metric, axis, a, b) if metric else _headlines(axis, a, b)
        if cells is not None:
            down = cells[0].metric in made.lower_is_better
            found.append(difference((runs[0], cells[0]), (runs[1], cells[1]), registry, lower_is_better=down))
    metrics = tuple(dict.fromkeys(each.metric for each in found))
    return RunPair(
        label=printable(str(a.label)),
        scenario=a.manifest.scenario.name,
        a=_side(runs[0]),
        b=_side(runs[1]),
        warnings=warnings(*runs, metrics),
        differences=tuple(found),
    )


def _headlines(axis: Axis, a: Row, b: Row) -> tuple[Cell, Cell] | None:
    """The cells that stand for an axis, of one metric if both have one; None where neither has a value."""
    first, second = a.headlines[axis.name], b.headlines[axis.name]
    if first.value is None or second.value is None:
        is_empty = first.value is second.value and (axis.name != ACCURACY or first.reason == NO_RIGHT_ANSWERS)
        return None if is_empty else (first, second)
    same = second if alike(first, second) else next((c for c in b.cells if alike(c, first)), None)
    if same is not None and same.value is not None:
        return first, same
    same = next((c for c in a.cells if alike(c, second)), None)
    return (same, second) if same is not None and same.value is not None else (first, second)


def _cells_of(metric: str, axis: Axis, a: Row, b: Row) -> tuple[Cell, Cell] | None:
    """The cells of one metric without perturbation, on the main split; None where neither run has it on this axis."""
    cells = [_cell_of(metric, axis, row) for row in (a, b)]
    known = next((cell for cell in cells if cell is not None), None)
    if known is None:
        return None
    lacking = replace(known, value=None, reason=f"no {metric}")
    return cells[0] or lacking, cells[1] or lacking


def _cell_of(metric: str, axis: Axis, row: Row) -> Cell | None:
    split = row.manifest.scenario.main_split
    own = [c for c in row.cells if (c.metric, c.axis, c.perturbation) == (metric, axis.name, None)]
    return min(own, key=lambda cell: (cell.split != split, cell.sub_split is not None), default=None)


def _side(run: StoredRun) -> Side:
    manifest = run.manifest
    return Side(manifest.suite, run.name, run.path.name, manifest.model.name, manifest.status)


def _adjusted(pairs: Sequence[RunPair]) -> tuple[RunPair, ...]:
    """The pairs with p-values corrected among the scenarios of each axis."""
    from holoscope.stats import holm

    found = [
        (axis, p, k) for k, pair in enumerate(pairs) for axis, p in ((d.axis, d.p_value) for d in pair.differences)
    ]
    corrected: dict[tuple[int, str], float | None] = {}
    for name in {axis for axis, _, _ in found}:
        family = [(k, p) for axis, p, k in found if axis == name]
        adjusted = holm([p for _, p in family])
        corrected.update({(k, name): p for (k, _), p in zip(family, adjusted, strict=True)})
    return tuple(
        replace(pair, differences=tuple(replace(d, p_adjusted=corrected[k, d.axis]) for d in pair.differences))
        for k, pair in enumerate(pairs)
    )


def _overall(axis: Axis, pairs: Sequence[RunPair], made: Grid, names: tuple[str, str]) -> Overall | None:
    """The mean difference on an axis; None for fewer than two scenarios."""
    from holoscope.stats import Estimate, mean_of

    known = {p.label: d for p in pairs for d in p.differences if d.axis == axis.name and d.value is not None}
    table = {label: dict.fromkeys(names, d.metric) for label, d in known.items()}
    over = panel(axis, table, names, made.lower_is_better)
    chosen = [known[label] for label in over.scenarios]
    if len(chosen) < 2:
        return None
    sure = [d for d in chosen if d.low is not None]
    mean = mean_of([Estimate(d.value or 0.0, d.low or 0.0, d.high or 0.0) for d in chosen])
    low, high = (mean.low, mean.high) if len(sure) == len(chosen) else (None, None)
    winners = [d.better for d in chosen if d.p_adjusted is None or d.p_adjusted <= _ALARM]
    return Overall(
        axis=axis.name,
        lower_is_better=axis.lower_is_better,
        value=mean.value,
        low=low,
        high=high,
        unit=unit(chosen[0].metric),
        scenarios=over.scenarios,
        left_out=over.left_out,
        a_better=winners.count("a"),
        b_better=winners.count("b"),
        better=better(low, high, lower_is_better=axis.lower_is_better),
    )
