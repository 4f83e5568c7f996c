"""Intervals of calibration errors: simulated coverage, clusters, and nothing certain from few answers."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from holoscope.stats import (
    Interval,
    debiased_l2_ece,
    ece_interval,
    equal_mass_ece,
    equal_width_ece,
    gap_interval,
    l2_interval,
    selective_accuracy,
    selective_interval,
    smooth_ece,
    smooth_interval,
    top_interval,
)

Floats = NDArray[np.float64]
World = Callable[[np.random.Generator, int, float], tuple[Floats, Floats]]
Make = Callable[[Floats, Floats], Interval | None]


def shifted(rng: np.random.Generator, n: int, error: float) -> tuple[Floats, Floats]:
    """Confidences, and how often such answers are right."""
    p = rng.beta(4, 2, n)
    return p, np.clip(p - error, 0, 1)


def sure(rng: np.random.Generator, n: int, error: float) -> tuple[Floats, Floats]:
    p = rng.beta(12, 1.2, n)
    return p, np.clip(p - error, 0, 1)


def noisy(rng: np.random.Generator, n: int, error: float) -> tuple[Floats, Floats]:
    q = rng.beta(2, 1, n)
    return np.clip(q + rng.normal(0, 2 * error, n), 0.01, 0.99), q


def one_confidence(rng: np.random.Generator, n: int, error: float) -> tuple[Floats, Floats]:
    return np.full(n, 0.8), np.full(n, 0.8 - error)


WORLDS = [shifted, sure, noisy, one_confidence]


def coverage(make: Make, truth: float, world: World, error: float, n: int, repetitions: int = 150) -> float:
    rng, hits = np.random.default_rng(1), []
    for _ in range(repetitions):
        p, q = world(rng, n, error)
        order = np.argsort(p, kind="stable")
        found = make(p[order], (rng.random(n) < q).astype(float)[order])
        assert found is not None
        hits.append(found.low - 1e-9 <= truth <= found.high + 1e-9)
    return float(np.mean(hits))


def many(world: World, error: float) -> tuple[Floats, Floats]:
    return world(np.random.default_rng(9), 100_000, error)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("error", [0.0, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("n", [20, 50, 200])
def test_binned_errors_are_covered(world: World, error: float, n: int) -> None:
    p, q = many(world, error)
    assert coverage(ece_interval, equal_mass_ece(p, q), world, error, n) >= 0.9
    assert coverage(gap_interval, equal_width_ece(p, q, bins=1), world, error, n) >= 0.9


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize(("error", "n"), [(0.0, 20), (0.1, 50), (0.2, 200)])
def test_areas_and_squares_are_covered(world: World, error: float, n: int) -> None:
    p, q = many(world, error)
    square = float(np.sqrt(max(debiased_l2_ece(p, q) ** 2, 0)))
    assert coverage(l2_interval, square, world, error, n) >= 0.88
    assert coverage(selective_interval, selective_accuracy(p, q).area, world, error, n) >= 0.9
    assert coverage(top_interval, selective_accuracy(p, q).accuracy_at_10, world, error, n) >= 0.88


@pytest.mark.parametrize(("error", "n"), [(0.0, 50), (0.2, 50)])
def test_the_smooth_error_is_covered(error: float, n: int) -> None:
    truth = smooth_ece(*many(shifted, error))
    assert coverage(lambda p, y: smooth_interval(p, y, random.Random(1)), truth, shifted, error, n, 30) >= 0.9


def test_many_answers_narrow_the_interval_to_a_real_error() -> None:
    p, q = many(shifted, 0.2)
    found = ece_interval(p, (np.random.default_rng(2).random(len(p)) < q).astype(float))
    assert found is not None
    assert 0.18 < found.low < found.high < 0.21


MAKES = [ece_interval, gap_interval, l2_interval, selective_interval, top_interval]


@pytest.mark.parametrize("make", MAKES)
def test_repeating_each_answer_adds_no_certainty(make: Callable[..., Interval | None]) -> None:
    p, q = shifted(np.random.default_rng(3), 60, 0.2)
    y = (np.random.default_rng(4).random(60) < q).astype(float)
    once, often = make(p, y), make(np.repeat(p, 5), np.repeat(y, 5), np.repeat(np.arange(60), 5).tolist())
    assert once is not None
    assert often is not None
    assert often.high - often.low > 0.75 * (once.high - once.low)
    assert often.n_clusters in {60, 7}


@pytest.mark.parametrize("make", MAKES)
def test_all_right_and_sure_is_not_certain(make: Make) -> None:
    found = make(np.ones(30), np.ones(30))
    assert found is not None
    assert found.high - found.low > 0.01


@pytest.mark.parametrize("make", MAKES)
def test_one_answer_has_no_interval(make: Make) -> None:
    assert make(np.array([0.4]), np.array([1.0])) is None
