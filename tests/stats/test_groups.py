"""Groups: how large a gap chance makes, what shrinking leaves of it, and when two conditions are alike."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from holoscope.stats import gap_test, paired_test, shrunken, tost

TWELVE = np.repeat(np.arange(12), 50).tolist()


def equal_groups(seed: int) -> NDArray[np.float64]:
    return (np.random.default_rng(seed).random(600) < 0.8).astype(np.float64)


def test_the_gap_of_twelve_equal_groups_proves_nothing() -> None:
    tests = [gap_test(equal_groups(seed), TWELVE, random.Random(seed), permutations=200) for seed in range(150)]
    found = [test for test in tests if test is not None]
    assert len(found) == 150
    assert np.mean([test.value for test in found]) == pytest.approx(0.18, abs=0.01)
    assert np.mean([test.null_mean for test in found]) == pytest.approx(0.18, abs=0.01)
    assert np.mean([test.p_value < 0.05 for test in found]) < 0.1


def test_a_real_gap_is_found() -> None:
    values = [1.0] * 90 + [0.0] * 10 + [1.0] * 60 + [0.0] * 40
    found = gap_test(values, ["a"] * 100 + ["b"] * 100, random.Random(0))
    assert found is not None
    assert found.value == pytest.approx(0.3)
    assert found.p_value < 0.001


def test_the_test_depends_on_its_generator_alone() -> None:
    values = equal_groups(0)
    assert gap_test(values, TWELVE, random.Random(1)) == gap_test(values, TWELVE, random.Random(1))


def test_one_group_has_no_gap() -> None:
    assert gap_test([1.0, 0.0], ["a", "a"], random.Random(0)) is None


def test_clusters_of_one_group_are_shuffled_whole() -> None:
    generator = np.random.default_rng(0)
    rejected = 0
    for seed in range(100):
        means = np.repeat(generator.random(20) < 0.5, 20).astype(float)
        groups = np.repeat(np.arange(20) % 2, 20).tolist()
        clusters = np.repeat(np.arange(20), 20).tolist()
        found = gap_test(means, groups, random.Random(seed), clusters=clusters, permutations=200)
        assert found is not None
        rejected += found.p_value < 0.05
    assert rejected < 12


def test_groups_within_a_cluster_are_compared_there() -> None:
    levels = np.repeat(np.linspace(0, 1, 30), 2)
    values = levels + np.tile([0.0, 0.02], 30)
    groups, clusters = ["a", "b"] * 30, np.repeat(np.arange(30), 2).tolist()
    paired = gap_test(values, groups, random.Random(0), clusters=clusters)
    unpaired = gap_test(values, groups, random.Random(0))
    assert paired is not None
    assert unpaired is not None
    assert paired.p_value < 0.01 < 0.5 < unpaired.p_value


def test_a_cluster_per_group_can_not_be_shuffled_into_evidence() -> None:
    assert gap_test([1.0, 1.0, 0.0, 0.0], list("aabb"), random.Random(0), clusters=list("aabb")) is None


def test_shrinking_takes_noise_away() -> None:
    gaps, kept = [], []
    for seed in range(50):
        values = equal_groups(seed)
        estimates = shrunken(values, TWELVE)
        assert len(estimates) == 12
        gaps.append(max(e.raw for e in estimates) - min(e.raw for e in estimates))
        kept.append(max(e.value for e in estimates) - min(e.value for e in estimates))
    assert np.mean(kept) < 0.3 * np.mean(gaps)


def test_shrinking_keeps_what_is_real() -> None:
    values = [1.0] * 450 + [0.0] * 50 + [1.0] * 50 + [0.0] * 450
    estimates = shrunken(values, ["a"] * 500 + ["b"] * 500)
    assert [e.value for e in estimates] == pytest.approx([0.9, 0.1], abs=0.01)


def test_shrunken_intervals_hold_the_truth() -> None:
    generator = np.random.default_rng(0)
    held = []
    for _ in range(60):
        truth = np.clip(generator.normal(0.7, 0.1, 12), 0, 1)
        values = (generator.random((12, 50)) < truth[:, None]).astype(float).reshape(-1)
        estimates = shrunken(values, TWELVE)
        held += [e.low <= t <= e.high for e, t in zip(estimates, truth, strict=True)]
    assert 0.9 < np.mean(held) < 0.99


def test_three_right_answers_are_not_certain() -> None:
    groups = ["few"] * 3 + ["many"] * 97 + ["others"] * 100
    values = [1.0] * 3 + [1.0, 0.0] * 48 + [1.0] + [1.0, 0.0] * 50
    few = shrunken(values, groups)[0]
    assert few.raw == 1
    assert few.value < 0.8


@pytest.mark.parametrize(("values", "groups"), [([1.0, 0.0], ["a", "a"]), ([1.0, 0.0], ["a", "b"]), ([], [])])
def test_nothing_to_shrink(values: list[float], groups: list[str]) -> None:
    assert shrunken(values, groups) == []


def test_equal_conditions_are_equivalent() -> None:
    found = tost(np.random.default_rng(0).normal(0, 0.2, 1000), 0.05)
    assert found.p_value is not None
    assert found.p_value < 0.001


def test_few_pairs_prove_no_equivalence() -> None:
    found = tost([0.0, 0.1, -0.1, 0.05], 0.05)
    assert found.p_value is not None
    assert found.p_value > 0.05


def test_a_difference_of_the_margin_is_called_equivalent_as_rarely_as_promised() -> None:
    generator = np.random.default_rng(0)
    claims = [tost(generator.normal(0.05, 0.2, 200), 0.05).p_value for _ in range(400)]
    assert np.mean([p is not None and p < 0.05 for p in claims]) < 0.08


def test_pairs_that_never_differ_have_no_p_value() -> None:
    found = tost([0.0, 0.0, 0.0], 0.05)
    assert (found.mean, found.p_value) == (0, None)


def test_one_pair_has_no_interval() -> None:
    found = tost([0.5], 0.05)
    assert (found.mean, found.low, found.p_value) == (0.5, None, None)


def test_equivalence_counts_clusters() -> None:
    d = np.repeat(np.random.default_rng(0).normal(0, 0.2, 10), 50)
    alone, together = tost(d, 0.05), tost(d, 0.05, np.repeat(np.arange(10), 50).tolist())
    assert alone.p_value is not None
    assert together.p_value is not None
    assert together.p_value > alone.p_value
    assert together.n_clusters == 10


def test_random_signs_find_a_shift() -> None:
    shifted = paired_test([0.3] * 20, random.Random(0))
    balanced = paired_test([0.3, -0.3] * 10, random.Random(0))
    assert shifted is not None
    assert balanced is not None
    assert shifted < 0.01 < 0.5 < balanced


def test_pairs_without_a_difference_have_no_test() -> None:
    assert paired_test([0.0, 0.0], random.Random(0)) is None
