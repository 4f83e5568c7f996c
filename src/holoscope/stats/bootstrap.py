"""The BCa bootstrap, for what has no formula of its own (a calibration error, an area under a curve).

The unit drawn is the observation or, where observations share clusters, the cluster. A statistic gets the indices of
a resample in ascending order, so that it can keep data sorted beforehand sorted, and returns several numbers at once,
so that related quantities share their resamples. Efron's acceleration comes from a jackknife over at most 200 groups,
which keeps the cost linear in n.
"""

import random
from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from holoscope.stats.interval import Interval, cluster_labels

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]
Statistic = Callable[[Indices], Sequence[float]]

_JACKKNIFE_GROUPS = 200
_WORK = 1_000_000
"""Most values drawn: of many instances fewer resamples do, as the interval is narrow, and the noise of its ends too."""
_FEWEST = 200


def bootstrap(
    statistic: Statistic,
    n: int,
    rng: random.Random,
    *,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    normal: bool = False,
) -> list[Interval | None]:
    """A BCa interval for each number that `statistic` returns; None where it is undefined or never varies.

    Statistics that sampling noise pushes to one side (a calibration error is never negative) can leave the estimate
    outside its own interval; the interval is then widened to hold it. Where resamples are pushed far (a mean over words
    most of which occur once), BCa misses most of the time: `normal` takes the estimate and the resamples' spread.
    """
    labels = cluster_labels(clusters, n)
    units = int(labels.max()) + 1 if n else 0
    estimate = np.asarray(statistic(np.arange(n)), dtype=np.float64)
    if units < 2:
        return [None] * len(estimate)
    generator = np.random.Generator(np.random.PCG64(rng.getrandbits(128)))
    resamples = min(resamples, max(_FEWEST, _WORK // n))
    draws = np.array([statistic(_resample(labels, units, generator)) for _ in range(resamples)], dtype=np.float64)
    groups = min(units, _JACKKNIFE_GROUPS, resamples // 4)
    n_clusters = None if clusters is None else units
    if normal:
        return [_normal(float(estimate[k]), draws[:, k], level, n_clusters) for k in range(len(estimate))]
    left_out = np.array([statistic(np.flatnonzero(labels % groups != k)) for k in range(groups)], dtype=np.float64)
    return [_bca(float(estimate[k]), draws[:, k], left_out[:, k], level, n_clusters) for k in range(len(estimate))]


def _resample(labels: Indices, units: int, generator: np.random.Generator) -> Indices:
    times = np.bincount(generator.integers(0, units, units), minlength=units)
    return np.repeat(np.arange(len(labels)), times[labels])


def _bca(estimate: float, draws: Floats, left_out: Floats, level: float, n_clusters: int | None) -> Interval | None:
    draws = draws[np.isfinite(draws)]
    if not np.isfinite(estimate) or len(draws) < 2 or np.ptp(draws) == 0:
        return None
    below = np.mean(draws < estimate) + np.mean(draws == estimate) / 2
    bias = ndtri(np.clip(below, 0.5 / len(draws), 1 - 0.5 / len(draws)))
    tail = ndtri((1 - level) / 2)
    ends = np.array([tail, -tail])
    adjusted = ndtr(bias + (bias + ends) / (1 - _acceleration(left_out) * (bias + ends)))
    low, high = np.quantile(draws, adjusted)
    return Interval(min(float(low), estimate), max(float(high), estimate), "bca bootstrap", n_clusters)


def _normal(estimate: float, draws: Floats, level: float, n_clusters: int | None) -> Interval | None:
    draws = draws[np.isfinite(draws)]
    if not np.isfinite(estimate) or len(draws) < 2 or np.ptp(draws) == 0:
        return None
    half = float(ndtri(0.5 + level / 2) * draws.std(ddof=1))
    return Interval(estimate - half, estimate + half, "bootstrap standard error", n_clusters)


def _acceleration(left_out: Floats) -> float:
    left_out = left_out[np.isfinite(left_out)]
    deviation = left_out.mean() - left_out if len(left_out) else left_out
    scale = float(np.sum(deviation**2)) ** 1.5
    return float(np.sum(deviation**3)) / (6 * scale) if scale > 0 else 0.0
