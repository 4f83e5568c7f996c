"""Random draws that depend on nothing but what they are for.

Each draw comes from (seed, purpose, instance key), so results are the same in any order, at any concurrency, and
whichever other models or instances are present.
"""

import random


def rng(seed: int, purpose: str, key: str = "") -> random.Random:
    """A generator of its own for one purpose and one key.

    >>> rng(0, "fewshot", "id1").random() == rng(0, "fewshot", "id1").random()
    True
    """
    return random.Random(f"{seed}\x1f{purpose}\x1f{key}")
