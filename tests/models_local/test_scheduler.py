"""Which task runs where, with tasks that compute nothing."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import cast

import pytest

from holoscope.core import Completion, Outcome
from holoscope.models.local._scheduler import PATIENCE, Abandoned, Scheduler
from holoscope.models.local._sequence import Chunk, Sequence

WAIT_S = 10


@dataclass
class Fake:
    """A task that waits for its gate and notes on which sequence it ran."""

    log: list[tuple[str, object]]
    name: str
    chunks: list[Chunk] = field(default_factory=lambda: [(0,)])
    gate: threading.Event | None = None
    started: threading.Event = field(default_factory=threading.Event)
    error: Exception | None = None

    def run(self, sequence: Sequence, proceed: Callable[[], None]) -> Completion:
        self.log.append((self.name, sequence))
        self.started.set()
        if self.gate is not None:
            assert self.gate.wait(WAIT_S)
        proceed()
        if self.error is not None:
            raise self.error
        return Completion(Outcome.OK, reason=self.name)


def new_sequence() -> Sequence:
    return cast(Sequence, object())


@pytest.fixture
def single() -> Iterator[Scheduler]:
    scheduler = Scheduler(new_sequence, 1)
    yield scheduler
    scheduler.close()


@pytest.fixture
def double() -> Iterator[Scheduler]:
    scheduler = Scheduler(new_sequence, 2)
    yield scheduler
    scheduler.close()


def order_of(scheduler: Scheduler, first: list[Chunk], rest: list[tuple[str, list[Chunk]]]) -> list[str]:
    """The order in which tasks run that were submitted while another one held the only sequence."""
    log: list[tuple[str, object]] = []
    holder = Fake(log, "holder", first, gate=threading.Event())
    held = scheduler.submit(holder)
    assert holder.started.wait(WAIT_S)
    pending = [scheduler.submit(Fake(log, name, chunks)) for name, chunks in rest]
    assert holder.gate is not None
    holder.gate.set()
    for answer in [held, *pending]:
        answer.future.result(WAIT_S)
    return [name for name, _ in log[1:]]


def test_an_answer_comes_through_its_future(single: Scheduler) -> None:
    assert single.submit(Fake([], "a")).future.result(WAIT_S).reason == "a"


def test_the_task_that_shares_most_goes_first(single: Scheduler) -> None:
    rest: list[tuple[str, list[Chunk]]] = [
        ("far", [(9,)]),
        ("near", [(1,), (2,), (4,)]),
        ("nearer", [(1,), (2,), (3,)]),
    ]
    assert order_of(single, [(1,), (2,), (3,)], rest)[0] == "nearer"


def test_equal_tasks_go_in_order(single: Scheduler) -> None:
    rest: list[tuple[str, list[Chunk]]] = [(str(number), [(9,)]) for number in range(5)]
    assert order_of(single, [(1,)], rest) == ["0", "1", "2", "3", "4"]


def test_no_task_is_passed_by_for_ever(single: Scheduler) -> None:
    near: list[tuple[str, list[Chunk]]] = [(f"near{number}", [(1,)]) for number in range(PATIENCE + 5)]
    assert order_of(single, [(1,)], [("far", [(9,)]), *near]).index("far") == PATIENCE


def test_one_after_another_needs_one_sequence(double: Scheduler) -> None:
    log: list[tuple[str, object]] = []
    for name in "abc":
        double.submit(Fake(log, name)).future.result(WAIT_S)
    assert len({sequence for _, sequence in log}) == 1


def test_options_of_one_question_stay_on_its_sequence(double: Scheduler) -> None:
    log: list[tuple[str, object]] = []
    one = Fake(log, "one", [(0,), (1,)], gate=threading.Event())
    two = Fake(log, "two", [(0,), (2,)], gate=threading.Event())
    pending = [double.submit(one), double.submit(two)]
    assert one.started.wait(WAIT_S)
    assert two.started.wait(WAIT_S)
    pending += [double.submit(Fake(log, "more of one", one.chunks)), double.submit(Fake(log, "other", [(5,)]))]
    assert two.gate is not None
    assert one.gate is not None
    two.gate.set()
    pending[1].future.result(WAIT_S)
    pending[3].future.result(WAIT_S)
    one.gate.set()
    pending[2].future.result(WAIT_S)
    assert [name for name, _ in log][2] == "other"


def test_an_error_goes_to_whoever_asked(single: Scheduler) -> None:
    with pytest.raises(ValueError, match="no good"):
        single.submit(Fake([], "a", error=ValueError("no good"))).future.result(WAIT_S)
    assert single.submit(Fake([], "b")).future.result(WAIT_S).reason == "b"


def test_a_sequence_that_cannot_be_opened_is_an_error_of_the_task() -> None:
    def fail() -> Sequence:
        raise MemoryError("too large")

    scheduler = Scheduler(fail, 1)
    with pytest.raises(MemoryError):
        scheduler.submit(Fake([], "a")).future.result(WAIT_S)
    scheduler.close()


def test_an_abandoned_task_stops_at_its_next_batch(single: Scheduler) -> None:
    task = Fake([], "a", gate=threading.Event())
    pending = single.submit(task)
    assert task.started.wait(WAIT_S)
    pending.abandoned = True
    assert task.gate is not None
    task.gate.set()
    with pytest.raises(Abandoned):
        pending.future.result(WAIT_S)


def test_a_cancelled_task_never_runs(single: Scheduler) -> None:
    log: list[tuple[str, object]] = []
    holder = Fake(log, "holder", gate=threading.Event())
    single.submit(holder)
    assert holder.started.wait(WAIT_S)
    cancelled = single.submit(Fake(log, "cancelled"))
    assert cancelled.future.cancel()
    assert holder.gate is not None
    holder.gate.set()
    single.submit(Fake(log, "last")).future.result(WAIT_S)
    assert [name for name, _ in log] == ["holder", "last"]


def test_closing_gives_up_what_waits() -> None:
    scheduler = Scheduler(new_sequence, 1)
    holder = Fake([], "holder", gate=threading.Event())
    running = scheduler.submit(holder)
    assert holder.started.wait(WAIT_S)
    waiting = scheduler.submit(Fake([], "waiting"))
    assert holder.gate is not None
    threading.Timer(0.05, holder.gate.set).start()
    scheduler.close()
    assert running.future.result(WAIT_S).reason == "holder"
    with pytest.raises(CancelledError):
        waiting.future.result(WAIT_S)
