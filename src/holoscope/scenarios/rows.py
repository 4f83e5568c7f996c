"""Reading rows from the formats benchmarks are published in: JSON Lines, JSON, CSV, TSV and Parquet, gzipped or not.

Every reader takes UTF-8 with or without a byte-order mark (spreadsheets write one, and it must not become part of the
first column's name), and every error names the file and the line.
"""

import csv
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, TextIO, cast

import msgspec

from holoscope.core import DataError, Json

csv.field_size_limit(2**31 - 1)  # the limit is the process's; passages and transcripts exceed the usual 128 KiB


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
            except (msgspec.DecodeError, RecursionError) as error:
                raise DataError(f"{path}:{number}: not a JSON object ({error})") from error


def read_csv(path: Path, delimiter: str = ",") -> Iterator[Row]:
    """Each record under the names in the header."""
    lines = _cells(path, delimiter)
    first, header = next(lines, (0, []))
    _refuse_repeated(f"{path}:{first}", header)
    for number, cells in lines:
        while len(cells) > len(header) and not cells[-1]:
            cells.pop()
        if len(cells) != len(header):
            raise DataError(f"{path}:{number}: {len(cells)} cells under {len(header)} column names")
        yield Row(f"{path}:{number}", dict(zip(header, cells, strict=True)))


def read_headless_csv(path: Path, skip: int = 0, delimiter: str = ",") -> Iterator[tuple[str, list[str]]]:
    """The place and the cells of each record of a CSV without a header, after the first `skip` lines."""
    for number, cells in _cells(path, delimiter, skip):
        yield f"{path}:{number}", cells


def read_objects(path: Path) -> Iterator[tuple[str, Row]]:
    """The key and the row of each member of a JSON object of objects."""
    content = read_json(path)
    if not isinstance(content, dict):
        raise DataError(f"{path}: expected an object of objects")
    for key, value in content.items():
        if not isinstance(value, dict):
            raise DataError(f"{path}: {key} should be an object, and is {value!r}")
        yield key, Row(f"{path} {key}", value)


def read_object(path: Path) -> Row:
    """The one object that a JSON file holds."""
    content = read_json(path)
    if not isinstance(content, dict):
        raise DataError(f"{path}: expected an object")
    return Row(str(path), content)


def read_json_rows(path: Path) -> Iterator[Row]:
    """Each object of a JSON file, whether it has one a line or all in one list."""
    with _open(path) as file:
        is_list = file.read(1) == "["
    content = read_json(path) if is_list else None
    if not isinstance(content, list):
        yield from read_jsonl(path)
        return
    for number, values in enumerate(content, 1):
        if not isinstance(values, dict):
            raise DataError(f"{path} row {number}: not an object")
        yield Row(f"{path} row {number}", values)


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
        case ".parquet":
            return list(read_parquet(path))
        case other:
            raise DataError(
                f"{path}: {other or 'no extension'} is not a data file's; use .jsonl, .json, .csv, .tsv or .parquet"
            )


def read_parquet(path: Path) -> Iterator[Row]:
    """Each record, a batch at a time: some training sets are larger than memory."""
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        with ParquetFile(path) as file:
            _refuse_repeated(str(path), file.schema_arrow.names)
            batches = (batch.to_pylist() for batch in file.iter_batches())
            for number, values in enumerate(chain.from_iterable(batches), 1):
                yield Row(f"{path} row {number}", values)
    except (ArrowException, OSError) as error:  # OSError: pages that are damaged
        raise DataError(f"{path}: not Parquet ({error})") from error


def class_names(path: Path, column: str) -> list[str]:
    """What the numbers in a column of one of the hub's Parquet files stand for, as written beside its columns."""
    from pyarrow import ArrowException
    from pyarrow.parquet import read_schema

    try:
        stated = (read_schema(path).metadata or {}).get(b"huggingface", b"{}")
        names: Json = msgspec.json.decode(stated)
    except (ArrowException, OSError, msgspec.DecodeError) as error:
        raise DataError(f"{path}: not Parquet ({error})") from error
    for part in ("info", "features", column, "names"):
        names = names.get(part) if isinstance(names, dict) else None
    if not isinstance(names, list):
        raise DataError(f"{path}: it does not say what the numbers in {column} stand for")
    return [str(name) for name in names]


def read_lines(path: Path) -> list[str]:
    """Lines without their ends; empty lines at the end of the file don't count."""
    return "".join(_lines(path)).rstrip("\n").split("\n")


def read_json(path: Path) -> Json:
    """What a JSON file holds."""
    try:
        return cast(Json, json.loads("".join(_lines(path))))
    except json.JSONDecodeError as error:
        raise DataError(f"{path}:{error.lineno}: not JSON ({error.msg})") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, or nesting as deep
        raise DataError(f"{path}: not JSON that can be read ({error})") from error


def _refuse_repeated(where: str, names: Sequence[str]) -> None:
    """Of two columns of one name a row could hold only the last; nameless ones nobody can ask for."""
    for name, count in Counter(names).items():
        if name and count > 1:
            raise DataError(f"{where}: {count} columns are called {name!r}; rename all but one")


def _read_json(path: Path) -> list[Row]:
    content = read_json(path)
    if isinstance(content, dict):
        lists = [value for value in content.values() if isinstance(value, list)]
        content = lists[0] if len(lists) == 1 else content
    rows = [row for row in content if isinstance(row, dict)] if isinstance(content, list) else []
    if not isinstance(content, list) or len(rows) != len(content):
        raise DataError(f"{path}: expected a list of objects, or an object that holds one such list")
    return [Row(f"{path} row {number}", row) for number, row in enumerate(rows, 1)]


def _lines(path: Path) -> Iterator[str]:
    try:
        with _open(path) as file:
            yield from file
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    except (gzip.BadGzipFile, EOFError) as error:
        raise DataError(f"{path}: not a whole gzip file ({error})") from error


def _open(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return path.open(encoding="utf-8-sig")


def _cells(path: Path, delimiter: str, skip: int = 0) -> Iterator[tuple[int, list[str]]]:
    number = skip
    try:
        with _open(path) as file:  # line ends within cells become "\n", as in every prompt
            reader = csv.reader(islice(file, skip, None), delimiter=delimiter)
            for cells in reader:
                number = skip + reader.line_num
                if cells:
                    yield number, cells
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    except csv.Error as error:
        raise DataError(f"{path}:{number + 1}: malformed CSV ({error})") from error


def _not_utf8(path: Path) -> DataError:
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        line = next((number for number, content in enumerate(file, 1) if not _is_utf8(content)), 1)
    return DataError(f"{path}:{line}: not UTF-8; save the file in that encoding")


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
