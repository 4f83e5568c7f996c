"""Who holds a lease on a request, and whether that process is still alive.

A lease is a row in the ledger that names its owner. The owner is a file beside the ledger, locked by the process as
long as it lives: the operating system drops the lock at the very moment of a kill -9, so a lease never has to expire
by a clock and never outlives its holder. `flock` is used (POSIX): its lock belongs to the opened file, so two
ledgers of one process count as two owners.
"""

import contextlib
import fcntl
import os
import secrets
import weakref
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import BinaryIO


class Lease(Enum):
    """What became of a claim to a request that has no answer yet."""

    MINE = "mine"
    """The caller asks the model, then puts the answer or releases the key."""
    TAKEN = "taken"
    """Someone else, in this process or another, is asking; try again later."""


class Owner:
    """This process's mark: alive for others exactly as long as the process holds it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.name = f"{os.getpid()}-{secrets.token_hex(8)}"
        self._mark = (folder / self.name).open("xb")
        fcntl.flock(self._mark, fcntl.LOCK_EX)
        _close_in_children(self._mark)

    def is_alive(self, name: str) -> bool:
        """True if the owner `name` still holds its mark; the mark of a dead one is removed."""
        return name == self.name or is_held(self._folder / name)

    def close(self) -> None:
        """Give the mark up."""
        (self._folder / self.name).unlink(missing_ok=True)
        self._mark.close()


def _close_in_children(mark: BinaryIO) -> None:
    """A forked child must not hold the mark: it would keep the lock after the parent's death."""
    known = weakref.ref(mark)

    def close() -> None:
        if (inherited := known()) is not None:
            inherited.close()

    os.register_at_fork(after_in_child=close)


def is_held(mark: Path) -> bool:
    """True if a living process holds `mark`; the file is removed if none does."""
    try:
        with mark.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            mark.unlink(missing_ok=True)
            return False
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True


def owners(folder: Path) -> list[str]:
    """Names of the living owners."""
    return sorted(mark.name for mark in folder.iterdir() if mark.name != _DOOR and is_held(mark))


@contextlib.contextmanager
def door(folder: Path) -> Iterator[None]:
    """Let one process at a time open or mend the ledger; marks are made only inside."""
    with (folder / _DOOR).open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


_DOOR = "door.lock"
