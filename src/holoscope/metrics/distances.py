"""How far a wrong value is from the graph of the polynomial that was asked for, and whether the answer is a number.

`distance` is the least distance in the plane or in space between the point that an answer stands for and the graph: an
answer that is off by ten where the graph is steep is nearer than one where it is flat. The instance's `extra` holds the
point and the polynomial (`point`, `terms`, `coefficients`), of degree two at most.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from holoscope.core import Instance, Metric, Outcome, Score, Trial
from holoscope.metrics.answers import answer, moved
from holoscope.metrics.extract import find_number, parse_number
from holoscope.metrics.separate import is_separate
from holoscope.metrics.written import written

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DISTANCE, VALID = "distance", "percent_valid"
_NO_GRAPH = "the instance holds no polynomial"
_TOLERANCE = 1e-9


class Graph(NamedTuple):
    """z = constant + linear·x + x·square·x."""

    constant: float
    linear: "Floats"
    square: "Floats"

    def at(self, x: "Floats") -> float:
        return float(self.constant + self.linear @ x + x @ self.square @ x)


def distance(trial: Trial) -> Score:
    """Least distance between the answer's point and the graph; ungradable without a number in the answer."""
    graph = None if is_separate(trial) else _graph(trial.instance)
    if graph is None:
        return Score(DISTANCE, None, Outcome.NOT_SUPPORTED, _NO_GRAPH)
    given = answer(trial)
    found = find_number(given.text)
    value = parse_number(found.answer) if found.answer else None
    if value is None:
        return Score(DISTANCE, None, Outcome.UNGRADABLE, found.reason or "the answer holds no number", rule=found.rule)
    point = cast("list[int]", trial.instance.extra["point"])
    span = moved(found.span, given.start)
    return Score(DISTANCE, least_distance(graph, point, float(value)), rule=found.rule, span=span, answer=found.answer)


def percent_valid(trial: Trial) -> Score:
    """Share of the completions that are a whole number and nothing else, commas aside."""
    texts = written(trial)
    if not texts:
        return Score(VALID, None, Outcome.NOT_SUPPORTED, "the run generates no text")
    valid = [_is_whole(text.replace(",", "").strip()) for text in texts]
    return Score(VALID, sum(valid) / len(valid), rule="whole_text")


def least_distance(graph: Graph, point: Sequence[float], value: float) -> float:
    """Distance of (point, value) from the graph.

    Where the graph is nearest, the way to it stands on it at a right angle: x = point - t·slope(x), with t the
    difference in height there. In the axes of the quadratic part this is one equation for t.
    """
    import numpy as np

    start = np.array(point, float)
    if not graph.square.any():
        return float(abs(graph.at(start) - value) / np.sqrt(1 + graph.linear @ graph.linear))
    curves, axes = np.linalg.eigh(graph.square)
    centre = -np.linalg.pinv(graph.square) @ graph.linear / 2
    own, lowest = axes.T @ (start - centre), graph.at(centre)
    candidates = [own / (1 + 2 * t * curves) for t in _heights(curves, own, lowest - value)]
    candidates += _across(curves, own, lowest - value)
    there = [(u, lowest + float(curves @ u**2) - value) for u in candidates]
    return float(min(np.sqrt(np.sum((u - own) ** 2) + height**2) for u, height in there))


def _heights(curves: "Floats", own: "Floats", below: float) -> "Floats":
    """Real t with below + Σ curve·(own / (1 + 2t·curve))² = t, and t = 0 for an answer that lies on the graph."""
    import numpy as np
    from numpy.polynomial import polynomial

    factors = [np.array([1.0, 2 * curve]) for curve in curves]
    whole = np.array([1.0])
    for factor in factors:
        whole = polynomial.polymul(whole, polynomial.polymul(factor, factor))
    equation = polynomial.polymul(np.array([below, -1.0]), whole)
    for index, (curve, along) in enumerate(zip(curves, own, strict=True)):
        others = np.array([curve * along**2])
        for factor in (*factors[:index], *factors[index + 1 :]):
            others = polynomial.polymul(others, polynomial.polymul(factor, factor))
        equation = polynomial.polyadd(equation, others)
    roots = polynomial.polyroots(equation)
    real = roots.real[abs(roots.imag) < 1e-6 * (1 + abs(roots.real))]
    return np.array([t for t in real if np.all(abs(1 + 2 * t * curves) > _TOLERANCE)] or [0.0])


def _across(curves: "Floats", own: "Floats", below: float) -> list["Floats"]:
    """Nearest points off an axis of symmetry that the answer's point lies on: the inner side of a bowl."""
    import numpy as np

    found = []
    for index, curve in enumerate(curves):
        if abs(own[index]) > _TOLERANCE or abs(curve) < _TOLERANCE:
            continue
        t = -1 / (2 * curve)
        rest = 1 + 2 * t * curves
        u = np.divide(own, rest, out=np.zeros_like(own), where=abs(rest) > _TOLERANCE)
        squared = (t - below - float(curves @ u**2)) / curve
        if squared >= 0:
            u[index] = np.sqrt(squared)
            found.append(u)
    return found


def _graph(instance: Instance) -> Graph | None:
    import numpy as np

    if not {"point", "terms", "coefficients"} <= instance.extra.keys():
        return None
    terms = cast("list[list[int]]", instance.extra["terms"])
    coefficients = cast("list[float]", instance.extra["coefficients"])
    size = len(cast("list[int]", instance.extra["point"]))
    constant, linear, square = 0.0, np.zeros(size), np.zeros((size, size))
    for coefficient, term in zip(coefficients, terms, strict=True):
        if not term:
            constant += coefficient
        elif len(term) == 1:
            linear[term[0]] += coefficient
        else:
            square[term[0], term[1]] += coefficient / 2
            square[term[1], term[0]] += coefficient / 2
    return Graph(constant, linear, square)


def _is_whole(text: str) -> bool:
    digits = text.removeprefix("-").removeprefix("+")
    return digits.isascii() and digits.isdigit()


def cards() -> Sequence[Metric]:
    return [
        Metric(
            name=DISTANCE,
            version="1",
            axis="accuracy",
            title="Distance from the graph",
            lower_is_better=True,
            ends=(0.0, None),
            score=distance,
        ),
        Metric(
            name=VALID,
            version="1",
            axis="accuracy",
            title="Answers that are a number",
            ends=(0.0, 1.0),
            score=percent_valid,
        ),
    ]
