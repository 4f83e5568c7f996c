"""Public reports of formulas compared wrongly, by their ids in the shared list of cases."""

import pytest

from holoscope.metrics.maths import equivalent
from metrics.golds import GOLDS
from metrics.made import generated, instance, one


def test_t031_every_gold_equals_itself() -> None:
    assert [gold for gold in GOLDS if not equivalent(gold, gold).same] == []
    assert [
        gold for gold in GOLDS if one("math_equiv", generated(instance(gold), rf"\boxed{{{gold}}}")).value != 1
    ] == []


COLUMN = r"\begin{pmatrix} -1/3 \\ 2/3 \end{pmatrix}"
OTHER_COLUMN = r"\begin{pmatrix} -\dfrac{1}{3} \\ \dfrac{2}{3} \end{pmatrix}"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"\frac{1}{2}", r"\dfrac{1}{2}"),
        (r"\frac{1}{2}", r"\frac12"),
        (r"10,\!080", "10080"),
        ("58,500", "58500"),
        (r"\text{(C)}", "C"),
        (r"\frac{11+9a}{20}", r"\dfrac{9a+11}{20}"),
        (COLUMN, OTHER_COLUMN),
    ],
)
def test_t032_notation_does_not_matter(one: str, other: str) -> None:
    assert equivalent(one, other).same is True
    assert equivalent(other, one).same is True


def test_t032_a_point_is_no_comma() -> None:
    assert equivalent("10,080", "10.080").same is False


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"$1-\frac{1}{\mathrm{e}}$", r"$1+\frac{1}{\mathrm{e}}$"),
        (r"$1-\frac{1}{\foo{e}}$", r"$1+\frac{1}{\foo{e}}$"),
        (r"\foo{1}", "1"),
    ],
)
def test_t034_a_number_within_a_formula_is_not_its_value(one: str, other: str) -> None:
    assert equivalent(one, other).same is False


def solved(said: str, gold: str = "4") -> tuple[float | None, str, str | None]:
    found = one("math_equiv", generated(instance(gold), said))
    return found.value, found.rule, found.answer


def test_t037_two_boxes_are_no_set() -> None:
    assert solved(r"I get \boxed{7}. Checking, \boxed{7} holds.", "7") == (1, "boxed", "7")


def test_t037_a_box_is_whole_and_balanced_and_the_last() -> None:
    assert solved(r"\boxed{\frac{1}{2}}", "0.5") == (1, "boxed", r"\frac{1}{2}")
    assert solved(r"\boxed{1} no, \boxed{\frac{1}{2}}, hence \boxed{3", "0.5") == (1, "boxed", r"\frac{1}{2}")


@pytest.mark.parametrize(("said", "rule"), [(r"... so \boxed{4}.", "boxed"), ("**Answer:** 4.", "stated_answer")])
def test_t038_boxes_and_statements_are_found_and_the_rule_is_kept(said: str, rule: str) -> None:
    assert solved(said) == (1, rule, "4")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (r"\sqrt{17}", r"$\sqrt{17}$", True),
        (r"\left(3,\frac{\pi}{2}\right)", r"(3,\frac{\pi}{2})", True),
        (r"\left(3,\frac{\pi}{2}\right)", r"(3,\frac{2\pi}{3})", False),
    ],
)
def test_t040_dollar_signs_do_not_matter(one: str, other: str, same: bool) -> None:
    assert equivalent(one, other).same is same
