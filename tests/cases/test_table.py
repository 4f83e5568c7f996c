"""The table of cases is complete, and the tests it names are there."""

import ast
import json

import pytest

from cases.table import TABLE, Later
from paths import ROOT, SHARED

CASES = SHARED / "cases" / "reports.jsonl"
MINE = ("extractor", "scorer", "metric", "perturbation", "aggregate")
"""Words of `where` that say a case is about grading, and so must have a test."""


def cases() -> dict[str, str]:
    lines = CASES.read_text(encoding="utf-8").splitlines()
    return {case["id"]: case["where"] for case in map(json.loads, lines)}


@pytest.mark.skipif(not CASES.is_file(), reason=f"no cases at {CASES}")
def test_every_case_is_in_the_table() -> None:
    assert list(TABLE) == list(cases())


@pytest.mark.skipif(not CASES.is_file(), reason=f"no cases at {CASES}")
def test_every_case_about_grading_has_a_test_unless_judges_own_it() -> None:
    judged = {name for name, where in cases().items() if "judge" in where}
    about_grading = {name for name, where in cases().items() if any(word in where for word in MINE)}
    assert {name for name in about_grading if isinstance(TABLE[name], Later)} <= judged


@pytest.mark.parametrize("case", [name for name, tests in TABLE.items() if not isinstance(tests, Later)])
def test_every_test_that_is_named_is_there(case: str) -> None:
    tests = TABLE[case]
    assert tests
    for named in tests:
        path, _, function = named.partition("::")
        tree = ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8"))
        assert function in {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}
