"""The worker process as its parent sees it: started when first needed, killed at the time limit, started again."""

import os
import queue
import subprocess
import sys
import threading
import weakref
from functools import cache
from importlib.util import find_spec

import msgspec

from holoscope.core import MissingExtraError
from holoscope.metrics.maths.verdict import Question, Verdict

_START_SECONDS = 120.0
"""To import sympy, on a busy machine too."""
_SECONDS = 60.0
"""By the clock, for one comparison; the worker's own limit is CPU time."""
_MODULE = "holoscope.metrics.maths.worker"


class Worker:
    """One process, which answers one question at a time."""

    def __init__(self, module: str = _MODULE, seconds: float = _SECONDS) -> None:
        self._module, self._seconds = module, seconds
        self._lock = threading.Lock()
        self._running: _Running | None = None

    def ask(self, one: str, other: str) -> Verdict:
        """The verdict on two formulas; `same` is None where the limits were reached."""
        question = msgspec.json.encode(Question(one, other)) + b"\n"
        with self._lock:
            running = self._running or _Running(self._module)
            self._running = running
            line = running.ask(question, self._seconds)
            if line is None:
                running.stop()
                self._running = None
                return Verdict(None, "the comparison took too long")
        return msgspec.json.decode(line, type=Verdict)


class _Running:
    """A started process and the thread that reads its lines."""

    def __init__(self, module: str) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([sys.executable, "-m", module], stdin=pipe, stdout=pipe)
        self._lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=_read, args=(self._process, self._lines), daemon=True).start()
        self.stop = weakref.finalize(self, _stop, self._process)
        if not self._lines.get(timeout=_START_SECONDS):
            raise OSError(f"{sys.executable} -m {module} did not start")

    def ask(self, question: bytes, seconds: float) -> bytes | None:
        """The answer; None if it did not come in time or the process ended."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(question)
            self._process.stdin.flush()
            return self._lines.get(timeout=seconds) or None
        except (OSError, queue.Empty):
            return None


def require() -> None:
    """Raise MissingExtraError without sympy: a mean over the answers that need none would be a biased one."""
    if find_spec("sympy") is None:
        raise MissingExtraError("mathematical equality", "math")


def ask(one: str, other: str) -> Verdict:
    """The verdict of this process's worker."""
    return _worker(os.getpid()).ask(one, other)


@cache
def _worker(process_id: int) -> Worker:
    """One worker a process: a forked child must not share its parent's."""
    return Worker()


def _read(process: subprocess.Popen[bytes], lines: "queue.Queue[bytes]") -> None:
    """Hand on each line, and an empty one at the end."""
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put(b"")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
