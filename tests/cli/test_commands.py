"""The commands as a user types them, against a loopback server and `test/echo`."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from paths import DATA, ROOT, needs_data
from serving import HOLOSCOPE, Served, clean_environment, holoscope, questions, serving

Done = subprocess.CompletedProcess[str]
CONF = """[
  {description: "mmlu:subject=philosophy,model=MODEL", priority: 1},
  {description: "narrativeqa:model=MODEL", priority: 1},
]"""


def good(done: Done) -> Done:
    assert done.returncode == 0, done.stderr
    return done


def against(server: Served, *words: str) -> tuple[str, ...]:
    return (*words, "--model", "openai/m", "--base-url", f"{server.url}/v1", "--out", "out")


def cells(folder: Path, suite: str = "default", out: str = "out") -> list[dict[str, Any]]:
    shown = good(holoscope("show", "--suite", suite, "--out", out, "--json", cwd=folder)).stdout
    found: list[dict[str, Any]] = json.loads(shown)["cells"]
    return found


def test_the_same_command_again_asks_nothing(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 30)
    with serving() as server:
        good(holoscope(*against(server, "run", "./q.jsonl"), cwd=tmp_path))
        first = cells(tmp_path)
        good(holoscope(*against(server, "run", "./q.jsonl"), cwd=tmp_path))
        assert server.stats()["requests"] == 30
    assert cells(tmp_path) == first


def test_a_larger_m_extends_the_same_run(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 60)
    with serving() as server:
        good(holoscope(*against(server, "run", "./q.jsonl", "-m", "20"), cwd=tmp_path))
        good(holoscope(*against(server, "run", "./q.jsonl", "-m", "50"), cwd=tmp_path))
        assert server.stats()["requests"] == 50
    (accuracy,) = [c for c in cells(tmp_path) if c["metric"] == "exact_match"]
    assert accuracy["n"] == 50


def test_more_trials_buy_the_new_ones_only(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 10)
    with serving() as server:
        good(holoscope(*against(server, "run", "./q.jsonl", "--trials", "3"), cwd=tmp_path))
        assert server.stats()["requests"] == 30
        good(holoscope(*against(server, "run", "./q.jsonl", "--trials", "5"), cwd=tmp_path))
        assert server.stats()["requests"] == 50


def test_a_time_limit_keeps_what_was_answered_and_says_what_was_not(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 1500)
    with serving("--latency", "0.05") as server:
        words = against(server, "run", "./q.jsonl", "--max-connections", "4", "--max-time", "0.03")
        done = holoscope(*words, cwd=tmp_path)
        assert done.returncode == 1
        assert "of 1,500 requests have no answer: the time limit of 1.8 s was reached" in done.stderr
        served = server.stats()["requests"]
        good(holoscope(*against(server, "run", "./q.jsonl"), cwd=tmp_path))
        assert 0 < served < 1500
        assert server.stats()["requests"] == 1500
    (accuracy,) = [c for c in cells(tmp_path) if c["metric"] == "exact_match"]
    assert accuracy["n"] == 1500


def test_ctrl_c_keeps_what_was_paid_for(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 2000)
    with serving("--latency", "0.05") as server:
        words = against(server, "run", "./q.jsonl", "--max-connections", "8")
        with subprocess.Popen(
            [*HOLOSCOPE, *words], cwd=tmp_path, env=clean_environment(tmp_path), stderr=subprocess.PIPE, text=True
        ) as process:
            while server.stats()["requests"] < 30:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        assert process.returncode == 1
        assert "stopped by Ctrl-C" in errors
        assert "Traceback" not in errors
        served = server.stats()["requests"]
        good(holoscope(*against(server, "run", "./q.jsonl"), cwd=tmp_path))
        assert server.stats()["requests"] == 2000, "what came back before the end was kept"
        assert served >= 30


def test_two_models_never_share_an_answer(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 5)
    with serving() as server:
        flags = ("--base-url", f"{server.url}/v1", "--out", "out")
        good(holoscope("run", "./q.jsonl", "--model", "openai/a", *flags, cwd=tmp_path))
        good(holoscope("run", "./q.jsonl", "--model", "openai/b", *flags, cwd=tmp_path))
        assert server.stats()["requests"] == 10


def test_connections_are_limited(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 40)
    with serving("--latency", "0.02") as server:
        good(holoscope(*against(server, "run", "./q.jsonl", "--max-connections", "3"), cwd=tmp_path))
        assert server.stats()["most_in_flight"] == 3


def helm(command: str, *flags: str, cwd: Path, **environment: str) -> Done:
    code = f"import sys; from holoscope.cli.helm_compat import {command}; {command}(sys.argv[1:])"
    return subprocess.run(
        [HOLOSCOPE[0], "-c", code, *flags],
        cwd=cwd,
        env=clean_environment(cwd, **environment),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def helm_data(folder: Path) -> str:
    """MMLU's real rows and the fixture of NarrativeQA, in one data directory."""
    folder.mkdir()
    (folder / "mmlu").symlink_to(DATA / "mmlu")
    (folder / "narrative_qa").symlink_to(ROOT / "tests" / "fixtures" / "narrative_qa")
    return str(folder)


