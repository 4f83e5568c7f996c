"""Where an answer ends and the model goes on with a question of its own."""

import pytest

from holoscope.core import Choice, Completion, Exchange, Outcome, Params, PlannedRequest, Request, Trial
from holoscope.metrics.extract import answer_end
from metrics.made import choice_instance, instance, one

PROMPT = "Question: What is 1+1?\nAnswer: 2\n\nQuestion: What is 2+2?\nAnswer:"


@pytest.mark.parametrize(
    ("said", "own"),
    [
        (" 4\n\nQuestion: What is 3+3?\nAnswer: 6", " 4"),
        (" 4\n\nQuestion: What is 2+2?\nAnswer: 4", " 4\n\nQuestion: What is 2+2?\nAnswer: 4"),
        ("Question: What is 1+1?\nAnswer: 2\n\nQuestion: What is 2+2?\nAnswer: 4", None),
        ("First this.\n\nThen that.\n\nAnswer: 4", None),
        ("\n\nQuestion: Is it mine?", None),
        (" 4\nQuestion: on the next line", None),
    ],
)
def test_a_new_question_ends_the_answer(said: str, own: str | None) -> None:
    assert said[: answer_end(said, PROMPT)] == (said if own is None else own)


def test_without_a_prompt_nothing_is_cut() -> None:
    assert answer_end("4\n\nQuestion: x", None) == len("4\n\nQuestion: x")


def asked(said: str, gold: str) -> Trial:
    of = instance(gold)
    planned = PlannedRequest(instance=of, request=Request(Params(), prompt=PROMPT))
    return Trial(of, (Exchange(planned, Completion(Outcome.OK, (Choice(said),))),))


def test_what_follows_is_not_graded() -> None:
    said = " 4\n\nQuestion: What is 3+3?\nAnswer: 6"
    assert one("exact_match", asked(said, "4")).value == 1
    assert one("final_number_exact_match", asked(said, "4")).value == 1


def test_helm_grades_all_of_it() -> None:
    assert one("exact_match", asked(" 4\n\nQuestion: What is 3+3?", "4"), compat=True).value == 0


def test_the_options_of_a_made_up_question_do_not_count() -> None:
    of = choice_instance(1)
    mapping = {"A": "metaphysics", "B": "epistemology", "C": "quantum physics", "D": "axiology"}
    planned = PlannedRequest(instance=of, request=Request(Params(), prompt=PROMPT), output_mapping=mapping)
    said = "The answer is B.\n\nQuestion: Another?\nThe answer is C."
    trial = Trial(of, (Exchange(planned, Completion(Outcome.OK, (Choice(said),))),))
    assert one("exact_match", trial).value == 1
