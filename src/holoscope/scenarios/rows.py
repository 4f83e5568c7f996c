"""Reading rows from the formats benchmarks are published in: JSON Lines, JSON, CSV and TSV.

Every reader takes UTF-8 with or without a byte-order mark (spreadsheets write one, and it must not become part of the
first column's name), and every error names the file and the line.
"""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from holoscope.core import DataError, Json


class Row(NamedTuple):
    """One record and the place it came from."""

    where: str
    """`file:line`, for messages."""
    values: dict[str, Json]


def read_jsonl(path: Path) -> Iterator[Row]:
    """Each line's object; blank lines are skipped."""
    decoder = msgspec.json.Decoder(dict[str, Json])
    for number, line in enumerate(_lines(path), 1):
        if line.strip():
            try:
                yield Row(f"{path}:{number}", decoder.decode(line))
            except msgspec.DecodeError as error:
                raise DataError(f"{path}:{number}: not a JSON object ({error})") from error


def read_csv(path: Path, delimiter: str = ",") -> Iterator[Row]:
    """Each record under the names in the header."""
    lines = _cells(path, delimiter)
    _, header = next(lines, (0, []))
    for number, cells in lines:
        while len(cells) > len(header) and not cells[-1]:
            cells.pop()
        if len(cells) != len(header):
            raise DataError(f"{path}:{number}: {len(cells)} cells under {len(header)} column names")
        yield Row(f"{path}:{number}", dict(zip(header, cells, strict=True)))


def read_headless_csv(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The place and the cells of each record of a CSV without a header."""
    for number, cells in _cells(path, ","):
        yield f"{path}:{number}", cells


def read_rows(path: Path) -> list[Row]:
    """All rows of a data file, by its extension."""
    match path.suffix.lower():
        case ".jsonl" | ".ndjson":
            return list(read_jsonl(path))
        case ".json":
            return _read_json(path)
        case ".csv":
            return list(read_csv(path))
        case ".tsv":
            return list(read_csv(path, "\t"))
        case other:
            raise DataError(f"{path}: {other or 'no extension'} is not a data file's; use .jsonl, .json, .csv or .tsv")


def read_lines(path: Path) -> list[str]:
    """Lines without their ends; empty lines at the end of the file don't count."""
    return "".join(_lines(path)).rstrip("\n").split("\n")


def _read_json(path: Path) -> list[Row]:
    try:
        content = json.loads("".join(_lines(path)))
    except json.JSONDecodeError as error:
        raise DataError(f"{path}:{error.lineno}: not JSON ({error.msg})") from error
    if isinstance(content, dict):
        lists = [value for value in content.values() if isinstance(value, list)]
        content = lists[0] if len(lists) == 1 else content
    if not isinstance(content, list) or not all(isinstance(row, dict) for row in content):
        raise DataError(f"{path}: expected a list of objects, or an object that holds one such list")
    return [Row(f"{path} row {number}", row) for number, row in enumerate(content, 1)]


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield from file
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error


def _cells(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    try:
        with path.open(encoding="utf-8-sig") as file:  # line ends within cells become "\n", as in every prompt
            reader = csv.reader(file, delimiter=delimiter)
            yield from ((reader.line_num, cells) for cells in reader if cells)
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    except csv.Error as error:
        raise DataError(f"{path}: malformed CSV ({error})") from error


def _not_utf8(path: Path) -> DataError:
    return DataError(f"{path}: not UTF-8; save it in that encoding")
