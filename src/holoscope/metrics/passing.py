"""pass@k over repetitions: how likely one of k draws is right, by any metric that says right or wrong.

What is counted are the repetitions of an instance (`--trials`) that have a score and, for `pass`, which is the share of
a request's programs that pass their tests, each of its answers. An instance with fewer than k of them is missing:
pass@k of fewer draws can't be known, and is never 1 for lack of draws.
"""

from collections.abc import Sequence
from statistics import fmean

from holoscope.core import Measure, Score, SetMetric, Trial
from holoscope.metrics.sets import Estimate, drawn_together, set_measure

PASS = "pass"


def pass_at_k(
    trials: Sequence[Trial], scores: Sequence[Sequence[Score]], k: int = 1, metric: str = "exact_match"
) -> list[Measure]:
    """Mean over instances of the unbiased estimate from the repetitions' scores of `metric`."""
    from holoscope import stats

    draws: dict[str, list[int]] = {trial.instance.id: [0, 0] for trial in trials}
    first: dict[str, Trial] = {}
    for trial, own in zip(trials, scores, strict=True):
        first.setdefault(trial.instance.id, trial)
        value = next((score.value for score in own if score.metric == metric), None)
        if value is not None:
            number = len(trial.exchanges[0].completion.choices) if metric == PASS else 1
            draws[trial.instance.id][0] += number
            draws[trial.instance.id][1] += round(value * number) if metric == PASS else value >= 1
    estimates = {key: stats.pass_at_k(number, right, k) for key, (number, right) in draws.items()}
    known = {key: value for key, value in estimates.items() if value is not None}
    reason = f"no instance has {k} scores of {metric}: ask more often (--trials {k})" if trials else ""
    if not known:
        return [set_measure(f"pass@{k}", "accuracy", Estimate(None), 0, len(draws), reason)]
    values = list(known.values())
    interval = stats.mean_interval(values, drawn_together([first[key] for key in known]), ends=(0, 1))
    estimate = Estimate(fmean(values), *(interval or ()))
    return [set_measure(f"pass@{k}", "accuracy", estimate, len(known), len(draws) - len(known), "")]


SET_METRICS: dict[str, SetMetric] = {"pass_at_k": pass_at_k}
