"""What a ranking owes to its weights.

An aggregate over axes needs weights, and nobody can say which are right. The share of all weightings (uniform over the
simplex) under which one model beats another says how much the choice matters: 1 needs no weights, 0.5 is all weights.
The share is the part of a simplex on one side of a plane, which Varsi's recursion (1973) gives exactly for any number
of axes, in steps that average shares: no draw is needed, and ties between axes do no harm.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Weighted(NamedTuple):
    """A weighted mean, or the axes whose lack leaves it undefined."""

    value: float | None
    missing: tuple[int, ...]
    """Positions that carry weight and have no value."""


def weighted(values: Sequence[float | None], weights: Sequence[float]) -> Weighted:
    """The weighted mean; none where any axis that carries weight is missing: what is unknown is not average."""
    if len(values) != len(weights) or not all(w >= 0 for w in weights) or not sum(weights) > 0:
        raise ValueError("weights must be as many as values, none negative and not all 0")
    missing = tuple(k for k, (value, w) in enumerate(zip(values, weights, strict=True)) if w > 0 and value is None)
    if missing:
        return Weighted(None, missing)
    total = sum(w * value for value, w in zip(values, weights, strict=True) if value is not None)
    return Weighted(total / sum(weights), ())


def share_ahead(first: Sequence[float], second: Sequence[float]) -> float:
    """The share of weightings under which the first has the higher weighted mean; two that are equal are never ahead.

    >>> share_ahead([0.9, 0.5], [0.6, 0.6])
    0.75
    """
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    gains, losses = [g for g in gaps if g > 0], [-g for g in gaps if g < 0]  # a level axis moves no weighting across
    if not gains:
        return 0.0
    # Over the axes gone through so far: outweighed[k] is the share under which the first k losses exceed the gains.
    # The plane cuts the edge between an axis of each kind; either part of the simplex has one axis less on one side.
    outweighed = [0.0] + [1.0] * len(losses)
    for gain in gains:
        for k, loss in enumerate(losses, 1):
            outweighed[k] = (gain * outweighed[k - 1] + loss * outweighed[k]) / (gain + loss)
    return 1 - outweighed[-1]
