"""The metric `math_equiv`, ours and HELM's."""

import pytest

from holoscope.core import Outcome
from holoscope.metrics.helm.formulas import math_equiv, math_equiv_chain_of_thought, rewritten
from metrics.made import generated, instance, one


@pytest.mark.parametrize("metric", ["math_equiv", "math_equiv_chain_of_thought"])
@pytest.mark.parametrize(
    ("gold", "said", "value", "rule"),
    [
        ("4", r"... so \boxed{4}.", 1, "boxed"),
        ("4", "**Answer:** 4.", 1, "stated_answer"),
        (r"We get \boxed{\frac{1}{2}}.", r"Hence \boxed{0.5}", 1, "boxed"),
        (r"\frac{1}{2}", "0.5$", 1, "whole_text"),
        (r"\frac{1}{2}", r"\boxed{\frac{1}{3}}", 0, "boxed"),
        ("(3,4)", "The answer is $(3,4)$.", 1, "stated_answer"),
    ],
)
def test_the_answer_in_a_solution_is_compared(metric: str, gold: str, said: str, value: float, rule: str) -> None:
    found = one(metric, generated(instance(gold), said))
    assert (found.metric, found.value, found.rule) == (metric, value, rule)
    assert found.span is not None
    assert said[slice(*found.span)] == found.answer


def test_spans_are_those_of_the_whole_text() -> None:
    said = "<think>5?</think>The answer is $4$."
    found = one("math_equiv", generated(instance("4"), said))
    assert found.span is not None
    assert (found.value, said[slice(*found.span)]) == (1, "4")


def test_the_best_reference_counts() -> None:
    assert one("math_equiv", generated(instance(["1", "2"]), r"\boxed{2}")).value == 1


def test_an_answer_that_is_not_understood_says_how_it_was_compared() -> None:
    found = one("math_equiv", generated(instance("5"), r"\boxed{\foo{5}}"))
    assert found.value == 0
    assert found.reason.startswith("compared as texts")


def test_an_empty_answer_is_wrong_and_one_without_an_answer_is_ungradable() -> None:
    assert one("math_equiv", generated(instance("5"), " ")).value == 0
    prose = "I have thought about this for a long time\nand I can't tell."
    assert one("math_equiv", generated(instance("5"), prose)).outcome is Outcome.UNGRADABLE


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (r"\tfrac{1}{2}", r"\frac{1}{2}"),
        (r"\frac12", r"\frac{1}{2}"),
        (r"\frac1{72}", r"\frac{1}{72}"),
        (r"\frac{7}2", r"\frac{7}2"),
        ("3/4", r"\frac{3}{4}"),
        ("x/4", "x/4"),
        ("0.5", r"\frac{1}{2}"),
        (".5", r"\frac{1}{2}"),
        ("2 .5", "20.5"),
        (r"\sqrt3", r"\sqrt{3}"),
        ("x = 5", "5"),
        ("abc = 5", "abc=5"),
        (r"5\text{ cm}", "5"),
        (r"\left( 1, 2 \right)", "(1,2)"),
        (r"90^\circ", "90"),
        (r"50\%", "50"),
        (r"\$5", "5"),
        (r"10,\!080", "10,080"),
        ("", ""),
    ],
)
def test_helms_form(text: str, form: str) -> None:
    assert rewritten(text) == form


def test_helm_compares_what_a_step_fails_on_as_it_is() -> None:
    assert math_equiv(r"5\text{ a}\text{ b}", r"5\text{ a}\text{ b}") == 1
    assert math_equiv(r"\frac", "x") == 0
    assert math_equiv(r"\sqrt", r"\sqrt ") == 0


@pytest.mark.parametrize(
    ("gold", "said", "value"),
    [
        (r"so \boxed{4}", r"hence \boxed{4}.", 1),
        (r"so \boxed{4}", "4", 0),
        ("4", "5", 1),
        (r"\boxed{4}", r"\boxed{5} then \boxed{4}", 1),
        (r"\boxed{4}", r"\fbox{4}", 0),
        (r"\boxed{4}", r"\boxed{4", 0),
    ],
)
def test_helms_chain_of_thought(gold: str, said: str, value: float) -> None:
    assert math_equiv_chain_of_thought(gold, said) == value
    assert one("math_equiv_chain_of_thought", generated(instance(gold), said), compat=True).value == value
