"""Rank intervals: which places a model may hold, for all models at once.

A model's best place is one more than the number of models surely better, and its worst leaves room for those surely
worse (Mogstad, Romano, Shaikh and Wilhelm 2024). "Surely" is judged over every ordered pair together, by Holm's method
on one-sided tests: with 95 % probability no pair is called the wrong way round, and then every interval is right. The
tests are handed in, so exact ones, paired ones and ones from published intervals all do; for 50 models Holm's first
critical value is 4.1 where the exact one for independent means is 4.0, so a bootstrap of the largest would gain little.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from holoscope.stats.interval import cluster_labels

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Ranks(NamedTuple):
    """The places that each model may hold, 1 being the best."""

    best: tuple[int, ...]
    worst: tuple[int, ...]
    better: Bools
    """`better[i, j]`: i is surely better than j."""


class PairMoments(NamedTuple):
    """For each ordered pair of models, on the instances that all of them answered."""

    difference: Floats
    """Mean of the first less mean of the second."""
    variance: Floats
    """Of that mean, if there were no difference: it is never 0 where any instance tells the two apart."""


def rank_intervals(p_values: Floats, *, level: float = 0.95) -> Ranks:
    """The places that hold together at `level`; `p_values[i, j]` is of "i is no better than j", 1 where unknown."""
    better = surely(p_values, level=level)
    count = len(better)
    best = 1 + better.sum(axis=0)
    worst = count - better.sum(axis=1)
    return Ranks(tuple(map(int, best)), tuple(map(int, worst)), better)


def surely(p_values: Floats, *, level: float = 0.95) -> Bools:
    """Which of all ordered pairs Holm's method lets stand; the diagonal is none of them."""
    p = np.array(p_values, dtype=np.float64)
    np.fill_diagonal(p, np.inf)
    flat = p.ravel()
    order = np.argsort(flat, kind="stable")
    hypotheses = len(p) * (len(p) - 1)
    allowed = (1 - level) / np.arange(hypotheses, 0, -1)
    fails = np.flatnonzero(flat[order[:hypotheses]] > allowed)
    stands = np.zeros(len(flat), dtype=np.bool_)
    stands[order[: fails[0] if len(fails) else hypotheses]] = True
    return stands.reshape(p.shape)


def one_sided(difference: Floats, variance: Floats) -> Floats:
    """p-values of "no better" from differences (positive is better) and their variances, by the normal law.

    A pair without a variance is not known to differ, whatever the difference.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(variance > 0, difference / np.sqrt(variance), 0.0)
    p: Floats = np.where(variance > 0, ndtr(-statistic), 1.0)
    return p


def pair_moments(values: Floats, clusters: Sequence[Hashable] | None = None) -> PairMoments:
    """From a matrix of instances x models without gaps.

    The variance is taken about 0, as McNemar's is: about the mean it would vanish where few pairs all go one way.
    """
    x = np.asarray(values, dtype=np.float64)
    means = x.mean(axis=0)
    sums = x
    if clusters is not None:
        labels = cluster_labels(clusters, len(x))
        sums = np.zeros((int(labels.max()) + 1, x.shape[1]))
        np.add.at(sums, labels, x)
    products = sums.T @ sums
    own = np.diag(products)
    squares = np.maximum(0.0, own[:, None] + own[None, :] - 2 * products)
    squares[squares <= 1e-9 * max(1.0, float(own.max(initial=0.0)))] = 0.0  # what rounding leaves of equal columns
    return PairMoments(means[:, None] - means[None, :], squares / len(x) ** 2)
