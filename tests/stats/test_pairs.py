"""Paired differences: cover, keep the level, agree with themselves, and admit what they can't know."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from holoscope.stats import Counts, PairedDifference, mcnemar, mean_interval, paired_difference, tango

Floats = NDArray[np.float64]
Z = 1.959963984540054


def compare(a: Floats, b: Floats, clusters: list[int] | None = None, **options: object) -> PairedDifference:
    found = paired_difference(a, b, random.Random(1), clusters, **options)  # type: ignore[arg-type]
    assert found is not None
    return found


def right_and_wrong(both: int, only_a: int, only_b: int, neither: int) -> tuple[Floats, Floats]:
    a = [1.0] * (both + only_a) + [0.0] * (only_b + neither)
    b = [1.0] * both + [0.0] * only_a + [1.0] * only_b + [0.0] * neither
    return np.array(a), np.array(b)


def holds(found: PairedDifference, truth: float) -> bool:
    assert found.low is not None
    assert found.high is not None
    return found.low <= truth <= found.high


@pytest.mark.parametrize(
    ("n", "only_a", "only_b"),
    [(20, 0.1, 0.1), (20, 0.4, 0.0), (50, 0.08, 0.02), (100, 0.04, 0.0), (200, 0.15, 0.1)],
)
def test_the_interval_of_right_and_wrong_covers(n: int, only_a: float, only_b: float) -> None:
    rng = np.random.default_rng(1)
    draws = rng.multinomial(n, [only_a, only_b, 1 - only_a - only_b], 600)
    hits = [holds(compare(*right_and_wrong(0, b, c, rest)), only_a - only_b) for b, c, rest in draws.tolist()]
    assert np.mean(hits) >= 0.93


@pytest.mark.parametrize(("n", "discordance"), [(20, 0.3), (100, 0.1), (300, 0.4)])
def test_mcnemar_keeps_its_level(n: int, discordance: float) -> None:
    rng = np.random.default_rng(2)
    discordant = rng.binomial(n, discordance, 4000)
    ahead = rng.binomial(discordant, 0.5)
    p = [mcnemar(b, d - b) for b, d in zip(ahead.tolist(), discordant.tolist(), strict=True)]
    assert np.mean(np.array(p) <= 0.05) <= 0.055


def test_the_interval_holds_zero_exactly_where_the_exact_test_does_not_reject() -> None:
    for discordant in range(41):
        for ahead in range(discordant + 1):
            found = compare(*right_and_wrong(10, ahead, discordant - ahead, 10))
            assert found.p_value is not None
            assert holds(found, 0.0) == (found.p_value > 0.05), (ahead, discordant)


def test_tango_gives_the_published_interval() -> None:
    """Airway hyper-responsiveness before and after a transplant (Bentur 2009), in Fagerland, Lydersen, Laake 2014."""
    low, high = tango(1, 7, 21, Z)
    assert (round(low, 3), round(high, 3)) == (-0.517, -0.026)


def test_mcnemar_is_the_binomial_tail() -> None:
    assert mcnemar(1, 7) == pytest.approx(2 * (1 + 8) / 2**8)
    assert mcnemar(0, 0) == 1.0


def test_the_four_ways_are_counted() -> None:
    found = compare(*right_and_wrong(5, 3, 2, 7))
    assert found.counts == Counts(5, 3, 2, 7)
    assert found.value == pytest.approx(1 / 17)
    assert (found.a_higher, found.b_higher, found.equal) == (3, 2, 12)


def test_two_models_that_agree_everywhere_are_not_surely_equal() -> None:
    found = compare(np.ones(20), np.ones(20))
    assert found.p_value == 1.0
    assert found.high is not None
    assert found.high == pytest.approx(Z**2 / (20 + Z**2))


def test_swapping_the_models_turns_the_interval_round() -> None:
    one, other = compare(*right_and_wrong(5, 9, 2, 7)), compare(*right_and_wrong(5, 2, 9, 7))
    assert one.low is not None
    assert other.high is not None
    assert one.low == pytest.approx(-other.high)


def clustered_pairs(rng: np.random.Generator, clusters: int, size: int) -> tuple[Floats, Floats, list[int]]:
    """Right and wrong whose difference belongs to the passage: no difference on average."""
    labels = np.repeat(np.arange(clusters), size)
    lean = rng.choice([0.2, 0.5, 0.8], clusters)[labels]
    discordant = rng.random(len(labels)) < 0.4
    ahead = discordant & (rng.random(len(labels)) < lean)
    a = np.where(discordant, ahead, 1).astype(float)
    b = np.where(discordant, ~ahead, 1).astype(float)
    return a, b, labels.tolist()


def test_clustered_pairs_keep_their_level_where_the_plain_test_does_not() -> None:
    rng = np.random.default_rng(3)
    draws = [clustered_pairs(rng, 25, 12) for _ in range(400)]
    grouped = [compare(a, b, labels) for a, b, labels in draws]
    plain = [compare(a, b) for a, b, _ in draws]
    assert np.mean([holds(found, 0.0) for found in grouped]) >= 0.93
    assert np.mean([holds(found, 0.0) for found in plain]) < 0.9
    assert all(found.n_clusters == 25 for found in grouped)


def test_clustered_intervals_agree_with_their_p_value() -> None:
    rng = np.random.default_rng(4)
    for _ in range(100):
        a, b, labels = clustered_pairs(rng, 12, 6)
        found = compare(a, b, labels)
        assert found.p_value is not None
        assert holds(found, 0.0) == (found.p_value > 0.05)


def sparse(rng: np.random.Generator, n: int) -> Floats:
    """Differences of F1: mostly none, the others mostly one way. Mean 0.06."""
    sign = np.where(rng.random(n) < 0.8, 1, -1)
    return np.where(rng.random(n) < 0.2, sign * rng.beta(2, 2, n), 0.0)


@pytest.mark.parametrize("n", [30, 150])
def test_the_interval_of_values_covers(n: int) -> None:
    rng = np.random.default_rng(5)
    found = [compare(sparse(rng, n), np.zeros(n), ends=(-1.0, 1.0)) for _ in range(250)]
    assert np.mean([holds(each, 0.06) for each in found]) >= 0.92


def test_skewed_values_get_a_wider_interval_than_students() -> None:
    rng = np.random.default_rng(6)
    draws = [rng.exponential(size=30) ** 2 for _ in range(400)]
    students = [mean_interval(draw) for draw in draws]
    own = np.mean([holds(compare(draw, np.zeros(30)), 2.0) for draw in draws])
    assert own >= 0.86
    assert own >= 0.03 + np.mean([i is not None and i.low <= 2.0 <= i.high for i in students])


def test_values_keep_their_level_and_agree_with_their_p_value() -> None:
    rng = np.random.default_rng(7)
    found = [compare(rng.random(40), rng.random(40)) for _ in range(300)]
    assert np.mean([each.p_value is not None and each.p_value <= 0.05 for each in found]) <= 0.07
    assert all(holds(each, 0.0) == (each.p_value is not None and each.p_value > 0.05) for each in found)


def test_clusters_of_values_are_the_unit() -> None:
    rng = np.random.default_rng(8)
    labels = np.repeat(np.arange(30), 5)

    def draw() -> PairedDifference:
        return compare(rng.random(150) + rng.normal(size=30)[labels], rng.random(150), labels.tolist())

    assert np.mean([holds(draw(), 0.0) for _ in range(250)]) >= 0.92


def test_values_have_no_four_ways() -> None:
    assert compare(np.array([0.5, 1.0, 0.2]), np.array([0.4, 1.0, 0.9])).counts is None


def test_values_that_never_differ_are_bounded_by_their_ends() -> None:
    x = np.array([0.3, 0.5, 0.9, 0.1])
    assert compare(x, x).low is None
    bounded = compare(x, x, ends=(0.0, 1.0))
    assert bounded.p_value == 1.0
    assert bounded.low is not None
    assert -1 < bounded.low < 0


def test_an_equal_step_on_each_instance_says_nothing_of_noise() -> None:
    found = compare(np.array([0.25, 0.5, 0.125]) + 0.5, np.array([0.25, 0.5, 0.125]), ends=(0.0, 1.0))
    assert found.value == pytest.approx(0.5)
    assert (found.low, found.high, found.p_value) == (None, None, None)


def test_one_instance_or_one_cluster_has_no_interval() -> None:
    assert compare(np.array([1.0]), np.array([0.0])).low is None
    assert compare(np.array([0.5]), np.array([0.1])).p_value is None
    assert compare(*right_and_wrong(1, 1, 1, 1), clusters=[0, 0, 0, 0]).low is None


def test_no_instance_is_no_comparison() -> None:
    assert paired_difference([], [], random.Random(1)) is None


def test_what_is_missing_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        paired_difference([1.0, float("nan")], [0.0, 0.0], random.Random(1))


def test_equal_generators_give_equal_intervals() -> None:
    rng = np.random.default_rng(9)
    a, b = rng.random(30), rng.random(30)
    assert compare(a, b) == compare(a, b)
