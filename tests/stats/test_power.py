"""Smallest detectable effects: what is promised is found four times in five."""

import numpy as np
import pytest

from holoscope.stats import detectable, mcnemar, mcnemar_power, mean_interval, paired_detectable, unpaired_detectable


@pytest.mark.parametrize(("n", "discordance"), [(40, 0.5), (200, 0.2), (1000, 0.05)])
def test_the_promised_difference_is_found_four_times_in_five(n: int, discordance: float) -> None:
    effect = paired_detectable(n, discordance)
    assert effect is not None
    rng = np.random.default_rng(1)
    discordant = rng.binomial(n, max(discordance, effect), 4000)
    ahead = rng.binomial(discordant, (1 + effect / max(discordance, effect)) / 2)
    found = [mcnemar(b, d - b) <= 0.05 for b, d in zip(ahead.tolist(), discordant.tolist(), strict=True)]
    assert 0.77 <= np.mean(found) <= 0.83


def test_paired_values_find_what_is_promised() -> None:
    rng = np.random.default_rng(2)
    effect = detectable(1 / np.sqrt(30), 29)
    assert effect is not None
    intervals = [mean_interval(rng.normal(effect, 1, 30)) for _ in range(1500)]
    assert 0.77 <= np.mean([i is not None and i.low > 0 for i in intervals]) <= 0.83


def test_unpaired_sets_find_what_is_promised() -> None:
    rng = np.random.default_rng(3)
    effect = unpaired_detectable(1.0, 50, 4.0, 80)
    assert effect is not None
    a, b = rng.normal(effect, 1, (3000, 50)), rng.normal(0, 2, (3000, 80))
    error = np.sqrt(a.var(axis=1, ddof=1) / 50 + b.var(axis=1, ddof=1) / 80)
    assert 0.77 <= np.mean((a.mean(axis=1) - b.mean(axis=1)) / error > 1.98) <= 0.83


def test_without_a_difference_the_test_rarely_fires() -> None:
    assert mcnemar_power(100, 0.3, 0.0) <= 0.025, "one direction of a two-sided test"


def test_pairing_finds_smaller_differences() -> None:
    paired, unpaired = paired_detectable(200, 0.1), unpaired_detectable(0.25, 200, 0.25, 200)
    assert paired is not None
    assert unpaired is not None
    assert paired < unpaired / 1.8


def test_a_difference_can_exceed_the_observed_discordance() -> None:
    found = paired_detectable(20, 0.0)
    assert found is not None
    assert 0.3 < found < 0.4, "all discordant pairs one way: six are needed"


def test_five_pairs_can_show_nothing() -> None:
    assert paired_detectable(5, 0.4) is None
    assert paired_detectable(6, 0.4) is not None


@pytest.mark.parametrize(("error", "freedom"), [(0.0, 10), (0.1, 0)])
def test_no_noise_to_judge_by_is_no_answer(error: float, freedom: float) -> None:
    assert detectable(error, freedom) is None


def test_one_instance_is_no_design() -> None:
    assert unpaired_detectable(1.0, 1, 1.0, 50) is None
    assert unpaired_detectable(0.0, 10, 0.0, 10) is None


def test_more_instances_find_less() -> None:
    sizes = [paired_detectable(n, 0.2) for n in (20, 100, 1000, 100_000)]
    assert sizes == sorted((s for s in sizes if s is not None), reverse=True)
    assert sizes[-1] == pytest.approx(2.8 * np.sqrt(0.2 / 100_000), rel=0.02)
