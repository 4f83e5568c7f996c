"""Which scenarios may be averaged."""

import pytest

from holoscope.core import Axis
from holoscope.report.averages import Mean, Panel, mean, panel

ACCURACY = Axis(
    name="accuracy",
    title="Accuracy",
    lower_is_better=False,
    chance=0.0,
    ceiling=1.0,
    metrics=(),
    empty_reason="",
    scales={"bits_per_byte": (8.0, 0.0)},
)
EFFICIENCY = Axis(
    name="efficiency",
    title="Efficiency",
    lower_is_better=True,
    chance=None,
    ceiling=None,
    metrics=(),
    empty_reason="",
    scales={"request_time": (10.0, 0.0)},
)
DOWN = {"bits_per_byte", "request_time", "cost"}


def of(axis: Axis, **scenarios: dict[str, str]) -> Panel:
    models = list(dict.fromkeys(model for own in scenarios.values() for model in own))
    return panel(axis, scenarios, models, DOWN)


def test_shares_of_different_things_are_averaged() -> None:
    found = of(ACCURACY, gsm={"a": "exact_match", "b": "exact_match"}, qa={"a": "f1_score", "b": "f1_score"})
    assert found == Panel(("gsm", "qa"), ("a", "b"), {})


def test_a_scenario_that_a_model_lacks_is_left_out_and_says_whose() -> None:
    found = of(ACCURACY, gsm={"a": "em", "b": "em"}, qa={"b": "f1"})
    assert (found.scenarios, found.left_out) == (("gsm",), {"qa": "not measured for a"})


def test_a_metric_against_the_axis_is_left_out() -> None:
    found = of(ACCURACY, gsm={"a": "em"}, ice={"a": "bits_per_byte"})
    assert found.scenarios == ("gsm",)
    assert found.left_out == {"ice": "bits_per_byte is in other units"}


def test_without_a_scale_a_metric_goes_alone_and_the_commonest_is_taken() -> None:
    found = of(EFFICIENCY, one={"a": "request_time"}, two={"a": "request_time"}, three={"a": "cost"})
    assert found.scenarios == ("one", "two")
    assert found.left_out == {"three": "cost is in other units"}


def test_models_of_different_metrics_are_not_averaged() -> None:
    found = of(EFFICIENCY, one={"a": "request_time", "b": "cost"})
    assert (found.scenarios, found.models) == ((), ())
    assert found.left_out == {"one": "models have different metrics there: request_time, cost"}


def test_a_model_that_has_nothing_takes_nothing_from_the_others() -> None:
    found = panel(ACCURACY, {"gsm": {"a": "em", "b": "em"}}, ["a", "b", "c"], DOWN)
    assert (found.scenarios, found.models) == (("gsm",), ("a", "b"))


def test_many_that_lack_a_scenario_are_counted() -> None:
    table = {"gsm": {"a": "em"}, "qa": dict.fromkeys("abcdef", "em")}
    assert panel(ACCURACY, table, list("abcdef"), DOWN).left_out == {"gsm": "not measured for b, c, d and 2 more"}


def test_no_scenario_is_no_panel() -> None:
    assert panel(ACCURACY, {}, ["a"], DOWN) == Panel((), (), {})


def test_a_mean_has_an_interval_where_all_parts_have() -> None:
    assert mean([Mean(0.5, 0.4, 0.6), Mean(0.7, 0.6, 0.8)]).low == pytest.approx(0.6 - 0.02**0.5 / 2)
    unsure = mean([Mean(0.5, 0.4, 0.6), Mean(0.7, None, None)])
    assert unsure.value == pytest.approx(0.6)
    assert (unsure.low, unsure.high) == (None, None)
