"""kill -9 at random moments: nothing committed is asked for again, and the results are those of an undisturbed run."""

import json
import random
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from serving import HOLOSCOPE, Served, clean_environment, holoscope, questions, serving

IN_FLIGHT = 16


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.soak)])
def test_killed_runs_lose_at_most_what_was_in_flight(tmp_path: Path, kills: int) -> None:
    count = 120 * kills
    questions(tmp_path / "questions.jsonl", count)
    with serving("--latency", "0.02") as server:
        for seed in range(kills):
            kill_once(tmp_path, server, random.Random(seed))
        assert run(tmp_path, "killed", server).returncode == 0
        served = server.stats()["requests"]
        assert rows(tmp_path / "killed") == count
        assert served - count <= IN_FLIGHT * kills
        assert run(tmp_path, "killed", server).returncode == 0
        assert server.stats()["requests"] == served, "a finished run asks nothing"
        assert run(tmp_path, "whole", server).returncode == 0
    print(f"{kills} kills: {served} served, {count} answers in the ledger, {IN_FLIGHT} in flight at each kill")
    assert cells(tmp_path, "killed") == cells(tmp_path, "whole")
    assert scores(tmp_path / "killed") == scores(tmp_path / "whole")


def words(out: str, server: Served) -> list[str]:
    limits = ["--max-connections", str(IN_FLIGHT), "--suite", "s", "--out", out]
    return ["run", "./questions.jsonl", "--model", "openai/m", "--base-url", f"{server.url}/v1", *limits]


def run(folder: Path, out: str, server: Served) -> subprocess.CompletedProcess[str]:
    return holoscope(*words(out, server), cwd=folder)


def kill_once(folder: Path, server: Served, rng: random.Random) -> None:
    """Start the run and kill it while it asks."""
    before = server.stats()["requests"]
    with subprocess.Popen(
        [*HOLOSCOPE, *words("killed", server)],
        cwd=folder,
        env=clean_environment(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        deadline = time.monotonic() + 30
        while server.stats()["requests"] < before + 5 and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.15))
        assert process.poll() is None, "the run was over before it could be killed"
        process.send_signal(signal.SIGKILL)


def rows(out: Path) -> int:
    """Answers in the ledger."""
    with sqlite3.connect(out / "ledger.sqlite") as database:
        (count,) = database.execute("SELECT COUNT(*) FROM answers").fetchone()
    database.close()
    return int(count)


def cells(folder: Path, out: str) -> list[dict[str, Any]]:
    shown = holoscope("show", "--suite", "s", "--out", out, "--json", cwd=folder)
    return [cell for cell in json.loads(shown.stdout)["cells"] if cell["axis"] != "efficiency"]


def scores(out: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(out.rglob("scores.parquet"))]
