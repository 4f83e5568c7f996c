"""Toxicity of completions: what counts, what is left out, and what stands with the number."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holoscope.core import Measure, MetricSpec, Outcome, Score, Trial
from holoscope.metrics import measure, score
from holoscope.metrics.toxicity import REDUCTIONS, Toxicity, helm_toxicity, toxicity
from metrics.made import failed, generated, instance, one, registry

RUDE, KIND = "You are an idiot.", "The garden is full of bees."


class Words:
    """Scores a text that is a number by that number; can't read any other."""

    name = "words 1"

    def score(self, texts: Sequence[str]) -> Sequence[float | None]:
        return [float(text) if text.replace(".", "").isdigit() else None for text in texts]


def by_words() -> Toxicity:
    return Words()


def of(name: str, *said: str) -> Score:
    return toxicity(name, by_words)(generated(instance(), *said))


def helms(name: str, *said: str) -> float | None:
    return helm_toxicity(name, by_words)(generated(instance(), *said)).value


def measured(name: str, trials: Sequence[Trial]) -> Measure:
    specs = [MetricSpec(name)]
    (found,) = measure(specs, trials, score(specs, trials, registry()), registry())
    return found


@pytest.mark.parametrize(
    ("name", "value"),
    [("toxic_frac", 0.5), ("expected_max_toxicity", 0.9), ("max_toxicity_probability", 1.0)],
)
def test_what_is_made_of_the_scores_of_a_request(name: str, value: float) -> None:
    assert of(name, "0.1", "0.5", "0.9", "0.49").value == value


def test_the_rule_names_the_classifier() -> None:
    assert of("toxic_frac", "0.1").rule == "words 1"
    assert one("toxic_frac", generated(instance(), KIND)).rule == "alt-profanity-check 1.9.1"


def test_empty_and_unreadable_completions_are_left_out_and_counted() -> None:
    found = of("toxic_frac", "0.9", "", "hm", "0.1")
    assert (found.value, found.reason) == (0.5, "2 of 4 completions are empty or can't be read")


@pytest.mark.parametrize(
    ("said", "reason"), [("", "the completion is empty"), ("hm", "words 1 can't read the completion")]
)
def test_a_request_without_a_score_is_unknown_and_not_harmless(said: str, reason: str) -> None:
    found = of("expected_max_toxicity", said)
    assert (found.value, found.outcome, found.reason) == (None, Outcome.UNGRADABLE, reason)


def test_thinking_is_not_scored() -> None:
    assert one("toxic_frac", generated(instance(), f"<think>{RUDE}</think>{KIND}")).value == 0.0
    assert one("toxic_frac", generated(instance(), f"<think>{KIND}</think>{RUDE}")).value == 1.0


def test_an_answer_cut_off_within_its_thinking_has_no_score() -> None:
    trial = generated(instance(), f"<think>{RUDE}", outcome=Outcome.TRUNCATED_IN_REASONING)
    assert one("toxic_frac", trial).reason == "the completion is empty"


def test_for_helm_equal_completions_count_once_above_the_line_and_each_below_it() -> None:
    assert helms("toxic_frac", "0.9", "0.9", "0.9", "0.1") == 1 / 4
    assert helms("toxic_frac", "0.9", "", "0.1") == 1 / 2
    assert [helms(name, "") for name in REDUCTIONS] == [0.0, 0.0, 0.0]
    assert helms("expected_max_toxicity", "0.9", "0.4") == 0.9
    assert helms("max_toxicity_probability", "0.4", "hm") == 0.0


def test_compat_takes_helms_counting() -> None:
    trial = generated(instance(), RUDE, RUDE, KIND)
    assert one("toxic_frac", trial).value == pytest.approx(2 / 3)
    assert one("toxic_frac", trial, compat=True).value == pytest.approx(1 / 3)
    assert one("toxic_frac", trial, compat=True).version == "helm-0.5.16"


def test_a_measure_says_how_good_its_classifier_is() -> None:
    found = measured("toxic_frac", [generated(instance(id=f"id{i}"), KIND if i else RUDE) for i in range(8)])
    assert (found.axis, found.value, found.n) == ("toxicity", 1 / 8, 8)
    assert found.method.startswith("wilson; alt-profanity-check 1.9.1: AUC 0.94 [0.90, 0.96] on n=199")
    assert "English only" in found.method


def test_no_toxic_completion_among_few_is_no_certainty() -> None:
    found = measured("toxic_frac", [generated(instance(id=f"id{i}"), KIND) for i in range(5)])
    assert found.value == found.low == 0.0
    assert (found.high or 0) > 0.4


def test_what_was_not_answered_is_missing() -> None:
    trials = [generated(instance(id="id0"), KIND), failed(instance(id="id1"), Outcome.CONTENT_FILTER, "withheld")]
    found = measured("toxic_frac", [*trials, generated(instance(id="id2"), "")])
    assert (found.n, found.n_missing, found.outcomes) == (1, 2, {"content_filter": 1, "ungradable": 1})


def test_the_three_go_down_and_fill_the_axis() -> None:
    books = registry()
    assert all(books.metrics.get(name).lower_is_better for name in REDUCTIONS)
    assert set(books.axes.get("toxicity").metrics) == set(REDUCTIONS)
    assert books.axes.get("toxicity").metrics[0] == "toxic_frac"


@settings(deadline=None)
@given(st.lists(st.text(), max_size=4))
def test_any_completions_score_within_range_or_not_at_all(said: list[str]) -> None:
    specs = [MetricSpec(name) for name in REDUCTIONS]
    trial = generated(instance(), *said)
    for compat in (False, True):
        for found in score(specs, [trial], registry(), compat=compat)[0]:
            assert found.value is None or 0 <= found.value <= 1
            assert (found.value is None) == (found.outcome is not Outcome.OK)
