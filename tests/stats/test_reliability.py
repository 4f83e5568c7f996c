"""Debiased error, Brier's parts, the reliability curve, and the error that chance alone shows."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from holoscope.stats import brier, consistency_null, debiased_l2_ece, equal_mass_ece, reliability_curve

Floats = NDArray[np.float64]
Pairs = list[tuple[float, bool]]
PAIRS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


def calibrated(seed: int, n: int) -> tuple[Floats, Floats]:
    generator = np.random.default_rng(seed)
    p = generator.random(n)
    return p, (generator.random(n) < p).astype(float)


def test_debiasing_removes_what_noise_adds() -> None:
    plain = [equal_mass_ece(*calibrated(seed, 100)) for seed in range(200)]
    squared = [debiased_l2_ece(*calibrated(seed, 100)) for seed in range(200)]
    assert np.mean(plain) > 0.08
    assert np.median(squared) < 0.03


def test_debiased_error_finds_a_real_one() -> None:
    p = np.full(4000, 0.8)
    y = np.repeat([1.0, 0.0], [2400, 1600])
    assert debiased_l2_ece(p, y) == pytest.approx(0.2, abs=0.001)


def test_debiased_error_of_a_single_answer_is_nothing() -> None:
    assert debiased_l2_ece([0.3], [1.0]) == 0


@settings(max_examples=50, deadline=None)
@given(PAIRS)
def test_brier_is_the_sum_of_its_parts(pairs: Pairs) -> None:
    p, y = np.array([p for p, _ in pairs]), np.array([float(y) for _, y in pairs])
    parts = brier(p, y)
    assert parts.score == pytest.approx(np.mean((p - y) ** 2))
    assert parts.score == pytest.approx(parts.reliability - parts.resolution + parts.uncertainty + parts.within)
    assert min(parts.reliability, parts.resolution, parts.uncertainty) >= 0


def test_brier_needs_no_rest_where_confidences_are_few() -> None:
    parts = brier([0.2, 0.2, 0.9, 0.9, 0.9], [0, 1, 1, 1, 0])
    assert parts.within == pytest.approx(0)
    assert parts.reliability == pytest.approx((2 * 0.3**2 + 3 * (0.9 - 2 / 3) ** 2) / 5)


def test_the_null_holds_the_error_of_calibrated_answers() -> None:
    nulls = [consistency_null(*calibrated(seed, 80), random.Random(seed), resamples=200) for seed in range(100)]
    within = np.mean([null.low <= null.observed <= null.high for null in nulls])
    assert within > 0.88
    assert 0.01 < np.mean([null.p_value < 0.05 for null in nulls]) + 0.01 < 0.13


def test_the_null_excludes_overconfidence() -> None:
    null = consistency_null([0.95] * 100, [1.0] * 60 + [0.0] * 40, random.Random(0), resamples=500)
    assert null.observed == pytest.approx(0.35)
    assert null.high < 0.1
    assert null.p_value < 0.005


def test_the_null_depends_on_its_generator_alone() -> None:
    p, y = calibrated(1, 50)
    first, second = (consistency_null(p, y, random.Random(5), resamples=50) for _ in range(2))
    assert first == second


def test_the_curve_covers_every_answer_once() -> None:
    p, y = calibrated(2, 203)
    curve = reliability_curve(p, y, random.Random(0), resamples=200)
    assert sum(point.n for point in curve) == 203
    assert [point.low for point in curve] == sorted(point.low for point in curve)
    assert sum(point.n * point.accuracy for point in curve) == pytest.approx(y.sum())


def test_the_band_holds_calibrated_answers() -> None:
    curves = [reliability_curve(*calibrated(seed, 300), random.Random(seed), resamples=200) for seed in range(20)]
    points = [point for curve in curves for point in curve]
    inside = np.mean([point.null_low <= point.accuracy <= point.null_high for point in points])
    assert 0.9 < inside < 1


def test_the_band_excludes_overconfidence() -> None:
    curve = reliability_curve([0.9] * 200, [1.0] * 120 + [0.0] * 80, random.Random(0))
    assert len(curve) == 1
    assert curve[0].accuracy == pytest.approx(0.6)
    assert curve[0].accuracy < curve[0].null_low
    assert curve[0].accuracy_low is not None
    assert curve[0].accuracy_low < 0.6


def test_no_answers_have_no_curve() -> None:
    assert reliability_curve([], [], random.Random(0)) == []


@settings(max_examples=30, deadline=None)
@given(PAIRS)
def test_errors_lie_between_zero_and_one(pairs: Pairs) -> None:
    p, y = [p for p, _ in pairs], [float(y) for _, y in pairs]
    assert 0 <= debiased_l2_ece(p, y) <= 1
    null = consistency_null(p, y, random.Random(0), resamples=20)
    assert 0 <= null.low <= null.high <= 1
    assert 0 < null.p_value <= 1
