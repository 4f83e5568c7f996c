"""Finding measures and values of a row of the grid: of its main split, as its instances are, unless asked otherwise.

A run that failed, or whose files can't be read, has a reason in the place of values.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holoscope.core import Measure, StoreError
from holoscope.report.grid import Row, status_reason
from holoscope.store import StoredRun, read_columns

_FAIRNESS = ("dialect", "gender", "person_name", "mandarin_to_cantonese", "simplified_to_traditional")
"""Ends of the names of perturbations that are of fairness, where no measure says so."""


def measures_of(row: Row, axis: str = "", metric: str = "") -> Iterator[Measure]:
    """The row's measures on its main split, of one axis and metric where they are given."""
    split = row.manifest.scenario.main_split
    for name, found in row.measures.items():
        if axis in ("", name):
            yield from (m for m in found if m.split == split and metric in ("", m.metric))


def whole(row: Row, metric: str, perturbation: str | None = None, axis: str = "") -> Measure | None:
    """The measure of all instances of the main split under one condition."""
    return next(
        (m for m in measures_of(row, axis, metric) if m.sub_split is None and m.perturbation == perturbation), None
    )


def perturbations(row: Row) -> dict[str, str]:
    """The perturbations that have a value in the row, each with its kind: `robustness` or `fairness`."""
    changed = {m.perturbation for m in measures_of(row, "fairness", "counterfactual_change")}
    names = (m.perturbation for m in measures_of(row, "accuracy", row.main_metric) if m.sub_split is None)
    return {
        name: "fairness" if name in changed or name.split(":")[0].endswith(_FAIRNESS) else "robustness"
        for name in names
        if name is not None and "/" not in name
    }


def stored_values(
    row: Row, run: StoredRun, file: str, names: Sequence[str], only: Mapping[str, Sequence[str]] | None = None
) -> list[tuple[Any, ...]] | str:
    """Columns of a run's table, for unperturbed instances of the main split; or why they can't be read."""
    if row.manifest.status == "failed":
        return status_reason(row.manifest)
    where: dict[str, Sequence[str | None]] = {"split": (row.manifest.scenario.main_split,), "perturbation": (None,)}
    try:
        batches = read_columns(run.path / file, names, {**where, **(only or {})})
        return [found for batch in batches for found in zip(*(batch[name] for name in names), strict=True)]
    except StoreError as error:
        return str(error)
