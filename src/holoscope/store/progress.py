"""`progress.json`: how far a run is that is under way, for other processes to see.

It lies in the run's folder beside whatever an earlier run left there, is written about once a second, and is removed at
the end. A process that was killed leaves it behind, so it carries the time of its writing: one that is older than
`SILENT_S` tells how far the run came, not that it goes on. It is a courtesy: where it can't be written nothing fails.
"""

import contextlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

PROGRESS = "progress.json"
BEAT_S = 5.0
"""A run that goes on writes at least this often."""
SILENT_S = 30.0


class RunProgress(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far a run is."""

    run: str
    """Its readable name."""
    model: str
    scenario: str
    started: datetime
    updated: datetime
    total: int | None = None
    """Requests to be sent; None while they are being planned."""
    done: int = 0
    cached: int = 0
    """Of those done, answered by the ledger."""
    failed: int = 0
    """Of those done, without an answer."""
    waiting: str = ""
    """Why the model is not asked at the moment."""
    is_scoring: bool = False
    """True once every request is answered."""

    def is_live(self, now: datetime | None = None) -> bool:
        """True if whoever wrote it seems to go on."""
        return ((now or datetime.now(UTC)) - self.updated).total_seconds() < SILENT_S

    def __str__(self) -> str:
        of = "" if self.total is None else f" of {self.total:,}"
        return f"{self.done:,}{of} requests done"


_decoder = msgspec.json.Decoder(RunProgress)


def write_progress(folder: Path, progress: RunProgress) -> None:
    """Write `progress.json` whole, if that is possible."""
    temporary = folder / f".{PROGRESS}.{os.getpid()}.tmp"
    with contextlib.suppress(OSError):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(msgspec.json.encode(progress))
            temporary.replace(folder / PROGRESS)
        finally:
            temporary.unlink(missing_ok=True)


def read_progress(folder: Path) -> RunProgress | None:
    """How far the run in `folder` is; None if none is under way or was killed."""
    try:
        return _decoder.decode((folder / PROGRESS).read_bytes())
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def remove_progress(folder: Path) -> None:
    """Say that the run in `folder` is over; a folder with nothing else in it goes too."""
    with contextlib.suppress(OSError):
        (folder / PROGRESS).unlink(missing_ok=True)
        folder.rmdir()


def under_way(folders: Iterator[Path] | list[Path]) -> dict[str, RunProgress]:
    """The runs that are being made in some of the folders, by folder name."""
    found = ((folder.name, read_progress(folder)) for folder in folders)
    return {name: progress for name, progress in found if progress is not None and progress.is_live()}
