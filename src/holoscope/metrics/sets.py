"""What only a set of trials has: calibration errors, percentiles of times, likelihood per byte, training cost.

Each takes trials and their scores and returns measures; `measure` fills in which cell they belong to. Bootstraps
resample instances, or the clusters they share, from a generator of their own, so that results don't depend on what
else is measured.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from holoscope.core import Json, Measure, Score, SetMetric, Trial, rng
from holoscope.metrics.confidence import NO_LOGPROBS
from holoscope.metrics.separate import is_separate

_PERCENTILES = (50, 90, 99)
_CALIBRATION = (
    "ece_10_bin",
    "ece_1_bin",
    "selective_cov_acc_area",
    "selective_acc@10",
    "platt_coef",
    "platt_intercept",
    "platt_ece_10_bin",
    "platt_ece_1_bin",
)
_WITH_INTERVAL = 4
"""The first four calibration numbers have intervals; the rest describe a fit to the same data."""


class Estimate(NamedTuple):
    """A number of a set, with its interval if it has one."""

    value: float | None
    low: float | None = None
    high: float | None = None
    method: str = ""
    n_clusters: int | None = None


@dataclass(frozen=True)
class OverForms:
    """A set metric that compares forms of an instance: it gets the trials of all cells, and names each measure's."""

    measured: Callable[..., Sequence[Measure]]

    def __call__(self, trials: Sequence[Trial], scores: Sequence[Sequence[Score]], **args: Json) -> Sequence[Measure]:
        return self.measured(trials, scores, **args)


def calibration(trials: Sequence[Trial], scores: Sequence[Sequence[Score]]) -> list[Measure]:
    """HELM's eight calibration numbers, of `max_prob` against `exact_match`."""
    correct, confidence = _column("exact_match", scores), _column("max_prob", scores)
    pairs = [
        (trial, p, y)
        for trial, p, y in zip(trials, confidence, correct, strict=True)
        if p is not None and y is not None and gives_logprobs(trial)
    ]
    if not pairs:
        reason = _why_missing("max_prob", scores) or _why_missing("exact_match", scores) or NO_LOGPROBS
        missing = number_of_instances(trials)
        return [set_measure(name, "calibration", Estimate(None), 0, missing, reason) for name in _CALIBRATION]
    known = [trial for trial, _, _ in pairs]
    estimates = _calibration_estimates(known, *list(zip(*pairs, strict=True))[1:])
    return [
        measure_of(name, "calibration", estimate, known, trials, _ONE_SIDED)
        for name, estimate in zip(_CALIBRATION, estimates, strict=True)
    ]


_ONE_SIDED = "all answers are right or all are wrong"
"""Why Platt's coefficients are undefined."""


def time_percentiles(trials: Sequence[Trial], scores: Sequence[Sequence[Score]]) -> list[Measure]:
    """Median, 90th and 99th percentile of the request time."""
    import numpy as np

    from holoscope.stats import quantile_interval

    column = _column("request_time", scores)
    times = [value for value in column if value is not None]
    known = [trial for trial, value in zip(trials, column, strict=True) if value is not None]
    found = []
    for percent in _PERCENTILES:
        estimate = Estimate(None)
        if times:
            interval = quantile_interval(times, percent / 100)
            ends = (interval.low, interval.high, interval.method) if interval else (None, None, "")
            estimate = Estimate(float(np.quantile(times, percent / 100)), *ends)
        reason = _why_missing("request_time", scores)
        found.append(measure_of(f"request_time_p{percent}", "efficiency", estimate, known, trials, reason))
    return found


def likelihood(name: str, axis: str, per: str, convert: Callable[[float], float]) -> SetMetric:
    """A measure of all text together: `convert(sum of logprob / sum of per)`, not a mean over instances.

    Instances are drawn as a whole for its interval, since what a text says at its end hangs on its beginning; and how
    much of a text the model saw at once is said beside it, since a number with longer windows is another number.
    """

    def measured(trials: Sequence[Trial], scores: Sequence[Sequence[Score]]) -> list[Measure]:
        columns = zip(trials, _column("logprob", scores), _column(per, scores), strict=True)
        known = [(trial, p, size) for trial, p, size in columns if p is not None and size]
        estimate = _ratio(name, known, convert) if known else Estimate(None)
        method = "; ".join(filter(None, (estimate.method, _windows([trial for trial, _, _ in known]))))
        reason = _why_missing("logprob", scores)
        estimate = estimate._replace(method=method)
        return [measure_of(name, axis, estimate, [trial for trial, _, _ in known], trials, reason)]

    return measured


def _windows(trials: Sequence[Trial]) -> str:
    """How much of a text was scored at once; empty where no text was."""
    scored = [e.planned for trial in trials for e in trial.exchanges if e.planned.request.params.echo_prompt]
    if not scored:
        return ""
    if len(scored) == len(trials):
        return "each text whole"
    return f"windows of up to {max(planned.num_prompt_tokens for planned in scored):,} tokens"


