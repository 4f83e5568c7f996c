"""Files that are whole or absent.

Whatever the store writes goes to a temporary file beside its target, is flushed to the disk, and then takes the
target's name in one step: a reader, and the next run after a crash, never see half a file. Every failure of the
operating system becomes one line that names the path, because a full disk is the user's to mend.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from holoscope.core import StoreError

_STALE_SECONDS = 86_400.0
"""Temporary files older than this belong to a process that was killed."""


@contextmanager
def naming(path: Path, verb: str) -> Iterator[None]:
    """Turn an error of the operating system into one line that names `path`."""
    try:
        yield
    except OSError as error:
        words = os.strerror(error.errno) if error.errno else str(error).splitlines()[0]
        raise StoreError(f"cannot {verb} {path}: {words}") from error


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path whose file becomes `path` at exit, or disappears if the block raises."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with naming(path, "write"):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _remove_stale(path)
            yield temporary
            _flush(temporary)
            temporary.replace(path)
            _flush_folder(path.parent)
        finally:
            if path.parent.is_dir():
                temporary.unlink(missing_ok=True)


def write_bytes(path: Path, content: bytes) -> None:
    """Put `content` at `path`, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def remove(path: Path) -> None:
    """Remove `path` if it is there."""
    with naming(path, "remove"):
        path.unlink(missing_ok=True)


def read_bytes(path: Path) -> bytes:
    """The content of `path`; StoreError names it where it can't be read."""
    with naming(path, "read"):
        return path.read_bytes()


def _remove_stale(path: Path) -> None:
    for other in path.parent.glob(f".{path.name}.*.tmp"):
        if time.time() - other.stat().st_mtime > _STALE_SECONDS:
            other.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    """Make the new name itself survive a power cut; Windows has no such call and needs none."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
