"""The grid: scenario x axis x model, every cell a value with its uncertainty or a reason why there is none.

A cell is a measure of a stored run, with the run's names beside it. An axis that a run has no measure for is a cell
too, with `value` null and what to type to fill it: a grid has no holes, and no number that a run didn't give.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import msgspec

from holoscope.core import NO_LAYOUT, Axis, Display, Measure, Outcome, Registry, StoreError
from holoscope.report.headline import ACCURACY, headline, lower_is_better, main_metric
from holoscope.report.labels import Label, labels
from holoscope.report.layout import directions, laid_out, title
from holoscope.report.measures import measures_of
from holoscope.store import Manifest, StoredRun

Measures = Callable[[StoredRun], Sequence[Measure]]
"""Gives a run's measures; StoreError where they can't be had."""


NO_RIGHT_ANSWERS = "the run grades no answer as right or wrong"


class Cell(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One metric of one run under one condition."""

    suite: str
    run: str
    scenario: str
    group: str
    model: str
    axis: str
    metric: str
    """Empty where the run has no metric for the axis."""
    metric_version: str
    perturbation: str | None
    split: str
    sub_split: str | None
    value: float | None
    n: int
    n_missing: int
    outcomes: dict[str, int]
    """How the trials ended: `ok`, or why not, of the score or of the completion it graded."""
    low: float | None
    high: float | None
    method: str
    reason: str
    """Why `value` is null."""


@dataclass(frozen=True)
class Row:
    """A run in the grid."""

    suite: str
    model: str
    label: Label
    manifest: Manifest
    main_metric: str
    measures: Mapping[str, Sequence[Measure]]
    """What the run has, by axis, in the order of the axes."""
    headlines: dict[str, Cell]
    """The cell that stands for each axis, by the axis' name."""

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All of them, in the order of the axes; made when asked for, since tables show only the headlines."""
        return tuple(
            cell
            for name, shown in self.headlines.items()
            for cell in ([_cell(self.manifest, m) for m in self.measures.get(name, ())] or [shown])
        )


class Grid(NamedTuple):
    """Runs x axes."""

    rows: tuple[Row, ...]
    axes: tuple[Axis, ...]
    lower_is_better: frozenset[str]
    """Metrics whose direction is down."""

    @property
    def cells(self) -> list[Cell]:
        """Every cell, run by run in the order given, axis by axis."""
        return [cell for row in self.rows for cell in row.cells]


def grid(
    runs: Iterable[StoredRun], registry: Registry, measures: Measures | None = None, display: Display = NO_LAYOUT
) -> Grid:
    """The grid of stored runs, with the measures that lie beside them unless `measures` gives others.

    `display` orders the rows, and gives them titles, main metrics and splits.
    """
    given = measures or partial(measures_of, registry=registry)
    ordered = laid_out(runs, display)
    named = labels([(f"{run.manifest.suite}\n{run.manifest.model.name}", run.manifest.spec) for run in ordered])
    axes = tuple(registry.axes.values())
    rows = [
        _row(run, label._replace(scenario=title(run.manifest, display) or label.scenario), axes, given)
        for run, label in zip(ordered, named, strict=True)
    ]
    return Grid(tuple(rows), axes, directions(lower_is_better(registry), display))


def cells_json(grid: Grid) -> bytes:
    """`{"cells": [...]}`, the same bytes for the same grid."""
    return msgspec.json.encode({"cells": grid.cells})


def _row(run: StoredRun, label: Label, axes: Sequence[Axis], measures: Measures) -> Row:
    manifest = run.manifest
    main = main_metric(manifest)
    found, missing = _measures(run, measures)
    known = {axis.name: axis for axis in axes}
    by_axis: dict[str, list[Measure]] = {name: [] for name in known}
    for measure in found:
        by_axis.setdefault(measure.axis, []).append(measure)
    headlines: dict[str, Cell] = {}
    for name, of_axis in by_axis.items():
        chosen = headline(of_axis, known.get(name), manifest)
        if chosen is None:
            headlines[name] = _empty(manifest, name, main, missing or _reason(manifest, name, known, found))
        else:
            headlines[name] = _cell(manifest, chosen)
    return Row(manifest.suite, manifest.model.name, label, manifest, main, by_axis, headlines)


def _measures(run: StoredRun, measures: Measures) -> tuple[Sequence[Measure], str]:
    """A run's measures, and why it has none."""
    if run.manifest.status == "failed":
        return (), ""
    try:
        return measures(run), ""
    except StoreError as error:
        return (), str(error)


def status_reason(manifest: Manifest) -> str:
    """Why a run is not complete; empty if it is."""
    if manifest.status == "complete":
        return ""
    return f"{manifest.status}: {manifest.reason}" if manifest.reason else manifest.status


def _reason(manifest: Manifest, name: str, axes: Mapping[str, Axis], found: Sequence[Measure]) -> str:
    """Why a run has no measure on an axis: it isn't done, has nothing to grade against, or lacks what the axis says."""
    axis = axes.get(name)
    graded = not found or any(measure.axis == ACCURACY for measure in found)
    if axis is not None and not graded and _grades(axis, axes):
        return status_reason(manifest) or NO_RIGHT_ANSWERS
    return status_reason(manifest) or (axis.empty_reason if axis else "no measure")


def _grades(axis: Axis, axes: Mapping[str, Axis]) -> bool:
    """True for accuracy and the axes that show its metrics under another condition."""
    accuracy = axes.get(ACCURACY)
    return axis.name == ACCURACY or (accuracy is not None and bool({*axis.metrics} & {*accuracy.metrics}))


def _cell(manifest: Manifest, measure: Measure) -> Cell:
    value = _finite(measure.value)
    reason = measure.reason
    if value is None and not reason:
        reason = "no value" if measure.value is None else "not a finite number"
    return Cell(
        suite=manifest.suite,
        run=manifest.spec.name,
        scenario=manifest.scenario.name,
        group=_group(manifest),
        model=manifest.model.name,
        axis=measure.axis,
        metric=measure.metric,
        metric_version=measure.version,
        perturbation=measure.perturbation,
        split=measure.split,
        sub_split=measure.sub_split,
        value=value,
        n=measure.n,
        n_missing=measure.n_missing,
        outcomes=_outcomes(measure),
        low=_finite(measure.low),
        high=_finite(measure.high),
        method=measure.method,
        reason=reason,
    )


def _empty(manifest: Manifest, axis: str, main: str, reason: str) -> Cell:
    metric = main if axis == ACCURACY and reason != NO_RIGHT_ANSWERS else ""
    return _cell(
        manifest,
        Measure(metric, axis, None, 0, manifest.scenario.main_split, reason=reason, version=_version(manifest, metric)),
    )


def _version(manifest: Manifest, metric: str) -> str:
    return manifest.versions.metrics.get(metric, "")


def _group(manifest: Manifest) -> str:
    return manifest.spec.groups[0] if manifest.spec.groups else manifest.scenario.name


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _outcomes(measure: Measure) -> dict[str, int]:
    """Counts of all trials of the measure; empty where it doesn't say how those without a value ended."""
    others = {name: count for name, count in sorted(measure.outcomes.items()) if count}
    if Outcome.OK.value in others:
        return others
    if measure.n_missing and not others:
        return {}
    ok = measure.n + measure.n_missing - sum(others.values())
    return ({Outcome.OK.value: ok} if ok else {}) | others
