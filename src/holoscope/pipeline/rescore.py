"""Scores stored completions again, with the definitions of today, and asks no model."""

from collections.abc import Sequence

from msgspec.structs import replace

from holoscope.core import Registry, StoreError, group_trials
from holoscope.pipeline.record import RunResult, scored, write_scores
from holoscope.store import StoredRun, Versions, write_manifest


def rescore(runs: Sequence[StoredRun], registry: Registry, *, compat: str | None = None) -> list[RunResult]:
    """Write new scores, measures and metric versions for each run; `compat` None keeps the run's own."""
    return [_rescore(run, registry, compat) for run in runs if run.manifest.status != "failed"]


def _rescore(run: StoredRun, registry: Registry, compat: str | None) -> RunResult:
    spec = run.manifest.spec if compat is None else replace(run.manifest.spec, compat=compat)
    try:
        trials = list(group_trials(run.exchanges()))
    except StoreError as error:
        return RunResult(spec, "failed", str(error))
    _, scores, measures = scored(spec, trials, registry, run.manifest.model)
    write_scores(run.path, trials, scores, measures)
    versions = Versions(
        prompt=run.manifest.versions.prompt,
        perturbations=run.manifest.versions.perturbations,
        metrics={m.metric: m.version for m in measures},
    )
    write_manifest(run.path, replace(run.manifest, spec=spec, versions=versions))
    return RunResult(spec, run.manifest.status, run.manifest.reason, tuple(measures), run.manifest.requests)
