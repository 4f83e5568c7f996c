"""`run TRACK --dry-run`, `list`, `doctor`: what a track would ask, what it lacks and why, before anything is spent."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.invoked import Command
from holoscope.cli.planned import print_plan
from holoscope.entries import MissingScenario, load_tracks
from holoscope.pipeline import DryRun, together
from paths import DATA, needs_data

DRY = ("--model", "test/echo", "-m", "5", "--dry-run")


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOLOSCOPE_OFFLINE", "1")
    monkeypatch.setenv("HOLOSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("HOLOSCOPE_DATA_DIR", raising=False)


@needs_data
@pytest.mark.parametrize("track", sorted(load_tracks()))
def test_a_track_is_planned_without_a_network(track: str, here: Command, offline: None) -> None:
    done = here("run", track, *DRY, "--data-dir", str(DATA))
    last = done.stdout.splitlines()[-1]
    assert last.endswith("nothing was sent")
    assert done.returncode == (1 if "cannot be run" in last or "missing" in last else 0)
    assert len(done.stdout.splitlines()) < 120


@needs_data
def test_runs_of_one_scenario_share_a_line_and_json_has_each(here: Command, offline: None) -> None:
    words = ("run", "mmlu-all", *DRY, "--data-dir", str(DATA))
    assert here(*words).stdout.startswith("mmlu: 57 runs, 285 instances = 285 requests (5-shot: 285), ")
    told = json.loads(here(*words, "--json").stdout)
    assert len(told["runs"]) == 57
    assert told["total"]["requests"] == 285
    assert told["missing"] == []


def test_what_a_track_lacks_is_told_by_reason(here: Command, offline: None) -> None:
    done = here("run", "medhelm", *DRY)
    assert done.returncode == 1
    assert "Cannot run, 17 runs: its rows are not on this machine, and it is set to stay offline" in done.stdout
    assert "Missing, 7 scenarios: its rows are patients' records" in done.stdout
    assert done.stdout.count("patients' records") == 1
    assert "21 scenarios missing" in done.stdout
    told = json.loads(here("run", "medhelm", *DRY, "--json").stdout)
    assert len(told["missing"]) == 21
    assert told["runs"][0]["hindrance"] == "offline"
    assert "--data-dir DIR" in told["runs"][0]["reason"]


def test_a_finished_run_with_something_missing_is_exit_code_1(here: Command, offline: None) -> None:
    done = here("run", "quickstart_sums", "audiocaps", "--model", "test/echo", "-m", "2", "--out", "out")
    assert done.returncode == 1
    assert "missing: audiocaps (AudioCaps, captions of sounds) is not available: " in done.stderr


def one(**fields: Any) -> DryRun:
    told = {"run": "r", "model": "m", "scenario": "s", "instances": 1, "requests": 1, "prompt_tokens": 10, **fields}
    return DryRun(**told)


def test_the_range_of_cost_is_unknown_if_one_price_is() -> None:
    known = one(least_cost=0.10, most_cost=1.25)
    assert known.cost == "$0.10 to $1.25"
    assert together("t", [known, known]).cost == "$0.20 to $2.50"
    assert together("t", [known, one()]).cost == "cost unknown"
    assert together("t", []).cost == "cost unknown"


def test_a_cost_below_a_cent_is_not_shown_as_nothing() -> None:
    assert one(least_cost=0.001, most_cost=0.002).cost == "<$0.01"
    assert one(least_cost=0.001, most_cost=0.02).cost == "<$0.01 to $0.02"


def test_the_cost_of_a_priced_model_is_from_the_shortest_to_the_longest_answers(here: Command, offline: None) -> None:
    Path("prod_env").mkdir()
    price = "prices: [{model: openai/priced, input: 1.0, output: 1000000.0, source: a page, date: 2026-11-30}]"
    Path("prod_env/prices.yaml").write_text(price, encoding="utf-8")
    done = here("run", "quickstart_sums", "--model", "openai/priced", "-m", "2", "--dry-run", "--json")
    [run] = json.loads(done.stdout)["runs"]
    assert (run["least_completion_tokens"], run["most_completion_tokens"]) == (2, 10)
    assert (round(run["least_cost"]), round(run["most_cost"])) == (2, 10)


def test_few_runs_have_a_line_each_and_what_fails_alike_has_one(capsys: pytest.CaptureFixture[str]) -> None:
    failed = [one(run=f"f{i}", reason="in full", hindrance="failed", cause="no rows") for i in range(200)]
    able = [one(run="a"), one(run="b", scenario="other")]
    assert print_plan([*able, *failed], [MissingScenario("x", "X", "it is private")], as_json=False) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 9
    assert lines[0].startswith("s: 1 of 201 runs, ")
    assert lines[1].startswith("b: 1 instance = 1 request ")
    assert lines[4] == "  s  200 runs  no rows"
    assert lines[5:7] == ["Missing, 1 scenario: it is private", "  x  X"]


def test_perturbed_requests_are_counted_by_perturbation(here: Command, offline: None) -> None:
    done = here("run", "quickstart_reviews:data_augmentation=canonical", *DRY)
    assert "(as they are: 10, dialect: 10, gender: 2, mild_mix: 10; 0-shot: 32)" in done.stdout


@needs_data
def test_scenarios_are_listed_with_what_one_has_to_know(here: Command, offline: None) -> None:
    rows = {
        row["name"]: row
        for row in json.loads(here("list", "scenarios", "--data-dir", str(DATA), "--json").stdout)["scenarios"]
    }
    assert rows["gsm"] == {
        "name": "gsm",
        "title": "GSM8K",
        "tracks": ["classic", "lite"],
        "rows": 1319,
        "licence": "MIT",
        "redistribution": "yes",
        "sources": ["raw.githubusercontent.com"],
        "availability": "in your data directory",
        "arguments": "",
        "also": ["gsm8k"],
        "citation": "https://arxiv.org/abs/2110.14168",
        "about": rows["gsm"]["about"],
    }
    assert rows["gpqa"]["availability"].startswith("only from your own copy: ")
    assert rows["synthetic_reasoning"]["availability"] == "made here"
    assert rows["parti_prompts"]["availability"].startswith("not supported: ")
    assert rows["code:dataset=apps"]["redistribution"] == "no"


def test_a_scenario_has_a_line_that_can_be_searched(here: Command, offline: None) -> None:
    lines = here("list", "scenarios").stdout.splitlines()
    assert lines[0].split()[:2] == ["scenario", "rows"]
    [gsm] = [line for line in lines if line.startswith("gsm ")]
    assert gsm.split()[1:3] == ["1,319", "yes"]
    assert gsm.endswith("to be fetched")


def test_tracks_are_listed_with_how_much_they_hold(here: Command, offline: None) -> None:
    rows = {row["name"]: row for row in json.loads(here("list", "tracks", "--json").stdout)["tracks"]}
    assert (rows["mmlu-all"]["scenarios"], rows["mmlu-all"]["runs"]) == (1, 57)
    assert rows["medhelm"]["missing"] == 21
    assert len(rows) == 16


def test_doctor_says_of_a_track_what_can_be_had(here: Command, offline: None) -> None:
    done = here("doctor", "multimodal")
    assert done.returncode == 1
    lines = [line.split(maxsplit=3) for line in done.stdout.splitlines()]
    assert ["mmmu", "30", "runs", "can't be had: offline"] in lines
    assert ["parti_prompts", "missing"] in [line[:2] for line in lines]
    assert "The rows of 0 of 39 runs can be had" in done.stdout
    assert here("doctor", "quickstart").returncode == 0


def test_doctors_json_has_every_file_in_full(here: Command, offline: None) -> None:
    findings = json.loads(here("doctor", "lite", "--json").stdout)["findings"]
    [narrative] = [each for each in findings if each["what"].startswith("narrative_qa")]
    assert "narrative_qa/narrativeqa-master/qaps.csv" in narrative["problem"]
