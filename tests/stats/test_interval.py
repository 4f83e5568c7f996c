"""Intervals: coverage by simulation, and undefined where the data cannot support them."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from holoscope.stats import Interval, mean_interval, proportion_interval, quantile_interval, wilson

Floats = NDArray[np.float64]


def coverage(interval: Callable[[], Interval | None], truth: float, repetitions: int = 1500) -> float:
    found = [i for i in (interval() for _ in range(repetitions)) if i is not None]
    return float(np.mean([i.low <= truth <= i.high for i in found]))


def clustered(rng: np.random.Generator, clusters: int) -> tuple[Floats, list[int]]:
    labels = np.repeat(np.arange(clusters), rng.integers(1, 10, clusters))
    shared = rng.normal(size=clusters)
    return rng.normal(size=len(labels)) + shared[labels], labels.tolist()


@pytest.mark.parametrize(("n", "p"), [(20, 0.5), (20, 0.9), (100, 0.95)])
def test_wilson_covers(n: int, p: float) -> None:
    rng = np.random.default_rng(1)
    assert 0.92 <= coverage(lambda: wilson(int(rng.binomial(n, p)), n), p) <= 0.985


def test_wilson_matches_the_published_formula() -> None:
    found = wilson(8, 10)
    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (0.4902, 0.9433)


def test_wilson_of_all_right_stays_below_one_at_its_low_end() -> None:
    found = wilson(10, 10)
    assert found is not None
    assert found.low == pytest.approx(0.7225, abs=1e-4)
    assert found.high == pytest.approx(1.0)


def test_t_interval_covers() -> None:
    rng = np.random.default_rng(2)
    assert 0.92 <= coverage(lambda: mean_interval(rng.exponential(size=60)), 1.0) <= 0.97


@pytest.mark.parametrize("clusters", [8, 40])
def test_clustered_mean_covers(clusters: int) -> None:
    rng = np.random.default_rng(3)
    assert 0.91 <= coverage(lambda: mean_interval(*clustered(rng, clusters)), 0.0) <= 0.97


def test_ignoring_clusters_does_not_cover() -> None:
    rng = np.random.default_rng(3)
    assert coverage(lambda: mean_interval(clustered(rng, 40)[0]), 0.0) < 0.85


@pytest.mark.parametrize(("alpha", "beta"), [(2.0, 2.0), (9.0, 0.5)])
def test_clustered_proportion_covers(alpha: float, beta: float) -> None:
    rng = np.random.default_rng(4)

    def draw() -> Interval | None:
        labels = np.repeat(np.arange(30), 5)
        return proportion_interval((rng.random(150) < rng.beta(alpha, beta, 30)[labels]).astype(float), labels.tolist())

    assert 0.92 <= coverage(draw, alpha / (alpha + beta)) <= 0.98


def test_clusters_of_one_give_the_plain_interval() -> None:
    values = [1.0, 2.0, 4.0, 8.0]
    plain, own = mean_interval(values), mean_interval(values, ["a", "b", "c", "d"])
    assert plain is not None
    assert own is not None
    assert (plain.low, plain.high) == pytest.approx((own.low, own.high))
    assert own.n_clusters == 4


def test_all_right_in_clusters_counts_the_clusters() -> None:
    assert proportion_interval([1.0] * 100, [i // 20 for i in range(100)]) is not None
    found = proportion_interval([1.0] * 100, [i // 20 for i in range(100)])
    assert found is not None
    assert found.low < 0.5


def test_median_interval_covers() -> None:
    rng = np.random.default_rng(5)
    assert 0.93 <= coverage(lambda: quantile_interval(rng.exponential(size=40), 0.5), float(np.log(2))) <= 0.985


@pytest.mark.parametrize("values", [[], [1.0]])
def test_fewer_than_two_values_have_no_interval(values: Sequence[float]) -> None:
    assert mean_interval(values) is None
    assert proportion_interval(values) is None
    assert quantile_interval(values, 0.5) is None


def test_one_cluster_has_no_interval() -> None:
    assert mean_interval([0.0, 1.0, 1.0], ["p", "p", "p"]) is None
    assert proportion_interval([0.0, 1.0, 1.0], ["p", "p", "p"]) is None


def test_a_high_quantile_of_few_values_has_no_interval() -> None:
    assert quantile_interval([1.0, 2.0, 3.0], 0.99) is None


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        mean_interval([1.0, float("nan"), 0.0])


def test_labels_must_match_values() -> None:
    with pytest.raises(ValueError, match="2 observations but 1"):
        mean_interval([1.0, 0.0], ["a"])
