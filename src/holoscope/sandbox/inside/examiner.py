"""The examiner: reads a job from its parent, puts the program to its tests, and writes what came of it.

The candidate for assertions is forked before the job is read, so that no test is in its memory; for calls and scripts
the job holds no expected result, and each of them gets a process of its own.
"""

from __future__ import annotations

import builtins
import marshal
import os
import sys

from holoscope.sandbox.inside.border import Border
from holoscope.sandbox.inside.candidate import NOT_PYTHON, as_script, message
from holoscope.sandbox.inside.processes import (
    LONGEST_FRAME,
    OutOfTime,
    ended,
    fork,
    kill,
    raise_on_alarm,
    receive,
    send,
    why,
    with_time,
)
from holoscope.sandbox.inside.values import Opaque, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, NoReturn

_LONGEST_JOB = 1 << 30
_LONGEST_RESULT = 1 << 25
"""Bytes of all that a program gives back."""
_LONGEST_WORDS = 200
_MOST_TIMES_OUT = 4


def main() -> None:
    """Read the terms, say that it starts, read the job; write the verdict behind the parent's own mark."""
    terms = _job()
    sys.path[:] = [path for path in sys.path if path] + list(terms["packages"])
    raise_on_alarm()
    for name in terms["preload"]:
        try:
            __import__(name)
        except ImportError:
            continue
    limits, seconds = terms["limits"], terms["seconds"]
    examine = _BESIDE.get(terms["kind"])
    border = Border(limits) if examine is not None else None
    send(1, terms["mark"])  # it starts: what fails from here on is the program's doing
    job = _job()
    if examine is not None and border is not None:
        with_time(seconds)
        found: object = examine(border, job)
        with_time(0)
        border.stop()
    else:
        found = _APART[terms["kind"]](job, limits, seconds)
    send(1, terms["mark"] + encode(found))


def assertions(border: Border, job: dict[str, Any]) -> tuple[str, str, int]:
    """Run test code against the program's functions: the outcome, its words, and which reading was run."""
    index = -1
    try:
        index = int(border.ask("load", job["readings"]))
        namespace: dict[str, object] = {"__name__": "tests", "__builtins__": builtins}
        exec(compile(job["context"], "<context>", "exec", dont_inherit=True), namespace)
        for name in job["names"]:
            namespace[name] = _found(border, name)
        exec(compile(job["tests"], "<tests>", "exec", dont_inherit=True), namespace)
    except BaseException as error:
        return (*_judged(border, error), index)
    return (*why(border.close()), index) if border.is_lost else ("passed", "", index)


def unit_tests(border: Border, job: dict[str, Any]) -> tuple[str, str, int]:
    """Run a class of unit tests beside the program; they share its process, as their patches need."""
    index = -1
    absent = _absent(job["packages"])
    if absent:
        return "missing", absent, index
    try:
        index = int(border.ask("load", job["readings"]))
        ran, bad, words = border.ask("unit tests", job["tests"], job["name"])
    except BaseException as error:
        return (*_judged(border, error), index)
    if bad:
        return "failed", str(words)[:_LONGEST_WORDS], index
    if ran != job["count"]:
        return "error", f"{ran} of {job['count']} tests ran", index
    return "passed", "", index


def calls(job: dict[str, Any], limits: dict[str, int], seconds: float) -> list[tuple[str, str, object]]:
    """Call the program's function once for each set of arguments, each time in a new process."""
    return _each(job["arguments"], lambda args: _one_call(job, args, limits, seconds))


def scripts(job: dict[str, Any], limits: dict[str, int], seconds: float) -> list[tuple[str, str, object]]:
    """Run the program as a script once for each input: how it ended, its words, and what it printed."""
    return _each(job["inputs"], lambda given: _one_script(job, given, limits, seconds))


def facts(job: dict[str, Any], limits: dict[str, int], seconds: float) -> dict[str, object]:
    """What this Python is."""
    import _frozen_importlib_external

    names = (name for path in sys.path if os.path.isdir(path) for name in os.listdir(path))
    numpy = [name for name in names if name.startswith("numpy-") and name.endswith(".dist-info")]
    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        "magic": _frozen_importlib_external.MAGIC_NUMBER,
        "numpy": numpy[0][len("numpy-") : -len(".dist-info")] if numpy else "",
    }


