"""The bootstrap: covers, repeats itself, respects clusters, and admits when it knows nothing."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from holoscope.stats import Interval, bootstrap

Floats = NDArray[np.float64]


def spread(x: Floats, rng: random.Random, **options: object) -> Interval | None:
    return bootstrap(lambda i: (float(x[i].std()),), len(x), rng, resamples=300, **options)[0]  # type: ignore[arg-type]


def test_covers_a_standard_deviation() -> None:
    data, rng = np.random.default_rng(1), random.Random(1)
    intervals = [spread(data.normal(size=80), rng) for _ in range(200)]
    hits = [i.low <= 1.0 <= i.high for i in intervals if i is not None]
    assert 0.89 <= np.mean(hits) <= 0.99


def test_same_generator_same_interval() -> None:
    x = np.random.default_rng(2).normal(size=50)
    assert spread(x, random.Random(7)) == spread(x, random.Random(7))
    assert spread(x, random.Random(7)) != spread(x, random.Random(8))


def test_clusters_widen_the_interval() -> None:
    rng = np.random.default_rng(3)
    x = np.repeat(rng.normal(size=20), 10)
    labels = np.repeat(np.arange(20), 10).tolist()

    def mean(clusters: list[int] | None) -> Interval:
        found = bootstrap(lambda i: (float(x[i].mean()),), len(x), random.Random(1), clusters=clusters)[0]
        assert found is not None
        return found

    plain, grouped = mean(None), mean(labels)
    assert grouped.high - grouped.low > 2 * (plain.high - plain.low)
    assert grouped.n_clusters == 20


def test_related_numbers_share_their_resamples() -> None:
    x = np.random.default_rng(4).normal(size=50)
    low, double = bootstrap(lambda i: (float(x[i].mean()), 2 * float(x[i].mean())), 50, random.Random(1))
    assert low is not None
    assert double is not None
    assert double.low == pytest.approx(2 * low.low)


def test_a_statistic_that_never_varies_has_no_interval() -> None:
    assert bootstrap(lambda i: (1.0,), 30, random.Random(1)) == [None]


@pytest.mark.parametrize("n", [0, 1])
def test_too_few_observations_have_no_interval(n: int) -> None:
    assert bootstrap(lambda i: (0.0,), n, random.Random(1)) == [None]


def test_the_interval_holds_its_estimate() -> None:
    x = np.random.default_rng(5).normal(size=200)
    found = bootstrap(lambda i: (abs(float(x[i].mean())),), 200, random.Random(1))[0]
    assert found is not None
    assert found.low <= abs(x.mean()) <= found.high
