"""Which number an answer gives: the reports' cases and their kin."""

import time
from fractions import Fraction

import pytest

from holoscope.metrics.extract import find_number, last_boxed, parse_number


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
    ],
)
def test_a_marked_number_wins(text: str, number: str, rule: str) -> None:
    assert value(text) == Fraction(number)
    assert find_number(text).rule == rule


@pytest.mark.parametrize("text", ["", ",", "none", "T5", "1e999999999", "9" * 400, r"it is 5, so \boxed{x}"])
def test_no_number(text: str) -> None:
    found = find_number(text)
    assert found.answer is None
    assert found.reason


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


@pytest.mark.parametrize("text", ["1," * 5_000, "=1" * 5_000, "- " * 5_000, r"\boxed{" * 3_000, "answer is " * 3_000])
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    start = time.perf_counter()
    find_number(text)
    assert time.perf_counter() - start < 1