_BESIDE: dict[str, Callable[[Border, dict[str, Any]], object]] = {"assertions": assertions, "unit tests": unit_tests}
"""What is examined while one candidate lives."""
_APART: dict[str, Callable[[dict[str, Any], dict[str, int], float], object]] = {
    "calls": calls,
    "scripts": scripts,
    "facts": facts,
}


def _found(border: Border, name: str) -> object:
    """A name of the program's; one that it lacks is an error only where a test uses it."""
    try:
        return border.ask("find", name)
    except NameError as missing:
        words = str(missing)

        def absent(*args: object, **named: object) -> NoReturn:
            raise NameError(words)

        return absent


def _each(tests: Iterable[Any], run: Callable[[Any], tuple[str, str, object]]) -> list[tuple[str, str, object]]:
    """The result of each test, as far as what the program gives back is not too much.

    A program that ran out of time for a few tests is taken to do so for the others.
    """
    found: list[tuple[str, str, object]] = []
    room, patience = _LONGEST_RESULT, _MOST_TIMES_OUT
    for test in tests:
        if not patience:
            found.append(("time", "", None))
            continue
        outcome, words, value = run(test)
        patience -= outcome == "time"
        room -= len(encode(value))
        found.append((outcome, words, value) if room > 0 else ("error", "the program gives back too much", None))
    return found


def _absent(packages: Iterable[str]) -> str:
    """Those of the modules that this Python lacks."""
    from importlib.util import find_spec

    return ", ".join(name for name in packages if find_spec(name.partition(".")[0]) is None)


def _one_call(job: dict[str, Any], args: object, limits: dict[str, int], seconds: float) -> tuple[str, str, object]:
    border = Border(limits)
    try:
        with_time(seconds)
        border.ask("load", job["readings"])
        value = border.ask("call", job["name"], args)
        encode(value)
    except Opaque:
        return "error", "the function returns something that is not plain data", None
    except BaseException as error:
        return (*_judged(border, error), None)
    finally:
        with_time(0)
        border.stop()
        border.close()
    return "passed", "", value


def _one_script(job: dict[str, Any], given: str, limits: dict[str, int], seconds: float) -> tuple[str, str, bytes]:
    streams = tuple(os.memfd_create(name) for name in ("in", "out", "error"))
    try:
        os.write(streams[0], given.encode("utf-8", "surrogatepass"))
        os.lseek(streams[0], 0, os.SEEK_SET)
        pid = fork(limits, lambda: as_script(job["module"], job["readings"]), keep=(), streams=streams)
        try:
            with_time(seconds)
            _, status = os.waitpid(pid, 0)
        except OutOfTime:
            return "time", "", b""
        finally:
            with_time(0)
            kill(pid)
            ended(pid)
        printed, said = (os.pread(stream, LONGEST_FRAME, 0) for stream in streams[1:])
    finally:
        for stream in streams:
            os.close(stream)
    if os.WIFSIGNALED(status):
        return (*why(status), b"")
    outcome = {0: "passed", NOT_PYTHON: "syntax"}.get(os.WEXITSTATUS(status), "error")
    return outcome, said.decode("utf-8", "replace")[-_LONGEST_WORDS:] if outcome == "error" else "", printed


def _judged(border: Border, error: BaseException) -> tuple[str, str]:
    """What an exception in the tests says about the program."""
    if isinstance(error, OutOfTime):
        return "time", ""
    if border.is_lost:
        return why(border.close())
    if isinstance(error, AssertionError):
        return "failed", message(error)
    kind = "syntax" if isinstance(error, SyntaxError) else "memory" if isinstance(error, MemoryError) else "error"
    return kind, f"{type(error).__name__}: {message(error)}"[:_LONGEST_WORDS]


def _job() -> Any:
    """The next thing that the parent sends; only the parent can."""
    return marshal.loads(receive(0, _LONGEST_JOB))
