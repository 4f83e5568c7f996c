"""The difference of two models on the instances that both answered.

Pairing takes out what makes an instance hard for both, which is most of the noise. For right and wrong the p-value is
McNemar's exact one and the interval is Tango's (1998), which inverts the score form of the same test and covers down to
small numbers of discordant pairs; where the exact test, being the more careful, does not reject, the interval is
stretched to hold 0, so that the two never disagree. The conditional interval that matches the exact test alone takes
the number of discordant pairs for known and misses when nearly all go one way. For other values both come from
Student's t, or from the studentised bootstrap where that is wider: BCa missed a tenth of the time on the sparse
differences that F1 gives. Where instances share clusters, the cluster is the unit throughout.
"""

import math
import random
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, ndtri, stdtr, stdtrit

from holoscope.stats.interval import cluster_labels, variance_of_mean

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ends = tuple[float | None, float | None]

_RESAMPLES = 999
_FEWEST = 200
_WORK = 1_000_000
"""Most values drawn; beyond 5,000 clusters Student's t is exact enough, and no bootstrap is made."""
_STEPS = 60


class Counts(NamedTuple):
    """How often two models were right together and apart."""

    both: int
    only_a: int
    only_b: int
    neither: int


class PairedDifference(NamedTuple):
    """Mean of A less B over shared instances, and how sure it is."""

    value: float
    n: int
    low: float | None
    """Ends of the interval; None where the data can't support one."""
    high: float | None
    p_value: float | None
    """Two-sided, of no difference; it is above 1 - level exactly where the interval holds 0."""
    standard_error: float | None
    method: str
    n_clusters: int | None
    a_higher: int
    b_higher: int
    equal: int
    counts: Counts | None
    """None where the values are not all 0 or 1."""


def paired_difference(
    a: Sequence[float] | Floats,
    b: Sequence[float] | Floats,
    rng: random.Random,
    clusters: Sequence[Hashable] | None = None,
    *,
    ends: Ends = (None, None),
    level: float = 0.95,
) -> PairedDifference | None:
    """Compare two models on the same instances in the same order; None where there is none.

    `ends` are what no single value can go below or beyond: they bound the interval, and give one where no pair differs.
    """
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.shape != y.shape or not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("both need the same number of finite values; leave the missing ones out and count them")
    if not len(x):
        return None
    labels = cluster_labels(clusters, len(x))
    binary = bool(np.isin(x, (0.0, 1.0)).all() and np.isin(y, (0.0, 1.0)).all())
    units = None if clusters is None else int(labels.max()) + 1
    found = _of_binary(x - y, labels, units, level) if binary else _of_values(x - y, labels, rng, ends, level)
    a_higher, b_higher = int((x > y).sum()), int((x < y).sum())
    both = int((x * y == 1).sum()) if binary else 0
    return PairedDifference(
        value=float((x - y).mean()),
        n=len(x),
        low=found.low,
        high=found.high,
        p_value=found.p_value,
        standard_error=found.error,
        method=found.method,
        n_clusters=units,
        a_higher=a_higher,
        b_higher=b_higher,
        equal=len(x) - a_higher - b_higher,
        counts=Counts(both, a_higher, b_higher, len(x) - both - a_higher - b_higher) if binary else None,
    )


