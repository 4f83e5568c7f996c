"""`holoscope import`: HELM's folders as a user brings them, and what the other commands make of them."""

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli.invoked import Command, Said
from interop.helm_made import NAME, write_run
from paths import DATA, needs_data
from serving import holoscope

Done = subprocess.CompletedProcess[str]
Cells = dict[tuple[str, ...], dict[str, Any]]
NUMBERS = ("value", "low", "high")
COUNTS = ("n", "n_missing", "outcomes")
OUTS = ("own", "back")
TOKENS = {"num_prompt_tokens", "num_completion_tokens", "tokens_per_second"}
"""As the endpoint counts them, which HELM's files don't say."""


def cells(shown: Said | Done) -> Cells:
    """What `show --json` printed."""
    found = json.loads(shown.stdout)["cells"]
    keys = ("run", "axis", "metric", "split", "sub_split", "perturbation")
    return {tuple(cell[key] or "" for key in keys): cell for cell in found if cell["metric"]}


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    def close(a: float | None, b: float | None) -> bool:
        return a == b or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12))

    numbers = all(close(one[name], other[name]) for name in NUMBERS)
    return numbers and all(one[name] == other[name] for name in COUNTS)


def test_a_folder_of_helms_is_read_and_shown(tmp_path: Path, here: Command) -> None:
    write_run(tmp_path / "benchmark_output" / "runs" / "v1" / NAME)
    done = here("import", "benchmark_output", "--out", "out")
    assert done.returncode == 0, done.stderr
    assert f"v1  {NAME}" in done.stdout
    assert "1 run in out. The grid:  holoscope show --suite v1 --out out" in done.stdout
    shown = here("show", "--suite", "v1", "--out", "out")
    assert shown.returncode == 0
    assert "openai/gpt2" in shown.stdout


def test_a_damaged_file_and_an_unfinished_run_are_a_line_each_and_exit_code_1(tmp_path: Path, here: Command) -> None:
    suite = tmp_path / "runs" / "v1"
    write_run(suite / NAME)
    (suite / NAME / "stats.json").write_text("[{", encoding="utf-8")
    (suite / "gsm:model=openai_gpt2").mkdir()
    done = here("import", ".", "--out", "out", "--json")
    assert done.returncode == 1
    said = json.loads(done.stdout)
    assert [each["run"] for each in said["imported"]] == [NAME]
    assert len(said["problems"]) == 2
    assert "stats.json" in done.stderr
    assert "began this run and left no result" in done.stderr
    assert len(done.stderr.splitlines()) == 2


def test_a_schema_of_helms_orders_and_names_what_is_shown(tmp_path: Path, here: Command) -> None:
    write_run(tmp_path / "runs" / "v1" / NAME)
    here("import", ".", "--out", "out")
    (tmp_path / "schema.yaml").write_text(
        "run_groups: [{name: mmlu, display_name: Exams, environment: {main_name: max_prob, main_split: test}}]\n",
        encoding="utf-8",
    )
    shown = here("show", "--suite", "v1", "--out", "out", "--schema-path", "schema.yaml")
    assert "Exams" in shown.stdout
    assert "max_prob" in shown.stdout
    refused = here("show", "--suite", "v1", "--out", "out", "--schema-path", "nowhere.yaml")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)


def test_of_equal_runs_that_are_put_into_one_suite_the_later_counts_and_that_is_said(
    tmp_path: Path, here: Command
) -> None:
    for suite in ("a", "b"):
        write_run(tmp_path / "runs" / suite / NAME)
    done = here("import", ".", "--suite", "both", "--out", "out")
    assert done.stdout.count("replaces the run of this name of the suite before") == 1
    assert len(list((tmp_path / "out" / "runs" / "both").iterdir())) == 1


def test_a_folder_without_runs_is_exit_code_2(tmp_path: Path, here: Command) -> None:
    done = here("import", ".")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_what_cannot_be_scored_again_keeps_helms_numbers(tmp_path: Path, here: Command) -> None:
    def change(name: str, content: Any) -> Any:
        text = json.dumps(content).replace('"exact_match"', '"kindness"')
        return json.loads(text)

    write_run(tmp_path / "runs" / "v1" / NAME, change=change)
    here("import", ".", "--out", "out")
    before = cells(here("show", "--suite", "v1", "--out", "out", "--json"))
    here("rescore", "--suite", "v1", "--out", "out")
    after = cells(here("show", "--suite", "v1", "--out", "out", "--json"))
    judged = {key: cell for key, cell in before.items() if key[2] == "kindness"}
    assert judged
    assert {key: after[key] for key in judged} == judged


def test_a_run_without_completions_is_not_emptied_by_scoring_it_again(tmp_path: Path, here: Command) -> None:
    write_run(tmp_path / "runs" / "v1" / NAME, change=lambda n, c: None if n == "scenario_state.json" else c)
    here("import", ".", "--out", "out")
    before = cells(here("show", "--suite", "v1", "--out", "out", "--json"))
    done = here("rescore", "--suite", "v1", "--out", "out")
    assert done.returncode == 1
    assert "holds no completions" in done.stderr
    assert cells(here("show", "--suite", "v1", "--out", "out", "--json")) == before


@pytest.fixture(scope="module")
def round_trip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs under HELM's definitions, exported to its format and read back."""
    folder = tmp_path_factory.mktemp("round")
    entries = (
        "boolq:data_augmentation=canonical",  # perturbations of both kinds
        "babi_qa:task=3",  # instances that share a passage
        "openbookqa:method=multiple_choice_separate_original",
    )
    words = ("--model", "test/echo", "-m", "12", "--compat", "helm", "--suite", "s", "--out", "own")
    for command in (
        ("run", *entries, *words, "--data-dir", str(DATA)),
        ("export", "--format", "helm", "--suite", "s", "--out", "own", "--to", "helm"),
        ("import", "helm", "--out", "back"),
    ):
        done = holoscope(*command, cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


@needs_data
def test_an_export_read_back_gives_the_same_cells(round_trip: Path) -> None:
    own, back = (cells(holoscope("show", "--suite", "s", "--out", out, "--json", cwd=round_trip)) for out in OUTS)
    others = {"max_prob", *TOKENS}  # HELM has other definitions of these where options are scored one by one
    shared = {key for key in own.keys() & back.keys() if key[2] not in others}
    assert {key for key in shared if not same(own[key], back[key])} == set()
    helms = {key for key in own if key[2] in ("exact_match", "request_time") and not key[4]}
    assert helms
    assert helms <= shared
    assert {"accuracy", "robustness", "fairness", "efficiency"} <= {key[1] for key in shared}


@needs_data
def test_an_export_read_back_and_scored_again_gives_every_cell(round_trip: Path) -> None:
    done = holoscope("rescore", "--suite", "s", "--out", "back", cwd=round_trip)
    assert done.returncode == 0, done.stderr
    own, back = (cells(holoscope("show", "--suite", "s", "--out", out, "--json", cwd=round_trip)) for out in OUTS)
    asked = {key: cell for key, cell in own.items() if key[2] not in TOKENS}
    assert asked.keys() <= back.keys()
    assert {key for key, cell in asked.items() if not same(cell, back[key])} == set()
