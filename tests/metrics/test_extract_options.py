"""Which option an answer names: the reports' cases and their kin."""

import time

import pytest

from holoscope.core import AdapterSpec
from holoscope.metrics.extract import find_option
from holoscope.prompts import label

FOUR = {"A": "metaphysics", "B": "epistemology", "C": "quantum physics", "D": "axiology"}
CITIES = {"A": "London", "B": "Paris", "C": "New York", "D": "Paris, Texas"}
ANSWERS = {"A": "Yes", "B": "No", "C": "Maybe"}
NUMBERS = {"A": "3", "B": "5", "C": "8", "D": "-5"}
DIGITS = {"1": "cat", "2": "dog", "3": "bird", "4": "fish"}
SIXTY = {label(AdapterSpec(), i, compat=False): f"thing {i}" for i in range(60)}
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
        (r"The answer is $\mathbf{B}$.", "B"),
        (r"The final answer is: $\boxed{\text{B}}$", "B"),
        (r"It is \boxed{\textbf{(B)}\ 5}", "B"),
        (r"So \boxed{B. 5}", "B"),
        (r"Answer: \(B\)", "B"),
        (r"Answer: \[B\]", "B"),
        ("Answer: [B]", "B"),
        ("Answer:B", "B"),
        ("answer is B)", "B"),
        ("Answer - B", "B"),
        ("# Answer\n\nB. epistemology", "B"),
        ('{"final_answer": "C"}', "C"),
        ('```json\n{"choice": "D"}\n```', "D"),
        ("My choice is C", "C"),
        ("The correct statement is (C).", "C"),
        ("I'd say the answer's C.", "C"),
        ("answer: “B”", "B"),
        ("The answer is B, not A.", "B"),
        ("Is the answer B? I think the answer is C.", "C"),
        ("If the answer is B, then x. So the answer is C.", "C"),
        ("So the answer is B? Let me see. The answer is C.", "C"),
        ("B is a common trap. The answer is A.", "A"),
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
        ("I don't know. Maybe (I).", TEN, "I"),
        ("I", TEN, "I"),
        ("The answer is a.", FOUR, "A"),
        ("answer: bh", SIXTY, "BH"),
        ("**AB.** thing 27", SIXTY, "AB"),
        ("Answer: A", SIXTY, "A"),
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
        ("A is a trap.", FOUR),
        ("A good idea", FOUR),
        ("I think I know", TEN),
        ("AB", FOUR),
        ("The answer is U.S. law", SIXTEEN),
        ("The answer is 3 apples", DIGITS),
        ("The answer is 5 apples", NUMBERS),
        ("Both London and Paris", CITIES),
        ("x\nA\nB", FOUR),
        ("", FOUR),
    ],
)
def test_no_option(text: str, options: dict[str, str]) -> None:
    found = find_option(text, options)
    assert found.answer is None
    assert found.reason


@pytest.mark.parametrize("said", ["None of the above", "I don't know", "cannot be determined", "N/A"])
def test_the_last_statement_may_be_that_none_is_right(said: str) -> None:
    found = find_option(f"The answer is B, it seems. Looking again at (B): no.\nFinal answer: {said}", FOUR)
    assert (found.answer, found.rule) == (None, "stated_none")


def test_none_of_the_above_may_be_an_option() -> None:
    options = {"A": "x", "B": "None of the above"}
    assert find_option("ANSWER: None of the above", options).answer == "B"


@pytest.mark.parametrize("text", ["The answer is A or B", "The answer is A and B.", "Answer: A/C"])
def test_several_options_at_once_are_none(text: str) -> None:
    assert find_option(text, FOUR).reason == "several options are stated at once"


def test_a_list_of_the_options_names_none() -> None:
    listed = "\n".join(f"{letter}. {text}" for letter, text in FOUR.items())
    assert find_option(listed, FOUR).reason == "the options are listed, none is stated as the answer"
    assert find_option(f"{listed}\n\nSo the answer is (B)", FOUR).answer == "B"


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
        ("Option B is correct.", "B", "correct_label"),
        ("Therefore, B.", "B", "chosen_label"),
        ("Looking at (C) we see it fits", "C", "only_label"),
        ("(A) is wrong, (B) fits", "B", "only_label"),
        ("B. Because knowledge is meant.", "B", "only_label"),
        ("The answer is A. On reflection, I choose C.", "C", "chosen_label"),
        ("The answer is B. Wait, actually C.", "C", "chosen_label"),
        ("The answer isn't B; it's C.", "C", "chosen_label"),
        ("The answer is not B but C.", "C", "chosen_label"),
        ("Everyone says the answer is B, but it is C.", "C", "chosen_label"),
        ("I would rule out A and B. Then I pick D.", "D", "chosen_label"),
        ("I think B.", "B", "chosen_label"),
        ("Solution: B", "B", "chosen_label"),
        ("Thus (C) is the correct answer.", "C", "correct_label"),
        ("Reasoning about (A) ...\n**C**", "C", "last_line"),
        ("B - epistemology", "B", "label_and_text"),
        ("b) epistemology", "B", "label_and_text"),
        ("B epistemology", "B", "label_and_text"),
        ("It must be epistemology then", "B", "only_text"),
        ("- B", "B", "bare_label"),
        ("1. B", "B", "bare_label"),
        ("Definitely B.", "B", "chosen_label"),
        ("B is my answer", "B", "correct_label"),
        ("B because it is the study of knowledge", "B", "correct_label"),
        ("The option that fits is B", "B", "correct_label"),
        (
            "A. metaphysics - incorrect.\nB. epistemology - correct.\nC. quantum physics - incorrect.",
            "B",
            "correct_label",
        ),
    ],
)
def test_further_rules(text: str, label: str, rule: str) -> None:
    found = find_option(text, FOUR)
    assert (found.answer, found.rule) == (label, rule)


@pytest.mark.parametrize(
    ("text", "options", "label"),
    [
        ("The answer is Paris, Texas.", CITIES, "D"),
        ("The answer is Paris.", CITIES, "B"),
        ("It is not Paris, it is London", CITIES, "A"),
        ("Yes, because x", ANSWERS, "A"),
        ("The answer is no.", ANSWERS, "B"),
        ("5", NUMBERS, "B"),
        ("The answer is -5", NUMBERS, "D"),
        ("Answer: 2", DIGITS, "2"),
        ("2", DIGITS, "2"),
        ("5!", {"A": "5", "B": "5!"}, "B"),
        ("5", {"A": "5", "B": "5!"}, "A"),
    ],
)
def test_options_are_named_by_their_texts(text: str, options: dict[str, str], label: str) -> None:
    assert find_option(text, options).answer == label


@pytest.mark.parametrize("text", ["{}", "({})", "**{}**", "The answer is {}.", "ANSWER: {}", r"\boxed{{{}}}"])
def test_sixty_labels_come_back(text: str) -> None:
    assert [find_option(text.format(name), SIXTY).answer for name in SIXTY] == list(SIXTY)


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
