"""Are two conditions alike? Two one-sided tests of paired differences against a margin.

That a difference is not significant says nothing about its size; equivalence is claimed only where the data rule out a
difference of `margin` in either direction.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from holoscope.stats.interval import mean_interval

Floats = NDArray[np.float64]


class Equivalence(NamedTuple):
    """A mean difference and how surely it is small."""

    mean: float
    low: float | None
    """Ends of the 95 % interval; None for fewer than two clusters."""
    high: float | None
    p_value: float | None
    """Of the hypothesis that the true difference is at least the margin; None where it can't be tested."""
    margin: float
    n_clusters: int | None = None


def tost(
    differences: Sequence[float] | Floats, margin: float, clusters: Sequence[Hashable] | None = None
) -> Equivalence:
    """Two one-sided t tests, cluster-robust where `clusters` are given. `differences` must not be empty."""
    d = np.asarray(differences, dtype=np.float64)
    mean = float(d.mean())
    interval = mean_interval(d, clusters)
    if interval is None:
        return Equivalence(mean, None, None, None, margin)
    count = interval.n_clusters or len(d)
    unit = mean_interval(d, clusters, level=_one_error(count))
    error = 0.0 if unit is None else (unit.high - unit.low) / 2
    p = None if error == 0 else float(stdtr(count - 1, (abs(mean) - margin) / error))
    return Equivalence(mean, interval.low, interval.high, p, margin, interval.n_clusters)


def _one_error(count: int) -> float:
    """The level at which half a t interval is one standard error."""
    return float(2 * stdtr(count - 1, 1.0) - 1)
