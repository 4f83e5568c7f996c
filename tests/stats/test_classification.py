"""Scores from a confusion matrix, the area under the ROC curve, and pass@k."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holoscope.stats import auroc, classification, confusion_matrix, pass_at_k


def test_scores_of_a_small_matrix() -> None:
    found = classification(confusion_matrix([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2], 3))
    assert found.micro == pytest.approx((4 / 6, 4 / 6, 4 / 6))
    assert found.macro.precision == pytest.approx((1 + 1 / 2 + 1 / 2) / 3)
    assert found.macro.recall == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)
    assert found.weighted.f1 == pytest.approx((3 * 0.8 + 2 * 0.5 + 2 / 3) / 6)


def test_an_unknown_answer_costs_recall_alone() -> None:
    found = classification(confusion_matrix([0, 1], [0, -1], 2))
    assert found.micro == pytest.approx((1, 1 / 2, 2 / 3))
    assert found.mcc == pytest.approx(0.5)


def test_one_label_for_all_has_no_correlation() -> None:
    assert classification(confusion_matrix([0, 1], [0, 0], 2)).mcc is None


def test_correlation_of_two_labels_is_phi() -> None:
    true, said = [1] * 6 + [0] * 4, [1, 1, 1, 1, 1, 0, 0, 0, 1, 0]
    found = classification(confusion_matrix(true, said, 2)).mcc
    assert found == pytest.approx(np.corrcoef(true, said)[0, 1])


def test_area_under_the_curve() -> None:
    assert auroc([0.9, 0.8, 0.3, 0.1], [True, True, False, False]) == 1
    assert auroc([0.5, 0.5], [True, False]) == 0.5
    assert auroc([0.5, 0.7], [True, True]) is None


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 3)), min_size=1, max_size=40))
def test_scores_are_in_range(pairs: list[tuple[int, int]]) -> None:
    found = classification(confusion_matrix([t for t, _ in pairs], [p for _, p in pairs], 4))
    for average in (found.micro, found.macro, found.weighted):
        assert all(0 <= value <= 1 for value in average)
    assert found.mcc is None or -1 - 1e-9 <= found.mcc <= 1 + 1e-9


@pytest.mark.parametrize(("n", "correct", "k"), [(2, 0, 5), (99, 0, 100)])
def test_fewer_draws_than_k_tell_nothing(n: int, correct: int, k: int) -> None:
    assert pass_at_k(n, correct, k) is None


@pytest.mark.parametrize(("n", "correct", "k", "value"), [(10, 3, 5, 0.9167), (5, 5, 5, 1), (10, 0, 1, 0)])
def test_pass_at_k(n: int, correct: int, k: int, value: float) -> None:
    assert pass_at_k(n, correct, k) == pytest.approx(value, abs=1e-4)


def test_more_right_answers_than_draws_are_refused() -> None:
    with pytest.raises(ValueError, match="make no sense"):
        pass_at_k(2, 3, 1)