def training(
    trials: Sequence[Trial],
    scores: Sequence[Sequence[Score]],
    energy_kwh: float | None = None,
    co2_kg: float | None = None,
    flops: float | None = None,
) -> list[Measure]:
    """What training the model took, as its makers state it."""
    stated = {"training_energy_kwh": energy_kwh, "training_co2_kg": co2_kg, "training_flops": flops}
    reason = "the model's makers do not state it, or it is not in the price list"
    return [set_measure(name, "efficiency", Estimate(value), 0, 0, reason) for name, value in stated.items()]


SET_METRICS: dict[str, SetMetric] = {
    "calibration": calibration,
    "time_percentiles": time_percentiles,
    "perplexity": likelihood("perplexity", "general", "num_perplexity_tokens", lambda r: math.exp(-r)),
    "bits_per_byte": likelihood("bits_per_byte", "accuracy", "num_bytes", lambda r: -r / math.log(2)),
    "logprob_per_byte": likelihood("logprob_per_byte", "general", "num_bytes", lambda r: r),
    "training": training,
}


def _calibration_estimates(
    trials: Sequence[Trial], confidence: Sequence[float], correct: Sequence[float]
) -> Iterator[Estimate]:
    import numpy as np

    from holoscope import stats

    order = np.argsort(confidence, kind="stable")
    p, y = np.array(confidence)[order], np.array(correct)[order]
    labels = drawn_together(trials)
    found = stats.calibration(p, y)
    clusters = None if labels is None else [labels[i] for i in order]
    made = stats.ece_interval, stats.gap_interval, stats.selective_interval, stats.top_interval
    intervals = [make(p, y, clusters) for make in made]
    values = (*found[:_WITH_INTERVAL], *(found.platt or (None, None)), found.platt_ece_10_bin, found.platt_ece_1_bin)
    for value, interval in zip(values, (*intervals, *[None] * _WITH_INTERVAL), strict=True):
        yield Estimate(value, *(interval or ()))


def gives_logprobs(trial: Trial) -> bool:
    """False for a confidence that HELM's definition puts at 1 because it is not known."""
    return is_separate(trial) or all(
        choice.logprob is not None for e in trial.exchanges for choice in e.completion.choices
    )


def _ratio(name: str, known: Sequence[tuple[Trial, float, float]], convert: Callable[[float], float]) -> Estimate:
    import numpy as np

    from holoscope import stats

    logprob, size = np.array([p for _, p, _ in known]), np.array([s for _, _, s in known])
    value = convert(float(logprob.sum() / size.sum()))
    interval = stats.bootstrap(
        lambda i: (convert(float(logprob[i].sum() / size[i].sum())),),
        len(known),
        rng(0, "bootstrap", name),
        clusters=drawn_together([trial for trial, _, _ in known]),
    )[0]
    return Estimate(value, *(interval or ()))


def drawn_together(trials: Sequence[Trial]) -> list[str] | None:
    """What is resampled together: a cluster, else all trials of one instance; None where each is by itself."""
    instances = [trial.instance for trial in trials]
    labels = [f"id {i.id}" if i.cluster is None else f"cluster {i.cluster}" for i in instances]
    alone = all(i.cluster is None for i in instances) and len(set(labels)) == len(labels)
    return None if alone else labels


def answers_each(counts: Sequence[int]) -> str:
    """How often each instance was asked, where any was asked more than once."""
    least, most = (min(counts), max(counts)) if counts else (1, 1)
    return "" if most == 1 else f"{least if least == most else f'{least} to {most}'} answers each"


def number_of_instances(trials: Sequence[Trial]) -> int:
    return len({trial.instance.id for trial in trials})


def measure_of(
    name: str, axis: str, estimate: Estimate, known: Sequence[Trial], trials: Sequence[Trial], reason: str
) -> Measure:
    """The measure of the trials whose value is known, counted by instance as the interval counts them."""
    times = Counter(trial.instance.id for trial in known)
    each = answers_each(list(times.values()))
    estimate = estimate._replace(method="; ".join(filter(None, (estimate.method, each))))
    return set_measure(name, axis, estimate, len(times), number_of_instances(trials) - len(times), reason)


def _column(name: str, scores: Sequence[Sequence[Score]]) -> list[float | None]:
    return [next((score.value for score in own if score.metric == name), None) for own in scores]


def _why_missing(name: str, scores: Sequence[Sequence[Score]]) -> str:
    missing = (s for own in scores for s in own if s.metric == name and s.value is None)
    first = next(missing, None)
    return "" if first is None else first.reason or first.outcome.value


def set_measure(name: str, axis: str, estimate: Estimate, n: int, n_missing: int, reason: str) -> Measure:
    return Measure(
        metric=name,
        axis=axis,
        value=estimate.value,
        n=n,
        split="",
        n_missing=n_missing,
        n_clusters=estimate.n_clusters,
        low=estimate.low,
        high=estimate.high,
        method=estimate.method,
        reason="" if estimate.value is not None else reason or "there are no trials",
    )
