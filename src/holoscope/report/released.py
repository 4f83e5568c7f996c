"""What a release keeps of its runs, and what changed between two of them, in words."""

from collections.abc import Iterable, Iterator

from holoscope.core import Registry
from holoscope.report.conditions import condition
from holoscope.report.grid import Cell, grid
from holoscope.report.printable import interval, number, printable
from holoscope.store import Change, Difference, Manifest, ReleasedRun, ReleasedValue, StoredRun, hash_of_scores

_MOST_CHANGES = 20


def released(runs: Iterable[StoredRun], registry: Registry) -> tuple[ReleasedRun, ...]:
    """The runs as a release keeps them, with the values that stand for their axes today."""
    stored = sorted(runs, key=lambda run: (run.manifest.suite, run.path.name))
    shown = {_key(row.manifest): row.headlines for row in grid(stored, registry).rows}
    return tuple(
        ReleasedRun(
            suite=run.manifest.suite,
            folder=run.path.name,
            run=run.name,
            model=run.manifest.model.name,
            scenario=condition(run.manifest.spec),
            status=run.manifest.status,
            scores_sha256=hash_of_scores(run.path),
            values=tuple(map(_value, shown[_key(run.manifest)].values())),
        )
        for run in stored
    )


def _key(manifest: Manifest) -> tuple[str, str, str]:
    return manifest.suite, manifest.spec.name, manifest.spec.compat


def difference_lines(found: Difference) -> Iterator[str]:
    """What changed, a line each; the first of the changed values."""
    for sign, kind, names in (
        ("+", "model", found.added_models),
        ("-", "model", found.removed_models),
        ("+", "scenario", found.added_scenarios),
        ("-", "scenario", found.removed_scenarios),
    ):
        yield from (f"{sign} {kind} {printable(name)}" for name in names)
    for sign, runs in (("+", found.added_runs), ("-", found.removed_runs)):
        if runs:
            yield f"{sign} {len(runs)} {'run' if len(runs) == 1 else 'runs'}"
    yield from (change_line(change) for change in found.changed[:_MOST_CHANGES])
    if len(found.changed) > _MOST_CHANGES:
        yield f"and {len(found.changed) - _MOST_CHANGES} more changed values"


def change_line(change: Change) -> str:
    """One changed value."""
    before, after = (_shown(value) for value in (change.before, change.after))
    return printable(f"{change.model}, {change.scenario}, {change.axis}: {before} -> {after}")


def _value(cell: Cell) -> ReleasedValue:
    return ReleasedValue(
        axis=cell.axis,
        metric=cell.metric,
        value=cell.value,
        n=cell.n,
        low=cell.low,
        high=cell.high,
        reason=cell.reason if cell.value is None else "",
    )


def _shown(value: ReleasedValue | None) -> str:
    if value is None or value.value is None:
        return "no value"
    ends = interval(value.low, value.high)
    return " ".join(part for part in (value.metric, number(value.value), ends, f"(n={value.n})") if part)
