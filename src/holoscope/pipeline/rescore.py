"""Scores stored completions again, with the definitions of today, and asks no model.

What cannot be made again here, a judge's verdict in another tool's results or the score of a metric that is not
installed, stays as it is stored: it was paid for, and its version says whose it is.
"""

from collections import defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from holoscope.core import (
    Measure,
    Outcome,
    PerturbationDescription,
    Registry,
    Score,
    StoreError,
    Trial,
    canonical,
    group_trials,
)
from holoscope.metrics.scoring import lookup
from holoscope.pipeline.record import RunResult, ran_in, scored, write_scores
from holoscope.sandbox import Sandbox
from holoscope.store import StoredRun, Versions, write_manifest

_NO_COMPLETIONS = "it holds no completions: what it was imported from had none"


def rescore(
    runs: Sequence[StoredRun], registry: Registry, *, compat: str | None = None, sandbox: Sandbox | None = None
) -> list[RunResult]:
    """Write new scores, measures and metric versions for each run; `compat` None keeps the run's own."""
    where = sandbox or Sandbox()
    return [_rescore(run, registry, compat, where) for run in runs if run.manifest.status != "failed"]


def _rescore(run: StoredRun, registry: Registry, compat: str | None, sandbox: Sandbox) -> RunResult:
    spec = run.manifest.spec if compat is None else replace(run.manifest.spec, compat=compat)
    try:
        trials = list(group_trials(run.exchanges()))
        if not trials:
            return RunResult(spec, "failed", _NO_COMPLETIONS)
        specs, scores, measures = scored(spec, trials, registry, run.manifest.model, sandbox)
        scores, measures = _with_kept(run, trials, scores, measures, registry)
    except StoreError as error:
        return RunResult(spec, "failed", str(error))
    write_scores(run.path, trials, scores, measures)
    versions = Versions(
        prompt=run.manifest.versions.prompt,
        perturbations=run.manifest.versions.perturbations,
        metrics={m.metric: m.version for m in measures},
    )
    ran = ran_in(sandbox, specs, registry) or run.manifest.sandbox
    write_manifest(run.path, replace(run.manifest, spec=spec, versions=versions, sandbox=ran))
    return RunResult(spec, run.manifest.status, run.manifest.reason, tuple(measures), run.manifest.requests)


def _with_kept(
    run: StoredRun,
    trials: Sequence[Trial],
    scores: Sequence[Sequence[Score]],
    measures: Sequence[Measure],
    registry: Registry,
) -> tuple[list[list[Score]], list[Measure]]:
    """The new scores and measures, with the stored ones of metrics that can't be computed here."""
    stored = run.measures() or ()
    supported = {m.metric for m in measures if m.value is not None or m.outcomes.keys() != {Outcome.NOT_SUPPORTED}}
    unsupported = {m.metric for m in measures} - supported
    made = {m.metric for m in measures if m.value is not None}
    valued = {m.metric for m in stored if m.value is not None} - made
    kept = {name for name in valued if name in unsupported or not _is_known(name, registry)}
    rows: dict[tuple[str, bytes, int, int], list[Score]] = defaultdict(list)
    for row in run.scores() if kept else ():
        if row.score.metric in kept:
            rows[_key(row.instance_id, row.perturbation, row.train_trial_index, row.trial)].append(row.score)
    whole = [
        [*(score for score in own if score.metric not in kept), *rows[_key_of(trial)]]
        for trial, own in zip(trials, scores, strict=True)
    ]
    return whole, [*(m for m in measures if m.metric not in kept), *(m for m in stored if m.metric in kept)]


def _is_known(metric: str, registry: Registry) -> bool:
    return lookup(metric, registry, compat=True) is not None or metric in registry.set_metrics


def _key_of(trial: Trial) -> tuple[str, bytes, int, int]:
    return _key(trial.instance.id, trial.instance.perturbation, trial.train_trial_index, trial.index)


def _key(
    instance: str, perturbation: PerturbationDescription | None, train_trial: int, trial: int
) -> tuple[str, bytes, int, int]:
    return instance, canonical(perturbation), train_trial, trial
