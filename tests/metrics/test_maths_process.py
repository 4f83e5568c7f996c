"""The process that compares formulas: limits, restarts, and a life of its own."""

import subprocess
import sys
import time

import pytest

from holoscope.core import MissingExtraError, Outcome
from holoscope.metrics.maths import equality, equivalent
from holoscope.metrics.maths.process import Worker
from metrics.made import generated, instance, one

ENDLESS = r"\binom{100000000}{50000000}"


def test_one_process_answers_many_questions() -> None:
    worker = Worker()
    start = time.perf_counter()
    assert worker.ask("x", "y").same is False
    begun = time.perf_counter() - start
    start = time.perf_counter()
    for i in range(50):
        assert worker.ask(f"{i}x", f"x*{i}").same is True
    assert (time.perf_counter() - start) / 50 < begun


def test_a_formula_that_takes_too_long_is_given_up_and_the_next_is_compared() -> None:
    worker = Worker()
    verdict = worker.ask(ENDLESS, "3")
    assert (verdict.same, verdict.note) == (None, "the comparison took too long")
    assert worker.ask("1/2", "0.5").same is True


def test_the_clock_is_a_limit_too() -> None:
    worker = Worker(seconds=0.2)
    assert worker.ask(ENDLESS, "3").same is None


def test_a_process_that_does_not_start_is_an_error() -> None:
    with pytest.raises(OSError, match="did not start"):
        Worker("holoscope.no_such_module").ask("1", "2")


def test_an_undecided_comparison_is_no_score() -> None:
    found = one("math_equiv", generated(instance("3"), ENDLESS))
    assert (found.value, found.outcome) == (None, Outcome.UNGRADABLE)
    assert found.reason == "the comparison took too long"


def test_without_sympy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    equivalent.cache_clear()
    monkeypatch.setattr("holoscope.metrics.maths.process.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r'pip install "holoscope\[math\]"'):
        equality.equivalent("1", "1")
    found = one("math_equiv", generated(instance("1"), "1"))
    assert found.outcome is Outcome.NOT_SUPPORTED


def test_sympy_stays_out_of_this_process() -> None:
    code = "import sys; from holoscope.metrics.maths import equivalent as e; e('x', 'y'); print('sympy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert (ran.stdout.strip(), ran.stderr) == ("False", "")
