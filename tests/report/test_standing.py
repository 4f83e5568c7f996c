"""Leaderboard numbers: means over what is shared, places that hold, and what is left out."""

from pathlib import Path

import pytest

from holoscope.core import Measure, builtin
from holoscope.report import Grid, grid
from holoscope.report.ranking import stored_scores
from holoscope.report.standing import AxisStanding, Entry, standings, win_rates
from holoscope.store import StoredRun
from report.comparing import stored
from report.grids import registry, run

REGISTRY = builtin()


def cell(value: float | None, half: float = 0.05, metric: str = "exact_match", axis: str = "accuracy") -> Measure:
    if value is None:
        return Measure(metric, axis, None, 0, "test", reason="no rule found it")
    return Measure(metric, axis, value, 100, "test", low=value - half, high=value + half)


def table(scores: dict[str, dict[str, float | None]], half: float = 0.05) -> Grid:
    """A grid of model -> scenario -> accuracy."""
    runs = {(m, s): run(s, "exact_match", m) for m, own in scores.items() for s in own}
    named = {id(each.manifest): (m, s) for (m, s), each in runs.items()}

    def measures(each: StoredRun) -> list[Measure]:
        model, scenario = named[id(each.manifest)]
        return [cell(scores[model][scenario], half)]

    return grid(runs.values(), REGISTRY, measures)


def accuracy(made: Grid, **options: object) -> AxisStanding:
    return next(each for each in standings(made, **options) if each.axis == "accuracy")  # type: ignore[arg-type]


def entry(standing: AxisStanding, model: str) -> Entry:
    return next(each for each in standing.entries if each.model == model)


def test_a_value_is_the_mean_over_the_scenarios_that_all_share() -> None:
    found = accuracy(table({"a": {"gsm": 0.5, "law": 0.7, "qa": 0.9}, "b": {"gsm": 0.4, "law": 0.2}}))
    assert found.scenarios == ("gsm", "law")
    assert found.left_out == {"qa": "not measured for b"}
    assert entry(found, "a").value == pytest.approx(0.6)
    assert entry(found, "b").n == 200


def test_the_interval_of_a_mean_joins_those_of_its_scenarios() -> None:
    own = entry(accuracy(table({"a": {"gsm": 0.5, "law": 0.7}})), "a")
    assert own.low == pytest.approx(0.6 - 0.05 * 2**0.5 / 2)


def test_places_are_single_where_models_are_far_apart_and_wide_where_not() -> None:
    scores: dict[str, dict[str, float | None]] = {
        "a": {"gsm": 0.9, "law": 0.9},
        "b": {"gsm": 0.5, "law": 0.52},
        "c": {"gsm": 0.51, "law": 0.5},
    }
    found = accuracy(table(scores))
    assert [(e.model, e.best, e.worst) for e in found.entries] == [("a", 1, 1), ("b", 2, 3), ("c", 2, 3)]
    assert found.surely_better == (("a", "b"), ("a", "c"))


def test_a_missing_interval_leaves_every_place_open() -> None:
    runs = [run("gsm", "exact_match", model) for model in ("a", "b")]
    made = grid(runs, REGISTRY, lambda r: [Measure("exact_match", "accuracy", 0.1 if r is runs[0] else 0.9, 9, "test")])
    assert [(e.low, e.best, e.worst) for e in accuracy(made).entries] == [(None, 1, 2), (None, 1, 2)]


def test_a_model_without_a_value_says_why_and_takes_no_scenario_from_the_others() -> None:
    found = accuracy(table({"a": {"gsm": 0.5}, "b": {"gsm": None}, "c": {"gsm": 0.7}}))
    assert found.scenarios == ("gsm",)
    assert (entry(found, "b").value, entry(found, "b").reason) == (None, "no rule found it")
    assert entry(found, "b").best is None
    assert entry(found, "a").worst == 2


def test_models_without_a_common_scenario_are_not_compared() -> None:
    found = accuracy(table({"a": {"gsm": 0.5}, "b": {"law": 0.6}}))
    assert found.scenarios == ()
    assert entry(found, "a").reason == "no scenario is shared by all models: not measured for b"


