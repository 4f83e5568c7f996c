"""Reads the answers out of a damaged ledger, page by page, without trusting any page to lead to another.

SQLite stops at the first broken page of a tree, and opens nothing at all where the first page is gone. But each
answer sits in a leaf page that can be recognised by itself (https://www.sqlite.org/fileformat2.html): a leaf of a
table starts with 13, and our record is (NULL, a 32-byte key, a value). The write-ahead log holds newer copies of
pages; both are read. Nothing false can come of it: a row counts only if its value passes `codec.decode`, whose
checksum covers it all, and a page that is no longer in use holds answers that are as good as any.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from holoscope.engine.codec import decode

PAGE = 4096
"""Page size of every ledger (`database.py` sets it)."""

_LEAF = 13
_LOCAL = PAGE - 35
"""A payload up to this long lies in its leaf page; of a longer one the rest lies in a chain of overflow pages."""
_LEAST = (PAGE - 12) * 32 // 255 - 23
_WAL_HEADER, _FRAME_HEADER = 32, 24
_NULL_TYPE, _KEY_TYPE, _FIRST_BLOB_TYPE = 0, 12 + 2 * 32, 12


class Row(NamedTuple):
    key: bytes
    value: bytes


def answers(path: Path, log: bytes) -> Iterator[Row]:
    """Every answer that can still be read from a file and its write-ahead log, in any order; one may come twice."""
    with path.open("rb") as file:
        frames = _frames(log)
        count = path.stat().st_size // PAGE + 1
        pages = _Pages(file, dict(frames), count + len(frames))
        for number in range(1, count + 1):
            yield from _rows(pages.stored(number), pages)
        for _, page in frames:
            yield from _rows(page, pages)


class _Pages:
    """The pages of a file, under newer copies of some of them."""

    def __init__(self, file: BinaryIO, newer: dict[int, bytes], count: int) -> None:
        self._file, self._newer = file, newer
        self.count = count
        """No record lies in more pages than this."""

    def __getitem__(self, number: int) -> bytes:
        """The page that an overflow chain leads to; ValueError where it leads nowhere."""
        if number < 1:
            raise ValueError("the chain ends too early")
        return self._newer.get(number) or self.stored(number)

    def stored(self, number: int) -> bytes:
        self._file.seek((number - 1) * PAGE)
        return self._file.read(PAGE).ljust(PAGE, b"\0")


def _frames(data: bytes) -> list[tuple[int, bytes]]:
    """Number and content of each page in the write-ahead log, the newest copy last.

    Frames of an earlier round have another salt; where none has the header's, the header is what was damaged.
    """
    salt = data[16:24]
    starts = range(_WAL_HEADER, len(data) - _FRAME_HEADER - PAGE + 1, _FRAME_HEADER + PAGE)
    current = [start for start in starts if data[start + 8 : start + 16] == salt]
    return [
        (int.from_bytes(data[start : start + 4], "big"), data[start + _FRAME_HEADER : start + _FRAME_HEADER + PAGE])
        for start in current or starts
    ]


def _rows(page: bytes, pages: _Pages) -> Iterator[Row]:
    """The answers of one page; none where it is not a leaf or is broken."""
    if page[0] != _LEAF:
        return
    count = min(int.from_bytes(page[3:5], "big"), (PAGE - 8) // 2)
    for start in struct.unpack_from(f">{count}H", page, 8):
        try:
            row = _row(_payload(page, start, pages))
        except (IndexError, ValueError):
            continue
        if row and decode(row.value):
            yield row


def _payload(page: bytes, start: int, pages: _Pages) -> bytes:
    """The record whose cell begins at `start`, its overflow pages fetched."""
    length, start = _varint(page, start)
    _, start = _varint(page, start)
    if length <= _LOCAL:
        return page[start : start + length]
    if length > pages.count * PAGE:  # a damaged length must not be followed
        raise ValueError("longer than the file")
    local = _LEAST + (length - _LEAST) % (PAGE - 4)
    local = local if local <= _LOCAL else _LEAST
    chunks = [page[start : start + local]]
    following = int.from_bytes(page[start + local : start + local + 4], "big")
    for _ in range(-(-(length - local) // (PAGE - 4))):
        overflow = pages[following]
        chunks.append(overflow[4:])
        following = int.from_bytes(overflow[:4], "big")
    return b"".join(chunks)[:length]


def _row(record: bytes) -> Row | None:
    """Key and value of a record, or None if it is not one of ours."""
    _, at = _varint(record, 0)
    id_type, at = _varint(record, at)
    key_type, at = _varint(record, at)
    value_type, at = _varint(record, at)
    if (id_type, key_type) != (_NULL_TYPE, _KEY_TYPE) or value_type < _FIRST_BLOB_TYPE:
        return None
    return Row(record[at : at + 32], record[at + 32 : at + 32 + (value_type - _FIRST_BLOB_TYPE) // 2])


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """SQLite's integer of one to nine bytes, and where it ends."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value << 8 | data[at + 8], at + 9