@needs_data
def test_helms_own_commands_run_against_an_openai_server(tmp_path: Path) -> None:
    (tmp_path / "run-specs.conf").write_text(CONF.replace("MODEL", "openai/gpt-4o"), encoding="utf-8")
    flags = (
        "--conf-paths",
        "run-specs.conf",
        "--suite",
        "my-eval",
        "--max-eval-instances",
        "100",
        "--num-threads",
        "4",
    )
    with serving() as server:
        environment = {
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "x",
            "HOLOSCOPE_DATA_DIR": helm_data(tmp_path / "data"),
        }
        done = good(helm("helm_run", *flags, cwd=tmp_path, **environment))
        assert server.stats()["most_in_flight"] <= 4
    assert "philosophy" in done.stdout
    suite = tmp_path / "benchmark_output" / "runs" / "my-eval"
    run = suite / "mmlu:subject=philosophy,method=multiple_choice_joint,model=openai_gpt-4o"
    stats = {s["name"]["name"]: s for s in json.loads((run / "stats.json").read_bytes())}
    assert 0 < stats["exact_match"]["mean"] < 1
    summary = good(helm("helm_summarize", "--suite", "my-eval", cwd=tmp_path))
    assert "narrative_qa" in summary.stdout
    assert json.loads((suite / "summary.json").read_bytes())["suite"] == "my-eval"
    assert len(json.loads((suite / "runs.json").read_bytes())) == 2


@needs_data
@pytest.mark.model
def test_helms_own_commands_run_on_a_local_model(tmp_path: Path) -> None:
    (tmp_path / "c.conf").write_text(CONF.replace("MODEL", "local/smollm2-135m-instruct"), encoding="utf-8")
    environment = {"HOLOSCOPE_DATA_DIR": helm_data(tmp_path / "data"), "HOLOSCOPE_CACHE": str(cache())}
    good(helm("helm_run", "--conf-paths", "c.conf", "--suite", "e", "-m", "4", cwd=tmp_path, **environment))
    good(helm("helm_summarize", "--suite", "e", cwd=tmp_path))


def cache() -> Path:
    return Path.home() / ".cache" / "holoscope"


@needs_data
@pytest.mark.model
def test_a_real_model_scores_options_and_generates(tmp_path: Path) -> None:
    model = "model=local/smollm2-135m-instruct"
    cloze = f"commonsense:dataset=openbookqa,method=multiple_choice_separate_original,{model}"
    words = ["run", cloze, f"gsm:{model},max_train_instances=0,num_output_tokens=8", "-m", "6", "--suite", "s"]
    where = ["--data-dir", str(DATA), "--out", "out"]
    good(holoscope(*words, *where, cwd=tmp_path, HOLOSCOPE_CACHE=str(cache())))
    found = {(c["scenario"], c["metric"]): c for c in cells(tmp_path, "s")}
    assert found["openbookqa", "exact_match"]["n"] == 6
    assert found["openbookqa", "exact_match"]["low"] is not None
    again = good(holoscope(*words, *where, cwd=tmp_path, HOLOSCOPE_CACHE=str(cache())))
    assert "openbookqa" in again.stdout
    manifests = [json.loads(path.read_bytes()) for path in (tmp_path / "out").rglob("run.json")]
    assert all(m["cached"] == m["requests"] > 0 for m in manifests)


def test_a_dry_run_counts_and_sends_nothing(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 5)
    with serving() as server:
        done = good(holoscope(*against(server, "run", "./q.jsonl", "--dry-run"), cwd=tmp_path))
        assert server.stats()["requests"] == 0
    assert "5 instances = 5 requests" in done.stdout
    assert not (tmp_path / "out").exists()


def test_a_dry_run_counts_perturbed_requests_apart(tmp_path: Path) -> None:
    """T081: five instances and a suite of perturbations."""
    row = '{"question": "Do you think that he and John are not there?", "answer": "he is"}\n'
    (tmp_path / "q.jsonl").write_text(row * 5, encoding="utf-8")
    words = ("run", "./q.jsonl:data_augmentation=canonical", "--model", "test/echo", "--dry-run", "--json")
    (run,) = json.loads(good(holoscope(*words, cwd=tmp_path)).stdout)["runs"]
    assert run["instances"] == 5
    assert run["perturbed"] > 5
    assert run["requests"] == run["instances"] + run["perturbed"]


