"""One process: what it is told, what it says within its time, and its certain end.

The process is killed when its time is over or when it says too much; with it, by the kernel, goes everything it
started, and the same happens where this process dies first (`--die-with-parent`).
"""

import os
import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

LONGEST = 1 << 26
"""Bytes that are taken from a process."""


class Command(NamedTuple):
    """How a process is started."""

    words: Sequence[str]
    environment: Mapping[str, str] = {}
    folder: Path = Path("/")
    descriptors: Sequence[int] = ()
    """Open files that it inherits."""


class Said(NamedTuple):
    """What a process said."""

    output: bytes
    error: bytes
    in_time: bool


def exchange(command: Command, told: bytes, seconds: float) -> Said:
    """Start the process, tell it, and hear it out. OSError where it can't be started."""
    with subprocess.Popen(
        command.words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(command.environment),
        cwd=command.folder,
        pass_fds=command.descriptors,
        start_new_session=True,
    ) as process:
        try:
            return _talk(process, told, time.monotonic() + seconds)
        finally:
            process.kill()


def _talk(process: subprocess.Popen[bytes], told: bytes, deadline: float) -> Said:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    heard = {process.stdout: bytearray(), process.stderr: bytearray()}
    rest = memoryview(told)
    with selectors.DefaultSelector() as open_ends:
        for end, event in ((process.stdin, selectors.EVENT_WRITE), *((out, selectors.EVENT_READ) for out in heard)):
            os.set_blocking(end.fileno(), False)
            open_ends.register(end, event)
        while open_ends.get_map() and (left := deadline - time.monotonic()) > 0:
            for key, _ in open_ends.select(left):
                if key.fileobj is process.stdin:
                    rest = rest[_written(key.fd, rest) :]
                    is_done = not rest
                else:
                    is_done = not _heard(key.fd, heard[key.fileobj])  # type: ignore[index]
                if is_done:
                    open_ends.unregister(key.fileobj)
                    key.fileobj.close()  # type: ignore[union-attr]
        in_time = not any(end in heard for end in (key.fileobj for key in open_ends.get_map().values()))
    return Said(bytes(heard[process.stdout]), bytes(heard[process.stderr]), in_time)


def _written(descriptor: int, rest: memoryview) -> int:
    try:
        return os.write(descriptor, rest[: 1 << 16])
    except BrokenPipeError:  # it ended without listening
        return len(rest)


def _heard(descriptor: int, so_far: bytearray) -> bool:
    """Take what is there; False at the end, or where it is too much."""
    part = os.read(descriptor, 1 << 16)
    so_far += part
    return bool(part) and len(so_far) <= LONGEST
