"""Standings and comparisons as figures take them."""

from pathlib import Path

from holoscope.report import evidence
from holoscope.report.comparison import compare
from holoscope.report.standing import standings
from holoscope.report.tradeoff import tradeoff
from holoscope.store import scan
from report.evidence.runs import REGISTRY, Answer, Made, measure, write

EXACT = "exact_match"


def of(model: str, scenario: str, value: float, seconds: float | None = None) -> Made:
    found = [measure(EXACT, "accuracy", value, low=value - 0.1, high=value + 0.1)]
    if seconds is not None:
        found.append(measure("request_time", "efficiency", seconds, low=seconds * 0.9, high=seconds * 1.1))
    return Made(model, scenario, measures=found)


def test_a_profile_is_over_the_scenarios_that_all_models_share(tmp_path: Path) -> None:
    made = write(tmp_path, of("a", "gsm", 0.4), of("a", "math", 0.8), of("b", "gsm", 0.6))
    first, second = evidence.overall(standings(made))
    assert (first.name, second.name) == ("a", "b")
    assert (first.spots["accuracy"].place, second.spots["accuracy"].place) == (0.4, 0.6)


def test_a_profile_of_several_scenarios_says_how_many(tmp_path: Path) -> None:
    made = write(tmp_path, of("a", "gsm", 0.4), of("a", "math", 0.8))
    (only,) = evidence.overall(standings(made))
    assert "mean of 2 scenarios" in only.spots["accuracy"].label
    assert "bias" not in only.spots


def test_ranks_are_shared_by_equals_and_missing_without_a_value(tmp_path: Path) -> None:
    made = write(tmp_path, of("a", "gsm", 0.4), of("b", "gsm", 0.8), of("c", "gsm", 0.8), Made("d", "gsm"))
    ranks = evidence.ranks(standings(made))["accuracy ↑"]
    assert [(r.model, r.rank) for r in ranks] == [("a", 3), ("b", 1.5), ("c", 1.5), ("d", None)]
    assert ranks[0].worst == 3
    assert ranks[3].value.reason


def test_where_less_is_better_the_least_is_first(tmp_path: Path) -> None:
    made = write(tmp_path, of("a", "gsm", 0.4, seconds=2.0), of("b", "gsm", 0.8, seconds=1.0))
    ranks = evidence.ranks(standings(made))["efficiency ↓"]
    assert [r.rank for r in ranks] == [2, 1]
    assert ranks[0].value.unit == " s"


def test_points_carry_their_intervals_and_the_front(tmp_path: Path) -> None:
    made = write(tmp_path, of("a", "gsm", 0.4, seconds=2.0), of("b", "gsm", 0.8, seconds=1.0), of("c", "gsm", 0.9))
    points = {p.model: p for p in evidence.points(tradeoff(made, "accuracy", "request_time"))}
    assert points["b"].is_on_front
    assert not points["a"].is_on_front
    assert points["c"].x.value is None
    assert points["a"].y.low is not None


def test_a_comparison_becomes_differences_and_four_ways_with_links(tmp_path: Path) -> None:
    right = {"a": (1, 1, 1, 0), "b": (1, 0, 0, 0)}
    for model, values in right.items():
        answers = [Answer({EXACT: float(v)}) for v in values * 10]
        write(tmp_path, Made(model, "gsm", answers, [measure(EXACT, "accuracy", sum(values) / 4)]))
    runs = scan(tmp_path, "mine").runs
    a, b = ([run for run in runs if run.manifest.model.name == model] for model in "ab")
    found = compare(a, b, REGISTRY, names=("a", "b"))
    (difference,) = evidence.differences(found, "accuracy", lambda pair, _, way: f"/{pair.scenario}/{way}")
    (ways,) = evidence.four_ways(found, "accuracy", lambda pair, _, way: f"/{pair.scenario}/{way}")
    assert (difference.value.value, difference.value.n, difference.link) == (0.5, 40, "/gsm/")
    assert difference.detectable is not None
    assert ways.counts == (10, 20, 0, 10)
    assert ways.links == ("/gsm/both", "/gsm/only_a", "/gsm/only_b", "/gsm/neither")
