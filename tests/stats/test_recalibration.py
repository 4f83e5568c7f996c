"""Cross-fitted recalibration, and risk against coverage."""

import random
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holoscope.stats import cross_fitted, equal_mass_ece, risk_coverage
from holoscope.stats.recalibration import Recalibration

METHODS = get_args(Recalibration)


@pytest.mark.parametrize("method", METHODS)
def test_overconfidence_is_mended(method: Recalibration) -> None:
    generator = np.random.default_rng(0)
    truth = generator.random(3000)
    y = (generator.random(3000) < truth).astype(float)
    p = 1 / (1 + np.exp(-3 * np.log(truth / (1 - truth))))
    scaled = cross_fitted(p, y, random.Random(0), method=method)
    assert scaled is not None
    assert equal_mass_ece(p, y) > 0.1
    assert equal_mass_ece(scaled, y) < 0.04


@pytest.mark.parametrize("method", METHODS)
def test_noise_is_not_taken_for_signal(method: Recalibration) -> None:
    generator = np.random.default_rng(1)
    p, y = generator.random(400), (generator.random(400) < 0.5).astype(float)
    scaled = cross_fitted(p, y, random.Random(0), method=method)
    assert scaled is not None
    assert np.mean((scaled - y) ** 2) > 0.24


def test_an_answer_does_not_calibrate_itself() -> None:
    p = np.linspace(0.01, 0.99, 50)
    y = (np.arange(50) % 2).astype(float)
    first = cross_fitted(p, y, random.Random(0), method="isotonic")
    flipped = y.copy()
    flipped[10] = 1 - flipped[10]
    second = cross_fitted(p, flipped, random.Random(0), method="isotonic")
    assert first is not None
    assert second is not None
    assert first[10] == second[10]


def test_clusters_stay_together() -> None:
    p, y = [0.1, 0.2, 0.8, 0.9], [1.0, 1.0, 0.0, 0.0]
    scaled = cross_fitted(p, y, random.Random(0), method="isotonic", clusters=["a", "a", "b", "b"])
    assert scaled is not None
    assert list(scaled) == [0, 0, 1, 1]


def test_one_cluster_can_not_be_split() -> None:
    assert cross_fitted([0.1, 0.2], [0, 1], random.Random(0), method="platt", clusters=["a", "a"]) is None


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=2, max_size=40), st.sampled_from(METHODS))
def test_rescaled_confidences_are_probabilities(pairs: list[tuple[float, bool]], method: Recalibration) -> None:
    scaled = cross_fitted([p for p, _ in pairs], [float(y) for _, y in pairs], random.Random(0), method=method)
    assert scaled is not None
    assert ((scaled >= 0) & (scaled <= 1)).all()


def test_risk_of_a_perfect_order() -> None:
    found = risk_coverage([0.9, 0.8, 0.7, 0.6], [1, 1, 0, 0])
    assert found.area == pytest.approx((0 + 0 + 1 / 3 + 1 / 2) / 4)
    assert found.excess == pytest.approx(0)


def test_ties_count_as_in_random_order() -> None:
    one, other = risk_coverage([0.5, 0.5], [1, 0]), risk_coverage([0.5, 0.5], [0, 1])
    assert one == other
    assert one.area == pytest.approx(0.5)


def test_the_worst_order_has_excess() -> None:
    assert risk_coverage([0.1, 0.2, 0.8, 0.9], [1, 1, 0, 0]).excess > 0.5
