"""Scoring trials: each metric on each trial, and never a number for what is not known.

A trial that has no text (refused by a filter, never answered, too long to send) has no score, for the reason it has no
text. A metric that fails on one trial makes that score ungradable with the error as its reason: one odd completion
must not cost a run. Metrics that are not registered are left to `measure`, which says so in their cell. Code that a
model wrote is run for some hundred trials at once, by a runner that is handed in; without one, nothing is run.
"""

import inspect
import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from holoscope.core import (
    Json,
    Metric,
    MetricSpec,
    MissingExtraError,
    NotSupportedError,
    Outcome,
    Registry,
    Score,
    Trial,
    UsageError,
)

Runner = Callable[[Sequence[object]], Sequence[object]]
"""Runs jobs of model-written code: the result of each, in order. NotSupportedError where nothing may be run."""
_AT_ONCE = 128
"""Trials whose code is run together: enough to keep every worker busy, few enough to hold what they print."""
_AT_K = re.compile(r"(?P<base>.+)@(?P<k>[1-9]\d*)")

_NEEDS: dict[str, tuple[Callable[[Trial], bool], str]] = {
    "references": (lambda t: bool(t.instance.references), "the instance has no references"),
    "logprobs": (
        lambda t: all(c.logprob is not None for e in t.exchanges for c in e.completion.choices),
        "the model gives no log-probabilities",
    ),
    "echo": (
        lambda t: all(c.tokens for e in t.exchanges for c in e.completion.choices),
        "the model does not return the tokens of its prompt",
    ),
    "usage": (lambda t: all(e.completion.usage for e in t.exchanges), "the endpoint reports no token counts"),
}
"""What a metric may need of a trial, and the reason where the trial lacks it."""


class Bound(NamedTuple):
    """A metric with its arguments, ready to score."""

    name: str
    """As the run spec names it."""
    card: Metric
    function: Callable[..., Score]
    jobs: Callable[[Trial], Sequence[object]] | None = None
    """What has to be run first."""


class _Ran:
    """Results of jobs, each run once for all metrics."""

    def __init__(self, run: Runner | None, jobs: Sequence[object]) -> None:
        self._results: dict[object, object] = {}
        self._refusal = "no sandbox: nothing was handed in to run model-written code"
        try:
            if run is not None:
                self._results = dict(zip(jobs, run(jobs), strict=True))
        except NotSupportedError as error:
            self._refusal = str(error)

    def __call__(self, job: object) -> object:
        if job not in self._results:
            raise NotSupportedError(self._refusal)
        return self._results[job]


def score(
    metrics: Sequence[MetricSpec],
    trials: Sequence[Trial],
    registry: Registry,
    *,
    compat: bool = False,
    run: Runner | None = None,
) -> list[list[Score]]:
    """For each trial, a score for each per-instance metric in order; set metrics have none.

    With `compat`, `name@helm` takes the place of `name` where it exists. `run` runs what a model wrote.
    """
    bound = bind(metrics, registry, compat=compat)
    if not any(metric.jobs for metric in bound):
        return [_score_trial(bound, trial) for trial in trials]
    some = (trials[first : first + _AT_ONCE] for first in range(0, len(trials), _AT_ONCE))
    return [scores for together in some for scores in _score_with_jobs(bound, together, run)]


def _score_with_jobs(bound: Sequence[Bound], trials: Sequence[Trial], run: Runner | None) -> list[list[Score]]:
    wanted = (job for trial in trials for metric in bound for job in _jobs(metric, trial))
    ran = _Ran(run, list(dict.fromkeys(wanted)))
    ready = [m._replace(function=partial(m.function, run=ran)) if m.jobs else m for m in bound]
    return [_score_trial(ready, trial) for trial in trials]


def _jobs(metric: Bound, trial: Trial) -> Sequence[object]:
    """What the metric needs run; where it can't say, its score will say why."""
    if metric.jobs is None or trial.failure is not None:
        return ()
    try:
        return metric.jobs(trial)
    except Exception:  # noqa: BLE001 - one trial's failure becomes data
        return ()


def bind(metrics: Sequence[MetricSpec], registry: Registry, *, compat: bool) -> list[Bound]:
    """The per-instance metrics among `metrics`, with their arguments; UsageError for arguments they don't take."""
    found = []
    for spec in metrics:
        card = lookup(spec.name, registry, compat=compat)
        if card is not None:
            args = _arguments(spec, card, registry)
            jobs = partial(card.jobs, **args) if card.jobs else None
            found.append(Bound(spec.name, card, partial(card.score, **args), jobs))
    return found


def lookup(name: str, registry: Registry, *, compat: bool) -> Metric | None:
    """The card of a per-instance metric, in HELM's version under compat; None if none has this name."""
    base = _AT_K.fullmatch(name)
    candidates = [f"{name}@helm", name] if compat else [name]
    if base:
        ours = base["base"]
        candidates += [ours] if not compat and _takes_k(ours, registry) else [f"{ours}@helm", ours]
    return next((registry.metrics.get(c) for c in candidates if c in registry.metrics), None)


def _takes_k(name: str, registry: Registry) -> bool:
    """True for a metric of ours that reads several answers itself; HELM's definition stands in for the others."""
    return name in registry.metrics and "k" in inspect.signature(registry.metrics.get(name).score).parameters


def _arguments(spec: MetricSpec, card: Metric, registry: Registry) -> dict[str, Json]:
    """The spec's arguments; where HELM's version stands in for ours, those it knows."""
    signature = inspect.signature(card.score)
    args = dict(spec.args)
    if card.name == f"{spec.name}@helm":
        args = {key: value for key, value in args.items() if key in signature.parameters}
    at_k = _AT_K.fullmatch(spec.name)
    if at_k and spec.name not in registry.metrics:
        args["k"] = int(at_k["k"])
    try:
        signature.bind(None, **args, **({"run": None} if card.jobs else {}))
    except TypeError as error:
        raise UsageError(f"metric {card.name!r}: {error}") from None
    return args


def _score_trial(bound: Sequence[Bound], trial: Trial) -> list[Score]:
    failure = trial.failure
    if failure is None:
        return [_score_one(metric, trial) for metric in bound]
    outcome, reason = failure.completion.outcome, failure.completion.reason
    return [Score(m.name, None, outcome, reason, version=m.card.version) for m in bound]


def _score_one(metric: Bound, trial: Trial) -> Score:
    for need in metric.card.needs:
        met, reason = _NEEDS[need]
        if not met(trial):
            return _missing(metric, Outcome.NOT_SUPPORTED, reason)
    try:
        found = metric.function(trial)
    except (MissingExtraError, NotSupportedError) as error:
        return _missing(metric, Outcome.NOT_SUPPORTED, str(error))
    except Exception as error:  # noqa: BLE001 - one trial's failure becomes data
        return _missing(metric, Outcome.UNGRADABLE, f"{type(error).__name__}: {error}")
    if found.value is not None and not math.isfinite(found.value):
        return _missing(metric, Outcome.UNGRADABLE, f"the metric gave {found.value}")
    if found.metric != metric.name or found.version != metric.card.version:
        return replace(found, metric=metric.name, version=metric.card.version)
    return found


def _missing(metric: Bound, outcome: Outcome, reason: str) -> Score:
    return Score(metric.name, None, outcome, reason, version=metric.card.version)
