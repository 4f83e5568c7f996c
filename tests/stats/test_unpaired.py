"""Differences and means of published numbers."""

import numpy as np
import pytest

from holoscope.stats import Estimate, mean_of, unpaired_difference, wilson


def proportion(rng: np.random.Generator, n: int, p: float) -> Estimate:
    right = int(rng.binomial(n, p))
    found = wilson(right, n)
    assert found is not None
    return Estimate(right / n, found.low, found.high)


@pytest.mark.parametrize(("n", "p", "q"), [(20, 0.9, 0.7), (100, 0.5, 0.7)])
def test_the_difference_of_two_proportions_covers(n: int, p: float, q: float) -> None:
    """From Wilson's intervals it is Newcombe's."""
    rng = np.random.default_rng(1)
    found = [unpaired_difference(proportion(rng, n, p), proportion(rng, n, q)) for _ in range(1000)]
    assert 0.93 <= np.mean([i.low <= p - q <= i.high for i in found]) <= 0.985


def test_newcombes_published_example() -> None:
    """56/70 against 48/80 (Newcombe 1998, method 10)."""
    ends = [wilson(56, 70), wilson(48, 80)]
    a, b = (Estimate(p, i.low, i.high) for p, i in zip((0.8, 0.6), ends, strict=True) if i)
    found = unpaired_difference(a, b)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)


def test_the_mean_of_several_scenarios_covers() -> None:
    rng = np.random.default_rng(2)
    truth = [0.3, 0.5, 0.9, 0.95]
    found = [mean_of([proportion(rng, 30, p) for p in truth]) for _ in range(1000)]
    assert 0.93 <= np.mean([e.low <= np.mean(truth) <= e.high for e in found]) <= 0.985


def test_one_number_is_its_own_mean() -> None:
    assert mean_of([Estimate(0.5, 0.4, 0.7)]) == pytest.approx((0.5, 0.4, 0.7))
