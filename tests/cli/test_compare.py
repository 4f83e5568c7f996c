"""`holoscope compare` and `run --baseline`, as a user types them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holoscope.cli import invoke
from holoscope.cli.references import Suites
from holoscope.core import UsageError
from report.comparing import stored
from serving import questions

COUNT = 60


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Two suites: models `good` and `maker/poor` on two scenarios, and `good` a day later."""
    for scenario in ("gsm", "mmlu"):
        stored(tmp_path, "good", [1.0] * 40, scenario=scenario, suite="default")
        stored(tmp_path, "maker/poor", [1.0] * 20 + [0.0] * 20, scenario=scenario, suite="default")
    stored(tmp_path, "good", [1.0] * 39 + [0.0], scenario="gsm", suite="later")
    return tmp_path


def compare(out: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = invoke(["compare", *words, "--out", str(out)])
    said = capsys.readouterr()
    return code, said.out, said.err


def found(out: Path, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    code, text, errors = compare(out, capsys, *words, "--json")
    assert code == 0, errors
    made: dict[str, Any] = json.loads(text)
    return made


def test_two_models_are_compared_on_all_their_scenarios(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = found(out, capsys, "good", "maker/poor")
    assert [pair["label"] for pair in made["pairs"]] == ["gsm", "mmlu"]
    first = made["pairs"][0]["differences"][0]
    assert (first["value"], first["n"], first["better"]) == (0.5, 40, "a")
    assert made["overall"][0]["a_better"] == 2


def test_one_model_is_compared_at_two_times(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = found(out, capsys, "good", "later/good")
    assert [(pair["a"]["suite"], pair["b"]["suite"]) for pair in made["pairs"]] == [("default", "later")]
    assert made["only_a"] == ["mmlu:model=good"]


def test_runs_are_named_by_their_name_or_their_folder(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = next((out / "runs" / "default").glob("gsm--model-maker_poor*")).name
    made = found(out, capsys, "gsm:model=good", folder)
    assert (made["a"], made["b"]) == ("gsm:model=good (default)", "gsm:model=maker_poor (default)")
    assert (len(made["pairs"]), made["only_b"]) == (1, [])


def test_a_run_is_compared_with_the_same_run_of_a_model(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = found(out, capsys, "mmlu:model=good", "maker/poor")
    assert [pair["label"] for pair in made["pairs"]] == ["mmlu"]
    assert made["only_b"] == [], "nobody asked for its other runs"


def test_the_terminal_shows_both_scenarios(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text, _ = compare(out, capsys, "good", "maker/poor")
    assert code == 0
    assert "mean of 2" in text
    assert "both right 20, only A 20, only B 0, neither 0" in text


@pytest.mark.parametrize("form", ["--csv", "--md"])
def test_other_forms_go_to_standard_output(form: str, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text, errors = compare(out, capsys, "good", "maker/poor", form)
    assert (code, errors) == (0, "")
    assert "gsm" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("good", "maker/por"), "did you mean 'maker/poor'?"),
        (("later/god", "good"), "unknown model or run of suite 'later' 'god'; did you mean 'good'?"),
        (("gsm:model=goud", "good"), "did you mean 'gsm:model=good'?"),
        (("good", "good"), "good and good share runs"),
        (("gsm:model=good", "mmlu:model=maker_poor"), "have no scenario in common"),
        (("good", "maker/poor", "--metric", "exact_mach"), "did you mean 'exact_match'?"),
        (("good", "maker/poor", "--suite", "latter"), "did you mean 'later'?"),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    words: tuple[str, ...], said: str, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text, errors = compare(out, capsys, *words)
    assert (code, text) == (2, "")
    assert said in errors
    assert errors.count("\n") == 1


def test_an_incomplete_run_is_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored(tmp_path, "a", [1, 0], suite="default")
    stored(tmp_path, "b", [1, 0], suite="default", status="incomplete", reason="stopped")
    code, text, _ = compare(tmp_path, capsys, "a", "b")
    assert code == 1
    assert "note: B is incomplete: stopped (mmlu)" in text


def test_runs_without_a_shared_instance_are_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored(tmp_path, "a", {"x": 1, "y": 1}, suite="default")
    stored(tmp_path, "b", {"v": 1, "w": 1}, suite="default")
    code, text, _ = compare(tmp_path, capsys, "a", "b")
    assert code == 1
    assert "no instance has a value in both runs" in text


def test_a_name_that_two_runs_share_is_not_guessed(tmp_path: Path) -> None:
    from msgspec.structs import replace

    from holoscope.store import write_manifest

    run = stored(tmp_path, "a", [1, 0], suite="s")
    folder = run.path.with_name("mmlu--compat--0123456789ab")
    folder.mkdir()
    write_manifest(folder, replace(run.manifest, spec=replace(run.manifest.spec, compat="helm")))
    with pytest.raises(UsageError, match="2 runs of suite 's' are called 'mmlu:model=a'; name a folder: "):
        Suites(tmp_path).find("mmlu:model=a", "s")


def answers(right: int) -> str:
    """A recording in which the last `right` of the answers are right."""
    lines = []
    for k in range(COUNT):
        letter = "ABCD"[(k + (k < COUNT - right)) % 4]
        lines.append(json.dumps({"instance_id": f"q{k}", "completions": [{"text": letter}]}) + "\n")
    Path(f"{right}.jsonl").write_text("".join(lines), encoding="utf-8")
    return f"replay/{right}.jsonl"


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """`holoscope run` in a folder in which suite `main` holds a run with 54 of 60 right."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOLOSCOPE_OFFLINE", "1")

    def in_folder(model: str, suite: str, *words: str, entry: str = "./q.jsonl") -> tuple[int, str]:
        code = invoke(["run", entry, "--model", model, "--suite", suite, *words, "--out", "out"])
        return code, capsys.readouterr().err

    questions(tmp_path / "q.jsonl", COUNT)
    assert in_folder(answers(54), "main")[0] == 0
    return in_folder


def test_a_sure_regression_is_exit_code_3(run: Run) -> None:
    worse = answers(30)
    code, said = run(worse, "pr", "--baseline", "main", "--max-regression", "0.2")
    assert code == 3
    assert "baseline: file path=q.jsonl: exact_match 0.90 before, 0.50 now: -0.40 [-0.53, -0.29], n 60; " in said
    assert "worse by more than 0.2" in said


def test_a_regression_within_the_threshold_or_the_noise_passes(run: Run) -> None:
    worse, little = answers(30), answers(52)
    assert run(worse, "pr", "--baseline", "main", "--max-regression", "0.35")[0] == 0, "0.29 at least"
    code, said = run(little, "pr", "--baseline", "main", "--max-regression", "0")
    assert code == 0
    assert "-0.03 [-0.11, 0.03]" in said


def test_a_baseline_alone_only_says_the_difference(run: Run) -> None:
    code, said = run(answers(30), "pr", "--baseline", "main/replay/54.jsonl")
    assert code == 0
    assert "0.50 now: -0.40" in said


def test_a_score_that_is_no_longer_there_counts_as_a_regression(run: Run) -> None:
    empty = "".join(json.dumps({"instance_id": f"q{k}", "completions": [{"text": "?"}]}) + "\n" for k in range(COUNT))
    Path("none.jsonl").write_text(empty, encoding="utf-8")
    code, said = run("replay/none.jsonl", "pr", "--baseline", "main", "--max-regression", "0.9")
    assert code in (1, 3)
    assert "missed, for it had a score before" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--baseline", "mian"), "unknown suite, model or run 'mian'; did you mean 'main'?"),
        (("--max-regression", "0.1"), "--max-regression needs what to compare with: add --baseline RUN"),
        (("--baseline", "main", "--max-regression", "-1"), "--max-regression is how much worse is allowed"),
    ],
)
def test_a_baseline_that_cannot_be_is_refused_before_anything_is_sent(
    words: tuple[str, ...], said: str, run: Run
) -> None:
    code, errors = run(answers(54), "pr", *words)
    assert code == 2
    assert said in errors
    assert not Path("out/runs/pr").exists()


def test_a_run_is_not_compared_with_itself(run: Run) -> None:
    code, said = run("replay/54.jsonl", "main", "--baseline", "main")
    assert code == 2
    assert "is replaced by this command" in said


def test_another_scenario_is_no_baseline(run: Run) -> None:
    code, said = run("test/echo", "pr", "--baseline", "main", entry="quickstart_sums")
    assert code == 2
    assert "has none of the scenarios of this command" in said


def test_a_baseline_of_several_models_is_that_of_the_same_model(run: Run) -> None:
    worse = answers(30)
    assert run(worse, "main")[0] == 0
    code, said = run(worse, "pr", "--baseline", "main", "--max-regression", "0")
    assert (code, "0.50 before, 0.50 now" in said) == (0, True)
    code, said = run(answers(55), "pr", "--baseline", "main")
    assert code == 2
    assert "holds several models and none is replay/55.jsonl; name one: main/MODEL" in said
