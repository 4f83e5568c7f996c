"""Calibration in parts: debiased error, Brier's three parts, the reliability curve, and what chance alone would show.

An expected calibration error is never negative, so a perfectly calibrated model of 100 answers shows one of about
0.08. The *null* says how much: outcomes are drawn from the confidences themselves (Bröcker and Smith 2007), and an
observed error counts only as far as it lies beyond them. The draws are independent from answer to answer; where answers
share a cluster the null is too narrow, and so errs towards calling a model miscalibrated.
"""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holoscope.stats.calibration import equal_mass_ece, equal_mass_edges
from holoscope.stats.interval import wilson

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Error = Callable[[Floats, Floats], float]

_FEW = 20
"""Up to so many different confidences each is a bin of its own."""


class Brier(NamedTuple):
    """`score = reliability - resolution + uncertainty + within` (Murphy 1973)."""

    score: float
    """Mean squared difference of confidence and correctness; lower is better."""
    reliability: float
    """Squared gap between confidence and accuracy; 0 if calibrated."""
    resolution: float
    """How far accuracy differs between bins; higher is better."""
    uncertainty: float
    """Variance of correctness: what a constant forecast of the accuracy would score."""
    within: float
    """What grouping confidences into bins leaves over; 0 where each confidence is a bin of its own."""


class Bin(NamedTuple):
    """One point of a reliability curve."""

    low: float
    """Smallest confidence in the bin."""
    high: float
    n: int
    confidence: float
    """Mean of the confidences."""
    accuracy: float
    accuracy_low: float | None
    """Ends of Wilson's 95 % interval; None for one answer."""
    accuracy_high: float | None
    null_low: float
    """Where 95 % of accuracies would lie if the confidences were right."""
    null_high: float


class Null(NamedTuple):
    """An error that calibrated answers of these confidences would show, and how odd the observed one is."""

    observed: float
    mean: float
    low: float
    """2.5 % quantile of the error under calibration."""
    high: float
    """97.5 % quantile."""
    p_value: float
    """Probability of an error at least as large, if calibrated."""


def debiased_l2_ece(
    confidence: Sequence[float] | Floats, correct: Sequence[float] | Floats, *, bins: int = 10
) -> float:
    """Root mean squared calibration error over equal-mass bins, less what sampling noise adds (Kumar et al. 2019)."""
    p, y = _arrays(confidence, correct)
    labels, counts = grouped(p, equal_mass_edges(p, bins=bins))
    gap = np.bincount(labels, p - y) / counts
    mean = np.bincount(labels, y) / counts
    variance = np.bincount(labels, (y - mean[labels]) ** 2) / np.maximum(counts - 1, 1)
    errors = np.where(counts > 1, gap**2 - variance / counts, 0.0)
    return float(np.sqrt(max(0.0, np.sum(errors * counts) / len(p))))


def brier(confidence: Sequence[float] | Floats, correct: Sequence[float] | Floats, *, bins: int = 10) -> Brier:
    """Brier's score and its parts, over equal-mass bins or, where there are few confidences, over each of them."""
    p, y = _arrays(confidence, correct)
    levels = np.unique(p)
    edges = levels if len(levels) <= _FEW else equal_mass_edges(p, bins=bins)
    labels, counts = grouped(p, edges)
    share = counts / len(p)
    forecast, accuracy = np.bincount(labels, p) / counts, np.bincount(labels, y) / counts
    score = float(np.mean((p - y) ** 2))
    reliability = float(np.sum(share * (forecast - accuracy) ** 2))
    resolution = float(np.sum(share * (accuracy - y.mean()) ** 2))
    uncertainty = float(y.var())
    return Brier(score, reliability, resolution, uncertainty, score - (reliability - resolution + uncertainty))


def reliability_curve(
    confidence: Sequence[float] | Floats,
    correct: Sequence[float] | Floats,
    rng: random.Random,
    *,
    bins: int = 10,
    resamples: int = 1000,
) -> list[Bin]:
    """Accuracy by confidence over equal-mass bins, with the band in which a calibrated model would lie."""
    p, y = _arrays(confidence, correct)
    if not len(p):
        return []
    labels, counts = grouped(p, equal_mass_edges(p, bins=bins))
    low, high = _band(p, labels, len(counts), rng, resamples)
    found = []
    for k in range(len(counts)):
        here = labels == k
        n, right = int(counts[k]), float(y[here].sum())
        ends = wilson(right, n)
        own = p[here]
        within = (ends.low, ends.high) if ends else (None, None)
        null = float(low[k]), float(high[k])
        found.append(
            Bin(float(own.min()), float(own.max()), n, float(own.mean()), right / n, within[0], within[1], *null)
        )
    return found


def consistency_null(
    confidence: Sequence[float] | Floats,
    correct: Sequence[float] | Floats,
    rng: random.Random,
    *,
    error: Error = equal_mass_ece,
    resamples: int = 1000,
) -> Null:
    """The error's distribution if each answer were right with the probability that its confidence says."""
    p, y = _arrays(confidence, correct)
    observed = error(p, y)
    generator = np.random.Generator(np.random.PCG64(rng.getrandbits(128)))
    draws = np.empty(resamples)
    for k in range(resamples):
        again = p[generator.integers(0, len(p), len(p))]
        draws[k] = error(again, (generator.random(len(p)) < again).astype(np.float64))
    low, high = np.quantile(draws, [0.025, 0.975])
    beyond = int(np.sum(draws >= observed - 1e-12))
    return Null(observed, float(draws.mean()), float(low), float(high), (1 + beyond) / (1 + resamples))


def _band(p: Floats, labels: Ints, count: int, rng: random.Random, resamples: int) -> tuple[Floats, Floats]:
    generator = np.random.Generator(np.random.PCG64(rng.getrandbits(128)))
    draws = np.full((resamples, count), np.nan)
    for k in range(resamples):
        chosen = generator.integers(0, len(p), len(p))
        right = generator.random(len(p)) < p[chosen]
        sizes = np.bincount(labels[chosen], minlength=count)
        sums = np.bincount(labels[chosen], right, minlength=count)
        draws[k, sizes > 0] = sums[sizes > 0] / sizes[sizes > 0]
    ends: Floats = np.nanquantile(draws, [0.025, 0.975], axis=0)
    return ends[0], ends[1]


def grouped(p: Floats, edges: Floats) -> tuple[Ints, Ints]:
    """Each confidence's bin, numbered without gaps, and how many each bin holds. Bins include their end."""
    raw = np.searchsorted(edges, np.minimum(p, edges[-1]))
    _, labels, counts = np.unique(raw, return_inverse=True, return_counts=True)
    return labels, counts


def _arrays(confidence: Sequence[float] | Floats, correct: Sequence[float] | Floats) -> tuple[Floats, Floats]:
    p, y = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    return np.clip(p, 0.0, 1.0), y
