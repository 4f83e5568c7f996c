"""Intervals for means, proportions and quantiles.

Observations that share a cluster (a passage, a template) are not independent; what counts for the width of an
interval is how many clusters there are. An unclustered mean is the case in which each observation is its own cluster,
so there is one formula: the bias-reduced (CR2) variance of the mean, which for clusters of one is the usual s²/n.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, ndtri, stdtrit

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """Ends of a confidence interval, and how it was made."""

    low: float
    high: float
    method: str
    n_clusters: int | None = None
    """How many clusters there were, where observations share them."""


def wilson(successes: float, n: float, *, level: float = 0.95) -> Interval | None:
    """Wilson's score interval for a proportion; None for fewer than two trials.

    `successes` may be an expectation (a tie that is right half of the time counts 0.5).
    """
    if n < 2:
        return None
    return score_interval(successes / n, n, float(ndtri(0.5 + level / 2)), "wilson")


def mean_interval(
    values: Sequence[float] | Floats,
    clusters: Sequence[Hashable] | None = None,
    *,
    level: float = 0.95,
    ends: tuple[float | None, float | None] = (None, None),
) -> Interval | None:
    """Student's t interval for a mean, cluster-robust where `clusters` are given; None for fewer than two clusters.

    Equal values don't say how far others may lie: between two `ends`, where no mean varies more than a proportion, they
    have Wilson's interval, and without ends none.
    """
    x = _finite(values)
    labels = cluster_labels(clusters, len(x))
    count = _number_of(labels)
    if count < 2:
        return None
    if np.ptp(x) == 0:
        return _of_equal(float(x[0]), ends, clusters, len(x), level)
    half = float(stdtrit(count - 1, 0.5 + level / 2) * np.sqrt(variance_of_mean(x, labels)))
    mean = float(x.mean())
    if clusters is None:
        return Interval(mean - half, mean + half, "t")
    return Interval(mean - half, mean + half, "cluster t", count)


def proportion_interval(
    values: Sequence[float] | Floats, clusters: Sequence[Hashable] | None = None, *, level: float = 0.95
) -> Interval | None:
    """Wilson's interval for the mean of values in [0, 1]; with clusters, for the number of observations they are worth.

    Where all values are equal the spread says nothing, and each cluster is counted as a single observation.
    """
    x = _finite(values)
    if clusters is None:
        return wilson(float(x.sum()), len(x), level=level)
    labels = cluster_labels(clusters, len(x))
    count = _number_of(labels)
    if count < 2:
        return None
    p = float(x.mean())
    variance = variance_of_mean(x, labels)
    effective = float(count) if variance == 0 else float(np.clip(p * (1 - p) / variance, 1, len(x)))
    critical = float(stdtrit(count - 1, 0.5 + level / 2))
    return score_interval(p, effective, critical, "cluster wilson")._replace(n_clusters=count)


def quantile_interval(values: Sequence[float] | Floats, q: float, *, level: float = 0.95) -> Interval | None:
    """Distribution-free interval for a quantile, between two order statistics; None where n is too small for them."""
    x = np.sort(_finite(values))
    n = len(x)
    below = bdtr(np.arange(n, dtype=np.float64), n, q)  # below[k]: probability that at most k values lie under it
    lower = int(np.searchsorted(below, (1 - level) / 2, side="right")) - 1
    upper = int(np.searchsorted(below, (1 + level) / 2, side="left"))
    if lower < 0 or upper >= n:
        return None
    return Interval(float(x[lower]), float(x[upper]), "order statistics")


def _of_equal(
    value: float,
    ends: tuple[float | None, float | None],
    clusters: Sequence[Hashable] | None,
    n: int,
    level: float,
) -> Interval | None:
    lowest, highest = ends
    if lowest is None or highest is None:
        return None
    width = highest - lowest
    found = proportion_interval([(value - lowest) / width] * n, clusters, level=level)
    return found and found._replace(low=lowest + width * found.low, high=lowest + width * found.high)


def score_interval(p: float, n: float, critical: float, method: str) -> Interval:
    square = critical * critical / n
    centre = (p + square / 2) / (1 + square)
    half = critical / (1 + square) * np.sqrt(p * (1 - p) / n + square / (4 * n))
    return Interval(max(0.0, float(centre - half)), min(1.0, float(centre + half)), method)


def cluster_labels(clusters: Sequence[Hashable] | None, n: int) -> NDArray[np.int64]:
    """Clusters as numbers from 0, in order of appearance; without clusters, each observation is its own."""
    if clusters is None:
        return np.arange(n)
    if len(clusters) != n:
        raise ValueError(f"{n} observations but {len(clusters)} cluster labels")
    index: dict[Hashable, int] = {}
    return np.fromiter((index.setdefault(c, len(index)) for c in clusters), dtype=np.int64, count=n)


def variance_of_mean(x: Floats, labels: NDArray[np.int64]) -> float:
    sums = np.bincount(labels, weights=x - x.mean())
    share = np.bincount(labels) / len(x)
    return float(np.sum(sums**2 / (1 - share))) / len(x) ** 2


def _number_of(labels: NDArray[np.int64]) -> int:
    return int(labels.max()) + 1 if len(labels) else 0


def _finite(values: Sequence[float] | Floats) -> Floats:
    x = np.asarray(values, dtype=np.float64)
    if not np.isfinite(x).all():
        raise ValueError("values must be finite; leave the missing ones out and count them")
    return x
