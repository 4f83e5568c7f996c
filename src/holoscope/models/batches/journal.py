"""Which batches are under way, on disk: one small file for each, in a folder beside the ledger.

An entry is written, and synced, before anything of its batch is sent; again when the provider has the rows, and again
with the batch's id. So whatever moment a kill falls in, the next process knows which requests may be under way and by
what to find the batch. An entry goes when every one of its requests is in the ledger, or has failed for good. It
holds no prompt and no secret: keys, and an id.
"""

import os
import secrets
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from holoscope.core import StoreError
from holoscope.models.model import Api

VERSION = 1


class Entry(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A batch, from just before it is sent."""

    version: int = VERSION
    label: str
    """Ours; sent along, so that the provider's list tells which batch is whose."""
    url: str
    model: str
    api: Api
    created: float
    """Unix time."""
    source: str = ""
    """What the provider calls the uploaded rows."""
    id: str = ""
    """What the provider calls the batch; empty until it has said so."""
    rows: tuple[str, ...]
    """The requests' ids, which are their keys in the ledger, in the order in which they were sent."""
    dropped: Mapping[str, tuple[str, ...]] = {}
    """What had to be left out of a request, by its id."""


_decoder = msgspec.json.Decoder(Entry)


class Journal:
    """The batches of one model at one address."""

    def __init__(self, folder: Path, url: str, model: str) -> None:
        self._folder, self._url, self._model = folder, url, model

    def entry(self, api: Api, rows: Sequence[str], dropped: Mapping[str, tuple[str, ...]]) -> Entry:
        """A new entry, not yet written."""
        now = time.time()
        label = f"holoscope-{time.strftime('%Y%m%dT%H%M%S', time.gmtime(now))}-{secrets.token_hex(4)}"
        return Entry(
            label=label, url=self._url, model=self._model, api=api, created=now, rows=tuple(rows), dropped=dropped
        )

    def entries(self) -> list[Entry]:
        """This model's entries, oldest first. Raises StoreError where one can't be read."""
        found = [_read(path) for path in sorted(self._folder.glob("*.json"))] if self._folder.is_dir() else []
        mine = (entry for entry in found if entry is not None and self._is_mine(entry))
        return sorted(mine, key=lambda entry: entry.created)

    def write(self, entry: Entry) -> None:
        """Write an entry, whole, and not return before it is on the disk."""
        path = self._path(entry)
        temporary = path.with_suffix(".writing")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with temporary.open("wb") as file:
                file.write(msgspec.json.encode(entry))
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
            _sync(self._folder)
        except OSError as error:
            raise StoreError(f"cannot write {path}, so no batch is sent: {error.strerror}") from error

    def remove(self, entry: Entry) -> None:
        """Forget a batch of which nothing is needed any more."""
        self._path(entry).unlink(missing_ok=True)

    def _is_mine(self, entry: Entry) -> bool:
        return (entry.url, entry.model) == (self._url, self._model)

    def _path(self, entry: Entry) -> Path:
        return self._folder / f"{entry.label}.json"


def _read(path: Path) -> Entry | None:
    """An entry; None where another process has just removed it."""
    try:
        entry = _decoder.decode(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StoreError(f"cannot read {path} ({error}); if it is moved away, its batch is asked for again") from error
    if entry.version > VERSION:
        raise StoreError(f"{path} was written by a newer holoscope; update this one: pip install -U holoscope")
    return entry


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
