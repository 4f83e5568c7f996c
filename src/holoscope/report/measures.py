"""A stored run's measures: read from beside it, or made again from its scores.

Scores are never made again here but those of times, which `scores.parquet` leaves out: a judge's verdict or the result
of running code is as stored, and so is every cell of the grid.
"""

from collections import defaultdict
from collections.abc import Sequence

from holoscope.core import (
    HELM_COMPAT,
    Measure,
    MetricSpec,
    PerturbationDescription,
    Registry,
    Score,
    StoreError,
    Trial,
    canonical,
    group_trials,
)
from holoscope.store import StoredRun


def measures_of(run: StoredRun, registry: Registry) -> Sequence[Measure]:
    """The run's measures. StoreError where its files can't be read."""
    kept = run.measures()
    return _computed(run, registry) if kept is None else kept


def _computed(run: StoredRun, registry: Registry) -> list[Measure]:
    from holoscope.metrics import TIMED_METRICS, applicable, measure, score

    spec = run.manifest.spec
    compat = spec.compat == HELM_COMPAT
    trials = list(group_trials(run.exchanges()))
    timed = score([MetricSpec(name) for name in TIMED_METRICS], trials, registry, compat=compat)
    stored = _stored_scores(run, trials)
    scores = [[*own, *added] for own, added in zip(stored, timed, strict=True)]
    model = run.manifest.model
    specs = applicable(spec, prices=model.prices, training=model.training)
    return measure(specs, trials, scores, registry, compat=compat)


def _stored_scores(run: StoredRun, trials: Sequence[Trial]) -> list[list[Score]]:
    by_trial: dict[tuple[str, bytes, int, int], list[Score]] = defaultdict(list)
    for row in run.scores():
        by_trial[_key(row.instance_id, row.perturbation, row.train_trial_index, row.trial)].append(row.score)
    keys = [_key(t.instance.id, t.instance.perturbation, t.train_trial_index, t.index) for t in trials]
    if not by_trial.keys() <= set(keys):
        raise StoreError(f"{run.path}: scores and requests are not of the same run; run the same command again")
    return [by_trial[key] for key in keys]


def _key(
    instance: str, perturbation: PerturbationDescription | None, train_trial: int, trial: int
) -> tuple[str, bytes, int, int]:
    return instance, canonical(perturbation), train_trial, trial
