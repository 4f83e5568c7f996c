"""What holds of equality whatever the formulas: each equals itself, and the order of two doesn't matter."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holoscope.metrics.maths import equivalent
from metrics.golds import GOLDS

PIECES = st.sampled_from(
    [
        *(
            "1",
            "2",
            "3.5",
            "x",
            "y",
            "+",
            "-",
            "*",
            "/",
            "^",
            "_",
            "(",
            ")",
            "[",
            "]",
            ",",
            "=",
            "<",
            "|",
            " ",
            "%",
            "!",
        ),
        *(
            "{",
            "}",
            r"\frac{1}{2}",
            r"\frac",
            r"\sqrt",
            r"\pi",
            r"\infty",
            r"\text{ cm}",
            r"\pm",
            r"\cup",
            r"\sin",
            "e",
        ),
        *(r"\{", r"\}", r"\begin{pmatrix}", r"\end{pmatrix}", "&", r"\\", "i", r"^\circ", r"\le", r"\boxed{", "$"),
    ]
)
FORMULAS = st.one_of(st.sampled_from(GOLDS), st.lists(PIECES, max_size=9).map("".join), st.text(max_size=20))


def test_there_are_a_hundred_golds() -> None:
    assert len(set(GOLDS)) == len(GOLDS) >= 100


@pytest.mark.parametrize("gold", GOLDS)
def test_every_gold_equals_itself_in_any_dress(gold: str) -> None:
    for dressed in (gold, f"${gold}$", rf"\boxed{{{gold}}}", rf"\({gold}\)", f" {gold} .", f"**{gold}**"):
        assert equivalent(gold, dressed).same is True


def test_different_golds_are_different_in_either_order() -> None:
    draw = random.Random(1)
    alike = {frozenset(pair) for pair in (("E", "x"), (r"\text{(C)}", "C"))}
    for _ in range(300):
        one, other = draw.sample(GOLDS, 2)
        assert equivalent(one, other).same == equivalent(other, one).same
        assert equivalent(one, other).same is not True or frozenset((one, other)) in alike, (one, other)


@settings(deadline=None, max_examples=200)
@given(FORMULAS)
def test_every_text_equals_itself(text: str) -> None:
    assert equivalent(text, text).same is True


@settings(deadline=None, max_examples=200)
@given(FORMULAS, FORMULAS)
def test_the_order_of_two_texts_does_not_matter(one: str, other: str) -> None:
    assert equivalent(one, other) == equivalent(other, one)


@settings(deadline=None)
@given(st.fractions(max_denominator=10**6), st.fractions(max_denominator=10**6))
def test_fractions_are_equal_if_they_are(one: object, other: object) -> None:
    assert equivalent(str(one), str(other)).same is (one == other)
