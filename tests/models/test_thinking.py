"""Reasoning taken out of a text, and stop sequences applied to the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.core import UsageError
from holoscope.models.thinking import TAGS, Tags, cut_at_stop, read_tags, split_thinking


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("<think>maybe A</think>B", TAGS),
        ("maybe A</think>B", TAGS),
        ("  <think>\nmaybe A\n</think>\n\nB", TAGS),
        ("<reasoning>maybe A</reasoning>B", read_tags("reasoning")),
        ("[T]maybe A[/T]B", read_tags("[T],[/T]")),
    ],
)
def test_t096_what_follows_the_reasoning_is_graded(text: str, tags: Tags) -> None:
    split = split_thinking(text, tags)
    assert (split.answer, split.thinking) == ("B", "maybe A")


def test_reasoning_that_never_ends_leaves_no_answer() -> None:
    split = split_thinking("<think>maybe A", TAGS)
    assert (split.thinking, split.answer, split.is_open) == ("maybe A", "", True)


def test_a_tag_within_an_answer_is_part_of_it() -> None:
    assert split_thinking("The tag <think> opens it.", TAGS).answer == "The tag <think> opens it."


def test_of_several_blocks_the_answer_follows_the_last() -> None:
    assert split_thinking("<think>a</think>X<think>b</think>Y", TAGS).answer == "Y"


def test_without_tags_nothing_is_taken_out() -> None:
    assert split_thinking("<think>A</think>B", read_tags("none")).answer == "<think>A</think>B"


@given(st.text())
def test_a_text_without_tags_is_left_as_it_is(text: str) -> None:
    if TAGS.end not in text and not text.lstrip().startswith(TAGS.start):
        assert split_thinking(text, TAGS) == (None, text, False)


@pytest.mark.parametrize(
    ("text", "stops", "cut"),
    [
        ("a\nb", ("\n",), "a"),
        ("a b c", ("c", "b"), "a "),
        ("abc", (), "abc"),
        ("abc", ("",), "abc"),
        ("abc", ("x",), "abc"),
    ],
)
def test_a_text_ends_before_the_first_stop_sequence(text: str, stops: tuple[str, ...], cut: str) -> None:
    assert cut_at_stop(text, stops) == cut


@pytest.mark.parametrize(
    ("text", "thinking"),
    [
        ("<thinking>maybe A</thinking>B", "maybe A"),
        ("[THINK]maybe A[/THINK]B", "maybe A"),
        ("◁think▷maybe A◁/think▷B", "maybe A"),
        ("<|channel|>analysis<|message|>maybe A<|channel|>final<|message|>B", "maybe A"),
    ],
)
@pytest.mark.parametrize("tags", [TAGS, Tags("[T]", "[/T]")])
def test_the_marks_that_grading_skips_are_split_off_too(text: str, thinking: str, tags: Tags) -> None:
    assert split_thinking(text, tags) == (thinking, "B", False)


def test_reasoning_that_begins_anew_and_never_ends_leaves_no_answer() -> None:
    assert split_thinking("<think>a</think><think>b", TAGS)[1:] == ("", True)


@pytest.mark.parametrize("option", [",x", "x,", ","])
def test_a_tag_of_no_characters_is_refused(option: str) -> None:
    with pytest.raises(UsageError, match="think"):
        read_tags(option)
