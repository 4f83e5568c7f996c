"""Cost against worth."""

import pytest

from holoscope.core import Measure, UnknownNameError, builtin
from holoscope.report import Grid, grid
from holoscope.report.tradeoff import Spot, tradeoff
from report.grids import run

REGISTRY = builtin()


def table(models: dict[str, tuple[float | None, float]], half: float = 0.02) -> Grid:
    """A grid of model -> (cost, accuracy)."""
    runs = {model: run("gsm", "exact_match", model) for model in models}
    of = {id(each.manifest): models[model] for model, each in runs.items()}

    def measures(manifest: int) -> list[Measure]:
        cost, worth = of[manifest]
        paid = Measure("cost", "efficiency", cost, 9, "test", low=cost, high=cost, reason="the price is not known")
        return [Measure("exact_match", "accuracy", worth, 9, "test", low=worth - half, high=worth + half), paid]

    return grid(runs.values(), REGISTRY, lambda r: measures(id(r.manifest)))


def spots(made: Grid) -> dict[str, Spot]:
    return {spot.model: spot for spot in tradeoff(made, "accuracy").spots}


def test_whom_another_beats_on_both_counts_is_not_on_the_front() -> None:
    found = spots(table({"cheap": (1.0, 0.5), "good": (3.0, 0.9), "poor": (2.0, 0.3)}))
    assert [found[m].is_on_front for m in ("cheap", "good", "poor")] == [True, True, False]
    assert found["poor"].surely_dominated_by == ("cheap",)


def test_within_the_noise_nobody_is_surely_dominated() -> None:
    found = spots(table({"cheap": (1.0, 0.5), "dear": (2.0, 0.49)}))
    assert (found["dear"].is_on_front, found["dear"].surely_dominated_by) == (False, ())


def test_an_unknown_price_is_not_free() -> None:
    found = spots(table({"cheap": (1.0, 0.5), "unpriced": (None, 0.4)}))
    assert found["unpriced"].reason == "no cost: the price is not known"
    assert found["unpriced"].cost is None
    assert found["cheap"].is_on_front


def test_the_picture_says_what_it_is_over() -> None:
    found = tradeoff(table({"cheap": (1.0, 0.5)}), "accuracy")
    assert (found.scenarios, found.unit, found.lower_is_better) == (("gsm",), " USD", False)


def test_where_the_axis_is_better_low_the_front_turns_round() -> None:
    runs = [run("gsm", "exact_match", model) for model in ("a", "b")]

    def measures(first: bool) -> list[Measure]:
        error = 0.1 if first else 0.4
        return [
            Measure("ece_10_bin", "calibration", error, 9, "test", low=error - 0.01, high=error + 0.01),
            Measure("request_time", "efficiency", 1.0, 9, "test", low=1.0, high=1.0),
        ]

    made = grid(runs, REGISTRY, lambda r: measures(r.manifest is runs[0].manifest))
    found = {spot.model: spot for spot in tradeoff(made, "calibration", "request_time").spots}
    assert found["b"].surely_dominated_by == ("a",)


@pytest.mark.parametrize(("axis", "against"), [("acuracy", "cost"), ("accuracy", "costs")])
def test_a_mistyped_name_suggests_the_nearest(axis: str, against: str) -> None:
    with pytest.raises(UnknownNameError, match="did you mean"):
        tradeoff(table({"a": (1.0, 0.5)}), axis, against)


def test_an_empty_grid_has_an_empty_picture() -> None:
    assert tradeoff(grid([], REGISTRY, lambda _: []), "accuracy").spots == ()
