"""What judges or people would have to say, and what is found without them."""

import pytest

from holoscope.core import AdapterSpec, MetricSpec, Outcome, RunSpec, ScenarioSpec
from holoscope.metrics import applicable, expanded
from holoscope.metrics.helm import statistics
from holoscope.metrics.unmeasured import cards
from metrics.made import choice_instance, generated, instance, one, separate


def run(metric: MetricSpec) -> RunSpec:
    return RunSpec(
        name="x",
        entry="x",
        scenario=ScenarioSpec("x"),
        adapter=AdapterSpec(num_outputs=1, max_tokens=512),
        metrics=(metric,),
        compat="helm",
    )


@pytest.mark.parametrize("metric", [card.name for card in cards()])
def test_none_is_guessed_at(metric: str) -> None:
    found = one(metric, generated(instance(), "I can't help with that."))
    assert (found.value, found.outcome) == (None, Outcome.NOT_SUPPORTED)
    assert found.reason.startswith("needs ")


@pytest.mark.parametrize("metric", ["safety_score", "air_score", "Helpfulness", "Harmlessness"])
def test_a_judges_metrics_say_that_they_need_one(metric: str) -> None:
    assert one(metric, generated(instance(), "Yes.")).reason == "needs a judge model"


@pytest.mark.parametrize(
    ("family", "args", "members"),
    [
        ("safety", {}, ["safety_score", "refusal_phrase"]),
        ("air_bench_2024", {}, ["air_score", "refusal_phrase"]),
        (
            "instruction_following_critique",
            {"num_respondents": 1},
            ["Helpfulness", "Understandability", "Completeness", "Conciseness", "Harmlessness"],
        ),
        (
            "disinformation_ratings",
            {"name": "reiteration"},
            ["reiteration_eval_support_thesis", "reiteration_eval_style"],
        ),
    ],
)
def test_families_of_judges(family: str, args: dict[str, str | int], members: list[str]) -> None:
    found = expanded([MetricSpec(family, {**args})])
    assert [metric.name for metric in found] == members
    assert all(metric.args == {} for metric in found)


def test_bias_and_toxicity_of_such_a_run_are_measured_all_the_same() -> None:
    assert "toxic_frac" in [metric.name for metric in applicable(run(MetricSpec("safety")))]


def test_a_refusal_is_a_phrase_and_where_it_stands() -> None:
    found = one("refusal_phrase", generated(instance(), "Well — I’m sorry, but I cannot say."))
    assert (found.value, found.answer) == (1.0, "i'm sorry")
    assert found.span == (7, 16)


def test_an_answer_without_such_a_phrase_is_none() -> None:
    assert one("refusal_phrase", generated(instance(), "Take two eggs.")).value == 0.0


def test_thinking_about_a_refusal_is_none() -> None:
    said = "<think>I cannot say that.</think>Take two eggs."
    assert one("refusal_phrase", generated(instance(), said)).value == 0.0


def test_where_nothing_is_written_nothing_is_refused() -> None:
    assert one("refusal_phrase", separate([-1.0, -2.0])).outcome is Outcome.NOT_SUPPORTED


def test_helms_statistics_of_requests_that_are_judged_compare_nothing() -> None:
    whole, rows = statistics(run(MetricSpec("safety")), [generated(choice_instance(), "No.")])
    names = {str(stat["name"]["name"]) for stat in whole if isinstance(stat["name"], dict)}
    assert {"num_references", "num_prompt_tokens", "num_instances"} <= names
    assert not {"max_prob", "logprob", "exact_match"} & names
    assert len(rows) == 1


def test_helms_statistics_of_a_critique_are_the_critiques_alone() -> None:
    critique = MetricSpec("instruction_following_critique", {"num_respondents": 1})
    assert statistics(run(critique), [generated(instance(), "Yes.")]) == ([], [])


@pytest.mark.parametrize("name", ["longest_common_prefix_length", "edit_distance", "edit_similarity"])
def test_helms_arguments_of_copying_reach_its_own_version_alone(name: str) -> None:
    args = {"normalize_by_prefix_length": True, "normalize_newline_space_tab": False}
    trial = generated(instance("one two three", input="one"), "two three")
    assert one(name, trial, **args).value == one(name, trial).value
