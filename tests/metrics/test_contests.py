"""Solutions of contests are right by what they print or return, compared outside the sandbox: ours and HELM's way."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from holoscope.core import Instance, MetricSpec, Outcome, Score
from holoscope.metrics import expanded, score
from holoscope.metrics.contests import same_output, same_value
from holoscope.metrics.helm.programs import _as_function, _same_output, _same_value
from holoscope.sandbox import Result, Verdict
from metrics.made import generated, registry
from sandboxed import SANDBOX, needs_sandbox

ADD = {"inputs": ["1 2\n", "3 4\n", "5 6\n", "7 8\n"], "outputs": ["3\n", "7\n", "11\n", "15\n"]}
CALL = {"fn_name": "add", "inputs": [[1, 2], [3, 4]], "outputs": [3, [7]]}


def scored(
    tests: dict[str, Any], *said: str, compat: bool = False, timeout: int = 1, run: Any = SANDBOX.run
) -> tuple[Score, Score]:
    of = Instance(id="id0", input="?", extra={"input_output": json.dumps(tests)})
    specs = expanded([MetricSpec("apps", {"names": ["test_avg", "strict_acc"], "timeout": timeout})])
    [[mean, strict]] = score(specs, [generated(of, *said)], registry(), compat=compat, run=run)
    return mean, strict


@needs_sandbox
@pytest.mark.parametrize("compat", [False, True])
@pytest.mark.parametrize(
    ("tests", "said", "mean", "strict"),
    [
        (ADD, "print(sum(map(int, input().split())))", 1.0, 1.0),
        (ADD, "a, b = map(int, input().split())\nprint(a + b if a < 5 else 0)", 0.5, 0.0),
        (ADD, "import sys\nfor line in sys.stdin:\n    print(sum(map(int, line.split())))", 1.0, 1.0),
        (ADD, "print(3)\nexit()", 0.25, 0.0),
        (ADD, "print('passed')", 0.0, 0.0),
        (ADD, "print(3)\n1 / 0", 0.0, 0.0),
        (ADD, "this is no program", 0.0, 0.0),
        (ADD, "", 0.0, 0.0),
        (CALL, "def add(a, b): return a + b", 1.0, 1.0),
        (CALL, "class Solution:\n    def add(self, a: List[int], b): return a + b", 1.0, 1.0),
        (CALL, "def add(a, b): return 3", 0.5, 0.0),
        (CALL, "def sub(a, b): return 3", 0.0, 0.0),
    ],
)
def test_tests_passed(tests: dict[str, Any], said: str, mean: float, strict: float, compat: bool) -> None:
    assert [found.value for found in scored(tests, said, compat=compat)] == [mean, strict]


@needs_sandbox
def test_our_reading_takes_a_block_out_of_an_answer_and_runs_its_main_part() -> None:
    program = "def main():\n    print(sum(map(int, input().split())))\nif __name__ == '__main__':\n    main()\n"
    said = f"Here:\n```python\n{program}```"
    assert scored(ADD, said)[1].value == 1.0
    assert scored(ADD, said, compat=True)[1].value == 0.0


@needs_sandbox
def test_helm_takes_the_best_of_all_answers() -> None:
    said = ["print(3)", "print(sum(map(int, input().split())))"]
    assert scored(ADD, *said)[1].value == 0.0
    assert scored(ADD, *said, compat=True)[1].value == 1.0


@pytest.mark.parametrize(("late", "ours", "helms"), [(3, 0.4, 0.4), (4, 0.2, 0.0)])
def test_helm_fails_every_test_of_a_solution_that_takes_too_long(late: int, ours: float, helms: float) -> None:
    tests = {"inputs": [""] * 5, "outputs": ["done\n"] * 5}
    verdicts = (*[Verdict("passed", value=b"done\n")] * (5 - late), *[Verdict("time")] * late)

    def run(jobs: Sequence[object]) -> list[Result]:
        return [Result(verdicts) for _ in jobs]

    assert scored(tests, "x", timeout=3, run=run)[0].value == ours
    assert scored(tests, "x", timeout=3, run=run, compat=True)[0].value == helms


@needs_sandbox
def test_the_score_says_what_went_wrong_first() -> None:
    mean, _ = scored(ADD, "a, b = map(int, input().split())\nprint(a + b if a < 5 else 0)")
    assert mean.reason == "2 of 4 tests passed; the first that was not: the output is another than expected"


@pytest.mark.parametrize("extra", [{}, {"input_output": ""}, {"input_output": '{"inputs": [], "outputs": []}'}])
def test_an_instance_without_tests_has_no_score(extra: dict[str, Any]) -> None:
    of = Instance(id="id0", input="?", extra=extra)
    [[found]] = score([MetricSpec("strict_acc")], [generated(of, "x")], registry(), run=lambda jobs: [])
    assert (found.value, found.outcome) == (None, Outcome.NOT_SUPPORTED)


@pytest.mark.parametrize(
    ("found", "expected", "ours", "helms"),
    [
        ("1 2\n3\n", "1 2\n3", True, True),
        ("1 2 \n\n3\n\n", "1 2\n3\n", True, True),
        ("1\n2\n3\n", "1 2 3\n", True, False),
        ("0.3333333\n", "0.33333335\n", True, True),
        ("2\n", "2.0\n", True, True),
        ("3\n", "2\n", False, False),
        ("100000001\n", "100000002\n", False, True),  # whole numbers, near as floats
        ("b a\n", "a b\n", False, True),  # sets of words
        ("2\n1\n", "1\n2\n", False, True),  # sets of lines
        ("1 1\n", "1\n", False, True),
        ("yes\n", "YES\n", False, False),
        ("", "", True, True),
        ("", "1\n", False, False),
        ("nan\n", "1\n", False, False),
    ],
)
def test_outputs_are_compared(found: str, expected: str, ours: bool, helms: bool) -> None:
    assert same_output(found, expected) == ours
    assert _same_output(found.encode(), expected) == helms


@pytest.mark.parametrize(
    ("found", "expected", "ours", "helms"),
    [
        (3, 3, True, True),
        (3, [3], True, True),
        ((1, 2), [1, 2], True, True),
        ([1, 2], [[1, 2]], True, True),
        ([(1, 2), (3, 4)], [[[1, 2], [3, 4]]], True, True),
        ([(1, 2), (3, 4)], [[1, 2], [3, 4]], True, False),
        ({1: 2}, {"1": 2}, True, True),
        ({"a": 2}, [{"a": 2}], True, True),
        (True, 1, True, True),
        ("3", 3, False, False),
        (None, [], False, False),
        ([], [], True, True),
    ],
)
def test_values_are_compared(found: object, expected: Any, ours: bool, helms: bool) -> None:
    assert same_value(found, expected) == ours
    assert _same_value(found, expected) == helms


def test_helms_function_keeps_imports_at_its_head_outside() -> None:
    assert _as_function("import re\nx = 1\nimport os\nprint(x)") == (
        "import re\nstdin = sys.stdin\nstdout = sys.stdout\ndef code():\n\tx = 1\n\timport os\n\tprint(x)\ncode()\n"
    )
