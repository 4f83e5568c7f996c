"""Run folders that were damaged, and names that would command a terminal: one line, and the right exit code."""

import json
from pathlib import Path

import pytest

from serving import holoscope

ESCAPE = "\x1b]0;owned\x07"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of one complete run, under `tmp_path/out`."""
    done = holoscope("run", "quickstart_sums", "--model", "test/echo", "-m", "4", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (manifest,) = (tmp_path / "out").rglob("run.json")
    return manifest.parent


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


def test_rescoring_says_which_run_it_could_not_read(run: Path, tmp_path: Path) -> None:
    cut(run / "requests.parquet")
    done = holoscope("rescore", "--out", "out", cwd=tmp_path)
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("not scored again: quickstart_sums")]
    assert "requests.parquet" in line


@pytest.mark.parametrize("command", [["show"], ["rescore"], ["export", "--to", "to"]])
def test_a_manifest_that_cannot_be_read_is_named(command: list[str], run: Path, tmp_path: Path) -> None:
    (run / "run.json").write_text("{", encoding="utf-8")
    done = holoscope(*command, "--out", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert f"cannot read {(run / 'run.json').relative_to(tmp_path)}" in done.stderr
    assert "did you mean" not in done.stderr


def test_the_list_of_runs_says_what_it_passed_over(run: Path, tmp_path: Path) -> None:
    (run / "run.json").write_text("{", encoding="utf-8")
    assert "run.json" in holoscope("list", "runs", "--out", "out", cwd=tmp_path).stderr


def test_a_grid_with_cells_that_cannot_be_read_is_no_success(run: Path, tmp_path: Path) -> None:
    (run / "statistics.json").unlink()
    cut(run / "requests.parquet")
    done = holoscope("show", "--out", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert "cannot read" in done.stdout


def test_a_name_cannot_command_the_terminal(run: Path, tmp_path: Path) -> None:
    manifest = json.loads((run / "run.json").read_bytes())
    manifest["spec"]["name"] = f"sums{ESCAPE}"
    manifest["model"]["name"] = f"test/echo{ESCAPE}"
    (run / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    for words in (["list", "runs"], ["show"], ["show", "--csv"], ["show", "--md"]):
        done = holoscope(*words, "--out", "out", cwd=tmp_path)
        assert "owned" in done.stdout
        assert not {"\x1b", "\x07"} & set(done.stdout + done.stderr)


def test_an_error_cannot_command_the_terminal(tmp_path: Path) -> None:
    done = holoscope("run", "gsm", "--model", f"nonsense{ESCAPE}", cwd=tmp_path)
    assert done.returncode == 2
    assert not {"\x1b", "\x07"} & set(done.stderr)


def test_why_a_run_failed_cannot_command_the_terminal(tmp_path: Path) -> None:
    row = {"question": "?", "answer": "a"}
    (tmp_path / f"q{ESCAPE}.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"instance_id": "other", "completions": [{"text": "x"}]}', encoding="utf-8")
    done = holoscope("run", f"./q{ESCAPE}.jsonl", "--model", "replay/a.jsonl", "--out", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert "incomplete: " in done.stderr or "failed: " in done.stderr
    assert not {"\x1b", "\x07"} & set(done.stdout + done.stderr)


@pytest.mark.parametrize(
    "words", [["show"], ["show", "--md"], ["show", "--csv"], ["show", "--json"], ["list", "runs"], ["list", "metrics"]]
)
def test_a_terminal_that_lacks_a_character_is_no_error(words: list[str], run: Path, tmp_path: Path) -> None:
    text = (run / "run.json").read_text(encoding="utf-8").replace("test/echo", "test/\u00e9cho")
    (run / "run.json").write_text(text, encoding="utf-8")
    done = holoscope(*words, "--out", "out", cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_a_table_cannot_be_written_where_there_is_no_file_name(run: Path, tmp_path: Path) -> None:
    done = holoscope("export", "--format", "csv", "--to", ".", "--out", "out", cwd=tmp_path)
    assert run.exists()
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
