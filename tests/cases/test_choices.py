"""Public reports of options read wrongly, by their ids in the shared list of cases."""

import pytest

from holoscope.core import AdapterSpec, Outcome
from holoscope.metrics.extract import find_option
from holoscope.prompts import label
from metrics.made import OPTIONS, joint, one

TEN = tuple(f"text {letter}" for letter in "ABCDEFGHIJ")
SIXTEEN = tuple(f"text {letter}" for letter in "ABCDEFGHIJKLMNOP")


def chosen(text: str, options: tuple[str, ...] = OPTIONS) -> str | None:
    return one("exact_match", joint(text, options=options)).answer


@pytest.mark.parametrize("text", ["ANSWER: $B$", "ANSWER: **B**", "ANSWER: (B)", "**ANSWER:** B", r"\boxed{B}"])
def test_t015_letters_in_latex_markdown_and_brackets(text: str) -> None:
    assert chosen(text) == "B"


def test_t015_what_is_not_parsed_is_not_merely_wrong() -> None:
    found = one("exact_match", joint("ANSWER: see above"))
    assert (found.value, found.outcome, found.reason) == (None, Outcome.UNGRADABLE, "no option is named")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("ANSWER: None of the above", OPTIONS),
        ("ANSWER: Don't know", OPTIONS),
        ("ANSWER: I don't know", TEN),
    ],
)
def test_t017_letters_within_words_are_no_choice(text: str, options: tuple[str, ...]) -> None:
    found = one("exact_match", joint(text, options=options))
    assert (found.value, found.outcome) == (None, Outcome.UNGRADABLE)


@pytest.mark.parametrize("count", range(1, 61))
def test_t020_labels_come_back_for_up_to_sixty_options(count: int) -> None:
    labels = [label(AdapterSpec(), i, compat=False) for i in range(count)]
    options = {name: f"thing number {name}" for name in labels}
    for name in labels[-2:]:
        for text in (name, f"({name})", f"The answer is {name}."):
            assert find_option(text, options).answer == name


def test_t020_the_36th_of_40() -> None:
    options = {label(AdapterSpec(), i, compat=False): f"option {i}" for i in range(40)}
    assert find_option("AJ", options).answer == list(options)[35]


@pytest.mark.parametrize(
    ("text", "options", "letter"),
    [
        ("The answer is B. A is a common trap.", OPTIONS, "B"),
        ("The answer is C because I integrated twice.", TEN, "C"),
        ("ANSWER IS D. A fails.", OPTIONS, "D"),
    ],
)
def test_t021_a_stated_answer_beats_the_last_letter(text: str, options: tuple[str, ...], letter: str) -> None:
    assert chosen(text, options) == letter


@pytest.mark.parametrize(
    ("text", "letter"),
    [("A项不对，C项也不对，所以只有选项B是对的", "B"), ("故选D", "D"), ("答案：C", "C"), ("答案为（A）", "A")],
)
def test_t024_chinese_phrases(text: str, letter: str) -> None:
    assert chosen(text) == letter


def test_t026_a_letter_that_begins_a_word_is_none() -> None:
    text = "Answer: Let's think step by step. (B) is tempting ... The answer is (C)."
    assert chosen(text, SIXTEEN) == "C"


@pytest.mark.parametrize(
    ("text", "letter"), [("A.", "A"), (" B ", "B"), ("\nC", "C"), ("D)", "D"), ("epistemology", "B")]
)
def test_t027_punctuation_space_and_the_options_own_text(text: str, letter: str) -> None:
    assert chosen(text) == letter


def test_t027_a_text_of_two_options_is_neither() -> None:
    assert chosen("same", ("same", "same", "other", "more")) is None
