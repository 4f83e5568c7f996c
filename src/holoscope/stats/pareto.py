"""Which of several models nobody should choose: another is at least as good on both counts.

A front drawn through estimates is mostly luck where they are close. A point is *surely* dominated only where another is
better on both counts beyond their noise, judged over all pairs at once; the others may belong to the front. Noise-free
counts (a price) need no more than not to be worse.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from holoscope.stats.ranks import surely

Floats = NDArray[np.float64]


class Point(NamedTuple):
    """A model's place on two counts, in both of which more is better (hand a cost in as its negative)."""

    x: float
    y: float
    x_error: float = 0.0
    """Standard error."""
    y_error: float = 0.0


class Dominance(NamedTuple):
    """What can be said of one point."""

    on_front: bool
    """True if no other is at least as good on both and better on one, going by the estimates."""
    surely_dominated_by: tuple[int, ...]
    """Positions of points that are better beyond the noise."""


def pareto(points: Sequence[Point], *, level: float = 0.95) -> list[Dominance]:
    """Each point's standing among the others."""
    table = np.array(points, dtype=np.float64).reshape(len(points), 4)
    gains = [table[:, k][:, None] - table[:, k][None, :] for k in (0, 1)]
    errors = [np.hypot(table[:, k][:, None], table[:, k][None, :]) for k in (2, 3)]
    dominates = (gains[0] >= 0) & (gains[1] >= 0) & ((gains[0] > 0) | (gains[1] > 0))
    p = np.maximum(_no_better(gains[0], errors[0]), _no_better(gains[1], errors[1]))
    certain = surely(np.where(dominates, p, 1.0), level=level)
    return [
        Dominance(not dominates[:, k].any(), tuple(np.flatnonzero(certain[:, k]).tolist())) for k in range(len(points))
    ]


def _no_better(gain: Floats, error: Floats) -> Floats:
    """p-values that the first is worse; without noise it is known."""
    with np.errstate(divide="ignore", invalid="ignore"):
        noisy = ndtr(-gain / error)
    p: Floats = np.where(error > 0, noisy, np.where(gain >= 0, 0.0, 1.0))
    return p
