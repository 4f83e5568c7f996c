"""From what was written to a choice and an outcome."""

import pytest

from holoscope.core import Outcome, Token
from holoscope.models.answer import Answer, Written, combine, read_answer


def tokens(*texts: str) -> tuple[Token, ...]:
    return tuple(Token(text, -1.0) for text in texts)


@pytest.mark.parametrize(
    ("said", "kept"),
    [("eos", "endoftext"), ("end_turn", "stop"), ("stop", "stop"), ("tool_calls", "tool_calls"), (None, None)],
)
def test_finish_reasons_have_one_word_each(said: str | None, kept: str | None) -> None:
    choice = read_answer(Written("x", said)).choice
    assert choice is not None
    assert choice.finish_reason == kept


def test_max_tokens_is_another_word_for_length() -> None:
    assert read_answer(Written("x", "max_tokens")).outcome is Outcome.TRUNCATED


def test_tokens_are_those_of_the_answer() -> None:
    written = Written("<think>a</think>B\nC", "stop", tokens("<think>", "a", "</think>", "B", "\n", "C"))
    choice = read_answer(written, stops=("\n",)).choice
    assert choice is not None
    assert (choice.text, choice.tokens, choice.logprob) == ("B", tokens("B"), -1.0)


def test_tokens_that_do_not_spell_the_text_are_all_kept() -> None:
    choice = read_answer(Written("B\nC", "stop", tokens("b", "c")), stops=("\n",)).choice
    assert choice is not None
    assert choice.tokens == tokens("b", "c")


def test_an_answer_that_was_cut_here_did_stop() -> None:
    answer = read_answer(Written("9\n\nQuestion", "length"), stops=("\n\n",))
    assert answer.outcome is Outcome.OK
    assert answer.choice is not None
    assert answer.choice.finish_reason == "stop"


def test_without_log_probabilities_the_sum_is_unknown() -> None:
    choice = read_answer(Written("x", "stop")).choice
    assert choice is not None
    assert choice.logprob is None


def test_open_reasoning_is_truncated_whatever_the_finish_reason() -> None:
    assert read_answer(Written("<think>hm", "stop")).outcome is Outcome.TRUNCATED_IN_REASONING


def test_of_several_completions_those_that_came_are_kept_and_the_others_said() -> None:
    blocked = read_answer(Written("", "content_filter"))
    combined = combine([blocked, read_answer(Written("a", "stop")), read_answer(Written("b", "stop"))])
    assert [choice.text for choice in combined.choices] == ["a", "b"]
    assert combined.outcome is Outcome.OK
    assert combined.reason.startswith("2 of 3 completions came")


def test_without_any_completion_the_outcome_is_the_reason() -> None:
    blocked = Answer(None, Outcome.CONTENT_FILTER, "withheld")
    assert combine([blocked, blocked]) == ((), Outcome.CONTENT_FILTER, "withheld")
