"""Error rates: an empty answer has missed everything, and the nearest reference counts."""

import sys

import pytest

from holoscope.core import Outcome
from metrics.made import choice_instance, failed, generated, instance, one, registry, separate

RATES = ("wer", "mer", "cer")


def test_word_errors_are_counted_per_word_of_the_reference() -> None:
    trial = generated(instance("the cat sat on the mat"), "the cat sat on a mat")
    assert one("wer", trial).value == pytest.approx(1 / 6)
    assert one("mer", trial).value == pytest.approx(1 / 6)
    assert one("wip", trial).value == pytest.approx(25 / 36)


def test_characters_are_counted_too() -> None:
    assert one("cer", generated(instance("abcd"), "abxd")).value == pytest.approx(1 / 4)


@pytest.mark.parametrize("metric", RATES)
@pytest.mark.parametrize("said", ["", "  \n"])
def test_an_empty_answer_is_the_worst(metric: str, said: str) -> None:
    found = one(metric, generated(instance("the cat"), said))
    assert (found.value, found.rule) == (1, "empty_answer")


def test_an_empty_answer_preserves_nothing() -> None:
    assert one("wip", generated(instance("the cat"), "")).value == 0


@pytest.mark.parametrize("metric", RATES)
def test_thinking_that_never_ended_is_an_empty_answer(metric: str) -> None:
    trial = generated(instance("the cat"), "the cat", outcome=Outcome.TRUNCATED_IN_REASONING)
    assert one(metric, trial).value == 1


@pytest.mark.parametrize("metric", RATES)
def test_helms_version_calls_an_empty_answer_perfect(metric: str) -> None:
    assert one(metric, generated(instance("the cat"), ""), compat=True).value == 0


def test_the_nearest_of_several_references_counts() -> None:
    trial = generated(instance(["a b c d", "a b"]), "a b")
    assert one("wer", trial).value == 0
    assert one("wip", trial).value == 1


def test_case_and_punctuation_are_no_errors() -> None:
    assert one("wer", generated(instance("The cat, sat."), "the CAT sat")).value == 0


def test_an_article_is_a_word() -> None:
    assert one("wer", generated(instance("the cat"), "cat")).value == 0.5


def test_more_insertions_than_words_exceed_one() -> None:
    assert one("wer", generated(instance("a"), "b c d")).value == 3


def test_rates_are_better_when_lower() -> None:
    books = registry()
    assert all(books.metrics.get(f"{name}{suffix}").lower_is_better for name in RATES for suffix in ("", "@helm"))
    assert not books.metrics.get("wip").lower_is_better


def test_no_right_reference_is_not_supported() -> None:
    assert one("wer", generated(choice_instance(correct=-1), "x")).outcome is Outcome.NOT_SUPPORTED
    assert one("wer", separate([-1.0, -2.0])).outcome is Outcome.NOT_SUPPORTED


def test_a_failed_request_is_missing() -> None:
    assert one("wer", failed(instance("x"), Outcome.CONTENT_FILTER)).outcome is Outcome.CONTENT_FILTER


def test_without_the_package_the_reason_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jiwer", None)
    found = one("wer", generated(instance("a"), "b"))
    assert found.outcome is Outcome.NOT_SUPPORTED
    assert found.reason == 'Word error rate needs an extra: pip install "holoscope[text]"'


def test_the_absolute_difference_is_of_numbers() -> None:
    assert one("absolute_value_difference", generated(instance("1,000"), "about 990")).value == 10
    assert one("absolute_value_difference", generated(instance("5"), "no idea")).outcome is Outcome.UNGRADABLE
