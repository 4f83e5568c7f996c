"""Programs over financial tables, the numbers they give, and numbers that are equal to six places."""

import json

import pytest
from msgspec.structs import replace

from holoscope.core import Outcome, Reference, Trial
from holoscope.metrics.sums import run_program, same_program, steps_of
from metrics.made import generated, instance, one

TABLE = [["in millions", "2006", "2005"], ["net sales", "$ 10", "20 ( 1 )"], ["share", "5%", "n/a"]]


def result(program: str) -> float | str | None:
    steps = steps_of(program)
    assert steps is not None, program
    return run_program(steps, TABLE)


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("add(1,000, const_m1)", 999.0),
        ("add(1000, 2,000.5)", 3000.5),
        ("subtract(110, 100), divide(#0, 100)", 0.1),
        ("divide(10, 3)", 3.33333),
        ("multiply(5%, const_100)", 5.0),
        ("exp(2, 10)", 1024.0),
        ("greater(2, 1)", "yes"),
        ("greater(1, 2)", "no"),
        ("table_max(net sales, none)", 20.0),
        ("table_min(net sales, none)", 10.0),
        ("table_sum(net sales, none)", 30.0),
        ("table-average(net sales, none)", 15.0),
        ("table_sum(share, none)", None),
        ("table_sum(profit, none)", None),
        ("divide(1, 0)", None),
        ("exp(-8, 0.5)", None),
        ("exp(10, 1000)", None),
        ("add(#0, 1)", None),
        ("greater(2, 1), add(#0, 1)", None),
        ("add(ten, 1)", None),
    ],
)
def test_what_a_program_gives(program: str, value: float | str | None) -> None:
    assert result(program) == value


@pytest.mark.parametrize(
    "text", ["", "42", "add(1)", "add(1, 2", "plus(1, 2)", "add(1, 2) is it", "the answer: add(1, 2)"]
)
def test_what_is_no_program(text: str) -> None:
    assert steps_of(text) is None


@pytest.mark.parametrize(
    ("gold", "said", "same"),
    [
        ("add(1, 2)", "add(2, 1)", True),
        ("subtract(1, 2)", "subtract(2, 1)", False),
        ("add(1, 2), divide(#0, 3)", "divide(1, 3), divide(2, 3), add(#0, #1)", True),
        ("subtract(5, 4), divide(#0, 4)", "divide(5, 4), subtract(#0, const_1)", False),
        ("multiply(2, 3), exp(#0, 2)", "multiply(3, 2), exp(#0, 2)", True),
        ("divide(6, 2)", "add(6, 2)", False),
        ("add(100, 1)", "add(const_100, 1)", False),
        ("greater(3, 2)", "greater(3, 2)", True),
        ("greater(3, 2)", "greater(2, 3)", False),
        ("table_max(a, none), divide(#0, 2)", "table_max(a, none), divide(#0, 2)", True),
        ("table_max(a, none)", "table_max(b, none)", False),
        ("subtract(1, 1), divide(2, #0)", "subtract(1, 1), divide(2, #0)", False),
        ("add(1, 2)", "add(1, #0)", False),
    ],
)
def test_programs_are_equal_as_formulas(gold: str, said: str, same: bool) -> None:
    first, second = steps_of(gold), steps_of(said)
    assert first is not None
    assert second is not None
    assert same_program(first, second) is same


def asked(said: str, program: str = "table_sum(net sales, none)", gives: str = "30.0") -> Trial:
    references = (*instance(program).references, Reference(gives), Reference(json.dumps(TABLE)))
    return generated(replace(instance(program), references=references), said)


@pytest.mark.parametrize(
    ("said", "program", "execution"),
    [
        ("table_sum(net sales, none)", 1.0, 1.0),
        ("table-sum(net sales, none)", 1.0, 1.0),
        ("add(10, 20)", 0.0, 1.0),
        ("add(10, 21)", 0.0, 0.0),
        ("30", 0.0, 0.0),
    ],
)
def test_a_program_may_be_wrong_and_its_result_right(said: str, program: float, execution: float) -> None:
    assert one("program_accuracy", asked(said)).value == program
    assert one("execution_accuracy", asked(said)).value == execution


def test_helm_does_not_know_the_operations_that_its_prompt_names() -> None:
    assert one("execution_accuracy@helm", asked("table-sum(net sales, none)")).value == 0.0
    assert one("execution_accuracy@helm", asked("table_sum(net sales, none)")).value == 1.0


def test_without_a_table_there_is_nothing_to_run() -> None:
    assert one("program_accuracy", generated(instance("add(1, 2)"), "add(1, 2)")).outcome is Outcome.NOT_SUPPORTED


@pytest.mark.parametrize(
    ("gold", "said", "ours", "helms"),
    [
        ("206588.0", "206588", 1.0, 1.0),
        ("206588.0", "206,588", 1.0, 0.0),
        ("0.14136", "0.141360000001", 1.0, 1.0),
        ("0.14136", "14.136%", 1.0, 0.0),
        ("0.14136", "0.1414", 0.0, 0.0),
        ("-5.0", "The change is -5.", 1.0, 1.0),
        ("yes", "Yes.", 1.0, 0.0),
    ],
)
def test_numbers_to_six_places(gold: str, said: str, ours: float, helms: float) -> None:
    trial = generated(instance(gold), said)
    assert (one("float_equiv", trial).value, one("float_equiv@helm", trial).value) == (ours, helms)


def test_an_answer_without_a_number_is_ungradable() -> None:
    assert one("float_equiv", generated(instance("5.0"), "I don't know")).outcome is Outcome.UNGRADABLE
