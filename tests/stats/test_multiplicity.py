"""Holm's correction."""

import numpy as np
import pytest

from holoscope.stats import holm


def test_the_smallest_counts_for_all() -> None:
    assert holm([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])


def test_no_adjusted_value_exceeds_one_or_falls_below_an_earlier_one() -> None:
    assert holm([0.5, 0.6, 0.9]) == [1.0, 1.0, 1.0]
    assert holm([0.01, 0.011]) == pytest.approx([0.02, 0.02])


def test_a_test_that_was_not_made_does_not_count() -> None:
    assert holm([None, 0.02, None]) == [None, 0.02, None]
    assert holm([]) == []


def test_a_family_without_effects_rarely_raises_an_alarm() -> None:
    p = np.random.default_rng(1).random((4000, 10))
    alarms = [min(v for v in holm(row.tolist()) if v is not None) <= 0.05 for row in p]
    assert 0.04 <= np.mean(alarms) <= 0.06
