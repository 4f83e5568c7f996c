"""Intervals of calibration errors and of selective accuracy, in closed form.

An error that sums |gap| over bins grows with the noise of each gap, in every resample once more than in the data, so
that bootstrap percentiles lie above the truth: of 200 calibrated answers none held it. Here the lower end takes off
what noise alone can have added (at most: a gap may be nearer to 0 than it looks, so one standard error is granted to
noise first) and the usual margin; the upper end adds the margin only, since noise never makes the error look smaller on
average. The target is the error that infinitely many answers would show in these same bins. Answers that share a
cluster count for as many as their variance says, and never for more than they are.
"""

import random
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr, stdtrit

from holoscope.stats.calibration import equal_mass_edges
from holoscope.stats.interval import Interval, cluster_labels, score_interval, variance_of_mean
from holoscope.stats.reliability import debiased_l2_ece, grouped
from holoscope.stats.smooth import smooth_ece

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Clusters = Sequence[Hashable] | None

_LESS_NOISE = "t, less what noise adds"
_FLIPS = 40
"""Draws of the smooth error's noise; only their mean is used."""


class _Answers(NamedTuple):
    """What every interval needs of the answers."""

    p: Floats
    y: Floats
    labels: Ints
    worth: float
    """How many clustered answers are worth one that is independent of the others; at least 1."""
    t: float
    n_clusters: int | None

    def around(self, low: float, high: float, method: str) -> Interval:
        return Interval(max(0.0, low), min(1.0, high), method, self.n_clusters)


class _Bins(NamedTuple):
    """Gap, share of the answers, and noise of equal-mass bins."""

    labels: Ints
    gap: Floats
    share: Floats
    error: Floats
    """Standard error of each gap; an accuracy of 0 or 1 of few answers is not taken for certain (Laplace)."""


def ece_interval(p: Floats, y: Floats, clusters: Clusters = None, *, level: float = 0.95) -> Interval | None:
    """Of `equal_mass_ece`; None for fewer than two clusters."""
    answers = _answers(p, y, clusters, level)
    if answers is None:
        return None
    bins = _bins(answers)
    weighted, error = bins.share * bins.gap, bins.share * bins.error
    value = float(np.abs(weighted).sum())
    added = float((error * _excess(np.maximum(0.0, np.abs(bins.gap) / bins.error - 1))).sum())
    margin = answers.t * _spread(answers, bins, value)
    return answers.around(value - added - margin, value + margin, _LESS_NOISE)


def gap_interval(p: Floats, y: Floats, clusters: Clusters = None, *, level: float = 0.95) -> Interval | None:
    """Of |mean confidence - accuracy|: the signed gap's interval (Agresti and Coull's four more answers), folded."""
    answers = _answers(p, y, clusters, level)
    if answers is None:
        return None
    sure = float(p.mean())
    residuals = np.concatenate([p - y, [sure, sure, sure - 1, sure - 1]])
    centre = float(residuals.mean())
    half = answers.t * float(residuals.std(ddof=1)) * (answers.worth / len(residuals)) ** 0.5
    low, high = centre - half, centre + half
    value = abs(float((p - y).mean()))
    nearest = max(0.0, low, -high)
    return answers.around(min(nearest, value), max(abs(low), abs(high), value), "t of the signed gap")


def l2_interval(p: Floats, y: Floats, clusters: Clusters = None, *, level: float = 0.95) -> Interval | None:
    """Of `debiased_l2_ece`."""
    answers = _answers(p, y, clusters, level)
    if answers is None:
        return None
    bins = _bins(answers)
    square, noise = debiased_l2_ece(p, y) ** 2, bins.error**2
    margin = answers.t * float(np.sqrt(np.sum(bins.share**2 * (4 * bins.gap**2 * noise + 2 * noise**2))))
    # The estimate takes off the noise of independent answers only.
    shared = float(np.sum(bins.share * noise)) * (1 - 1 / answers.worth)
    return answers.around(max(0.0, square - shared - margin) ** 0.5, (square + margin) ** 0.5, "t of the square")


