"""Bad input: one clear line, the right exit code, nothing lost."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from paths import DATA, needs_data
from serving import HOLOSCOPE, clean_environment, holoscope, questions, serving

Done = subprocess.CompletedProcess[str]


def complaint(done: Done, code: int) -> str:
    """The one line on standard error, beside notes and progress."""
    assert done.returncode == code, done.stderr
    lines = [line for line in done.stderr.splitlines() if not line.startswith("note: ") and " runs · " not in line]
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    return lines[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "mmul:subject=anatomy", "--model", "test/echo"], "did you mean 'mmlu'?"),
        (["run", "mmlu:subjct=anatomy", "--model", "test/echo"], "did you mean 'subject'?"),
        (["run", "mmlu:subject=anatomie", "--model", "test/echo"], "did you mean 'anatomy'?"),
        (["run", "mmlu", "--model", "test/echo"], "subject"),
        (["run", "gsm"], "--model"),
        (["run", "gsm", "--model", "tset/echo"], "tset/echo"),
        (["run", "gsm", "--model", "nonsense"], "nonsense"),
        (["run", "gsm", "--model", "openai/gpt-4o"], "OPENAI_API_KEY"),
        (["run", "gsm:model=test/echo,data_augmentation=canonicl"], "canonical"),
        (["run", 'gsm:model="test/echo'], "quote"),
        (["run", "./nothing.jsonl", "--model", "test/echo"], "nothing.jsonl"),
        (["run", "gsm", "--model", "replay/none.jsonl"], "none.jsonl"),
        (["run", "-c", "none.conf"], "none.conf"),
        (["run"], "no run entry"),
        (["run", "gsm", "--model", "test/echo", "-m", "0"], "-m must be at least 1"),
        (["run", "gsm", "--model", "test/echo", "--suite", "a/b"], "a/b"),
        (["run", "gsm", "--model", "test/echo", "--fail-under", "x"], "METRIC=VALUE"),
        (["run", "gsm", "--modle", "test/echo"], "--model"),
        (["rn"], 'Did you mean "run"'),
        (["show"], "no runs"),
        (["doctor", "--model", "tset/echo"], "tset/echo"),
        (["list", "scenarois"], "scenarios"),
        (["models", "pull", "local/smollm3"], "smollm2-135m-instruct"),
    ],
)
def test_what_is_mistyped_is_said_in_one_line(words: list[str], says: str, tmp_path: Path) -> None:
    assert says in complaint(holoscope(*words, cwd=tmp_path), 2)


@pytest.mark.parametrize(
    "text",
    [
        '[ {description: "gsm:model=test/echo", priority: 1 ',
        "entries: 3",
        '[ {descripton: "gsm:model=test/echo"} ]',
        "not a conf at all {",
    ],
)
def test_a_malformed_conf_names_the_file(text: str, tmp_path: Path) -> None:
    (tmp_path / "bad.conf").write_text(text, encoding="utf-8")
    assert "bad.conf" in complaint(holoscope("run", "-c", "bad.conf", cwd=tmp_path), 2)
    assert "bad.conf" in complaint(helm_run(tmp_path, "-c", "bad.conf", "-m", "3"), 2)


def helm_run(cwd: Path, *flags: str, **environment: str) -> Done:
    code = "import sys; from holoscope.cli.helm_compat import helm_run; helm_run(sys.argv[1:])"
    return subprocess.run(
        [HOLOSCOPE[0], "-c", code, *flags],
        cwd=cwd,
        env=clean_environment(cwd, **environment),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_helm_run_wants_a_number_of_instances(tmp_path: Path) -> None:
    assert "--max-eval-instances" in complaint(helm_run(tmp_path, "-r", "gsm:model=test/echo"), 2)


def test_helm_run_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    flags = ("-r", "gsm:model=test/echo", "-m", "3", "--mongo-uri", "mongodb://x")
    assert "--mongo-uri is not supported" in complaint(helm_run(tmp_path, *flags), 2)


def test_missing_data_fails_that_run_alone(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 4)
    done = holoscope("run", "gsm", "./q.jsonl", "--model", "test/echo", cwd=tmp_path)
    line = complaint(done, 1)
    assert "gsm" in line
    assert "--data-dir DIR" in line
    shown = json.loads(holoscope("show", "--json", cwd=tmp_path).stdout)["cells"]
    assert any(cell["scenario"] == "file" and cell["value"] is not None for cell in shown)
    assert all(cell["reason"].startswith("failed: ") for cell in shown if cell["scenario"] == "gsm")


@needs_data
def test_a_changed_file_of_rows_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "gsm"
    folder.mkdir(parents=True)
    for name in ("train.jsonl", "test.jsonl"):
        rows = (DATA / "gsm" / name).read_text(encoding="utf-8").splitlines()[:6]
        (folder / name).write_text("\n".join([*rows, '{"question": "cut off']), encoding="utf-8")
    line = complaint(holoscope("run", "gsm", "--model", "test/echo", "--data-dir", "data", cwd=tmp_path), 1)
    assert "jsonl" in line
    assert "7" in line, "the line's number"


def test_a_server_that_answers_html_is_said_in_one_line(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 3)
    with serving("--misbehave", "html") as server:
        flags = ("--model", "openai/m", "--base-url", f"{server.url}/v1", "--max-time", "0.05")
        line = complaint(holoscope("run", "./q.jsonl", *flags, cwd=tmp_path), 1)
    assert "HTML" in line
    assert "<" not in line


def test_a_server_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 3)
    flags = ("--model", "openai/m", "--base-url", "http://127.0.0.1:9/v1", "--max-time", "0.05")
    assert "127.0.0.1:9" in complaint(holoscope("run", "./q.jsonl", *flags, cwd=tmp_path), 1)


@pytest.mark.parametrize("fault", ["500", "hang"])
def test_one_request_that_always_fails_costs_itself_only(tmp_path: Path, fault: str) -> None:
    questions(tmp_path / "q.jsonl", 80)
    with serving("--misbehave", fault, "--poison", "Question 7:") as server:
        flags = ("--model", "openai/m", "--base-url", f"{server.url}/v1", "--max-time", "0.1")
        line = complaint(holoscope("run", "./q.jsonl", *flags, cwd=tmp_path), 1)
    assert "1 of 80 requests have no answer" in line
    cells = json.loads(holoscope("show", "--json", cwd=tmp_path).stdout)["cells"]
    (accuracy,) = [c for c in cells if c["metric"] == "exact_match" and c["perturbation"] is None]
    assert (accuracy["n"], accuracy["n_missing"], accuracy["outcomes"]["transport_error"]) == (79, 1, 1)


def test_a_full_disk_is_said_in_one_line_and_loses_nothing(tmp_path: Path) -> None:
    """The ledger's file system has room for some answers only; with more room the same command asks for the rest."""
    questions(tmp_path / "q.jsonl", 300)
    with serving() as server:
        words = ["run", "./q.jsonl", "--model", "openai/m", "--base-url", f"{server.url}/v1", "--out", "out"]
        limit = 200 * 1024
        done = subprocess.run(
            ["prlimit", f"--fsize={limit}", *HOLOSCOPE, *words],
            cwd=tmp_path,
            env=clean_environment(tmp_path),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert "ledger.sqlite" in complaint(done, 1)
        served = server.stats()["requests"]
        assert 0 < served < 300
        assert holoscope(*words, cwd=tmp_path).returncode == 0
        again = server.stats()["requests"] - served
    assert 300 <= served + again <= 300 + 64


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file", encoding="utf-8")
    done = holoscope("run", "quickstart_sums", "--model", "test/echo", "--out", "out", cwd=tmp_path)
    assert "out" in complaint(done, 1)


def test_no_key_reaches_a_file_or_the_screen(tmp_path: Path) -> None:
    secret = "sk-very-secret-0123456789"
    questions(tmp_path / "q.jsonl", 3)
    with serving() as server:
        flags = ("--model", "openai/m", "--base-url", f"{server.url}/v1")
        done = holoscope("run", "./q.jsonl", *flags, cwd=tmp_path, OPENAI_API_KEY=secret)
    assert done.returncode == 0
    assert secret not in done.stdout + done.stderr
    for folder, _, names in os.walk(tmp_path / "holoscope_output"):
        for name in names:
            assert secret.encode() not in Path(folder, name).read_bytes()
