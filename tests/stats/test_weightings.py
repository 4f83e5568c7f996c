"""What a ranking owes to its weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.stats import share_ahead, weighted

UNIT = st.floats(0, 1, allow_nan=False)


def test_two_axes_give_the_share_of_the_segment() -> None:
    assert share_ahead([1.0, 0.0], [0.0, 0.25]) == pytest.approx(0.8), "ahead while w > (1 - w) / 4"


@pytest.mark.parametrize("axes", [2, 3, 5, 7])
def test_the_share_is_what_drawn_weightings_show(axes: int) -> None:
    rng = np.random.default_rng(axes)
    weights = rng.dirichlet(np.ones(axes), 40_000)
    for _ in range(5):
        first, second = rng.random(axes), rng.random(axes)
        drawn = float((weights @ (first - second) > 0).mean())
        assert share_ahead(first.tolist(), second.tolist()) == pytest.approx(drawn, abs=0.012)


def test_better_on_every_axis_needs_no_weights() -> None:
    assert share_ahead([0.9, 0.8, 0.7], [0.5, 0.8, 0.6]) == 1.0
    assert share_ahead([0.5, 0.8, 0.6], [0.9, 0.8, 0.7]) == 0.0


def test_equal_models_are_never_ahead() -> None:
    assert share_ahead([0.5, 0.5], [0.5, 0.5]) == 0.0


def test_an_axis_on_which_both_are_level_changes_nothing() -> None:
    assert share_ahead([1.0, 0.3, 0.0], [0.0, 0.3, 0.25]) == pytest.approx(share_ahead([1.0, 0.0], [0.0, 0.25]))


@given(st.lists(st.tuples(UNIT, UNIT), min_size=1, max_size=6))
def test_the_two_shares_of_a_pair_that_differs_make_one(pairs: list[tuple[float, float]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    total = share_ahead(first, second) + share_ahead(second, first)
    assert total == pytest.approx(0.0 if first == second else 1.0)


def test_weights_need_not_sum_to_one() -> None:
    assert weighted([0.5, 1.0], [1, 3]).value == pytest.approx(0.875)


def test_a_lacking_axis_leaves_no_aggregate_unless_it_carries_no_weight() -> None:
    assert weighted([0.5, None, None], [1, 1, 0]) == (None, (1,))
    assert weighted([0.5, None], [1, 0]).value == 0.5


@pytest.mark.parametrize("weights", [[0.0, 0.0], [1.0, -1.0], [1.0]])
def test_weights_that_weigh_nothing_are_refused(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="weights"):
        weighted([0.5, 0.5], weights)
