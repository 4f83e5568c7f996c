"""The sandbox: runs jobs, a few at a time, or says why it can't.

Whether it works on this machine is found out once, by starting each pair of a Python and a bwrap until one works. Where
none does, nothing is run, unless the user allowed it: then programs run as plain processes with limits, and `described`
says so. A job's result depends on the job alone; results come in the jobs' order.
"""

import os
import secrets
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from holoscope.core import NotSupportedError, Settings
from holoscope.sandbox import seccomp
from holoscope.sandbox._exchange import Command, Said, exchange
from holoscope.sandbox.bubblewrap import Bubblewrap, bubblewraps
from holoscope.sandbox.interpreters import Interpreter, interpreters
from holoscope.sandbox.jobs import Job, Result, Verdict
from holoscope.sandbox.wire import MARK_BYTES, OPTIONS, Terms, deadline, facts, has_started, result, told

OLDEST_PYTHON = (3, 10)
MOST_WORKERS = 8
_LIMITS = {"AS": 1 << 30, "FSIZE": 1 << 24, "NOFILE": 64, "NPROC": 16, "CORE": 0}
"""Of one program: bytes of memory per process, bytes of a file, open files, processes and threads, no core dumps."""
_UNSAFE_LIMITS = {name: value for name, value in _LIMITS.items() if name != "NPROC"}
"""Outside, processes are counted with all others of the user."""
_NO_NUMPY = "ModuleNotFoundError: No module named 'numpy"
_INSTALL = 'pip install "holoscope[sandbox]", or apt install bubblewrap'


class Way(NamedTuple):
    """A way to run programs that was found to work."""

    python: Interpreter
    bubblewrap: Bubblewrap | None
    """None: without a sandbox."""
    opened: tuple[int, ...]
    version: str
    magic: bytes
    numpy: str
    """Its version; empty where programs can't import it."""


class Sandbox:
    """Where model-written code runs.

    >>> Sandbox().run([Assertions(readings=("def f(): return 1",), names=("f",), tests="assert f() == 1")])
    ... # doctest: +SKIP
    [Result(verdicts=(Verdict(outcome='passed', ...),), reading=0)]
    """

    def __init__(self, python: Path | None = None, *, allow_unsafe: bool = False, workers: int | None = None) -> None:
        self._named, self._allow_unsafe = python, allow_unsafe
        self._workers = workers or min(_processors(), MOST_WORKERS)
        self.why_not = ""
        """Why there is no sandbox, once that was tried."""

    @classmethod
    def of(cls, settings: Settings) -> "Sandbox":
        """As the machine's settings have it."""
        return cls(settings.sandbox_python, allow_unsafe=settings.allow_unsafe_code)

    @property
    def reason(self) -> str:
        """Why nothing is run, in words; empty if programs can be run."""
        return "" if self._way else f"no sandbox: {self.why_not}; --allow-unsafe-code does without"

    @property
    def is_safe(self) -> bool:
        """True if programs are contained."""
        return self._way is not None and self._way.bubblewrap is not None

    @property
    def has_numpy(self) -> bool:
        """True if programs can import numpy, as in the harnesses that benchmarks were published with."""
        return self._way is not None and bool(self._way.numpy)

    @cached_property
    def described(self) -> dict[str, str]:
        """How programs are run, for a run's manifest."""
        way = self._way
        if way is None:
            return {}
        how = "unsafe: plain processes with limits" if way.bubblewrap is None else _shown(way.bubblewrap)
        return {"how": how, "python": way.version, "numpy": way.numpy or "absent"}

    def run(self, jobs: Sequence[Job]) -> list[Result]:
        """The result of each job. Raises NotSupportedError where nothing may be run."""
        if self._way is None:
            raise NotSupportedError(self.reason)
        way = self._way
        with ThreadPoolExecutor(self._workers, "holoscope-sandbox") as workers:
            return list(workers.map(lambda job: _run(way, job), jobs))

    @cached_property
    def _way(self) -> Way | None:
        """The first way that works; else why the first one does not."""
        programs = list(bubblewraps())
        reasons = [] if programs else [f"bubblewrap is not installed ({_INSTALL})"]
        pythons = list(interpreters(self._named))
        for python in pythons:
            for program in programs:
                found = _try(python, program)
                if isinstance(found, Way):
                    return found
                reasons.append(found)
        self.why_not = reasons[0]
        unsafe = _try(pythons[0], None) if self._allow_unsafe else None
        return unsafe if isinstance(unsafe, Way) else None


