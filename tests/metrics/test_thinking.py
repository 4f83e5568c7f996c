"""Thinking is never graded."""

import pytest

from holoscope.core import Choice, Outcome
from holoscope.metrics.extract import answer_start
from metrics.made import generated, instance, joint, one


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("B", "B"),
        ("<think>maybe A</think>B", "B"),
        ("maybe A</think>B", "B"),
        ("<Thinking>A</Thinking>B", "B"),
        ("◁think▷A◁/think▷B", "B"),
        ("<think>a</think>x<think>b</think>B", "B"),
        ("<think>never closed, A", ""),
        ("x < 3 and [y]", "x < 3 and [y]"),
        ("<scratchpad>A</scratchpad>B", "B"),
        ("<|thinking|>A<|/thinking|>B", "B"),
        ("<|begin_of_thought|>A<|end_of_thought|>B", "B"),
        ("<|channel|>analysis<|message|>A<|end|><|start|>assistant<|channel|>final<|message|>B", "B"),
        ("<reason>A</reason>\nB", "\nB"),
    ],
)
def test_the_answer_starts_after_the_thinking(text: str, answer: str) -> None:
    assert text[answer_start(text) :] == answer


@pytest.mark.parametrize("text", ["{{maybe A}}B", "maybe A}}B"])
def test_other_tags_can_be_named(text: str) -> None:
    assert text[answer_start(text, (("{{", "}}"),)) :] == "B"


def test_an_option_in_the_thinking_is_not_the_answer() -> None:
    found = one("exact_match", joint("<think>The answer is A.</think>The answer is B."))
    assert (found.value, found.answer) == (1.0, "B")


def test_spans_are_those_of_the_whole_text() -> None:
    text = "<think>A?</think>Answer: B"
    span = one("exact_match", joint(text)).span
    assert span is not None
    assert text[slice(*span)] == "B"


def test_separate_thinking_is_not_read() -> None:
    assert one("exact_match", joint(Choice("B", thinking="The answer is A."))).value == 1.0


def test_a_limit_inside_the_thinking_is_an_empty_answer() -> None:
    trial = generated(instance("5"), Choice("", thinking="so 5"), outcome=Outcome.TRUNCATED_IN_REASONING)
    found = one("final_number_exact_match", trial)
    assert (found.value, found.outcome, found.rule) == (0.0, Outcome.OK, "empty_answer")
    assert "thinking" in found.reason