def smooth_interval(
    p: Floats, y: Floats, rng: random.Random, clusters: Clusters = None, *, level: float = 0.95
) -> Interval | None:
    """Of `smooth_ece`: what noise adds is the error left once each cluster's residuals get a sign at random."""
    answers = _answers(p, y, clusters, level)
    if answers is None:
        return None
    generator = np.random.Generator(np.random.PCG64(rng.getrandbits(128)))
    units, value = int(answers.labels.max()) + 1, smooth_ece(p, y)
    signs = (generator.choice((-1.0, 1.0), units)[answers.labels] for _ in range(_FLIPS))
    added = float(np.mean([smooth_ece(p, p - sign * (p - y)) for sign in signs]))
    margin = answers.t * _spread(answers, _bins(answers), value)
    return answers.around(value - added - margin, value + margin, _LESS_NOISE)


def selective_interval(p: Floats, y: Floats, clusters: Clusters = None, *, level: float = 0.95) -> Interval | None:
    """Of the area under selective accuracy: Wilson's, for as many answers as its weights and its variance are worth."""
    answers = _answers(p, y, clusters, level)
    if answers is None:
        return None
    n, right = len(y), y[np.argsort(-p, kind="stable")]
    ranks = np.arange(1, n + 1)
    weights = np.cumsum((1 / ranks)[::-1])[::-1]
    accuracy = np.cumsum(right) / ranks
    influence = right * weights - np.cumsum((accuracy / ranks)[::-1])[::-1]
    area = float(accuracy.mean())
    variance = float(influence.var(ddof=1)) / n
    worth = min(area * (1 - area) / variance if variance else n, n**2 / float(np.sum(weights**2)))
    found = score_interval(area, max(1.0, worth / answers.worth), answers.t, "weighted wilson")
    return found._replace(n_clusters=answers.n_clusters)


def top_interval(p: Floats, y: Floats, clusters: Clusters = None, *, level: float = 0.95) -> Interval | None:
    """Of accuracy on the most confident tenth: exact binomial, each cluster counted once; None for fewer than two."""
    top = np.argsort(-p, kind="stable")[: int(0.1 * len(p)) + 1]
    labels = cluster_labels(clusters, len(p))
    n = len(np.unique(labels[top]))
    if n < 2:
        return None
    right, tail = float(y[top].mean()) * n, (1 - level) / 2
    low = float(betaincinv(right, n - right + 1, tail)) if right > 0 else 0.0
    high = float(betaincinv(right + 1, n - right, 1 - tail)) if right < n else 1.0
    return Interval(low, high, "exact binomial", None if clusters is None else n)


def _answers(p: Floats, y: Floats, clusters: Clusters, level: float) -> _Answers | None:
    labels = cluster_labels(clusters, len(p))
    units = int(labels.max()) + 1 if len(p) else 0
    if units < 2:
        return None
    residuals = p - y
    alone = variance_of_mean(residuals, np.arange(len(p)))
    together = variance_of_mean(residuals, labels)
    worth = max(1.0, together / alone) if alone else len(p) / units
    t = float(stdtrit(units - 1, 0.5 + level / 2))
    return _Answers(p, y, labels, worth, t, None if clusters is None else units)


def _bins(answers: _Answers) -> _Bins:
    labels, counts = grouped(answers.p, equal_mass_edges(answers.p))
    gap = np.bincount(labels, answers.p - answers.y) / counts
    accuracy = (np.bincount(labels, answers.y) + 1) / (counts + 2)
    error = np.sqrt(accuracy * (1 - accuracy) * answers.worth / counts)
    return _Bins(labels, gap, counts / len(answers.p), error)


def _spread(answers: _Answers, bins: _Bins, value: float) -> float:
    """Standard error of a sum of absolute gaps: that of residuals given their bins' signs, or noise within the bins."""
    of_gaps = (float(np.mean((answers.p - answers.y) ** 2)) - value**2) * answers.worth / len(answers.p)
    return float(np.sqrt(max(of_gaps, float(np.sum((bins.share * bins.error) ** 2)))))


def _excess(size: Floats) -> Floats:
    """By how much E|size + Z| is above `size`, for Z standard normal."""
    mean: Floats = np.sqrt(2 / np.pi) * np.exp(-(size**2) / 2) + size * (1 - 2 * ndtr(-size)) - size
    return mean
