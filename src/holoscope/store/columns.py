"""Some columns of a run's table, for what needs no whole rows: comparing two runs of 100,000 instances in a second.

Batches come in plan order, and only the rows asked for: the others cost no Python object.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from holoscope.store._files import naming
from holoscope.store._parquet import check_version, damage_named


def read_columns(
    path: Path,
    names: Sequence[str],
    only: Mapping[str, Collection[str | None]] | None = None,
    *,
    rows: int = 16_384,
) -> Iterator[dict[str, list[Any]]]:
    """The columns `names` of a file that RowsWriter wrote, a batch at a time; StoreError where it can't be read.

    `only` keeps the rows in which each of its columns holds one of the values given. A batch comes from at most `rows`
    rows: columns of long texts want fewer.

    >>> for batch in read_columns(folder / "scores.parquet", ["value"], {"metric": ["f1"]}):  # doctest: +SKIP
    ...     total += sum(batch["value"])
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    wanted = {column: pa.array(sorted(values, key=str), pa.string()) for column, values in (only or {}).items()}
    with naming(path, "read"), damage_named(path):
        file = pq.ParquetFile(path, read_dictionary=list(wanted))
    with file:
        check_version(path, file.metadata.metadata or {})
        batches = file.iter_batches(batch_size=rows, columns=list(dict.fromkeys([*names, *wanted])))
        while True:
            with naming(path, "read"), damage_named(path):
                batch = next(batches, None)
                if batch is None:
                    return
                for column, values in wanted.items():
                    batch = batch.filter(pc.is_in(batch.column(column), value_set=values))
                found = {name: batch.column(name).to_pylist() for name in names}
            yield found