def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided p-value of as many discordant pairs each way; 1 where there is none."""
    return min(1.0, 2 * float(bdtr(min(only_a, only_b), only_a + only_b, 0.5)))


def tango(only_a: float, only_b: float, n: float, critical: float) -> tuple[float, float]:
    """Tango's score interval for the difference of two paired proportions; counts may be scaled down.

    >>> [round(end, 3) for end in tango(1, 7, 21, 1.959964)]
    [-0.517, -0.026]
    """
    return _end(only_a, only_b, n, critical), -_end(only_b, only_a, n, critical)


class _Found(NamedTuple):
    low: float | None
    high: float | None
    p_value: float | None
    error: float | None
    method: str


def _of_binary(d: Floats, labels: Ints, units: int | None, level: float) -> _Found:
    n, only_a, only_b = len(d), int((d > 0).sum()), int((d < 0).sum())
    count = n if units is None else units
    if count < 2:
        return _Found(None, None, None, None, "")
    if units is None:
        error = math.sqrt(float(d.var()) / n)
        p = mcnemar(only_a, only_b)
        low, high = tango(only_a, only_b, n, float(ndtri(0.5 + level / 2)))
        if p > 1 - level:
            low, high = min(low, 0.0), max(high, 0.0)
        return _Found(low, high, p, error, "exact McNemar, Tango's score interval")
    share = _effective(d, labels, count) / n
    error = math.sqrt(variance_of_mean(d, labels))
    low, high = tango(share * only_a, share * only_b, share * n, float(stdtrit(count - 1, 0.5 + level / 2)))
    statistic = math.sqrt(share / max(1, only_a + only_b)) * abs(only_a - only_b)
    p = 2 * float(stdtr(count - 1, -statistic))
    return _Found(low, high, p, error, "clustered McNemar, Tango's score interval")


def _effective(d: Floats, labels: Ints, count: int) -> float:
    """How many independent pairs the clustered ones are worth; each cluster is one where nothing varies."""
    variance = variance_of_mean(d, labels)
    return float(count) if variance == 0 else float(np.clip(d.var() / variance, 1, len(d)))


def _end(ahead: float, behind: float, n: float, critical: float) -> float:
    """The lowest difference that the score test does not reject: the statistic falls as the difference grows."""
    low, high = -1.0, (ahead - behind) / n
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _score(ahead, behind, n, middle) > critical else (low, middle)
    return high


def _score(ahead: float, behind: float, n: float, difference: float) -> float:
    b = (2 * n - ahead + behind) * difference - ahead - behind
    c = -behind * difference * (1 - difference)
    likely = (math.sqrt(max(0.0, b * b - 8 * n * c)) - b) / (4 * n)  # of being behind, if the difference were this
    variance = n * (2 * likely + difference * (1 - difference))
    distance = ahead - behind - n * difference
    return distance / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, distance)


def _of_values(d: Floats, labels: Ints, rng: random.Random, ends: Ends, level: float) -> _Found:
    count = int(labels.max()) + 1
    width = None if ends[0] is None or ends[1] is None else ends[1] - ends[0]
    if count < 2:
        return _Found(None, None, None, None, "")
    if np.ptp(d) == 0:
        return _of_equal(float(d[0]), count, width, level)
    mean, error = float(d.mean()), math.sqrt(variance_of_mean(d, labels))
    statistic = abs(mean) / error
    critical, p = float(stdtrit(count - 1, 0.5 + level / 2)), 2 * float(stdtr(count - 1, -statistic))
    draws = _studentised(d, labels, count, rng)
    if len(draws) >= _FEWEST:
        critical = max(critical, float(draws[min(len(draws), math.ceil(level * (len(draws) + 1))) - 1]))
        p = max(p, (1 + int((draws >= statistic).sum())) / (1 + len(draws)))
    half, limit = critical * error, math.inf if width is None else width
    method = "studentised bootstrap" if len(draws) >= _FEWEST else "t"
    clustered = "" if count == len(d) else "clustered "
    return _Found(max(-limit, mean - half), min(limit, mean + half), p, error, f"paired {clustered}{method}")


def _of_equal(value: float, count: int, width: float | None, level: float) -> _Found:
    """No pair differs: how rarely they may have been missed bounds the mean. An equal step up says nothing of noise."""
    if value != 0 or width is None:
        return _Found(None, None, None, None, "")
    half = width * tango(0, 0, count, float(ndtri(0.5 + level / 2)))[1]
    return _Found(-half, half, 1.0, 0.0, "no pair differs: bound on how many might")


def _studentised(d: Floats, labels: Ints, count: int, rng: random.Random) -> Floats:
    """Sorted |t| of resampled clusters about the observed mean; those in which nothing varies are left out."""
    resamples = min(_RESAMPLES, _WORK // count)
    if resamples < _FEWEST:
        return np.zeros(0)
    generator = np.random.Generator(np.random.PCG64(rng.getrandbits(128)))
    drawn = generator.integers(0, count, (resamples, count))
    sums, sizes = np.bincount(labels, d), np.bincount(labels).astype(np.float64)
    total = sizes[drawn].sum(axis=1)
    means = sums[drawn].sum(axis=1) / total
    squares = [(part[drawn]).sum(axis=1) for part in (sums**2, sums * sizes, sizes**2)]
    spread = squares[0] - 2 * means * squares[1] + means**2 * squares[2]
    varies = spread > 1e-12 * squares[0].max()
    errors = np.sqrt(count / (count - 1) * spread[varies]) / total[varies]
    return np.sort(np.abs(means[varies] - d.mean()) / errors)
