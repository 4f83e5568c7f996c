"""Calibration beyond HELM's numbers, for confidences of any origin.

One set of numbers is made of (confidence, correctness) pairs: debiased and smooth errors, Brier's score in three parts,
risk against coverage, what rescaling would leave, and the error that calibrated answers would show by chance. The
confidence is the model's probability of its answer; where it gives none, how often repeated answers agree (`sampled_`)
or what the answer itself states (`verbalised_`). Those are other quantities, and their measures have other names.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from holoscope.core import Measure, Score, SetMetric, Trial, rng
from holoscope.metrics.answers import answer, chosen_option
from holoscope.metrics.confidence import NO_LOGPROBS
from holoscope.metrics.normalise import normalise
from holoscope.metrics.sets import Estimate, drawn_together, gives_logprobs, measure_of
from holoscope.metrics.stated import stated
from holoscope.metrics.written import written

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holoscope.stats.recalibration import Recalibration

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_AXIS = "calibration"
_BINNED = ("ece_10_bin", "ece_1_bin")
_ERRORS = ("ece_debiased_l2", "smooth_ece")
_RESAMPLED = ("brier", "aurc", "excess_aurc")
_PARTS = ("brier_reliability", "brier_resolution", "brier_uncertainty")
_RESCALED = ("ece_cross_fitted_platt", "ece_cross_fitted_isotonic")
_NULL = ("ece_of_calibrated", "calibration_p_value")
NAMES = (*_ERRORS, *_RESAMPLED, *_PARTS, *_RESCALED, *_NULL)
_RESAMPLES = 200
_DRAWS = 2_000_000
"""Answers that the null draws in all: fewer repetitions of a larger set."""
_NO_DRAWS = "no instance was asked more than once at a temperature above 0"


class Pair(NamedTuple):
    """How sure the model was of an answer, and whether that is right."""

    trial: Trial
    confidence: float
    correct: float


def calibration_parts(
    trials: Sequence[Trial], scores: Sequence[Sequence[Score]], metric: str = "exact_match"
) -> list[Measure]:
    """The numbers for the probabilities of the answers, `max_prob`, against `metric`."""
    found = [
        Pair(trial, sure, right)
        for trial, own in zip(trials, scores, strict=True)
        if (sure := _value(own, "max_prob")) is not None
        and (right := _value(own, metric)) is not None
        and gives_logprobs(trial)
    ]
    return _measures("", found, NAMES, trials, NO_LOGPROBS)


def sampled_calibration(
    trials: Sequence[Trial], scores: Sequence[Sequence[Score]], metric: str = "exact_match"
) -> list[Measure]:
    """The numbers for how often repeated answers agree with the commonest (or, of one request, with the graded one)."""
    instances: dict[tuple[str, int], list[int]] = {}
    for index, trial in enumerate(trials):
        instances.setdefault((trial.instance.id, trial.train_trial_index), []).append(index)
    found = []
    for members in instances.values():
        drawn = [(trials[i], next((s for s in scores[i] if s.metric == metric), None)) for i in members]
        pair = _agreement(drawn)
        if pair is not None:
            found.append(pair)
    return _measures("sampled_", found, (*_BINNED, *NAMES), trials, _NO_DRAWS)


def verbalised_calibration(
    trials: Sequence[Trial], scores: Sequence[Sequence[Score]], metric: str = "exact_match"
) -> list[Measure]:
    """The numbers for the confidences that answers state; nothing at all where none does."""
    found = [
        Pair(trial, sure, right)
        for trial, own in zip(trials, scores, strict=True)
        if (sure := stated(trial)) is not None and (right := _value(own, metric)) is not None
    ]
    return _measures("verbalised_", found, (*_BINNED, *NAMES), trials, "") if found else []


SET_METRICS: dict[str, SetMetric] = {
    "calibration_parts": calibration_parts,
    "sampled_calibration": sampled_calibration,
    "verbalised_calibration": verbalised_calibration,
}

LOWER_IS_BETTER = tuple(
    f"{origin}{name}"
    for origin in ("", "sampled_", "verbalised_")
    for name in (*(_BINNED if origin else ()), *_ERRORS, *_RESAMPLED, "brier_reliability", *_RESCALED)
)
"""Measures whose direction is down, those that may stand for the axis first."""


def _agreement(drawn: Sequence[tuple[Trial, Score | None]]) -> Pair | None:
    """Confidence and correctness of an instance that was drawn several times."""
    drawn = [(trial, score) for trial, score in drawn if _is_a_draw(trial)]
    if len(drawn) > 1:
        answers = [_named(score) for _, score in drawn]
        commonest, times = Counter(a for a in answers if a is not None).most_common(1)[0] if any(answers) else (None, 0)
        right = [
            s.value for a, (_, s) in zip(answers, drawn, strict=True) if a == commonest and s and s.value is not None
        ]
        return Pair(drawn[0][0], times / len(drawn), sum(right) / len(right)) if commonest and right else None
    if len(drawn) != 1 or len(texts := written(drawn[0][0])) < 2:
        return None
    trial, score = drawn[0]
    graded, said = _said(trial, answer(trial).text), [_said(trial, text) for text in texts]
    if score is None or score.value is None or not graded:
        return None
    return Pair(trial, said.count(graded) / len(said), score.value)


def _is_a_draw(trial: Trial) -> bool:
    return trial.failure is None and all(e.planned.request.params.temperature > 0 for e in trial.exchanges)


def _named(score: Score | None) -> str | None:
    return normalise(score.answer) if score is not None and score.answer and score.value is not None else None


def _said(trial: Trial, text: str) -> str:
    mapping = trial.exchanges[0].planned.output_mapping
    if not mapping:
        return normalise(text)
    return chosen_option(answer(trial)._replace(text=text), mapping).answer or ""


def _measures(
    origin: str, found: Sequence[Pair], names: Sequence[str], trials: Sequence[Trial], reason: str
) -> list[Measure]:
    known = [pair.trial for pair in found]
    estimates = _estimates(found, origin) if found else {}
    why = _TOO_FEW if found else reason
    return [measure_of(origin + name, _AXIS, estimates.get(name, Estimate(None)), known, trials, why) for name in names]


_TOO_FEW = "there are too few answers that don't share a cluster"


def _estimates(found: Sequence[Pair], origin: str) -> dict[str, Estimate]:
    import numpy as np

    from holoscope import stats

    order = sorted(range(len(found)), key=lambda i: found[i].confidence)
    p, y = (np.array([found[i][column] for i in order], dtype=np.float64) for column in (1, 2))
    labels = drawn_together([found[i].trial for i in order])
    brier = stats.brier(p, y)
    estimates = dict(_with_intervals(p, y, labels, origin))
    estimates |= {name: Estimate(value) for name, value in zip(_PARTS, brier[1:4], strict=True)}
    methods: tuple[Recalibration, Recalibration] = "platt", "isotonic"
    for name, method in zip(_RESCALED, methods, strict=True):
        scaled = stats.cross_fitted(p, y, rng(0, name, origin), method=method, clusters=labels)
        if scaled is not None:
            estimates[name] = Estimate(stats.equal_mass_ece(scaled, y), method="rescaled by the other four fifths")
    repetitions = max(100, min(1000, _DRAWS // len(p)))
    null = stats.consistency_null(p, y, rng(0, "null", origin), resamples=repetitions)
    estimates[_NULL[0]] = Estimate(null.mean, null.low, null.high, "95 % of draws from the confidences themselves")
    estimates[_NULL[1]] = Estimate(null.p_value, method="ece_10_bin against draws from the confidences themselves")
    return estimates


def _with_intervals(
    p: "Floats", y: "Floats", labels: Sequence[str] | None, origin: str
) -> Iterator[tuple[str, Estimate]]:
    import numpy as np

    from holoscope import stats

    random = rng(0, "bootstrap", f"{origin}calibration_parts")
    if origin:
        yield "ece_10_bin", Estimate(stats.equal_mass_ece(p, y), *(stats.ece_interval(p, y, labels) or ()))
        yield "ece_1_bin", Estimate(stats.equal_width_ece(p, y, bins=1), *(stats.gap_interval(p, y, labels) or ()))
    yield "ece_debiased_l2", Estimate(stats.debiased_l2_ece(p, y), *(stats.l2_interval(p, y, labels) or ()))
    yield "smooth_ece", Estimate(stats.smooth_ece(p, y), *(stats.smooth_interval(p, y, random, labels) or ()))

    def numbers(indices: "Ints") -> tuple[float, ...]:
        pi, yi = p[indices], y[indices]
        return (float(((pi - yi) ** 2).mean()), *stats.risk_coverage(pi, yi))

    values = numbers(np.arange(len(p)))
    intervals = stats.bootstrap(numbers, len(p), random, clusters=labels, resamples=_RESAMPLES)
    for name, value, interval in zip(_RESAMPLED, values, intervals, strict=True):
        yield name, Estimate(value, *(interval or ()))


def _value(own: Sequence[Score], metric: str) -> float | None:
    return next((score.value for score in own if score.metric == metric), None)
