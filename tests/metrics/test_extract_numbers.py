"""Which number an answer gives: the reports' cases and their kin."""

import time
from fractions import Fraction

import pytest

from holoscope.metrics.extract import find_number, last_boxed, parse_number, same_number


def value(text: str) -> Fraction | None:
    found = find_number(text)
    return parse_number(found.answer) if found.answer else None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("So she needs 48 jars, all told.", "48"),
        ("it costs $29.00", "29"),
        ("it is 29.", "29"),
        ("29.0", "29"),
        ("$29", "29"),
        ("29.5", "29.5"),
        ("The answer is 25", "25"),
        ("50 is it", "50"),
        ("it is -5 exactly", "-5"),
        ("so 33.14", "33.14"),
        ("1e3", "1000"),
        ("4.5e-2", "0.045"),
        (r"3 \times 10^5", "300000"),
        ("½", "1/2"),
        ("¾ cup", "3/4"),
        ("2½", "5/2"),
        ("2 1/2 cups", "5/2"),
        (r"\frac{3}{4}", "3/4"),
        (r"2\frac{1}{2}", "5/2"),
        ("-1,234.5", "-1234.5"),
        ("1,00,000 rupees", "100000"),
        ("-$5", "-5"),
        ("$-5$", "-5"),
        ("−7", "-7"),
        ("(3,4)", "4"),
        ("3-5", "5"),
        ("- 5 apples", "5"),
        ("4８", "48"),
        ("5%", "5"),
        ("20 percent", "20"),
        ("10,\\!080", "10080"),
        ("10{,}080", "10080"),
        ("1\u202f234\u00a0567", "1234567"),
        ("1'234'567", "1234567"),
        ("1.234,50", "1234.5"),
        ("1.000.000", "1000000"),
        ("٤٨٫٥", "48.5"),
        ("१२", "12"),
        ("１２３", "123"),
        ("–5", "-5"),
        ("－5", "-5"),
        ("3×10⁵", "300000"),
        ("10⁵ m", "100000"),
        ("10^5", "100000"),
        ("2 million", "2000000"),
        ("3万", "30000"),
        ("2 and 1/2", "5/2"),
        ("1⁄2", "1/2"),
        (r"\frac12", "1/2"),
        (r"-\dfrac{3}{4}", "-3/4"),
        ("US$48", "48"),
        ("48 €", "48"),
        ("COVID-19", "19"),
    ],
)
def test_the_last_number(text: str, number: str) -> None:
    assert value(text) == Fraction(number)


@pytest.mark.parametrize(
    ("text", "number", "rule"),
    [
        ("... \\$400 + \\$60 = \\$460\nANSWER: \\$460", "460", "stated_number"),
        ("#### 8 in the example\nso\n#### 31", "31", "hash_mark"),
        ("#### -3", "-3", "hash_mark"),
        ("#### 400 + 60 = 460", "460", "hash_mark"),
        ("The answer is 3 + 4 = 7.", "7", "stated_number"),
        ("Answer: about 12 dollars. That leaves 5.", "12", "stated_number"),
        ("**Answer:** 4.", "4", "stated_number"),
        ("The answer is that she has 5 left", "5", "last_number"),
        ("#### Step 1: add\nThe total is 12.", "12", "last_number"),
        ("#### 1. Add up\nwhich gives 12", "12", "last_number"),
        (r"I get \boxed{7}. Checking 2 more, \boxed{7} holds. 9", "7", "boxed"),
        (r"so \boxed{x = 5}", "5", "boxed"),
        (r"\boxed{5 \text{ m}^2} of 9", "5", "boxed"),
        (r"\boxed{\text{5 apples}} of 9", "5", "boxed"),
        (r"\boxed{90^\circ} is 9", "90", "boxed"),
        (r"\boxed{\$1{,}234.50} 9", "1234.5", "boxed"),
        ("#### 8 is recited. The answer is 31.", "31", "stated_number"),
        ("The answer is 5.\n#### 7 eggs", "7", "hash_mark"),
        ("The answer is 12 because 5+3=8", "12", "stated_number"),
        ("The answer is 7, where x=3", "7", "stated_number"),
        ("The answer is 3 more than 4, so 7", "7", "last_number"),
        ("The final answer is $48$. I hope 5 is wrong", "48", "stated_number"),
        ("12 or so. Answer: x = 5", "5", "stated_formula"),
    ],
)
def test_a_marked_number_wins(text: str, number: str, rule: str) -> None:
    assert value(text) == Fraction(number)
    assert find_number(text).rule == rule


@pytest.mark.parametrize(
    "text", ["", ",", "none", "T5", "1e999999999", "9" * 400, r"it is 5, so \boxed{x}", "-", "x^2", "a_{12}", "3/0"]
)
def test_no_number(text: str) -> None:
    found = find_number(text)
    assert found.answer is None
    assert found.reason


@pytest.mark.parametrize(
    "text",
    [
        *("5+7=12\nANSWER: x+1", "12 is big.\nThe answer is unknown.", "12\n#### N/A", "The answer is 5 or 6"),
        *("The answer is 3 + 4.", r"12, so \boxed{\sqrt{17}}", r"\boxed{5x}", r"\boxed{5, 6}", r"\boxed{2\pi}"),
        r"5 in all: \boxed{\text{none}}",
    ],
)
def test_an_answer_that_is_no_number_is_not_replaced_by_an_earlier_one(text: str) -> None:
    found = find_number(text)
    assert found.answer is None
    assert found.rule


@pytest.mark.parametrize(
    ("gold", "said", "same"),
    [
        ("20", "20 %", True),
        ("20%", "20", True),
        ("0.2", "20%", True),
        ("1/5", "20 percent", True),
        ("20%", "0.2", False),
        ("2000", "20%", False),
        ("1", "100%", True),
        ("5", "-5", False),
        ("5", "five", False),
    ],
)
def test_a_percentage_is_its_number_or_the_fraction_that_the_gold_is(gold: str, said: str, same: bool) -> None:
    assert same_number(gold, said) is same


def test_the_span_is_where_the_number_stands() -> None:
    text = "It costs $1,234.50 in all"
    span = find_number(text).span
    assert span is not None
    assert text[slice(*span)] == "$1,234.50"


@pytest.mark.parametrize("text", ["29 apples", "29.5.1", "B", ""])
def test_a_text_that_is_more_than_a_number_is_none(text: str) -> None:
    assert parse_number(text) is None


def test_a_box_keeps_its_inner_braces() -> None:
    text = r"first \boxed{1}, then \boxed{\frac{1}{2}}, then \boxed{unclosed"
    box = last_boxed(text)
    assert box is not None
    assert text[slice(*box)] == r"\frac{1}{2}"


def test_an_empty_box_is_none() -> None:
    assert last_boxed(r"Put it in \boxed{}.") is None


def test_a_box_may_lack_braces_around_a_number() -> None:
    text = r"so \boxed 42 it is"
    box = last_boxed(text)
    assert box is not None
    assert text[slice(*box)] == "42"


@pytest.mark.parametrize("text", ["1," * 5_000, "=1" * 5_000, "- " * 5_000, r"\boxed{" * 3_000, "answer is " * 3_000])
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    start = time.perf_counter()
    find_number(text)
    assert time.perf_counter() - start < 1
