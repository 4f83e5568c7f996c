"""sha256 of large files, remembered: a file whose size and time of change are as recorded is not read again."""

import hashlib
from contextlib import suppress
from pathlib import Path

import msgspec

from holoscope.core import Settings

_BLOCK = 1 << 20


class Record(msgspec.Struct, frozen=True):
    """What was hashed, and how it looked then."""

    path: str
    size: int
    mtime_ns: int
    sha256: str


def file_sha256(path: Path) -> str:
    """sha256 of a file's bytes, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def remembered_sha256(path: Path, settings: Settings) -> str:
    """sha256 of a file, from its record where the file has not changed since."""
    path = path.resolve()
    sidecar = _sidecar(path, settings)
    stat = path.stat()
    with suppress(OSError, msgspec.DecodeError):
        record = msgspec.json.decode(sidecar.read_bytes(), type=Record)
        if (record.path, record.size, record.mtime_ns) == (str(path), stat.st_size, stat.st_mtime_ns):
            return record.sha256
    record = Record(str(path), stat.st_size, stat.st_mtime_ns, file_sha256(path))
    with suppress(OSError):  # a read-only cache costs a hash at each start, no more
        sidecar.parent.mkdir(parents=True, exist_ok=True)
        sidecar.write_bytes(msgspec.json.encode(record))
    return record.sha256


def _sidecar(path: Path, settings: Settings) -> Path:
    name = hashlib.sha256(str(path).encode(errors="surrogateescape")).hexdigest()[:24]
    return settings.cache_dir / "models" / "hashes" / f"{name}.json"
