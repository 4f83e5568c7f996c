"""The commands run model-written code in the sandbox, or say that they don't, or say loudly that they do without."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from sandboxed import needs_sandbox
from serving import holoscope

PROMPT = 'def {name}(x):\n    """Do it."""\n'
WARNING = "WARNING: model-written code runs WITHOUT a sandbox"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two problems, and a recorded model that solves one and is hostile to the other; asked again it solves both."""
    rows, answers = [], []
    for name, solution in (("one", "    return 1\n"), ("two", "    import os; print('passed'); os._exit(0)\n")):
        prompt = PROMPT.format(name=name)
        test = "def check(candidate):\n    assert candidate(0) == 1\n"
        rows.append(
            {"task_id": name, "prompt": prompt, "entry_point": name, "test": test, "canonical_solution": solution}
        )
        answers.append({"prompt": prompt, "completions": [{"text": solution}, {"text": "    return 1\n"}]})
    data = tmp_path / "data/code_humaneval"
    data.mkdir(parents=True)
    (data / "HumanEval.jsonl.gz").write_bytes(gzip.compress("".join(f"{json.dumps(r)}\n" for r in rows).encode()))
    (tmp_path / "answers.jsonl").write_text("".join(f"{json.dumps(a)}\n" for a in answers), encoding="utf-8")
    return tmp_path


def nowhere_else(folder: Path) -> Path:
    """A Python that starts on this machine, and that no sandbox sees."""
    python = folder / "python"
    said = json.dumps([str(python), "/usr", "/usr/lib", "/usr/lib"])
    python.write_text(
        f'#!/bin/sh\ncase "$2" in *base_prefix*) echo \'{said}\';; *) exec {sys.executable} "$@";; esac\n',
        encoding="utf-8",
    )
    python.chmod(0o755)
    return python


def run(folder: Path, *words: str, **environment: str) -> tuple[int, dict[str, Any], str]:
    """The exit code, the manifest, and what was said on standard error."""
    common = ("--model", "replay/answers.jsonl", "--data-dir", "data", "--out", "out")
    done = holoscope("run", "humaneval", *common, *words, cwd=folder, timeout=120, **environment)
    [path] = (folder / "out/runs/default").glob("*/run.json")
    return done.returncode, json.loads(path.read_bytes()), done.stderr


def accuracy(folder: Path) -> tuple[float | None, str]:
    shown = json.loads(holoscope("show", "--out", "out", "--json", cwd=folder).stdout)["cells"]
    [cell] = [c for c in shown if c["metric"] == "pass" and c["axis"] == "accuracy"]
    return cell["value"], cell["reason"]


@needs_sandbox
def test_programs_run_in_the_sandbox_and_the_manifest_says_so(folder: Path) -> None:
    code, manifest, said = run(folder)
    assert code == 0, said
    assert manifest["sandbox"]["how"].startswith("bubblewrap ")
    assert (accuracy(folder)[0], WARNING in said) == (0.5, False)


@needs_sandbox
def test_stored_programs_are_scored_again(folder: Path) -> None:
    run(folder)
    scores = next((folder / "out/runs/default").glob("*/scores.parquet"))
    before = scores.read_bytes()
    assert holoscope("rescore", "--out", "out", cwd=folder).returncode == 0
    assert scores.read_bytes() == before
    assert holoscope("rescore", "--out", "out", "--compat", "helm", cwd=folder).returncode == 0
    assert scores.read_bytes() != before
    assert accuracy(folder)[0] == 0.5


def test_without_a_sandbox_nothing_runs_and_the_cell_says_why(folder: Path) -> None:
    code, manifest, said = run(folder, HOLOSCOPE_SANDBOX_PYTHON=str(nowhere_else(folder)))
    assert (code, manifest["sandbox"], manifest["status"]) == (1, {}, "incomplete")
    value, reason = accuracy(folder)
    assert value is None
    assert reason.startswith("no sandbox: ")
    assert "--allow-unsafe-code" in said


def test_unsafe_code_runs_where_it_is_allowed_and_is_said_loudly(folder: Path) -> None:
    code, manifest, said = run(folder, "--allow-unsafe-code", HOLOSCOPE_SANDBOX_PYTHON=str(nowhere_else(folder)))
    assert code == 0, said
    assert WARNING in said
    assert manifest["sandbox"]["how"] == "unsafe: plain processes with limits"
    assert accuracy(folder)[0] == 0.5


@needs_sandbox
def test_a_sandbox_that_works_is_used_although_it_need_not_be(folder: Path) -> None:
    _, manifest, said = run(folder, "--allow-unsafe-code")
    assert manifest["sandbox"]["how"].startswith("bubblewrap ")
    assert WARNING not in said


@needs_sandbox
def test_repeated_answers_give_pass_at_k(folder: Path) -> None:
    run(folder, "--trials", "2")
    shown = json.loads(holoscope("show", "--out", "out", "--json", cwd=folder).stdout)["cells"]
    assert {c["metric"]: c["value"] for c in shown if c["metric"].startswith("pass")} == {"pass": 0.75, "pass@2": 1.0}


def test_doctor_says_whether_programs_can_run(folder: Path) -> None:
    python = str(nowhere_else(folder))
    done = holoscope("doctor", "humaneval", "--data-dir", "data", cwd=folder, HOLOSCOPE_SANDBOX_PYTHON=python)
    assert done.returncode == 1
    assert "model-written code: no sandbox: " in done.stdout
