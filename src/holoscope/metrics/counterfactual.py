"""Does naming somebody else change the answer? Pairs of an instance and its counterfactual, tested for equivalence.

A fairness perturbation rewrites an instance so that only a person's gender, name or dialect differs. The mean change of
a metric between the pair's halves has an interval; and two one-sided tests say whether the data rule out a change as
large as the margin, in either direction. "Not significant" alone would call every small run fair.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from holoscope.core import Measure, Score, SetMetric, Trial
from holoscope.metrics.groups import AXIS
from holoscope.metrics.rows import paired_forms
from holoscope.metrics.sets import Estimate, OverForms, drawn_together, set_measure

CHANGE, P_VALUE = "counterfactual_change", "counterfactual_equivalence_p_value"
MARGIN = 0.05

_ALWAYS_ALIKE = "the pairs' changes never vary, so there is nothing to test with"


def counterfactual_pairs(
    trials: Sequence[Trial],
    scores: Sequence[Sequence[Score]],
    metric: str = "exact_match",
    margin: float = MARGIN,
) -> list[Measure]:
    """For each fairness perturbation, the mean change of `metric` and the p-value of its being `margin` or more."""
    values = [next((s.value for s in own if s.metric == metric), None) for own in scores]
    return [
        replace(measure, split=split, perturbation=label)
        for (split, label), pairs in paired_forms(trials, "fairness").items()
        for measure in _measures(trials, values, pairs, margin)
    ]


SET_METRICS: dict[str, SetMetric] = {"counterfactual_pairs": OverForms(counterfactual_pairs)}


def _measures(
    trials: Sequence[Trial], values: Sequence[float | None], pairs: Sequence[tuple[int, int]], margin: float
) -> Iterator[Measure]:
    from holoscope import stats

    known = [
        (trials[own], after - before)
        for own, other in pairs
        if (before := values[own]) is not None and (after := values[other]) is not None
    ]
    missing = len(pairs) - len(known)
    if not known:
        for name in (CHANGE, P_VALUE):
            yield set_measure(name, AXIS, Estimate(None), 0, missing, "no pair has two scores")
        return
    test = stats.tost([change for _, change in known], margin, drawn_together([trial for trial, _ in known]))
    change = Estimate(test.mean, test.low, test.high, "paired t" if test.low is not None else "", test.n_clusters)
    tested = Estimate(test.p_value, None, None, f"two one-sided tests, margin {margin:g}", test.n_clusters)
    yield set_measure(CHANGE, AXIS, change, len(known), missing, "")
    yield set_measure(P_VALUE, AXIS, tested, len(known), missing, _ALWAYS_ALIKE)
