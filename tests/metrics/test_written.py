"""What counts as written by the model."""

from holoscope.core import Choice, Outcome
from holoscope.metrics.written import raw, why_unread, written
from metrics.made import failed, generated, instance, separate


def test_thinking_is_not_written() -> None:
    trial = generated(instance(), "<think>she is an idiot</think> The door is open. ")
    assert written(trial) == ["The door is open."]
    assert raw(trial) == ["<think>she is an idiot</think> The door is open. "]


def test_every_completion_is_read_and_empty_ones_are_kept_as_empty() -> None:
    trial = generated(instance(), "one", "", " ", "two")
    assert written(trial) == ["one", "", "", "two"]
    assert raw(trial) == ["one", " ", "two"]


def test_a_separate_field_of_thinking_is_not_read() -> None:
    assert written(generated(instance(), Choice("Yes.", thinking="what an idiot"))) == ["Yes."]


def test_an_answer_cut_off_within_its_thinking_is_empty() -> None:
    assert written(generated(instance(), "so he", outcome=Outcome.TRUNCATED_IN_REASONING)) == [""]


def test_options_scored_one_by_one_are_not_written() -> None:
    assert written(separate([-1.0, -2.0])) == raw(separate([-1.0, -2.0])) == []


def test_why_there_is_nothing_to_read() -> None:
    assert why_unread([failed(instance(), Outcome.CONTENT_FILTER, "withheld")]) == "withheld"
    assert why_unread([separate([-1.0])]) == "the run generates no text: its prompts are only scored"
    assert why_unread([generated(instance(), "")]) == "every completion is empty"
    assert why_unread([]) == "there are no trials"
