"""The program in an answer is found however the model wraps it."""

import pytest

from holoscope.metrics.programs import find_program

PROMPT = 'from typing import List\n\ndef double(x: int) -> int:\n    """Twice x."""\n'
BODY = "    y = x\n    return x + y\n"
WHOLE = "def double(x):\n    return 2 * x"


def compiles(source: str) -> bool:
    try:
        compile(source, "", "exec")
    except SyntaxError:
        return False
    return True


def value(answer: str, context: str = PROMPT) -> object:
    """What double(3) gives in the first reading that is Python, as the sandbox would run it."""
    readings = find_program(answer, context, ["double"]).readings
    space: dict[str, object] = {}
    exec(next(filter(compiles, readings)), space)
    function = space["double"]
    assert callable(function)
    return function(3)


@pytest.mark.parametrize(
    "answer",
    [
        BODY,
        BODY.strip(),  # endpoints strip the first indentation
        f"     {BODY.strip()}",  # a space too many
        "y = x\nreturn x + y",  # no indentation at all
        f"{BODY}\nprint(double(2))",
        f"{BODY}\nI hope this helps!",
        f"{BODY.strip()}\n\nThis doubles x.\n",
        f"```python\n{BODY}```",
        f"```python\n{WHOLE}\n```",
        f"Here you are:\n```python\n{WHOLE}\n```\nIt doubles.",
        f"```\n{WHOLE}\n```",
        f"```python\n{WHOLE}\n```\nTry it:\n```python\nprint(double(2))\n```",
        f"```python\ndef double(x): return 0\n```\nNo, better:\n```python\n{WHOLE}\n```",
        f"```python\nprint('x')\n```\nand\n```js\nfunction double() {{}}\n```\n```python\n{WHOLE}\n```",
        f"```python\n{WHOLE}",
        WHOLE,
        f"{WHOLE}\n\nThis function doubles x.",
        f"Sure! Here is the code.\n\n{WHOLE}",
        f"Sure!\n\nimport math\n{WHOLE}\n\nIt works because 2 * x is x + x.\nBye.",
        "def double(x):\n    def helper(y: List[int]): return y\n    return 2 * x",
        f"class Solution:\n    pass\n\n{WHOLE}",
        f"@staticmethod\n{WHOLE}",
    ],
)
def test_what_is_meant_is_run(answer: str) -> None:
    assert value(answer) == 6


@pytest.mark.parametrize("answer", [WHOLE, f"[BEGIN]\n{WHOLE}\n[DONE]", f"{WHOLE}\n[DONE]\nmore", f"```\n{WHOLE}\n```"])
def test_without_a_prompt_of_code_the_program_stands_alone(answer: str) -> None:
    assert value(answer, context="") == 6


@pytest.mark.parametrize(
    ("answer", "rule", "part"),
    [
        (BODY, "continuation", BODY),
        (f"So:\n```py\n{WHOLE}\n```\n", "fenced_language", WHOLE),
        (f"```\n{WHOLE}\n```", "fenced", WHOLE),
        (f"So:\n{WHOLE}", "whole_text", WHOLE),
    ],
)
def test_the_rule_and_the_place_are_said(answer: str, rule: str, part: str) -> None:
    found = find_program(answer, PROMPT, ["double"])
    assert (found.rule, answer[slice(*found.span)]) == (rule, part)


def test_a_prompts_helpers_stand_before_a_whole_function() -> None:
    first = find_program(WHOLE, PROMPT, ["double"]).readings[0]
    assert first == f"{PROMPT}\n{WHOLE}"


@pytest.mark.parametrize("answer", ["", "   ", "I can't do that.", "```\n```", "[DONE]"])
def test_an_answer_without_a_program_has_readings_all_the_same(answer: str) -> None:
    assert find_program(answer, PROMPT, ["double"]).readings
    assert find_program(answer, "", ["double"]).readings


def test_readings_are_few() -> None:
    assert len(find_program("def double(x): return 1\n" + "word\n" * 5000, PROMPT, ["double"]).readings) <= 30
