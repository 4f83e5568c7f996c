"""`holoscope release`: what is published stays as it is, and a model comes in by a new release."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.invoked import Command
from holoscope.cli.helm_compat import helm_summarize
from interop.helm_made import NAME, write_run


def other_model(name: str, content: Any) -> Any:
    return json.loads(json.dumps(content).replace("openai_gpt2", "a_new").replace("openai/gpt2", "a/new"))


@pytest.fixture
def folder(tmp_path: Path, here: Command) -> Path:
    """Two suites of one run each, of two models."""
    write_run(tmp_path / "helm" / "runs" / "first" / NAME)
    write_run(tmp_path / "helm" / "runs" / "second" / "mmlu-model=a_new", change=other_model)
    assert here("import", "helm", "--out", "out").returncode == 0
    return tmp_path


def test_a_model_is_added_by_a_new_release_and_the_difference_is_told(folder: Path, here: Command) -> None:
    made = here("release", "v1", "--suite", "first", "--out", "out")
    assert (made.returncode, made.stderr) == (0, "")
    added = here("release", "v2", "--after", "v1", "--suite", "second", "--out", "out")
    assert added.returncode == 0, added.stderr
    assert "2 runs, 2 models, 1 scenario, suites first, second" in added.stdout
    assert "Since v1:\n  + model a/new\n  + 1 run\n" in added.stdout
    listed = here("release", "--out", "out", "--json")
    assert [each["name"] for each in json.loads(listed.stdout)["releases"]] == ["v2", "v1"]


def test_a_published_name_is_not_given_to_other_runs(folder: Path, here: Command) -> None:
    here("release", "v1", "--suite", "first", "--out", "out")
    again = here("release", "v1", "--suite", "second", "--out", "out")
    assert again.returncode == 2
    assert "is not changed" in again.stderr
    same = here("release", "v1", "--suite", "first", "--out", "out")
    assert same.returncode == 0


def test_a_single_run_can_be_published(folder: Path, here: Command) -> None:
    made = here("release", "v1", "--run", f"first/{NAME}", "--out", "out", "--json")
    release = json.loads(made.stdout)["release"]
    assert [run["run"] for run in release["runs"]] == [NAME]
    values = {value["axis"]: value["value"] for value in release["runs"][0]["values"] if "value" in value}
    assert values["accuracy"] == 0.5


def test_scores_that_changed_since_are_said(folder: Path, here: Command) -> None:
    here("release", "v1", "--suite", "first", "--out", "out")
    here("rescore", "--suite", "first", "--out", "out")
    shown = here("release", "v1", "--out", "out")
    assert shown.returncode == 1
    assert "scored again or extended since release v1" in shown.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--suite", "first"),
        ("v1", "--suite", "nope"),
        ("v1", "--run", NAME),
        ("v1", "--run", "first/nope"),
        ("v1", "--after", "v0"),
        ("v9",),
        ("a/b", "--suite", "first"),
    ],
)
def test_what_cannot_be_published_is_one_line(folder: Path, here: Command, words: tuple[str, ...]) -> None:
    done = here("release", *words, "--out", "out")
    assert done.returncode == 2, done.stdout
    assert len(done.stderr.splitlines()) == 1
    assert not (folder / "out" / "releases").exists()


def test_helms_release_of_suites_is_kept_as_one_of_ours(folder: Path, here: Command) -> None:
    for suite in ("first", "second"):
        done = here("export", "--suite", suite, "--out", "out", "--to", "out", "--own-use")
        assert done.returncode == 0, done.stderr
    with pytest.raises(SystemExit) as ended:
        helm_summarize(["--release", "v1", "--suites", "first", "second", "-o", "out"])
    assert ended.value.code == 0
    assert (folder / "out" / "releases" / "v1" / "summary.json").exists()
    kept = json.loads((folder / "out" / "releases" / "v1.json").read_text(encoding="utf-8"))
    assert {run["model"] for run in kept["runs"]} == {"openai/gpt2", "a/new"}
