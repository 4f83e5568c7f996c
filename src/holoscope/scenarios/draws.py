"""The random orders that the libraries upstream's loaders use would give, from numpy alone.

A benchmark that is split by drawing rows is only the same benchmark if the same rows are drawn: which call of which
generator is part of its definition.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def table_sample(rows: Sequence[T], fraction: float, seed: int) -> tuple[list[T], list[T]]:
    """Rows drawn without replacement, in the order drawn, as pandas' `sample` does; and the others, in theirs."""
    from numpy.random import RandomState

    drawn = RandomState(seed).choice(len(rows), size=round(fraction * len(rows)), replace=False).tolist()
    left = set(range(len(rows))).difference(drawn)
    return [rows[i] for i in drawn], [rows[i] for i in sorted(left)]


def hub_order(size: int, seed: int) -> list[int]:
    """The positions of `size` rows as the hub's `shuffle` puts them."""
    from numpy.random import default_rng

    order: list[int] = default_rng(seed).permutation(size).tolist()
    return order
