"""Group means pulled towards their common mean by as much as their noise deserves (empirical Bayes).

The highest and lowest of many small groups are mostly luck. How far true means differ is estimated from the observed
spread beyond what sampling explains (Paule and Mandel's method of moments); each group keeps as much of its own mean as
that leaves. Where the spread is no more than noise, all estimates are the common mean.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from holoscope.stats.interval import cluster_labels

Floats = NDArray[np.float64]

_STEPS = 100


class Shrunken(NamedTuple):
    """A group's mean, and what it is likely to be."""

    group: Hashable
    raw: float
    value: float
    low: float
    """Ends of a 95 % interval."""
    high: float


def shrunken(
    values: Sequence[float] | Floats,
    groups: Sequence[Hashable],
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> list[Shrunken]:
    """Estimates by group, in order of appearance; empty for fewer than two groups or no noise to judge by.

    The noise within groups is pooled: a group of three right answers is not certain to be right.
    """
    x = np.asarray(values, dtype=np.float64)
    labels = cluster_labels(groups, len(x))
    counts: Floats = np.bincount(labels).astype(np.float64) if len(x) else np.zeros(0)
    if len(counts) < 2 or len(x) <= len(counts):
        return []
    means = np.bincount(labels, x) / counts
    variances = _noise(x - means[labels], labels, counts, cluster_labels(clusters, len(x)))
    if variances is None:
        return []
    between = _between(means, variances)
    weights = 1 / (variances + between)
    common = float((weights * means).sum() / weights.sum())
    keep = between / (variances + between)
    estimates = keep * means + (1 - keep) * common
    spread = np.sqrt(keep * variances + (1 - keep) ** 2 / weights.sum())
    half = float(ndtri(0.5 + level / 2)) * spread
    rows = zip(dict.fromkeys(groups), means, estimates, estimates - half, estimates + half, strict=True)
    return [Shrunken(group, *map(float, numbers)) for group, *numbers in rows]


def _noise(residuals: Floats, labels: NDArray[np.int64], counts: Floats, clusters: NDArray[np.int64]) -> Floats | None:
    """Sampling variance of each group's mean, from the spread within all groups; None where there is none."""
    pairs, index = np.unique(np.stack([labels, clusters]), axis=1, return_inverse=True)
    sums = np.bincount(index.reshape(-1), residuals)
    units = np.bincount(pairs[0])
    freedom = units.sum() - len(units)
    if freedom < 1:
        return None
    per_observation = float((sums**2).sum()) / freedom * units.sum() / counts.sum()
    return per_observation / counts if per_observation > 0 else None


def _between(means: Floats, variances: Floats) -> float:
    """Variance of the true means: the value at which the weighted spread is what chance would give."""
    freedom = len(means) - 1

    def excess(between: float) -> float:
        weights = 1 / (variances + between)
        common = (weights * means).sum() / weights.sum()
        return float((weights * (means - common) ** 2).sum()) - freedom

    if excess(0.0) <= 0:
        return 0.0
    low, high = 0.0, float(np.var(means, ddof=1)) + 1e-12
    while excess(high) > 0:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return (low + high) / 2
