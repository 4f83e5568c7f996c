"""How far an answer's point is from the graph that was asked for."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from holoscope.core import CORRECT, Instance, Outcome, Reference
from holoscope.metrics.distances import Graph, least_distance
from metrics.made import generated, instance, one

LINE = {"terms": [[0], []], "coefficients": [3, 1]}
PARABOLA = {"terms": [[0, 0], [0], []], "coefficients": [1, 0, 0]}


def asked(point: list[int], right: str, **polynomial: Any) -> Instance:
    extra = {"point": point, **polynomial}
    return Instance(id="id0", input="?", references=(Reference(right, (CORRECT,)),), extra=extra)


def brute(graph: Graph, point: list[float], value: float) -> float:
    """The least over a grid, refined around the best place."""
    centre, width = np.array(point, float), 60.0
    for _ in range(12):
        steps = np.linspace(-width, width, 41)
        places = [centre + np.array(offset) for offset in product(steps, repeat=len(point))]
        centre = min(places, key=lambda x: float(np.sum((x - point) ** 2) + (graph.at(x) - value) ** 2))
        width /= 8
    return float(np.sqrt(np.sum((centre - point) ** 2) + (graph.at(centre) - value) ** 2))


def test_a_right_answer_lies_on_the_graph() -> None:
    found = one("distance", generated(asked([2], "7", **LINE), "7"))
    assert found.value == pytest.approx(0.0)
    assert found.answer == "7"


def test_the_distance_from_a_line_is_measured_across_it() -> None:
    assert one("distance", generated(asked([2], "7", **LINE), " 17 ")).value == pytest.approx(10 / 10**0.5)


def test_above_a_bowls_bottom_the_sides_are_nearest() -> None:
    found = one("distance", generated(asked([0], "0", **PARABOLA), "2"))
    assert found.value == pytest.approx((2 - 1 / 4) ** 0.5)  # x² = 2 - 1/2 is nearest: 3/2 + 1/4


def test_below_a_bowls_bottom_it_is_nearest() -> None:
    assert one("distance", generated(asked([0], "0", **PARABOLA), "-3")).value == pytest.approx(3.0)


@pytest.mark.parametrize("point", [[0.0, 0.0], [1.0, 2.0], [0.0, 4.0]])
@pytest.mark.parametrize("value", [-5.0, 40.0])
@pytest.mark.parametrize("square", [[[1.0, 0.0], [0.0, 1.0]], [[2.0, 0.5], [0.5, 1.0]], [[1.0, 0.5], [0.5, 2.0]]])
def test_a_paraboloids_distance_is_the_least_there_is(
    point: list[float], value: float, square: list[list[float]]
) -> None:
    graph = Graph(2.0, np.zeros(2), np.array(square))
    assert least_distance(graph, point, value) == pytest.approx(brute(graph, point, value), abs=2e-3)


def test_a_parabola_may_lean() -> None:
    graph = Graph(1.0, np.array([2.0]), np.array([[1.5]]))
    assert least_distance(graph, [4.0], 10.0) == pytest.approx(brute(graph, [4.0], 10.0), abs=2e-3)


def test_an_answer_without_a_number_has_no_distance() -> None:
    found = one("distance", generated(asked([2], "7", **LINE), "no idea"))
    assert (found.value, found.outcome) == (None, Outcome.UNGRADABLE)


def test_an_instance_without_a_polynomial_has_none_either() -> None:
    assert one("distance", generated(instance("7"), "7")).outcome is Outcome.NOT_SUPPORTED


def test_whole_numbers_are_valid_with_commas_too() -> None:
    assert one("percent_valid", generated(asked([2], "7", **LINE), "1,007", "-3", "3.5", "x")).value == 0.5