def test_a_dry_run_writes_every_request(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 3)
    words = ("run", "./q.jsonl", "--model", "openai/gpt-4o", "--dry-run", "--requests", "r.jsonl")
    good(holoscope(*words, cwd=tmp_path))
    lines = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["instance_id"] for line in lines] == ["q0", "q1", "q2"]
    assert {"split", "perturbation", "trial", "reference_index", "request_mode", "prompt", "params"} <= lines[0].keys()
    assert lines[0]["params"]["max_tokens"] == 5


def test_completions_somebody_has_are_scored_by_replay(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 4)
    replies = [{"instance_id": f"q{i}", "completions": [{"text": "ABCD"[i] if i else "D"}]} for i in range(4)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(r) + "\n" for r in replies), encoding="utf-8")
    good(holoscope("run", "./q.jsonl", "--model", "replay/a.jsonl", "--out", "out", cwd=tmp_path))
    (accuracy,) = [c for c in cells(tmp_path) if c["metric"] == "exact_match"]
    assert (accuracy["value"], accuracy["n"]) == (0.75, 4)
    (calibration,) = [c for c in cells(tmp_path) if c["metric"] == "ece_10_bin"]
    assert calibration["value"] is None
    assert "log-probabilities" in calibration["reason"]


def test_a_missed_threshold_is_exit_code_3(tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 20)
    words = ("run", "./q.jsonl", "--model", "test/echo", "--out", "out")
    assert holoscope(*words, "--fail-under", "exact_match=0.99", cwd=tmp_path).returncode == 3
    assert holoscope(*words, "--fail-under", "exact_match=0", cwd=tmp_path).returncode == 0


def test_rescore_under_helms_definitions_asks_nobody(tmp_path: Path) -> None:
    rows = '{"question": "Say it", "answer": "the sum is 48"}\n' * 3
    (tmp_path / "q.jsonl").write_text(rows, encoding="utf-8")
    answer = {"prompt": None, "instance_id": "id0", "completions": [{"text": "48 48 is the sum"}]}
    lines = [json.dumps({**answer, "instance_id": f"id{i}"}) for i in range(3)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines).replace('"prompt": null, ', ""), encoding="utf-8")
    good(holoscope("run", "./q.jsonl", "--model", "replay/a.jsonl", "--out", "out", cwd=tmp_path))

    def f1() -> tuple[float, str]:
        (cell,) = [c for c in cells(tmp_path) if c["metric"] == "f1_score"]
        return cell["value"], cell["metric_version"]

    ours = f1()
    (tmp_path / "a.jsonl").unlink()
    good(holoscope("rescore", "--out", "out", "--compat", "helm", cwd=tmp_path))
    helms = f1()
    assert helms[0] == 1.0, "HELM's F1 is one of sets"
    assert ours[0] < 1.0
    assert ours[1] != helms[1]


def test_export_writes_helms_folders(tmp_path: Path) -> None:
    good(holoscope("run", "quickstart_sums", "--model", "test/echo", "-m", "5", "--out", "out", cwd=tmp_path))
    good(holoscope("export", "--format", "helm", "--to", "helm", "--out", "out", cwd=tmp_path))
    (state,) = (tmp_path / "helm").rglob("scenario_state.json")
    assert len(json.loads(state.read_bytes())["request_states"]) == 5


@pytest.mark.parametrize("kind", ["scenarios", "tracks", "metrics", "axes", "perturbations", "runs"])
def test_everything_can_be_listed(kind: str, tmp_path: Path) -> None:
    done = good(holoscope("list", kind, "--json", cwd=tmp_path))
    rows = json.loads(done.stdout)[kind]
    assert kind == "runs" or len(rows) >= 2


def test_doctor_says_what_a_name_means(tmp_path: Path) -> None:
    done = holoscope("doctor", "--model", "openai/gpt-4o", cwd=tmp_path)
    assert done.returncode == 1
    assert "OPENAI_API_KEY" in done.stdout
    good(holoscope("doctor", "--model", "test/echo", cwd=tmp_path))


def test_help_is_quick_and_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom holoscope.cli import invoke\ninvoke(['--help'])\n"
        "print([m for m in ('numpy', 'pyarrow', 'aiohttp', 'duckdb', 'yaml') if m in sys.modules])"
    )
    done = subprocess.run([HOLOSCOPE[0], "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "[]"
    for name in ("run", "show", "quickstart", "doctor"):
        assert name in done.stdout


def test_output_is_plain_text_where_there_is_no_terminal(tmp_path: Path) -> None:
    done = good(holoscope("run", "quickstart_sums", "--model", "test/echo", "-m", "5", cwd=tmp_path))
    assert "\x1b" not in done.stdout + done.stderr
    assert "accuracy" in done.stdout
