"""Which task runs on which sequence, and when.

As many threads as sequences. A sequence that is free gets the task of whose prompt it has read most, compared with the
others: the options of one question go to the sequence that reads the question, not to each of them. No task waits while
more than `PATIENCE` younger ones pass it by. Answers don't depend on this choice (`_sequence.py`), only times do.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol

from holoscope.core import Completion
from holoscope.models.local._sequence import Chunk, Sequence, common
from holoscope.models.local._tasks import Task

PATIENCE = 16


class Abandoned(Exception):
    """Nobody waits for the answer any more."""


class Pending(Protocol):
    """An answer to come."""

    future: Future[Completion]
    abandoned: bool
    """Set it to True if nobody wants the answer any more."""


@dataclass(eq=False)
class _Job:
    task: Task
    future: Future[Completion] = field(default_factory=Future)
    passed_by: int = 0
    abandoned: bool = False

    def proceed(self) -> None:
        if self.abandoned:
            raise Abandoned


@dataclass(eq=False)
class _Worker:
    """A sequence and what it has read, or is about to; it is opened when first needed."""

    chunks: list[Chunk] = field(default_factory=list)
    sequence: Sequence | None = None


class Scheduler:
    """Runs tasks on a few sequences."""

    def __init__(self, open_sequence: Callable[[], Sequence], count: int) -> None:
        self._open_sequence = open_sequence
        self._pool = ThreadPoolExecutor(max_workers=count, thread_name_prefix="holoscope-local")
        self._lock = threading.Lock()
        self._waiting: list[_Job] = []
        self._workers = [_Worker() for _ in range(count)]
        self._free = list(self._workers)

    def submit(self, task: Task) -> Pending:
        """Queue a task."""
        job = _Job(task)
        with self._lock:
            self._waiting.append(job)
        self._pool.submit(self._work)
        return job

    def close(self) -> None:
        """Give up what waits, wait for what is under way, and let the sequences go."""
        with self._lock:
            for job in self._waiting:
                job.future.cancel()
            self._waiting.clear()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._workers.clear()
        self._free.clear()

    def _work(self) -> None:
        """Run one task, on a thread of the pool."""
        match = self._match()
        if match is None:
            return
        job, worker = match
        try:
            if job.future.set_running_or_notify_cancel():
                worker.sequence = worker.sequence or self._open_sequence()
                job.future.set_result(job.task.run(worker.sequence, job.proceed))
        except BaseException as error:  # noqa: BLE001  (it belongs to whoever waits for the future)
            job.future.set_exception(error)
        finally:
            with self._lock:
                self._free.append(worker)

    def _match(self) -> tuple[_Job, _Worker] | None:
        """The task to run now, and where. There is a free sequence for every thread."""
        with self._lock:
            if not self._waiting:
                return None
            pairs = ((job, worker) for job in self._waiting for worker in self._free)
            job, worker = max(pairs, key=lambda pair: self._fit(*pair))
            for older in self._waiting[: self._waiting.index(job)]:
                older.passed_by += 1
            self._waiting.remove(job)
            self._free.remove(worker)
            worker.chunks = job.task.chunks
            return job, worker

    def _fit(self, job: _Job, worker: _Worker) -> tuple[bool, int, int, bool]:
        """How well a task suits a sequence; of equals, `max` takes the oldest task."""
        shared = common(worker.chunks, job.task.chunks)
        elsewhere = max((common(w.chunks, job.task.chunks) for w in self._workers if w is not worker), default=0)
        return job.passed_by >= PATIENCE, shared - elsewhere, shared, worker.sequence is not None
