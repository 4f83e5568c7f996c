"""What is registered: the seven axes, the metrics that fill them, and which a run gets."""

import subprocess
import sys

import pytest

from holoscope.core import AdapterSpec, MetricSpec, RunSpec, ScenarioSpec
from holoscope.metrics import TIMED_METRICS, applicable, implied
from metrics.made import registry

FOUR = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")


def spec(method: str, *metrics: str, compat: str = "", pattern: str | None = None) -> RunSpec:
    return RunSpec(
        name="x",
        entry="x",
        scenario=ScenarioSpec("x"),
        adapter=AdapterSpec(method=method, output_mapping_pattern=pattern),
        metrics=tuple(map(MetricSpec, metrics)),
        compat=compat,
    )


def names(specs: tuple[MetricSpec, ...]) -> list[str]:
    return [m.name for m in specs]


def test_the_seven_axes() -> None:
    axes = registry().axes
    assert list(axes) == ["accuracy", "calibration", "robustness", "fairness", "bias", "toxicity", "efficiency"]
    assert all(axis.empty_reason for axis in axes.values())


def test_empty_axes_say_what_to_type() -> None:
    axes = registry().axes
    assert "data_augmentation=canonical" in axes.get("robustness").empty_reason
    assert "data_augmentation=canonical" in axes.get("fairness").empty_reason


def test_every_card_is_filed_under_its_name_and_axis() -> None:
    books = registry()
    for name in books.metrics:
        card = books.metrics.get(name)
        assert card.name == name
        assert card.axis in books.axes or card.axis == "general"
        assert card.version == ("helm-0.5.16" if name.endswith("@helm") else "1")


def test_each_helm_definition_has_ours_beside_it() -> None:
    books = registry()
    ours = {*books.metrics, *books.set_metrics}
    assert all(name.removesuffix("@helm") in ours for name in books.metrics)


def test_timed_metrics_are_metrics() -> None:
    assert all(name in registry().metrics for name in TIMED_METRICS)


@pytest.mark.parametrize(
    "method",
    ["generation", "multiple_choice_joint", "multiple_choice_separate_original", "language_modeling", "ranking_binary"],
)
def test_everything_implied_is_registered(method: str) -> None:
    books = registry()
    found = implied(spec(method, *FOUR))
    assert all(m.name in books.metrics or m.name in books.set_metrics for m in found)
    assert {"request_time", "cost", "training"} <= {m.name for m in found}


def test_own_metrics_come_first_and_once() -> None:
    found = names(applicable(spec("multiple_choice_joint", *FOUR)))
    assert tuple(found[:4]) == FOUR
    assert len(found) == len(set(found))
    assert {"max_prob", "calibration"} <= set(found)


def test_separate_multiple_choice_reads_no_text() -> None:
    found = names(applicable(spec("multiple_choice_separate_original", *FOUR)))
    assert found[:4] == ["exact_match", "predicted_index", "max_prob", "calibration"]
    assert not set(FOUR[1:]) & set(found)


def test_calibration_needs_exact_match() -> None:
    assert "calibration" not in names(applicable(spec("generation", "final_number_exact_match")))


def test_language_modelling_has_bits_per_byte() -> None:
    assert "bits_per_byte" in names(applicable(spec("language_modeling")))


def test_prices_reach_the_cost() -> None:
    found = {m.name: m.args for m in implied(spec("generation"), prices={"input": 1.0, "output": 2.0})}
    assert found["cost"] == {"input": 1.0, "output": 2.0}


def test_the_adapters_expression_reaches_the_metrics_that_look_for_answers() -> None:
    found = {m.name: m.args for m in applicable(spec("generation", "exact_match", pattern="is (.)"))}
    assert found["exact_match"] == {"pattern": "is (.)"}
    assert found["max_prob"] == {}


def test_importing_metrics_is_light() -> None:
    code = "import sys, holoscope.metrics; print([m for m in ('numpy', 'scipy', 'nltk') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
