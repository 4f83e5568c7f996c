"""Is the gap between the best and the worst of several groups more than chance?

The largest difference of k group means grows with k and shrinks with the groups' sizes even where all groups are alike:
12 equal groups of 50 answers, 80 % of them right, differ by 0.18 on average. The observed gap is therefore compared
with those that arise when the group labels are shuffled. Labels are shuffled within clusters where groups occur beside
each other in one (a template filled with each group), and between clusters where each cluster belongs to one group.
"""

import random
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holoscope.stats.interval import cluster_labels

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Gap(NamedTuple):
    """The difference between the highest and the lowest group mean."""

    value: float
    p_value: float
    """Probability of a gap at least as large if the groups were alike."""
    null_mean: float
    """The gap that alike groups of these sizes would show on average."""
    null_high: float
    """95 % quantile of that."""


def gap_test(
    values: Sequence[float] | Floats,
    groups: Sequence[Hashable],
    rng: random.Random,
    *,
    clusters: Sequence[Hashable] | None = None,
    permutations: int = 2000,
) -> Gap | None:
    """Permutation test of max - min of the group means; None for fewer than two groups, or nothing to shuffle."""
    x = np.asarray(values, dtype=np.float64)
    labels = cluster_labels(groups, len(x))
    if not len(x) or labels.max() < 1:
        return None
    shuffle = _Shuffle(labels, cluster_labels(clusters, len(x)))
    if not shuffle.changes_anything:
        return None
    generator = np.random.Generator(np.random.PCG64(rng.getrandbits(128)))
    observed = _gap(x, labels)
    draws = np.array([_gap(x, shuffle(generator)) for _ in range(permutations)])
    beyond = int(np.sum(draws >= observed - 1e-12))
    return Gap(observed, (1 + beyond) / (1 + permutations), float(draws.mean()), float(np.quantile(draws, 0.95)))


def paired_test(differences: Sequence[float] | Floats, rng: random.Random, *, permutations: int = 2000) -> float | None:
    """Two-sided p-value of a mean difference of pairs, by random signs; None without a pair that differs."""
    d = np.asarray(differences, dtype=np.float64)
    d = d[d != 0]
    if not len(d):
        return None
    generator = np.random.Generator(np.random.PCG64(rng.getrandbits(128)))
    signs = generator.integers(0, 2, (permutations, len(d))) * 2 - 1
    beyond = int(np.sum(np.abs(signs @ d) >= abs(d.sum()) - 1e-12))
    return (1 + beyond) / (1 + permutations)


class _Shuffle:
    """Draws of group labels under the hypothesis that they don't matter."""

    def __init__(self, labels: Ints, clusters: Ints) -> None:
        self._labels, self._clusters = labels, clusters
        units = int(clusters.max()) + 1
        first = np.full(units, -1)
        first[clusters[::-1]] = labels[::-1]
        self._of_unit = first
        self._between = bool((first[clusters] == labels).all())
        self._order = np.argsort(clusters, kind="stable")
        alone = units == len(labels)
        self.changes_anything = alone or not self._between or units > int(labels.max()) + 1

    def __call__(self, generator: np.random.Generator) -> Ints:
        if self._between:
            return generator.permutation(self._of_unit)[self._clusters]
        within = np.lexsort((generator.random(len(self._labels)), self._clusters))
        drawn = np.empty_like(self._labels)
        drawn[self._order] = self._labels[within]
        return drawn


def _gap(x: Floats, labels: Ints) -> float:
    counts = np.bincount(labels)
    means = np.bincount(labels, x)[counts > 0] / counts[counts > 0]
    return float(means.max() - means.min())
