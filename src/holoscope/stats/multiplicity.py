"""Several tests at once: p-values that keep the chance of any false alarm in a family at the stated level.

Holm's method needs no assumption on how the tests depend on each other, which is what comparisons of the same models on
many scenarios need. A test that could not be made (None) stays so and does not count.
"""

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Each p-value adjusted for the family: reject what stays at or below the level.

    >>> holm([0.01, None, 0.04])
    [0.02, None, 0.04]
    """
    known = [position for position, p in enumerate(p_values) if p is not None]
    p = np.array([p_values[position] for position in known], dtype=np.float64)
    order = np.argsort(p, kind="stable")
    steps = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    adjusted: list[float | None] = [None] * len(p_values)
    for place, value in zip(order, steps, strict=True):
        adjusted[known[place]] = float(value)
    return adjusted
