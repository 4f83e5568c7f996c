"""A function of one's own from the command line: kept answers, its faults, and what a change to it means."""

import json
from pathlib import Path
from typing import Any

from cli.invoked import Command
from serving import questions

CODE = """
from pathlib import Path

def answer(prompt):
    with Path("calls.txt").open("a", encoding="utf-8") as file:
        file.write("x")
    if "Question 3" in prompt:
        raise LookupError("nothing on three")
    return "A"
"""


def calls() -> int:
    return len(Path("calls.txt").read_text(encoding="utf-8"))


def accuracy(here: Command) -> dict[str, Any]:
    cells = json.loads(here("show", "--json").stdout)["cells"]
    (found,) = [cell for cell in cells if cell["metric"] == "exact_match"]
    return dict(found)


def test_what_it_raises_costs_one_request_and_what_it_said_is_kept(here: Command, tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 6)
    (tmp_path / "mine.py").write_text(CODE, encoding="utf-8")
    done = here("run", "./q.jsonl", "--model", "python/mine.py:answer")
    assert done.returncode == 1
    assert "1 of 6 requests have no answer" in done.stderr
    assert "LookupError: nothing on three (mine.py, line 8)" in done.stderr
    found = accuracy(here)
    assert (found["n"], found["outcomes"], found["value"]) == (5, {"ok": 5, "not_supported": 1}, 2 / 5)
    assert calls() == 6
    here("run", "./q.jsonl", "--model", "python/mine.py:answer")
    assert calls() == 7


def test_a_changed_file_is_asked_anew(here: Command, tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 6)
    (tmp_path / "mine.py").write_text(CODE, encoding="utf-8")
    here("run", "./q.jsonl", "--model", "python/mine.py:answer")
    (tmp_path / "mine.py").write_text(CODE.replace('raise LookupError("nothing on three")', 'return "D"'), "utf-8")
    done = here("run", "./q.jsonl", "--model", "python/mine.py:answer")
    assert done.returncode == 0, done.stderr
    assert calls() == 12
    assert accuracy(here)["value"] == 3 / 6


def test_a_file_that_cannot_be_run_is_an_error_in_one_line(here: Command, tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 1)
    (tmp_path / "mine.py").write_text("def answer(prompt) return 1\n", encoding="utf-8")
    done = here("run", "./q.jsonl", "--model", "python/mine.py:answer")
    assert done.returncode == 2
    assert done.stderr.startswith("holoscope: mine.py can't be run: SyntaxError: ")
    assert done.stderr.count("\n") == 1
