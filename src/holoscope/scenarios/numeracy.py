"""Numeracy: what value has an unknown polynomial at a point, given its values at a hundred others?

A line, a parabola, a plane or a paraboloid with small whole coefficients: the same for everybody (`example`), one drawn
(`standard`), or one drawn for each question, whose points then stand in the question itself (`function`). Nothing is
fetched; the order of the draws is HELM's as long as it had this scenario. The polynomial's terms and coefficients lie
in `Instance.extra`, for the metric that measures how far a wrong answer is from its graph.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Literal, NamedTuple

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    AdapterSpec,
    DataError,
    Files,
    Instance,
    Json,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import metrics

if TYPE_CHECKING:
    from numpy.random import RandomState

Relation = Literal["linear", "parabola", "plane", "paraboloid"]
Mode = Literal["example", "standard", "function"]
Point = tuple[int, ...]
Term = tuple[int, ...]
"""The variables of a product by number, each as often as its power: `(0, 0, 1)` is x²y."""

_NAMES = "xyz"
_POINTS, _FUNCTIONS = 100, 1000
_ATTEMPTS = 100


class Kind(NamedTuple):
    """A family of polynomials, and where they are looked at."""

    degree: int
    variables: int
    coefficients: tuple[tuple[int, int], ...]
    """Least and greatest, by term from the highest degree down."""
    example: tuple[int, ...]
    domain: tuple[int, int]


_KINDS: dict[str, Kind] = {
    "linear": Kind(1, 1, ((1, 5), (1, 5)), (2, 5), (-100, 100)),
    "parabola": Kind(2, 1, ((1, 2), (0, 2), (1, 5)), (1, 0, 2), (0, 200)),
    "plane": Kind(1, 2, ((1, 5), (1, 5), (1, 5)), (2, 1, 5), (-10, 10)),
    "paraboloid": Kind(2, 2, ((1, 2), (0, 1), (1, 2), (0, 0), (0, 0), (1, 5)), (2, 0, 1, 0, 0, 2), (0, 20)),
}


class Polynomial(NamedTuple):
    terms: tuple[Term, ...]
    coefficients: tuple[int, ...]

    def at(self, point: Point) -> int:
        return sum(c * _product(point, term) for c, term in zip(self.coefficients, self.terms, strict=True))

    def __str__(self) -> str:
        parts = [_monomial(c, term) for c, term in zip(self.coefficients, self.terms, strict=True) if c]
        return " + ".join(parts).replace(" + -", " - ")


def sources(relation_type: str, mode: str, seed: int) -> tuple[Source, ...]:
    return ()


def load(files: Files, relation_type: Relation, mode: Mode, seed: int) -> Iterator[Instance]:
    import numpy

    kind, draw, draw_points = _KINDS[relation_type], random.Random(seed), numpy.random.RandomState(seed)
    if mode == "function":
        for _ in range(_FUNCTIONS):
            polynomial = _drawn(kind, draw)
            told, asked = _points(kind, draw_points, 1)
            yield _in_question(relation_type, polynomial, told, asked[0])
        return
    polynomial = Polynomial(_terms(kind), kind.example) if mode == "example" else _drawn(kind, draw)
    for split, points in zip((TRAIN, TEST), _points(kind, draw_points, _POINTS), strict=True):
        for point in points:
            yield _instance(relation_type, polynomial, point, _shown(point), split)


def _instance(relation: str, polynomial: Polynomial, point: Point, asked: str, split: str) -> Instance:
    name = _NAMES[len(point)]
    extra: dict[str, Json] = {
        "point": list(point),
        "terms": [list(term) for term in polynomial.terms],
        "coefficients": list(polynomial.coefficients),
    }
    references = (
        Reference(str(polynomial.at(point)), (CORRECT,)),
        Reference(f"{name} = {polynomial}", ("solution",)),
        Reference(relation, ("class",)),
    )
    return Instance(input=asked, references=references, split=split, extra=extra)


def _in_question(relation: str, polynomial: Polynomial, told: Sequence[Point], asked: Point) -> Instance:
    """A question that brings its own table of points."""
    table = "\n".join(f"{_shown(point)}, {polynomial.at(point)}" for point in told)
    header = ", ".join(_NAMES[: len(asked) + 1])
    return _instance(relation, polynomial, asked, f"{header}\n{table}\n{_shown(asked)}", TEST)


def _points(kind: Kind, draw: "RandomState", asked: int) -> tuple[list[Point], list[Point]]:
    """A hundred points that are told, and others that are asked; of two coordinates the first is never the greater."""
    lowest, highest = kind.domain
    grid = product(range(lowest, highest + 1), repeat=kind.variables)
    points = [point for point in grid if list(point) == sorted(point)]
    told = draw.choice(len(points), _POINTS, replace=False).tolist()
    left = sorted(set(range(len(points))).difference(told))
    return [points[i] for i in told], [points[i] for i in draw.choice(left, asked, replace=False).tolist()]


def _drawn(kind: Kind, draw: random.Random) -> Polynomial:
    """A polynomial of the full degree, in all variables, with a constant."""
    terms = _terms(kind)
    for _ in range(_ATTEMPTS):
        polynomial = Polynomial(terms, tuple(draw.randint(*ends) for ends in kind.coefficients))
        if _is_full(polynomial, kind):
            return polynomial
    raise DataError(f"numeracy: no polynomial of degree {kind.degree} drawn in {_ATTEMPTS} attempts")


def _is_full(polynomial: Polynomial, kind: Kind) -> bool:
    pairs = list(zip(polynomial.coefficients, polynomial.terms, strict=True))
    of_degree = sum(c for c, term in pairs if len(term) == kind.degree)
    of_each = [sum(c for c, term in pairs if set(term) == {variable}) for variable in range(kind.variables)]
    return bool(polynomial.coefficients[-1] and of_degree and all(of_each))


def _terms(kind: Kind) -> tuple[Term, ...]:
    degrees = range(kind.degree, -1, -1)
    return tuple(term for degree in degrees for term in combinations_with_replacement(range(kind.variables), degree))


def _product(point: Point, term: Term) -> int:
    value = 1
    for variable in term:
        value *= point[variable]
    return value


def _monomial(coefficient: int, term: Term) -> str:
    """`2x^2y`, with a coefficient of one left out where a variable stands."""
    powers = ((_NAMES[variable], term.count(variable)) for variable in dict.fromkeys(term))
    shown = "".join(name if power == 1 else f"{name}^{power}" for name, power in powers)
    if shown and abs(coefficient) == 1:
        return shown if coefficient > 0 else f"-{shown}"
    return f"{coefficient}{shown}"


def _shown(point: Point) -> str:
    return ", ".join(map(str, point))


CARD = Scenario(
    name="numeracy",
    title="Numeracy",
    description="Values of an unknown polynomial at a point, given its values at others.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2211.09110",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.numeracy_scenario.NumeracyScenario",
)


def numeracy(
    relation_type: Relation = "linear", mode: Mode = "function", seed: int = 0, run_solver: bool = False
) -> Task:
    in_question = mode == "function"
    header = ", ".join(_NAMES[: _KINDS[relation_type].variables + 1])
    return Task(
        name=f"numeracy:relation_type={relation_type},mode={mode}",
        scenario=ScenarioSpec("numeracy", {"relation_type": relation_type, "mode": mode, "seed": seed}),
        adapter=AdapterSpec(
            instructions="" if in_question else header,
            input_prefix="",
            input_suffix="",
            output_prefix=", ",
            output_suffix="",
            instance_prefix="\n\n" if in_question else "\n",
            max_train_instances=0 if in_question else _POINTS,
            num_outputs=1,
            max_tokens=20,
            temperature=0.0,
            stop_sequences=("\n",),
        ),
        metrics=metrics(
            *("exact_match", "quasi_exact_match", "absolute_value_difference"),
            *(("distance", "percent_valid") if run_solver else ()),
        ),
        groups=("numeracy",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("numeracy")(numeracy)
