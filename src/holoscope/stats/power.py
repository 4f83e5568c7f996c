"""The smallest difference that a comparison of this size would find four times in five.

A difference that was not found says little unless one knows which would have been. For pairs of right and wrong the
power is that of McNemar's exact test, summed over how many discordant pairs there might be; the observed share of them
is taken as given, or the difference itself where that is larger, since a difference cannot exceed it.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, gammaln, ndtri, stdtrit, xlog1py, xlogy

Floats = NDArray[np.float64]

_STEPS = 20
"""Halvings of [0, 1]: to 1e-6."""
_SPREAD = 5.0
"""Standard deviations of the number of discordant pairs that are summed over."""

_OFF = 4
"""Steps from two above what the normal law gives for a critical count down to the exact one."""


def detectable(
    standard_error: float, freedom: float = math.inf, *, power: float = 0.8, alpha: float = 0.05
) -> float | None:
    """For a difference of this standard error; None where that is 0 or there is no degree of freedom."""
    if not standard_error > 0 or freedom < 1:
        return None
    freedom = min(freedom, 1e12)
    return float((stdtrit(freedom, 1 - alpha / 2) + stdtrit(freedom, power)) * standard_error)


def paired_detectable(n: int, discordance: float, *, power: float = 0.8, alpha: float = 0.05) -> float | None:
    """For `n` pairs of right and wrong, this share of them discordant; None where no outcome would be significant."""
    return _least(lambda d: mcnemar_power(n, max(d, discordance), d, alpha=alpha), power)


def unpaired_detectable(
    variance_a: float, n_a: int, variance_b: float, n_b: int, *, power: float = 0.8, alpha: float = 0.05
) -> float | None:
    """For two sets of different instances, with Welch's degrees of freedom; None where either has fewer than two."""
    if min(n_a, n_b) < 2:
        return None
    a, b = variance_a / n_a, variance_b / n_b
    if a + b == 0:
        return None
    freedom = (a + b) ** 2 / (a * a / (n_a - 1) + b * b / (n_b - 1))
    return detectable(math.sqrt(a + b), freedom, power=power, alpha=alpha)


def mcnemar_power(n: int, discordance: float, difference: float, *, alpha: float = 0.05) -> float:
    """Probability that the exact test finds a true difference of this size and says which is ahead."""
    centre, spread = n * discordance, _SPREAD * math.sqrt(n * discordance * (1 - discordance)) + 1
    counts = np.arange(max(0, math.floor(centre - spread)), min(n, math.ceil(centre + spread)) + 1, dtype=np.float64)
    behind = (1 - difference / discordance) / 2 if discordance > 0 else 0.5
    most = _most_behind(counts, alpha)
    found = np.where(most >= 0, bdtr(np.maximum(most, 0), counts.astype(np.int64), behind), 0.0)
    return float(_binomial(counts, n, discordance) @ found)


def _most_behind(counts: Floats, alpha: float) -> Floats:
    """For each number of discordant pairs, how many of them may go the other way; -1 where none is few enough."""
    whole = counts.astype(np.int64)
    about = counts / 2 + ndtri(alpha / 2) * np.sqrt(counts) / 2
    most: Floats = np.minimum(np.floor(about) + 2, counts)
    for _ in range(_OFF):
        too_many = (most >= 0) & (bdtr(np.maximum(most, 0), whole, 0.5) > alpha / 2)
        most = most - too_many
    return most


def _binomial(counts: Floats, n: int, p: float) -> Floats:
    ways = gammaln(n + 1) - gammaln(counts + 1) - gammaln(n - counts + 1)
    shares: Floats = np.exp(ways + xlogy(counts, p) + xlog1py(n - counts, -p))
    return shares


def _least(power_of: Callable[[float], float], wanted: float) -> float | None:
    low, high = 0.0, 1.0
    if power_of(high) < wanted:
        return None
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if power_of(middle) >= wanted else (middle, high)
    return high
