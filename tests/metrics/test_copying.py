"""Copying, diversity and use of the article: what completions have in common with each other and with known text."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holoscope.core import AdapterSpec, Choice, Instance, MetricSpec, Outcome, Reference, RunSpec, ScenarioSpec, Token
from holoscope.metrics import expanded
from holoscope.metrics.copying import edit_distance, edit_similarity, longest_common_prefix
from holoscope.metrics.helm import statistics
from metrics.made import generated, instance, one, registry

BOOK = Instance(id="id0", input="It was the best of", references=(Reference("It was the best of times, it was the"),))
WORDS = st.lists(st.sampled_from("abcd"), max_size=12)


def plain_distance(a: list[str], b: list[str]) -> int:
    row = list(range(len(b) + 1))
    for i, one_word in enumerate(a, 1):
        row, before = [i], row
        for j, other in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (one_word != other)))
    return row[-1]


@settings(max_examples=200, deadline=None)
@given(WORDS, WORDS)
def test_the_edit_distance_is_levenshteins(a: list[str], b: list[str]) -> None:
    assert edit_distance(a, b) == plain_distance(a, b)


@settings(max_examples=60, deadline=None)
@given(WORDS, WORDS)
def test_similarity_is_symmetric_and_in_range(a: list[str], b: list[str]) -> None:
    assert 0 <= edit_similarity(a, b) == edit_similarity(b, a) <= 1
    assert longest_common_prefix(a, b) == longest_common_prefix(b, a) <= min(len(a), len(b))


def test_the_most_similar_completion_counts() -> None:
    trial = generated(BOOK, "cheese, it was", "times, it was the")
    assert one("longest_common_prefix_length", trial).value == 4
    assert one("edit_distance", trial).value == 0
    assert one("edit_similarity", trial).value == 1


def test_the_reference_is_cut_to_the_completion() -> None:
    assert one("edit_distance", generated(BOOK, "times, it")).value == 0


def test_several_references_are_no_text_to_copy() -> None:
    assert one("edit_distance", generated(instance(["a", "b"]), "a")).outcome is Outcome.NOT_SUPPORTED


def test_helm_divides_by_the_prompts_words_if_asked() -> None:
    trial = generated(BOOK, "times, it was the")
    name = "longest_common_prefix_length"
    assert one(name, trial, compat=True).value == 4  # the space after the prompt takes the reference's last letter
    assert one(name, trial, compat=True, normalize_by_prefix_length=True).value == pytest.approx(4 / 5)


def test_helms_statistics_have_the_copyright_metrics() -> None:
    trial = generated(BOOK, "times, it was")
    spec = RunSpec(
        name="x",
        entry="x",
        scenario=ScenarioSpec("x"),
        adapter=AdapterSpec(),
        metrics=(
            MetricSpec("copyright", {"name": "edit_similarity"}),
            MetricSpec("disinformation", {"name": "self_bleu"}),
        ),
    )
    written: list[dict[str, Any]] = statistics(spec, [trial])[0]
    values = {s["name"]["name"]: s.get("mean") for s in written if "perturbation" not in s["name"]}
    assert values["edit_similarity"] == 0.75
    assert values["self_bleu"] == 0


def test_equal_completions_are_their_own_bleu() -> None:
    trial = generated(instance(), "the cat sat on the mat", "the cat sat on the mat")
    assert one("self_bleu", trial).value == pytest.approx(1)
    assert one("self_bleu", trial, compat=True).value == pytest.approx(100)


def test_different_completions_are_diverse() -> None:
    value = one("self_bleu", generated(instance(), "the cat sat on the mat", "a dog ran through my garden")).value
    assert value is not None
    assert value < 0.1


def test_a_single_completion_has_no_diversity() -> None:
    trial = generated(instance(), "alone", "")
    assert one("self_bleu", trial).outcome is Outcome.NOT_SUPPORTED
    assert one("self_bleu", trial, compat=True).value == 0


def test_entropy_is_the_mean_surprise() -> None:
    tokens = (Token("a", -0.5), Token("b", -1.0)), (Token("c", -0.5),)
    trial = generated(instance(), *(Choice("x", -1.0, own) for own in tokens))
    assert one("monte_carlo_entropy", trial).value == pytest.approx(1.0)


def test_entropy_without_log_probabilities_is_unknown() -> None:
    assert one("monte_carlo_entropy", generated(instance(), "x")).reason == "the model gives no log-probabilities"


def article(text: str, summary: str) -> dict[str, float | None]:
    trial = generated(Instance(id="id0", input=text), summary)
    return {name: one(f"summarization_{name}", trial).value for name in ("coverage", "density", "compression")}


def test_a_copied_summary_is_all_fragments() -> None:
    found = article("the cat sat on the mat and slept all day", "The cat sat on the mat.")
    assert found == {"coverage": 1, "density": 6, "compression": pytest.approx(10 / 6)}


def test_new_words_are_no_fragments() -> None:
    found = article("the cat sat on the mat", "the cat dozed on the rug")
    assert found["coverage"] == pytest.approx(4 / 6)
    assert found["density"] == pytest.approx((4 + 4) / 6)


def test_a_summary_without_words_is_ungradable() -> None:
    assert one("summarization_density", generated(Instance(id="id0", input="a b"), "!!!")).outcome is Outcome.UNGRADABLE


def test_a_summary_is_measured_by_rouge_and_by_its_use_of_the_article() -> None:
    names = [m.name for m in expanded([MetricSpec("summarization", {"task": "summarization_xsum"})])]
    assert names[:3] == ["rouge_1", "rouge_2", "rouge_l"]
    assert set(names) <= set(registry().metrics)


def test_helms_rouge_of_summaries_ignores_braces() -> None:
    spec = RunSpec(
        name="x",
        entry="x",
        scenario=ScenarioSpec("x"),
        adapter=AdapterSpec(),
        metrics=(MetricSpec("summarization"),),
    )
    written: list[dict[str, Any]] = statistics(spec, [generated(instance("{the cat}"), "the cat")])[0]
    assert {s["name"]["name"]: s.get("mean") for s in written}["rouge_l"] == 1
