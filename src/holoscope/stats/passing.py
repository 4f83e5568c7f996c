"""pass@k: the probability that at least one of k draws is right (Chen et al. 2021)."""

from math import comb


def pass_at_k(n: int, correct: int, k: int) -> float | None:
    """The unbiased estimate from `n` draws of which `correct` are right; None for n < k, where it can't be known.

    >>> pass_at_k(10, 3, 5)
    0.9166666666666666
    """
    if not 0 <= correct <= n or k < 1:
        raise ValueError(f"{correct} of {n} right and k = {k} make no sense together")
    if n < k:
        return None
    return 1.0 - comb(n - correct, k) / comb(n, k)
