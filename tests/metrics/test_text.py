"""Accuracy of a generated answer, ours and HELM's."""

import pytest

from holoscope.core import Choice, Instance, Outcome
from metrics.made import choice_instance, generated, instance, joint, one


@pytest.mark.parametrize(
    ("metric", "gold", "said", "value"),
    [
        ("exact_match", "Mark Twain", " Mark Twain\n", 1),
        ("exact_match", "Mark Twain", "not Mark Twain", 0),
        ("exact_match", "Mark Twain", "mark twain", 0),
        ("exact_match", "café", "cafe\u0301", 1),
        ("quasi_exact_match", "Straße", "STRASSE", 1),
        ("quasi_exact_match", "29", "$29.00", 1),
        ("quasi_exact_match", "29", "29.5", 0),
        ("quasi_exact_match", "-5", "5", 0),
        ("quasi_exact_match", "A", "a.", 1),
        ("quasi_leave_articles_exact_match", "the cat", "cat", 0),
        ("prefix_exact_match", "Yes", "Yes, Elmendorf", 1),
        ("prefix_exact_match", "5", "50 is it", 0),
        ("prefix_exact_match", "北京", "北京是首都", 1),
        ("quasi_prefix_exact_match", "the Cat", "cat on a mat", 1),
        ("quasi_prefix_exact_match", "cat", "category", 0),
        ("exact_match_indicator", "The answer is 15.", "so the answer is 15", 1),
        ("exact_match_indicator", "The answer is 15.", "so the answer is 16", 0),
        ("final_number_exact_match", "The answer is 29.", "It costs $29.00.", 1),
        ("final_number_exact_match", "#### -1,234.5", "-1234.5", 1),
        ("final_number_exact_match", "#### -3", "3", 0),
        ("final_number_exact_match", "0.5", "½", 1),
        ("f1_score", "rome", "rome rome rome rome rome", 1 / 3),
    ],
)
def test_our_value(metric: str, gold: str, said: str, value: float) -> None:
    assert one(metric, generated(instance(gold), said)).value == pytest.approx(value)


@pytest.mark.parametrize(
    ("metric", "gold", "said", "value"),
    [
        ("quasi_exact_match", "-5", "5", 1),
        ("quasi_exact_match", "29", "$29.00", 0),
        ("prefix_exact_match", "5", "50 is it", 1),
        ("final_number_exact_match", "48", "So she needs 48 jars, all told.", 0),
        ("f1_score", "rome", "rome rome rome rome rome", 1),
        ("f1_score", "A", "A", 0),
        ("bleu_4", "a b c d e", "a b c d e", 1),
        ("bleu_4", "a b c", "a b c", 0),
        ("rouge_l", "the dogs ran", "the dog ran", 1),
    ],
)
def test_helms_value(metric: str, gold: str, said: str, value: float) -> None:
    found = one(metric, generated(instance(gold), said), compat=True)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert (found.metric, found.version) == (metric, "helm-0.5.16")


def test_the_best_reference_counts() -> None:
    assert one("exact_match", generated(instance(["a", "b"]), "b")).value == 1


def test_the_likeliest_completion_is_graded() -> None:
    trial = generated(instance("b"), Choice("a", -2.0), Choice("b", -1.0))
    assert one("exact_match", trial).value == 1
    assert one("exact_match", trial, compat=True).value == 1


def test_the_first_completion_is_graded_without_logprobs() -> None:
    assert one("exact_match", generated(instance("b"), "a", "b")).value == 0


def test_best_of_k_by_name() -> None:
    trial = generated(instance("b"), Choice("a", -1.0), Choice("b", -2.0))
    assert one("exact_match", trial, compat=True).value == 0
    assert one("exact_match@5", trial, compat=True).value == 1


def test_an_empty_answer_is_wrong() -> None:
    found = one("exact_match", generated(instance("a"), "  "))
    assert (found.value, found.rule) == (0.0, "empty_answer")


def test_an_answer_without_a_number_is_ungradable() -> None:
    found = one("final_number_exact_match", generated(instance("5"), "I can't say."))
    assert (found.value, found.outcome) == (None, Outcome.UNGRADABLE)
    assert found.reason == "there is no number in the answer"


def test_an_unparsable_choice_is_ungradable() -> None:
    found = one("exact_match", joint("None of the above"))
    assert (found.value, found.outcome) == (None, Outcome.UNGRADABLE)


def test_helm_counts_an_unparsable_choice_as_wrong() -> None:
    assert one("exact_match", joint("B."), compat=True).value == 0


def test_a_choice_is_right_or_wrong_as_a_whole() -> None:
    trial = joint("B", correct=0, options=("meta", "metaphysics"))
    assert one("prefix_exact_match", trial).value == 0


def test_the_chosen_options_text_is_compared_by_overlap() -> None:
    trial = joint("B", correct=0, options=("red cat", "red dog"))
    assert one("f1_score", trial).value == pytest.approx(0.5)


def test_equal_options_count_as_equal() -> None:
    assert one("exact_match", joint("B", correct=0, options=("same", "same"))).value == 1


def test_a_choice_score_says_how_it_was_found() -> None:
    found = one("exact_match", joint("The answer is (B)."))
    assert (found.answer, found.rule, found.span) == ("B", "stated_label", (15, 16))


def test_the_adapters_expression_comes_first() -> None:
    trial = joint("Final choice >> C. The answer is B.", correct=2)
    assert one("exact_match", trial, pattern=r">> ([A-D])").value == 1


def test_helms_expression_cuts_the_answer_down() -> None:
    trial = generated(instance("C"), "Final choice >> C. Bye")
    assert one("exact_match", trial, compat=True, pattern=r">> ([A-D])").value == 1
    assert one("exact_match", trial, compat=True, pattern=r"no match").value == 0


def test_without_a_right_reference_there_is_no_score() -> None:
    wrong = choice_instance(correct=99)
    assert one("exact_match", generated(wrong, "x")).outcome is Outcome.NOT_SUPPORTED
    assert one("exact_match", generated(Instance(id="i", input="?"), "x")).outcome is Outcome.NOT_SUPPORTED


def test_a_gold_without_a_number_is_no_score() -> None:
    assert one("final_number_exact_match", generated(instance("five"), "5")).outcome is Outcome.NOT_SUPPORTED


def test_forty_options() -> None:
    options = [f"option {i}" for i in range(40)]
    trial = joint(chr(ord("A") + 35), correct=35, options=options)
    assert one("exact_match", trial).value == 1