def _processors() -> int:
    """Those this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _try(python: Interpreter, program: Bubblewrap | None) -> Way | str:
    """The way, if a Python starts by it; else why not."""
    way = Way(python, program, tuple(program.descriptors()) if program else (), "", b"", "")
    mark = secrets.token_bytes(MARK_BYTES)
    try:
        said = _told(way, told(_terms(way, mark), None), deadline(None))
    except OSError as error:
        return f"{error.strerror or error}"
    found = facts(said.output, mark)
    if found is None:
        return _last_words(said) or "its Python did not start"
    version = str(found["python"])
    if tuple(map(int, version.split(".")[:2])) < OLDEST_PYTHON:
        return f"its Python is {version}, and {'.'.join(map(str, OLDEST_PYTHON))} is the oldest that can be used"
    return way._replace(version=version, magic=found["magic"], numpy=str(found["numpy"]))


def _last_words(said: Said) -> str:
    return said.error.decode("utf-8", "replace").strip().rpartition("\n")[2]


def _run(way: Way, job: Job) -> Result:
    mark = secrets.token_bytes(MARK_BYTES)
    try:
        said = _told(way, told(_terms(way, mark), job), deadline(job))
    except OSError as error:
        raise NotSupportedError(f"the sandbox could not be started: {error.strerror or error}") from error
    if not has_started(said.output, mark):
        raise NotSupportedError(f"the sandbox did not start: {_last_words(said) or 'it said nothing in its time'}")
    found = result(job, said.output, mark, in_time=said.in_time)
    return found if way.numpy else Result(tuple(map(_without_numpy, found.verdicts)), found.reading)


def _without_numpy(verdict: Verdict) -> Verdict:
    """A program that fails for want of numpy, which it may count on, says nothing of the model."""
    return Verdict("missing", "numpy") if verdict.words.startswith(_NO_NUMPY) else verdict


def _terms(way: Way, mark: bytes) -> Terms:
    packages = tuple(str(folder) for folder in way.python.packages)
    return Terms(mark, packages, _LIMITS if way.bubblewrap else _UNSAFE_LIMITS, way.magic)


def _told(way: Way, frames: bytes, seconds: float) -> Said:
    if way.bubblewrap is None:
        return _unsafely(way.python, frames, seconds)
    with_filter = seccomp.program()
    rules, end = os.pipe()
    try:
        os.write(end, with_filter)
        os.close(end)
        words = way.bubblewrap.command(way.python, rules if with_filter else None, way.opened)
        environment = way.bubblewrap.environment(way.opened)
        inherited = (*way.opened, *([rules] if with_filter else []))
        return exchange(Command([*words, *OPTIONS], environment, descriptors=inherited), frames, seconds)
    finally:
        os.close(rules)


def _unsafely(python: Interpreter, frames: bytes, seconds: float) -> Said:
    with tempfile.TemporaryDirectory(prefix="holoscope-", ignore_cleanup_errors=True) as folder:
        environment = {"PATH": os.defpath, "HOME": folder, "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "TZ": "UTC"}
        words = [str(python.executable), *OPTIONS]
        return exchange(Command(words, environment, Path(folder)), frames, seconds)


def _shown(program: Bubblewrap) -> str:
    who = "nobody" if os.geteuid() == 0 else "the user"
    version = ""
    with suppress(OSError):
        said = exchange(Command([str(program.path), "--version"]), b"", 5)
        version = said.output.decode("utf-8", "replace").strip()
    return f"{version or 'bubblewrap'} as {who}" + (", system calls filtered" if seccomp.program() else "")
