"""`statistics.json`: the measures of a run, so that a grid of hundreds of runs is read in a second.

It is a cache. It names the hash of the `scores.parquet` it was made from, and where that no longer matches it counts
as absent: nobody sees a number that the scores don't give.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from holoscope.core import Measure, StoreError
from holoscope.store._files import naming, read_bytes, write_bytes
from holoscope.store._text import to_json
from holoscope.store.folders import SCORES, STATISTICS

_SCHEMA_VERSION = 1


class _Cache(msgspec.Struct, frozen=True):
    schema_version: int
    scores_sha256: str
    measures: tuple[Measure, ...]


_decoder = msgspec.json.Decoder(_Cache)


def write_measures(folder: Path, measures: Iterable[Measure]) -> None:
    """Write `statistics.json` for the `scores.parquet` that lies in `folder`."""
    cache = _Cache(_SCHEMA_VERSION, scores_hash(folder), tuple(measures))
    write_bytes(folder / STATISTICS, msgspec.json.format(to_json(cache).encode(), indent=2) + b"\n")


def read_measures(folder: Path) -> tuple[Measure, ...] | None:
    """The run's measures; None where they must be computed (again)."""
    try:
        cache = _decoder.decode(read_bytes(folder / STATISTICS))
        fresh = cache.schema_version == _SCHEMA_VERSION and cache.scores_sha256 == scores_hash(folder)
    except (StoreError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return cache.measures if fresh else None


def scores_hash(folder: Path) -> str:
    """sha256 of a run's `scores.parquet`."""
    path = folder / SCORES
    with naming(path, "read"), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
