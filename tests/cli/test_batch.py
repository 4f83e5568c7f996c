"""`holoscope run --batch`: half the price, the same answers, and nothing lost or asked twice, not even by kill -9."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.invoked import Command, Said
from models.batches.host import Anthropic, Body, Gemini, Host, Job, Mistral, Together, chat, refused, serving
from serving import HOLOSCOPE, clean_environment, questions

KEY = "sk-a-key-that-nobody-may-see-0123456789"
PRICES = """
prices:
  - {model: openai/m, input: 100, output: 200, batch_input: 50, batch_output: 100, source: test, date: 2026-11-30}
"""


def letter(body: Body) -> tuple[int, Body]:
    """The right answer: of question i, the i-th letter, round and round."""
    question = int(body["messages"][-1]["content"].rpartition("Question ")[2].partition(":")[0])
    return 200, chat("ABCD"[question % 4])


@pytest.fixture
def host() -> Iterator[Host]:
    with serving(Host(letter)) as found:
        yield found


@pytest.fixture
def run(host: Host, here: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    for name, value in environ(host).items():
        monkeypatch.setenv(name, value)
    questions(tmp_path / "q.jsonl", 12)

    def run_(*words: str) -> Said:
        return here("run", "./q.jsonl", "--model", "openai/m", "--batch", *words)

    return run_


def environ(host: Host) -> dict[str, str]:
    hosts = ("OPENAI", "TOGETHER", "MISTRALAI", "ANTHROPIC", "GOOGLE")
    named = {f"{name}_API_KEY": KEY for name in hosts} | {f"{name}_BASE_URL": host.url for name in hosts}
    return named | {"HOLOSCOPE_BATCH_POLL": "0.05"}


def cells(here: Command) -> dict[str, Any]:
    found = json.loads(here("show", "--json").stdout)["cells"]
    return {cell["metric"]: cell for cell in found}


def test_a_run_is_one_batch_and_the_same_again_is_free(run: Command, here: Command, host: Host, tmp_path: Path) -> None:
    done = run()
    assert done.returncode == 0, done.stderr
    assert [len(job.rows) for job in host.jobs] == [12]
    assert cells(here)["exact_match"]["value"] == 1
    assert run().returncode == 0
    assert len(host.jobs) == 1
    assert (
        not list((tmp_path / "holoscope-out" / "batches").glob("*")) if (tmp_path / "holoscope-out").exists() else True
    )


def test_no_time_is_reported_and_the_cell_says_why(run: Command, here: Command) -> None:
    run()
    found = cells(here)["request_time"]
    assert found["value"] is None
    assert "batch API" in found["reason"]


def test_the_manifest_says_that_it_was_a_batch(run: Command, tmp_path: Path) -> None:
    run("--out", "out")
    (manifest,) = [json.loads(path.read_text("utf-8")) for path in tmp_path.rglob("run.json")]
    assert manifest["model"]["is_batch"] is True


def test_the_journal_is_empty_once_all_answers_are_kept(run: Command, tmp_path: Path) -> None:
    run("--out", "out")
    assert list((tmp_path / "out" / "batches").iterdir()) == []


def test_the_cost_is_the_batch_price(run: Command, here: Command, tmp_path: Path) -> None:
    (tmp_path / "prod_env").mkdir()
    (tmp_path / "prod_env" / "prices.yaml").write_text(PRICES, encoding="utf-8")
    run()
    assert cells(here)["cost"]["value"] == pytest.approx((10 * 50 + 2 * 100) / 1e6)


def test_a_cost_limit_needs_the_batch_price(run: Command, tmp_path: Path, host: Host) -> None:
    (tmp_path / "prod_env").mkdir()
    prices = PRICES.replace("batch_input: 50, batch_output: 100, ", "")
    (tmp_path / "prod_env" / "prices.yaml").write_text(prices, encoding="utf-8")
    refusal = run("--max-cost", "1")
    assert refusal.returncode == 2
    assert "batch price" in refusal.stderr
    assert not host.jobs


def test_a_cost_limit_holds_back_what_it_cannot_pay(run: Command, tmp_path: Path, host: Host) -> None:
    (tmp_path / "prod_env").mkdir()
    (tmp_path / "prod_env" / "prices.yaml").write_text(PRICES, encoding="utf-8")
    spent = (10 * 50 + 2 * 100) / 1e6  # what one answer costs
    done = run("--max-cost", str(3 * spent))
    assert done.returncode == 1
    assert "cost limit" in done.stderr
    assert 1 <= len(host.asked) <= 4


def test_a_host_without_batches_is_refused_in_one_line(here: Command, tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 2)
    refusal = here("run", "./q.jsonl", "--model", "vllm/m", "--batch")
    assert refusal.returncode == 2
    assert refusal.stderr.strip().endswith("--batch: no batch API at host 'vllm'; drop --batch")


def test_a_dry_run_sends_and_writes_nothing(run: Command, host: Host, tmp_path: Path) -> None:
    assert run("--dry-run", "--out", "out").returncode == 0
    assert not host.headers
    assert not (tmp_path / "out").exists()


def test_a_batch_that_expires_midway_is_completed_by_the_next(run: Command, host: Host) -> None:
    def end(job: Job) -> None:
        host.unanswered = (
            {row["body"]["messages"][-1]["content"] for row in job.rows[8:]} if len(host.jobs) == 1 else set()
        )
        job.phase = "expired" if len(host.jobs) == 1 else "ended"

    host.end = end
    done = run()
    assert done.returncode == 0, done.stderr
    assert [len(job.rows) for job in host.jobs] == [12, 4]


def test_a_parameter_that_all_rows_are_refused_for_is_dropped_and_noted(
    run: Command, host: Host, tmp_path: Path
) -> None:
    def answer(body: Body) -> tuple[int, Body]:
        return (400, refused("Unsupported parameter: 'temperature'")) if "temperature" in body else letter(body)

    host.answer = answer
    done = run("--out", "out")
    assert done.returncode == 0, done.stderr
    assert len(host.jobs) == 2
    (manifest,) = [json.loads(path.read_text("utf-8")) for path in tmp_path.rglob("run.json")]
    assert manifest["dropped_params"] == {"temperature=0.0: not taken by the endpoint": 12}


def test_the_key_is_nowhere(run: Command, host: Host, tmp_path: Path) -> None:
    host.polls = 10**9
    done = run("--out", "out", "--max-time", "0.05")
    assert KEY not in done.stdout + done.stderr
    assert list((tmp_path / "out" / "batches").glob("*.json"))
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and KEY.encode() in file.read_bytes()]


def test_time_that_is_up_leaves_the_batch_to_be_picked_up(run: Command, host: Host) -> None:
    host.polls = 10**9
    stopped = run("--max-time", "0.05")
    assert stopped.returncode == 1
    assert "batch_1" in stopped.stderr
    assert "the same command picks it up" in stopped.stderr
    host.polls = 0
    assert run().returncode == 0
    assert len(host.asked) == 12


@pytest.mark.parametrize(
    ("kind", "model", "moment"),
    [
        (Host, "openai/m", "upload"),
        (Host, "openai/m", "submit"),
        (Host, "openai/m", "poll"),
        (Together, "together/m", "submit"),
        (Mistral, "mistralai/m", "submit"),
        (Anthropic, "anthropic/m", "submit"),
        (Gemini, "google/m", "submit"),
    ],
)
def test_kill_9_loses_and_repeats_nothing(kind: type[Host], model: str, moment: str, tmp_path: Path) -> None:
    with serving(kind(letter)) as host:
        _kill_and_resume(host, ["run", "./q.jsonl", "--model", model, "--batch", "--out", "out"], moment, tmp_path)


def _kill_and_resume(host: Host, words: list[str], moment: str, tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 12)
    host.polls = 10**9
    host.hang = "" if moment == "poll" else moment
    with subprocess.Popen(
        [*HOLOSCOPE, *words],
        cwd=tmp_path,
        env=clean_environment(tmp_path, **environ(host)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert (host.looked if moment == "poll" else host.hangs).wait(60)
        assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    host.polls, host.hang = 1, ""
    assert again(tmp_path, host, words) == 0
    assert len(host.jobs) == 1, "the batch that the killed process sent is the only one"
    assert len(host.asked) == 12
    assert again(tmp_path, host, words) == 0
    assert len(host.jobs) == 1
    assert list((tmp_path / "out" / "batches").iterdir()) == []


def again(folder: Path, host: Host, words: list[str]) -> int:
    environment = clean_environment(folder, **environ(host))
    return subprocess.run(
        [*HOLOSCOPE, *words], cwd=folder, env=environment, capture_output=True, timeout=120, check=False
    ).returncode


def test_help_names_it(here: Command) -> None:
    assert "--batch" in here("run", "--help").stdout