def test_only_the_models_asked_for_are_shown_and_decide_what_is_shared() -> None:
    made = table({"a": {"gsm": 0.5, "law": 0.7}, "b": {"gsm": 0.4, "law": 0.6}, "c": {"law": 0.2}})
    found = accuracy(made, models=["b", "a"])
    assert [each.model for each in found.entries] == ["b", "a"]
    assert found.scenarios == ("gsm", "law")


def test_where_less_is_better_the_lowest_is_first() -> None:
    runs = {model: run("gsm", "exact_match", model) for model in ("a", "b")}
    values = {id(runs["a"].manifest): 0.3, id(runs["b"].manifest): 0.1}
    made = grid(
        runs.values(),
        REGISTRY,
        lambda r: [cell(values[id(r.manifest)], 0.01, "ece_10_bin", "calibration")],
    )
    found = next(each for each in standings(made) if each.axis == "calibration")
    assert [(e.model, e.best) for e in found.entries] == [("a", 2), ("b", 1)]
    assert entry(found, "b").place == pytest.approx(0.8), "0.5 is chance, 0 the best"


def test_paired_instances_tell_apart_what_published_intervals_do_not(tmp_path: Path) -> None:
    hard = [k % 2 == 0 for k in range(200)]
    runs = [
        stored(tmp_path, "a", [float(h or k > 170) for k, h in enumerate(hard)]),
        stored(tmp_path, "b", [float(h) for h in hard]),
    ]
    made = grid(runs, REGISTRY)
    scores = stored_scores(runs, made.lower_is_better)
    unpaired, paired = accuracy(made), accuracy(made, scores=scores)
    assert [e.worst for e in unpaired.entries] == [2, 2]
    assert [e.worst for e in paired.entries] == [1, 2]
    assert (unpaired.paired, paired.paired) == ((), ("mmlu",))


def test_instances_that_a_model_lacks_are_left_out_of_the_pairs(tmp_path: Path) -> None:
    a = {f"id{k}": 1.0 for k in range(60)}
    runs = [stored(tmp_path, "a", a), stored(tmp_path, "b", dict.fromkeys([*a][::-1][:40], 0.0))]
    made = grid(runs, REGISTRY)
    found = accuracy(made, scores=stored_scores(runs, made.lower_is_better))
    assert (found.paired, [e.best for e in found.entries]) == (("mmlu",), [1, 2])


def test_two_conditions_of_one_scenario_stay_apart() -> None:
    runs = [run("gsm", "exact_match", model, name=f"gsm:k={k},model={model}") for model in ("a", "b") for k in (0, 5)]
    made = grid(runs, REGISTRY, lambda _: [cell(0.5)])
    assert accuracy(made).scenarios == ("gsm k=0", "gsm k=5")


def test_a_win_rate_names_its_panel() -> None:
    made = table({"a": {"gsm": 0.9, "law": 0.5, "qa": 0.1}, "b": {"gsm": 0.5, "law": 0.6}, "c": {"gsm": 0.1}})
    found = win_rates(made, "accuracy")
    assert found.scenarios == ("gsm", "law")
    assert found.rates == {"a": 0.5, "b": 0.75, "c": 0.0}


def test_a_win_rate_of_one_model_is_none() -> None:
    found = win_rates(table({"a": {"gsm": 0.9}}), "accuracy")
    assert (found.rates, found.scenarios) == ({"a": None}, ())


def test_an_empty_grid_has_empty_standings() -> None:
    found = standings(grid([], registry(), lambda _: []))
    assert [each.axis for each in found][:2] == ["accuracy", "calibration"]
    assert all(not each.entries for each in found)


def test_fifty_models_on_forty_scenarios_all_have_places() -> None:
    made = table({f"m{m}": {f"s{s}": 0.3 + m / 100 for s in range(40)} for m in range(50)})
    found = accuracy(made)
    assert len(found.scenarios) == 40
    assert entry(found, "m49").best == 1
    assert entry(found, "m0").worst == 50
    assert all(e.best is not None and e.worst is not None and e.best <= e.worst for e in found.entries)
