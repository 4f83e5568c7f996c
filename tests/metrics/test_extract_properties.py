"""What holds of every finder on every text: it doesn't raise, and it finds again what it found."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holoscope.metrics.extract import (
    Found,
    answer_end,
    answer_start,
    find_code,
    find_final_answer,
    find_json,
    find_number,
    find_option,
    folded,
    last_boxed,
    parse_number,
)

FOUR = {"A": "metaphysics", "B": "epistemology", "C": "quantum physics", "D": "axiology"}
TEN = {letter: f"text {letter}" for letter in "ABCDEFGHIJ"}
ARABIC = {"أ": "x1", "ب": "x2", "ج": "x3", "د": "x4", "هـ": "x5"}
THAI = {"ก": "x1", "ข": "x2", "ค": "x3", "ง": "x4"}
DIGITS = {"1": "cat", "2": "dog", "3": "bird", "4": "fish"}

PIECES = st.sampled_from(
    [
        *("The answer is ", "Answer: ", "answer", "\n", "\n\n", " ", ".", ",", "A", "B", "(C)", "D.", "not ", "or "),
        *(r"\boxed{", "}", "{", "$", r"\frac{1}{2}", r"\text{", "#### ", "```", "```python\n", "12", "-3", "1,234"),
        *("½", "50%", "2 1/2", "10^5", "= ", "x", "答案是", "선택지", "정답은 ", "الإجابة هي ", "ب", "คำตอบคือ ", "ข"),
        *('{"a": ', '"', "\\", "epistemology", "is correct", "is wrong", "therefore ", "**", "<think>", "</think>"),
        *("選択肢", "Ｂ", "٤٨", "I "),
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=14).map("".join))
SAMPLE = [(find_number, "number"), (find_final_answer, "final"), (find_code, "code"), (find_json, "json")]


def options(text: str) -> list[Callable[[str], Found]]:
    return [lambda t, o=o: find_option(t, o) for o in (FOUR, TEN, ARABIC, THAI, DIGITS)]  # type: ignore[misc]


@settings(deadline=None)  # the first call builds the expressions
@given(TEXTS)
def test_no_text_makes_a_finder_raise(text: str) -> None:
    for find in (*(f for f, _ in SAMPLE), *options(text)):
        found = find(text)
        assert (found.answer is None) == bool(found.reason)
    assert len(folded(text)) == len(text)
    assert 0 <= answer_start(text) <= len(text)
    assert 0 <= answer_end(text, text) <= len(text)
    last_boxed(text)
    parse_number(text)


@settings(deadline=None)
@pytest.mark.parametrize(("find", "name"), SAMPLE)
@given(text=TEXTS)
@example(text=r"\boxed{the answer is 5}")
@example(text="````\n```\nx\n```\n````")
def test_what_was_found_is_found_again(find: Callable[[str], Found], name: str, text: str) -> None:
    found = find(text)
    if found.answer is not None:
        again = find(found.answer)
        assert again.answer == found.answer
        assert found.span is not None
        assert text[slice(*found.span)] == found.answer


@settings(deadline=None)
@given(TEXTS, st.sampled_from([FOUR, TEN, ARABIC, THAI, DIGITS]))
def test_a_label_that_was_found_is_found_again(text: str, of: dict[str, str]) -> None:
    found = find_option(text, of)
    if found.answer is not None:
        assert find_option(found.answer, of).answer == found.answer
        assert found.span is not None
        assert text[slice(*found.span)]


@given(st.text(max_size=30))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text)


@given(st.fractions())
def test_a_fraction_is_read_as_it_is_written(value: Fraction) -> None:
    assert parse_number(str(value)) == value
