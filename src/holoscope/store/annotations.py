"""`annotations.jsonl`: what people said of single answers, a line each, only ever added to.

A line names the trial it is about, who said it and when; nothing written before is changed by it, neither the run nor
an earlier line. It lies beside the runs and not in them, because runs are made again and these cannot be. A line that
a dying machine left half-written is passed over, and costs no other.
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

import msgspec

from holoscope.core import UsageError
from holoscope.store._files import naming
from holoscope.store._text import to_json

ANNOTATIONS = "annotations.jsonl"
MOST_AUTHOR, MOST_COMMENT = 100, 10_000
"""Characters."""
RATINGS = range(1, 6)


class Annotation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One person's word on one trial."""

    suite: str
    run: str
    """Its folder's name."""
    instance_id: str
    perturbation: str | None = None
    train_trial_index: int = 0
    trial: int = 0
    author: str
    time: datetime
    rating: int | None = None
    """1 (bad) to 5 (good) of the answer."""
    comment: str = ""


def annotation(**said: object) -> Annotation:
    """What was said now; UsageError where it can't be kept as it is."""
    made = msgspec.convert({"time": datetime.now(UTC), **said}, Annotation)
    made = msgspec.structs.replace(made, author=made.author.strip(), comment=made.comment.strip())
    if not made.author or len(made.author) > MOST_AUTHOR:
        raise UsageError(f"an author's name has 1 to {MOST_AUTHOR} characters, not {len(made.author):,}")
    if len(made.comment) > MOST_COMMENT:
        raise UsageError(f"a comment has at most {MOST_COMMENT:,} characters, not {len(made.comment):,}")
    if made.rating is not None and made.rating not in RATINGS:
        raise UsageError(f"a rating is a whole number from {RATINGS[0]} to {RATINGS[-1]}, not {made.rating}")
    if made.rating is None and not made.comment:
        raise UsageError("nothing was said: give a rating, a comment, or both")
    return made


class Annotations:
    """The annotations of an output folder. Safe to share between threads; several processes may add."""

    def __init__(self, out: Path) -> None:
        self._path = out / ANNOTATIONS
        self._lock = Lock()
        self._mark: tuple[int, int] | None = None
        self._kept: tuple[Annotation, ...] = ()

    def add(self, said: Annotation) -> None:
        """Keep an annotation; returns when it is on the disk."""
        line = to_json(said).encode() + b"\n"
        with self._lock, naming(self._path, "write"), self._path.open("ab+") as file:
            file.write(line if self._ends_whole() else b"\n" + line)
            file.flush()
            os.fsync(file.fileno())

    def all(self) -> tuple[Annotation, ...]:
        """All of them, in the order in which they were made."""
        with self._lock:
            mark = self._marked()
            if mark is None:
                return ()
            if mark != self._mark:
                with naming(self._path, "read"):
                    self._kept = tuple(_read(self._path.read_bytes()))
                self._mark = mark
            return self._kept

    def of(self, suite: str, run: str = "", instance_id: str = "") -> list[Annotation]:
        """Those of a suite, of one of its runs (by folder), or of one instance."""
        return [
            each
            for each in self.all()
            if each.suite == suite and run in ("", each.run) and instance_id in ("", each.instance_id)
        ]

    def _ends_whole(self) -> bool:
        """False if the last line was cut off."""
        with self._path.open("rb") as file:
            if file.seek(0, os.SEEK_END) == 0:
                return True
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"

    def _marked(self) -> tuple[int, int] | None:
        try:
            about = self._path.stat()
        except FileNotFoundError:
            return None
        return about.st_mtime_ns, about.st_size


_decoder = msgspec.json.Decoder(Annotation)


def _read(content: bytes) -> Sequence[Annotation]:
    found = []
    for line in content.splitlines():
        try:
            found.append(_decoder.decode(line))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
    return found
