"""Which option an answer names: the reports' cases and their kin."""

import time

import pytest

from holoscope.metrics.extract import find_option

FOUR = {"A": "metaphysics", "B": "epistemology", "C": "quantum physics", "D": "axiology"}
TEN = {c: f"text {c}" for c in "ABCDEFGHIJ"}
SIXTEEN = {c: f"text {c}" for c in "ABCDEFGHIJKLMNOP"}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("B", "B"),
        (" B ", "B"),
        ("A.", "A"),
        ("\nC", "C"),
        ("D)", "D"),
        ("(B)", "B"),
        ("**B**", "B"),
        ("$B$", "B"),
        (r"\boxed{B}", "B"),
        (r"$\boxed{\text{(B)}}$", "B"),
        ("b", "B"),
        ("Option B", "B"),
        ("'B'", "B"),
    ],
)
def test_a_bare_label(text: str, label: str) -> None:
    found = find_option(text, FOUR)
    assert (found.answer, found.rule) == (label, "bare_label")
    assert found.span is not None
    assert text[slice(*found.span)].upper() == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("ANSWER: $B$", "B"),
        ("ANSWER: **B**", "B"),
        ("ANSWER: (B)", "B"),
        ("**ANSWER:** B", "B"),
        ("The answer is B. A is a common trap.", "B"),
        ("ANSWER IS D. A fails.", "D"),
        ("... therefore the answer is (A).\n", "A"),
        ("... therefore the answer is (A). One more sentence.", "A"),
        ("The answer is A.", "A"),
        ("the correct answer is option B", "B"),
        ("The correct answer is: **(D) axiology**", "D"),
        ("So by symmetry $\\boxed{\\text{C}}$ holds", "C"),
        ("The answer to the question is B", "B"),
        ("The best choice is (C): quantum physics", "C"),
        ("The correct option is A because of x", "A"),
        ("Answer:\n\n**C.** quantum", "C"),
        ('{"reasoning": "x", "answer": "B"}', "B"),
        ("<answer>C</answer>", "C"),
        ("The answer is B, A is wrong", "B"),
        ("First I thought the answer is A. Now I see the answer is C.", "C"),
        ("The answer is B. Cannot be A.", "B"),
    ],
)
def test_a_stated_label(text: str, label: str) -> None:
    found = find_option(text, FOUR)
    assert (found.answer, found.rule) == (label, "stated_label")


@pytest.mark.parametrize(
    ("text", "options", "label"),
    [
        ("The answer is C because I integrated twice.", TEN, "C"),
        ("Answer: I", TEN, "I"),
        ("The answer is I because x", TEN, "I"),
        ("Answer: Let's think step by step. (B) is tempting ... The answer is (C).", SIXTEEN, "C"),
        ("AB", {"A": "x", "AA": "y", "AB": "z"}, "AB"),
        ("Answer: AA", {"A": "x", "AA": "y", "AB": "z"}, "AA"),
    ],
)
def test_labels_that_are_words_or_share_letters(text: str, options: dict[str, str], label: str) -> None:
    assert find_option(text, options).answer == label


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("ANSWER: None of the above", FOUR),
        ("ANSWER: Don't know", FOUR),
        ("ANSWER: I don't know", TEN),
        ("The answer is A common trap", FOUR),
        ("The answer is a matter of taste", FOUR),
        ("I think it is hard", TEN),
        ("ANSWER: B-cells", FOUR),
        ("The answer is C++", FOUR),
        ("The answer is D'Artagnan", FOUR),
        ("Answer: E", FOUR),
        ("Vitamin B is good", FOUR),
        ("The answer is not B", FOUR),
        ("Option B is incorrect.", FOUR),
        ("I would not choose B", FOUR),
        ("", FOUR),
    ],
)
def test_no_option(text: str, options: dict[str, str]) -> None:
    found = find_option(text, options)
    assert found.answer is None
    assert found.reason


@pytest.mark.parametrize("text", ["The answer is A or B", "The answer is A and B.", "Answer: A/C"])
def test_several_options_at_once_are_none(text: str) -> None:
    assert find_option(text, FOUR).reason == "several options are stated at once"


def test_a_mention_is_not_a_statement() -> None:
    found = find_option("(A) looks good and so does (B).", FOUR)
    assert found.answer is None
    assert "A, B are mentioned" in found.reason


@pytest.mark.parametrize(
    ("text", "label", "rule"),
    [
        ("epistemology", "B", "option_text"),
        ("Quantum  Physics.", "C", "option_text"),
        ("The answer is axiology.", "D", "stated_text"),
        ("A. metaphysics", "A", "label_and_text"),
        ("B. epistemo", "B", "label_and_text"),
        ("B\n\nQuestion: next?\nAnswer: C", "B", "first_line"),
        ("I would go with C.", "C", "chosen_label"),
        ("Option B is correct.", "B", "chosen_label"),
        ("Therefore, B.", "B", "chosen_label"),
        ("Looking at (C) we see it fits", "C", "only_label"),
        ("(A) is wrong, (B) fits", "B", "only_label"),
        ("B. Because knowledge is meant.", "B", "only_label"),
    ],
)
def test_further_rules(text: str, label: str, rule: str) -> None:
    found = find_option(text, FOUR)
    assert (found.answer, found.rule) == (label, rule)


def test_a_text_that_two_options_share_names_neither() -> None:
    assert find_option("same", {"A": "same", "B": "same", "C": "other"}).answer is None


@pytest.mark.parametrize(
    "text",
    [" " * 20_000, "answer is " * 3_000, "answer is" + " " * 5_000, "(" * 5_000, r"\boxed{" * 3_000, "A " * 5_000],
)
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    start = time.perf_counter()
    find_option(text, FOUR)
    assert time.perf_counter() - start < 1
