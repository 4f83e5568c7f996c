"""Processes that are killed, and processes that work side by side, over one ledger file."""

import random
import time
from pathlib import Path

import pytest

from engine.processes import child, output, rows

IN_FLIGHT = 16
"""What child.py allows."""


def served(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_kill_9_at_any_moment_repeats_at_most_what_was_in_flight(tmp_path: Path, seed: int) -> None:
    ledger, tally, count, rng = tmp_path / "l.sqlite", tmp_path / "served", 400, random.Random(seed)
    lost = 0
    for _ in range(3):
        process = child("ask", ledger, tally, count, 0.02)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(rng.uniform(0.02, 0.25))
        process.kill()
        process.communicate()
        unkept = served(tally) - rows(ledger) - lost
        assert 0 <= unkept <= IN_FLIGHT
        lost += unkept
    assert output(child("ask", ledger, tally, count, 0)) == f"open\n{count}"
    assert served(tally) == count + lost


def test_two_processes_ask_each_question_once_between_them(tmp_path: Path) -> None:
    ledger, tally = tmp_path / "l.sqlite", tmp_path / "served"
    processes = [child("ask", ledger, tally, 400, 0.02) for _ in range(2)]
    assert [output(process) for process in processes] == ["open\n400"] * 2
    assert served(tally) == 400


def test_a_process_takes_over_what_a_killed_one_was_asking(tmp_path: Path) -> None:
    ledger, tally = tmp_path / "l.sqlite", tmp_path / "served"
    hanging = child("ask", ledger, tally, 10, 60)
    while served(tally) < 10:
        time.sleep(0.01)
    other = child("ask", ledger, tally, 10, 0)
    assert other.stdout is not None
    other.stdout.readline()
    time.sleep(0.3)
    assert served(tally) == 10
    killed = time.monotonic()
    hanging.kill()
    assert output(other) == "10"
    assert time.monotonic() - killed < 10
    hanging.communicate()
    assert served(tally) == 20
