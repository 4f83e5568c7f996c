"""The bootstrap's plain interval: the estimate and the spread of its resamples."""

import numpy as np
import pytest
from numpy.typing import NDArray

from holoscope.core import rng
from holoscope.stats import bootstrap, mean_interval

Counts = NDArray[np.int64]


def test_of_a_mean_it_is_students_but_for_the_draws() -> None:
    x = np.random.default_rng(0).normal(3, 2, 200)
    (found,) = bootstrap(lambda i: (x[i].mean(),), len(x), rng(0, "test"), normal=True)
    expected = mean_interval(x)
    assert found is not None
    assert expected is not None
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.03)
    assert found.low + found.high == pytest.approx(2 * x.mean())
    assert found.method == "bootstrap standard error"


def test_what_never_varies_has_none() -> None:
    assert bootstrap(lambda i: (1.0, float("nan")), 10, rng(0, "test"), normal=True) == [None, None]


def test_it_covers_where_resampling_pushes_the_statistic_up() -> None:
    """The mean distance of many small shares from a half, as in stereotypical associations."""
    generator = np.random.default_rng(1)

    def statistic(of: Counts) -> float:
        totals = of.sum(axis=0)
        seen = totals.sum(axis=1) > 0
        return float(np.abs(totals[seen, 0] / totals[seen].sum(axis=1) - 0.5).mean())

    def drawn() -> Counts:
        data = np.zeros((200, 20, 2), dtype=np.int64)
        data[np.arange(200), generator.integers(0, 20, 200), generator.integers(0, 2, 200)] = 1
        return data

    truth = float(np.mean([statistic(drawn()) for _ in range(500)]))
    covered = {True: 0, False: 0}

    def covers(data: Counts, normal: bool, repetition: int) -> bool:
        random = rng(0, "test", str(repetition))
        (found,) = bootstrap(lambda i: (statistic(data[i]),), len(data), random, resamples=100, normal=normal)
        return found is not None and found.low <= truth <= found.high

    for repetition in range(40):
        data = drawn()
        for normal in covered:
            covered[normal] += covers(data, normal, repetition)
    assert covered[True] >= 34
    assert covered[False] < covered[True]
