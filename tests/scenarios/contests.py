"""A few problems of our own in the layouts of APPS and BigCodeBench, whose rows may not or cannot be shipped."""

import json
from pathlib import Path

from holoscope.core import Json
from scenarios.upstream import write_json, write_text


def apps(root: Path) -> None:
    folder = root / "code_apps/APPS"
    reading: dict[str, Json] = {"inputs": ["1 2\n", "3 4\n"], "outputs": ["3\n", "7\n"]}
    for split, number in (("train", "0000"), ("train", "0001"), ("test", "0000"), ("test", "0002")):
        problem = folder / split / number
        write_text(problem / "question.txt", f"Add the two numbers of {split} {number}.\n")
        write_json(
            problem / "solutions.json", ["a, b = map(int, input().split())\nif a:\n  print(a + b)\nelse:\n  print(b)\n"]
        )
        write_json(problem / "input_output.json", reading)
        write_json(problem / "metadata.json", {"difficulty": "introductory", "url": "https://example.org"})
    called = folder / "test/0001"
    write_text(called / "question.txt", "Write a function that adds.\n")
    write_text(called / "starter_code.py", "def add(a, b):\n\t")
    write_json(called / "solutions.json", ["def add(a, b):\n    return a + b\n", "add = int.__add__"])
    write_json(called / "input_output.json", {"fn_name": "add", "inputs": [[1, 2]], "outputs": [3]})
    write_text(folder / "test/0003/question.txt", "A problem without tests.\n")
    write_text(folder / "train/0002/question.txt", "A problem without solutions.\n")


_TESTS = """import unittest
from unittest.mock import patch
class TestCases(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(task_func([1, 2]), 3)
    @patch("math.fsum", return_value=5.0)
    def test_patched(self, _):
        self.assertEqual(task_func([1]), 5.0)
"""


def bigcodebench_row(number: int, libs: str) -> dict[str, Json]:
    code_prompt = "import math\ndef task_func(numbers):\n"
    return {
        "task_id": f"BigCodeBench/{number}",
        "complete_prompt": f'{code_prompt}    """Sum."""\n',
        "instruct_prompt": f"Sum.\nYou should write self-contained code starting with:\n```\n{code_prompt}```",
        "canonical_solution": "    return math.fsum(numbers)",
        "code_prompt": code_prompt,
        "test": _TESTS,
        "entry_point": "task_func",
        "doc_struct": json.dumps({"description": ["Sum."]}),
        "libs": libs,
    }


def bigcodebench(root: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    path = root / "bigcodebench/data/v0.1.3-00000-of-00001.parquet"
    path.parent.mkdir(parents=True)
    rows = [bigcodebench_row(0, "['math']"), bigcodebench_row(7, "['math', 'no_such_library']")]
    parquet.write_table(pa.Table.from_pylist(rows), path)
