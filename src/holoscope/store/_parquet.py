"""Rows to Parquet and back: columns declared once, written a group at a time.

The bytes depend on the rows and on nothing else (no clock, no path, no machine), so equal rows make equal files. zstd
folds away what neighbouring rows share; memory holds one row group, whatever the number of rows.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar

import msgspec

from holoscope.core import StoreError
from holoscope.store._files import naming, replacing
from holoscope.store._text import storable

if TYPE_CHECKING:
    import pyarrow as pa

Row = TypeVar("Row")
Made = TypeVar("Made")
Kind = Literal["text", "word", "int", "float", "bool", "texts", "references", "choices", "usage"]

_SCHEMA_VERSION = "1"
_VERSION_KEY = "holoscope.schema"
_GROUP_CHARACTERS = 16_000_000
"""A row group is closed at this or at its number of rows, because long prompts must not fill the memory."""
_READ_ROWS = 256


@dataclass(frozen=True)
class Column(Generic[Row]):
    """A column: its name, what it holds, and how a row gives it."""

    name: str
    kind: Kind
    """`word` is text of few different values, kept as a dictionary."""
    value: Callable[[Row], Any]


class RowsWriter(Generic[Row]):
    """Writes rows in the order given; the file appears at `close`, whole, or not at all.

    As a context manager it leaves nothing behind if its block raises.
    """

    group_rows = 2_000
    """Rows of a row group, unless `_GROUP_CHARACTERS` closes it before."""

    def __init__(self, path: Path, columns: Sequence[Column[Row]]) -> None:
        import pyarrow.parquet as pq

        self._path, self._columns = path, columns
        self._schema = _schema(columns)
        self._pending: list[Row] = []
        self._characters = 0
        words = [column.name for column in columns if column.kind == "word"]
        with ExitStack() as stack:  # `replacing` names the file and removes it if the writer can't be made
            temporary = stack.enter_context(replacing(path))
            writer = pq.ParquetWriter(
                stack.enter_context(temporary.open("wb")),  # pyarrow leaves its own open where the disk is full
                self._schema,
                compression="zstd",
                use_dictionary=words,
                write_statistics=words,
                store_schema=False,
            )
            self._writer = stack.enter_context(writer)
            writer.add_key_value_metadata({_VERSION_KEY: _SCHEMA_VERSION})
            self._stack = stack.pop_all()

    def write(self, batch: Iterable[Row]) -> None:
        """Append rows."""
        for row in batch:
            self._pending.append(row)
            self._characters += self._size(row)
            if len(self._pending) >= self.group_rows or self._characters >= _GROUP_CHARACTERS:
                self._write_group()

    def close(self) -> None:
        """Write what is pending and put the file in place."""
        with self._stack:
            self._write_group()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self._stack.__exit__(kind, error, trace)

    def _size(self, row: Row) -> int:
        """Characters that `row` holds in memory, roughly."""
        return 0

    def _write_group(self) -> None:
        import pyarrow as pa

        if not self._pending:
            return
        arrays = [
            pa.array([_plain(column.value(row)) for row in self._pending], field.type)
            for column, field in zip(self._columns, self._schema, strict=True)
        ]
        with naming(self._path, "write"):
            self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=self._schema))
        self._pending.clear()
        self._characters = 0


def read_rows(path: Path, made: Callable[[dict[str, Any]], Made]) -> Iterator[Made]:
    """What `made` makes of each row of a file that RowsWriter wrote; StoreError where it is missing or damaged."""
    import pyarrow.parquet as pq

    with naming(path, "read"), damage_named(path):
        file = pq.ParquetFile(path)
    with file:
        check_version(path, file.metadata.metadata or {})
        batches = file.iter_batches(batch_size=_READ_ROWS)
        while True:
            with naming(path, "read"), damage_named(path):  # what the caller does with a row is not named
                batch = next(batches, None)
                rows = [made(row) for row in batch.to_pylist()] if batch is not None else []
            if batch is None:
                return
            yield from rows


def check_table(path: Path) -> None:
    """Read a file to its end; StoreError where it is missing or damaged."""
    import pyarrow.parquet as pq

    with naming(path, "read"), damage_named(path), pq.ParquetFile(path) as file:
        check_version(path, file.metadata.metadata or {})
        for _ in file.iter_batches(batch_size=_READ_ROWS):
            pass


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Turn what damaged bytes lead to into one line: a page that can't be read, or a row that is none of ours."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, msgspec.MsgspecError, ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"cannot read {path}: damaged ({(str(error) or type(error).__name__).splitlines()[0]}); "
            "start the same command again, it is made anew from the ledger"
        ) from error


def check_version(path: Path, metadata: dict[bytes, bytes]) -> None:
    if metadata.get(_VERSION_KEY.encode()) != _SCHEMA_VERSION.encode():
        raise StoreError(f"cannot read {path}: another version of holoscope wrote it; run `holoscope run` again")


def _plain(value: Any) -> Any:
    return storable(value) if isinstance(value, str) else value


def _schema(columns: Sequence[Column[Row]]) -> "pa.Schema":
    import pyarrow as pa

    texts = pa.list_(pa.string())
    types = {
        "text": pa.string(),
        "word": pa.string(),
        "int": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "texts": texts,
        "references": pa.list_(pa.struct({"text": pa.string(), "tags": texts})),
        "choices": pa.list_(
            pa.struct(
                {
                    "text": pa.string(),
                    "logprob": pa.float64(),
                    "finish_reason": pa.string(),
                    "thinking": pa.string(),
                    "tokens": texts,
                    "logprobs": pa.list_(pa.float64()),
                }
            )
        ),
        "usage": pa.struct(
            dict.fromkeys(("prompt_tokens", "completion_tokens", "reasoning_tokens", "cached_tokens"), pa.int64())
        ),
    }
    return pa.schema([pa.field(column.name, types[column.kind]) for column in columns])
