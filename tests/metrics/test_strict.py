"""The strict reading of an answer beside the lenient one."""

import pytest

from holoscope.core import AdapterSpec, MetricSpec, Outcome, RunSpec, ScenarioSpec
from holoscope.metrics import applicable
from metrics.made import choice_instance, generated, instance, joint, one


@pytest.mark.parametrize(
    ("said", "lenient", "strict"),
    [(" B", 1, 1), ("B.", 1, 0), ("The answer is B.", 1, 0), ("A", 0, 0), ("No idea", None, 0), ("", 0, 0)],
)
def test_a_letter_alone_or_wherever_it_stands(said: str, lenient: float | None, strict: float) -> None:
    assert one("exact_match", joint(said)).value == lenient
    assert one("strict_exact_match", joint(said)).value == strict


@pytest.mark.parametrize(
    ("said", "lenient", "strict"),
    [("The answer is 5.", 1, 1), ("#### 5", 1, 1), (r"\boxed{5}", 1, 1), ("so 5 remain", 1, 0), ("none", None, 0)],
)
def test_a_marked_number_or_the_last(said: str, lenient: float | None, strict: float) -> None:
    assert one("final_number_exact_match", generated(instance("5"), said)).value == lenient
    assert one("strict_final_number_exact_match", generated(instance("5"), said)).value == strict


def test_what_is_not_in_the_form_says_how_it_was_found() -> None:
    found = one("strict_exact_match", joint("The answer is B."))
    assert (found.outcome, found.rule) == (Outcome.OK, "stated_label")
    assert found.reason == "not in the form that was asked for: stated_label"


def test_the_adapters_expression_is_the_form_that_was_asked_for() -> None:
    assert one("strict_exact_match", joint(">> B"), pattern=r">> ([A-D])").value == 1


def test_without_a_right_reference_there_is_no_strict_score_either() -> None:
    assert one("strict_exact_match", generated(choice_instance(correct=99), "x")).outcome is Outcome.NOT_SUPPORTED


@pytest.mark.parametrize(
    ("method", "metric", "compat", "kept"),
    [
        ("multiple_choice_joint", "exact_match", "", True),
        ("multiple_choice_joint", "exact_match", "helm", False),
        ("generation", "exact_match", "", False),
        ("generation", "final_number_exact_match", "", True),
    ],
)
def test_both_readings_are_kept_where_they_differ(method: str, metric: str, compat: str, kept: bool) -> None:
    spec = RunSpec(
        name="x",
        entry="x",
        scenario=ScenarioSpec("x"),
        adapter=AdapterSpec(method=method),
        metrics=(MetricSpec(metric),),
        compat=compat,
    )
    assert (f"strict_{metric}" in {m.name for m in applicable(spec)}) is kept
