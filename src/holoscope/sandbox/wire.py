"""Jobs and results as the sandbox's process reads and writes them.

A verdict counts only behind a mark drawn for this one run, which is told to the examiner and never to the program.
"""

import marshal
import re
from functools import cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from holoscope.sandbox.inside.values import decode
from holoscope.sandbox.jobs import Assertions, Calls, Job, Result, Scripts, UnitTests, Verdict

MARK_BYTES = 16
_PACKAGE = "holoscope.sandbox.inside"
_MODULES = ("values", "processes", "candidate", "border", "examiner")
"""In the order in which they import each other."""
_BOOT = """
import marshal, os, sys
def exactly(size):
    found = b""
    while len(found) < size:
        part = os.read(0, size - len(found))
        if not part: os._exit(1)
        found += part
    return found
for name, code in marshal.loads(exactly(int.from_bytes(exactly(8), "big"))):
    module = sys.modules[name] = type(sys)(name)
    exec(code, module.__dict__)
module.main()
"""
"""Python that reads the examiner's own modules first."""
OPTIONS = ("-S", "-s", "-B", "-c", _BOOT)
_IMPORTED = re.compile(r"^(?:import|from)\s+(\w+)", re.MULTILINE)
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")
_FACTS = "facts"


class Terms(NamedTuple):
    """What the process is told before it is told the job."""

    mark: bytes
    packages: tuple[str, ...]
    limits: dict[str, int]
    """Of the program, by `RLIMIT_` name, but for the CPU time."""
    magic: bytes = b""
    """Of the Python's compiled code, where that is known."""


def told(terms: Terms, job: Job | None) -> bytes:
    """The frames for a job; None asks what Python it is."""
    kind, content = (_FACTS, {}) if job is None else _content(job)
    cpu = 1 if job is None else job.seconds
    first = {
        "mark": terms.mark,
        "packages": terms.packages,
        "limits": {**terms.limits, "CPU": cpu},
        "seconds": patience(job),
        "kind": kind,
        "preload": _preload(job),
    }
    modules = _compiled() if terms.magic == MAGIC_NUMBER else _source()
    return b"".join(_framed(each) for each in (modules, first, content))


def patience(job: Job | None) -> float:
    """Seconds by the clock for one test of a job: more than its CPU time, since other work may run beside it."""
    return 10.0 if job is None else 3.0 * job.seconds + 1


def deadline(job: Job | None) -> float:
    """Seconds by the clock after which a job is given up from outside."""
    tests = len(job.inputs) if isinstance(job, Scripts) else _length(job) if isinstance(job, Calls) else 1
    return 5 + patience(job) * max(tests, 1)


def facts(output: bytes, mark: bytes) -> dict[str, Any] | None:
    """What the process says of its Python; None where it said nothing."""
    found = _marked(output, mark)
    return found if isinstance(found, dict) else None


def result(job: Job, output: bytes, mark: bytes, *, in_time: bool) -> Result:
    """What the process says of a job; one that says nothing in its time has failed every test."""
    found = _marked(output, mark)
    match job, found:
        case ((Assertions() | UnitTests()), (str(outcome), str(words), int(reading))):
            return Result((_verdict(outcome, words),), reading)
        case ((Calls() | Scripts()), list(verdicts)):
            return Result(tuple(_verdict(*each) for each in verdicts))
    silent = Verdict("crashed", "the program ended its own tests") if in_time else Verdict("time")
    tests = len(job.inputs) if isinstance(job, Scripts) else _length(job) if isinstance(job, Calls) else 1
    return Result((silent,) * tests)


def _verdict(outcome: Any, words: Any, value: object = None) -> Verdict:
    return Verdict(outcome, _ADDRESS.sub("0x...", words), value)  # an address differs from run to run


def _content(job: Job) -> tuple[str, dict[str, Any]]:
    match job:
        case Assertions():
            names = {"names": job.names, "context": job.context, "tests": job.tests}
            return "assertions", {"readings": job.readings, **names}
        case UnitTests():
            tests = {"tests": job.tests, "name": job.name, "count": job.count, "packages": job.packages}
            return "unit tests", {"readings": job.readings, **tests}
        case Calls():
            arguments = [tuple(each) for each in msgspec.json.decode(job.arguments)]
            return "calls", {"readings": job.readings, "name": job.name, "arguments": arguments}
        case Scripts():
            return "scripts", {"readings": job.readings, "inputs": list(job.inputs), "module": job.module}


def _preload(job: Job | None) -> tuple[str, ...]:
    """Modules to read before the program's process is forked off; never for the program's asking."""
    match job:
        case Assertions():
            return tuple(dict.fromkeys(_IMPORTED.findall(job.context)))
        case Calls() | Scripts():
            return job.preload
    return ()


def _length(job: Calls) -> int:
    return len(msgspec.json.decode(job.arguments))


def has_started(output: bytes, mark: bytes) -> bool:
    """True if the examiner began; else no program was run, and nothing is known of it."""
    return output.startswith(_sized(mark))


def _sized(content: bytes) -> bytes:
    return len(content).to_bytes(8, "big") + content


def _marked(output: bytes, mark: bytes) -> object:
    """What was said behind the mark, after the mark alone."""
    frame = output.removeprefix(_sized(mark))[8:]
    if not output.endswith(_sized(frame)) or not frame.startswith(mark):
        return None
    try:
        return decode(frame[len(mark) :])
    except (ValueError, TypeError, RecursionError):
        return None


def _framed(content: Any) -> bytes:
    return _sized(marshal.dumps(content, 4))


@cache
def _source() -> list[tuple[str, str]]:
    folder = Path(__file__).with_name("inside")
    return [(f"{_PACKAGE}.{name}", (folder / f"{name}.py").read_text(encoding="utf-8")) for name in _MODULES]


@cache
def _compiled() -> list[tuple[str, Any]]:
    """For a Python of this one's version, so that it starts faster."""
    return [(name, compile(source, name, "exec", dont_inherit=True, optimize=2)) for name, source in _source()]
