"""Processes for programs: forked with nothing of their parent's, limited for good, and ended with all they started."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` takes longer to import than a program to run
import os
import resource
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

LONGEST_FRAME = 1 << 24
"""Bytes of one answer of a program."""
_MOST_FILES = 256
_PATIENCE = 50
"""Milliseconds for a process that is about to end by itself, since how it ends is worth knowing."""


class OutOfTime(BaseException):
    """The time for a piece of work is over."""


def fork(
    limits: dict[str, int], work: Callable[[], object], keep: tuple[int, ...], streams: tuple[int, ...] = ()
) -> int:
    """A process for a program's work, with no open file but `keep`; `streams` are its 0, 1 and 2, else nothing."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        with_time(0)
        _close_all_but(keep, streams)
        _limit(limits)
        work()
    finally:
        os._exit(4)


def _close_all_but(keep: tuple[int, ...], streams: tuple[int, ...]) -> None:
    nothing = os.open("/dev/null", os.O_RDWR)
    for number, opened in enumerate(streams or (nothing, nothing, nothing)):
        os.dup2(opened, number)
    kept = sorted(keep)
    for low, high in zip([2, *kept], [*kept, _MOST_FILES], strict=True):
        os.closerange(low + 1, high)
    sys.stdin = open(0, encoding="utf-8", errors="replace", closefd=False)
    sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False)
    sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False)


def _limit(limits: dict[str, int]) -> None:
    """Limits that nothing in here can raise again."""
    for name, value in limits.items():
        hard = value + 1 if name == "CPU" else value  # the first signal can be caught, the second cannot
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, hard))


def ended(pid: int) -> int:
    """The wait status of a process, which is killed if it goes on; 0 where it was waited for before."""
    try:
        for _ in range(_PATIENCE):
            found, status = os.waitpid(pid, os.WNOHANG)
            if found:
                return status
            _pause()
        kill(pid)
        return os.waitpid(pid, 0)[1]
    except ChildProcessError:
        return 0


def _pause() -> None:
    import select

    select.select([], [], [], 0.001)


def kill(pid: int) -> None:
    """End a process and those of its session."""
    for end in (os.killpg, os.kill):
        try:
            end(pid, _signal.SIGKILL)
        except OSError:
            continue


def why(status: int) -> tuple[str, str]:
    """What a wait status says of a program that ended before its time."""
    if not os.WIFSIGNALED(status):
        return "crashed", "the program ended its own process"
    number = os.WTERMSIG(status)
    return ("time", "") if number == _signal.SIGXCPU else ("crashed", f"the program was ended by signal {number}")


def raise_on_alarm() -> None:
    """Let `with_time` raise OutOfTime."""
    _signal.signal(_signal.SIGALRM, _out_of_time)


def with_time(seconds: float) -> None:
    """Raise OutOfTime after so many seconds; 0: never."""
    _signal.setitimer(_signal.ITIMER_REAL, seconds)


def _out_of_time(number: int, frame: object) -> NoReturn:
    raise OutOfTime


def send(stream: int, content: bytes) -> None:
    """Write a frame: its size, then its bytes."""
    rest = memoryview(len(content).to_bytes(8, "big") + content)
    while rest:
        rest = rest[os.write(stream, rest) :]


def receive(stream: int, longest: int = LONGEST_FRAME) -> bytes:
    """Read a frame; EOFError where there is none, ValueError where it is too long."""
    size = int.from_bytes(_exactly(stream, 8), "big")
    if size > longest:
        raise ValueError("more than is taken")
    return _exactly(stream, size)


def _exactly(stream: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = os.read(stream, min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
