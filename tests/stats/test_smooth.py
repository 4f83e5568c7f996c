"""Smooth calibration error against the definition, integrated by brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from holoscope.stats import smooth_ece, smooth_ece_at

Floats = NDArray[np.float64]


def by_definition(p: Floats, y: Floats, width: float) -> float:
    """Integral of the absolute smoothed residual; the kernel is a Gaussian with its reflections at 0 and 1."""
    points = (np.arange(4000) + 0.5) / 4000
    smoothed = np.zeros_like(points)
    for confidence, correct in zip(p, y, strict=True):
        for turn in range(-4, 5):
            for image in (2 * turn + confidence, 2 * turn - confidence):
                smoothed += (correct - confidence) * np.exp(-(((points - image) / width) ** 2) / 2)
    return float(np.abs(smoothed).mean() / (width * np.sqrt(2 * np.pi) * len(p)))


def fixed_point(p: Floats, y: Floats) -> float:
    low, high = 0.0, 1.0
    for _ in range(12):
        width = (low + high) / 2
        low, high = (width, high) if by_definition(p, y, width) > width else (low, width)
    return (low + high) / 2


def answers(kind: str) -> tuple[Floats, Floats]:
    generator = np.random.default_rng(7)
    n = 40
    p = {
        "spread": generator.random(n),
        "one value": np.full(n, 0.8),
        "both ends": np.repeat([0.0, 1.0], [10, 30]),
        "near one": generator.choice([0.99, 0.999, 1.0], n),
        "skewed": generator.beta(8, 1, n),
    }[kind]
    return p, (generator.random(n) < 0.8 * p).astype(float)


@pytest.mark.parametrize("kind", ["spread", "one value", "both ends", "near one", "skewed"])
def test_equals_brute_force(kind: str) -> None:
    p, y = answers(kind)
    assert smooth_ece(p, y) == pytest.approx(fixed_point(p, y), abs=1e-3)


@pytest.mark.parametrize("width", [0.01, 0.05, 0.3])
def test_equals_brute_force_at_each_width(width: float) -> None:
    p, y = answers("spread")
    assert smooth_ece_at(p, y, width) == pytest.approx(by_definition(p, y, width), abs=1e-3)


def test_one_confidence_is_off_by_its_gap() -> None:
    assert smooth_ece([0.8] * 10, [1] * 6 + [0] * 4) == pytest.approx(0.2, abs=1e-4)


def test_calibrated_answers_have_a_small_error() -> None:
    generator = np.random.default_rng(3)
    p = generator.random(50_000)
    assert smooth_ece(p, (generator.random(50_000) < p).astype(float)) < 0.02


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=50))
def test_lies_between_zero_and_one(pairs: list[tuple[float, bool]]) -> None:
    assert 0 <= smooth_ece([p for p, _ in pairs], [float(y) for _, y in pairs]) <= 1
