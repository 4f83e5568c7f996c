"""Fronts: what is drawn by the estimates, and what is sure."""

import numpy as np
import pytest

from holoscope.stats import Point, pareto


def test_a_point_below_another_is_not_on_the_front() -> None:
    found = pareto([Point(1, 1), Point(2, 2), Point(3, 0)])
    assert [each.on_front for each in found] == [False, True, True]


def test_without_noise_what_is_below_is_surely_dominated() -> None:
    found = pareto([Point(1, 1), Point(1, 2)])
    assert [each.surely_dominated_by for each in found] == [(1,), ()]


def test_within_the_noise_nothing_is_sure() -> None:
    found = pareto([Point(-1, 0.50, y_error=0.05), Point(-0.5, 0.55, y_error=0.05)])
    assert [each.on_front for each in found] == [False, True]
    assert found[0].surely_dominated_by == ()


def test_beyond_the_noise_it_is() -> None:
    found = pareto([Point(-1, 0.50, y_error=0.02), Point(-0.5, 0.70, y_error=0.02)])
    assert found[0].surely_dominated_by == (1,)


def test_equal_points_do_not_dominate_each_other() -> None:
    found = pareto([Point(1, 1), Point(1, 1)])
    assert all(each.on_front and not each.surely_dominated_by for each in found)


@pytest.mark.parametrize("points", [[], [Point(0, 0)]])
def test_few_points_are_all_on_the_front(points: list[Point]) -> None:
    assert all(each.on_front for each in pareto(points))


def test_equally_good_models_are_rarely_called_dominated() -> None:
    rng = np.random.default_rng(1)

    def wrong() -> bool:
        seen = rng.normal(0.5, 0.03, (12, 2))
        return any(each.surely_dominated_by for each in pareto([Point(x, y, 0.03, 0.03) for x, y in seen.tolist()]))

    assert np.mean([wrong() for _ in range(300)]) <= 0.05


def test_a_dominated_model_is_found() -> None:
    rng = np.random.default_rng(2)
    truth = np.array([[0.5, 0.5], [0.7, 0.7], [0.9, 0.3]])

    def found() -> bool:
        seen = rng.normal(truth, 0.03)
        return bool(pareto([Point(x, y, 0.03, 0.03) for x, y in seen.tolist()])[0].surely_dominated_by)

    assert np.mean([found() for _ in range(200)]) >= 0.9
