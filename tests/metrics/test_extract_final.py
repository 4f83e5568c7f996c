"""The final answer of a worked solution: boxes, statements, whole texts, formulas."""

import time

import pytest

from holoscope.metrics.extract import find_final_answer


@pytest.mark.parametrize(
    ("text", "answer", "rule"),
    [
        (r"... so \boxed{4}.", "4", "boxed"),
        (r"I get \boxed{7}. Checking, \boxed{7} holds.", "7", "boxed"),
        (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}", "boxed"),
        (r"The answer is \boxed{\frac{1}{2}}.", r"\frac{1}{2}", "boxed"),
        (r"\boxed{\{1,2\}}", r"\{1,2\}", "boxed"),
        (r"\boxed{4}. I hope the answer is helpful.", "4", "boxed"),
        (r"\boxed{the answer is 5}", "5", "boxed"),
        (r"\boxed{4} at first. The answer is $5$.", "5", "stated_answer"),
        ("**Answer:** 4.", "4", "stated_answer"),
        (r"Final Answer: The final answer is $\frac{1}{2}$. I hope it is correct.", r"\frac{1}{2}", "stated_answer"),
        ("The answer is $x=2$ and $x=3$.", "$x=2$ and $x=3$", "stated_answer"),
        ("The answer is 3.5.", "3.5", "stated_answer"),
        ("So the answer is 4 because 2+2=4.", "4", "stated_answer"),
        ("Therefore, the answer is **12 cm**.", "12 cm", "stated_answer"),
        ("The answer is Tuesday.", "Tuesday", "stated_answer"),
        (r"Answer: \(\sqrt{17}\)", r"\sqrt{17}", "stated_answer"),
        (r"Answer: \[ x = 2 \]", "x = 2", "stated_answer"),
        ("# Answer\n\n$5$", "5", "stated_answer"),
        ("答案是 $5$。", "5", "stated_answer"),
        ("4", "4", "whole_text"),
        ("$4$", "4", "whole_text"),
        ("We get $x=1$, then $x=2$ and so on.\nDone", "x=2", "last_formula"),
    ],
)
def test_the_answer_and_its_rule(text: str, answer: str, rule: str) -> None:
    found = find_final_answer(text)
    assert (found.answer, found.rule) == (answer, rule)
    assert found.span is not None
    assert text[slice(*found.span)] == answer


@pytest.mark.parametrize("text", ["", r"\boxed{}", "Long prose\nwithout any formula in it at all."])
def test_no_answer(text: str) -> None:
    found = find_final_answer(text)
    assert found.answer is None
    assert found.reason


@pytest.mark.parametrize("text", ["answer is " * 3_000, "$1$ " * 5_000, r"\boxed{" * 3_000, "答案是" * 5_000])
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    start = time.perf_counter()
    find_final_answer(text)
    assert time.perf_counter() - start < 4
