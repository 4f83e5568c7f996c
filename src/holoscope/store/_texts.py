"""The texts of a few listed trials, read where they most likely stand.

Scores and requests are both in plan order, so where every trial has the same number of scores and of requests, a
score's row tells the row of its request, and only that row group is read. What is found is compared with what was
looked for; where it differs, the run's requests are searched by id, which takes several times as long.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from holoscope.core import Outcome

_THREADS = 2
"""More would not help: the rows of one page are few."""

_COLUMNS = ("instance_id", "perturbation_json", "train_trial_index", "trial", "reference_index", "input")
_ANSWER = ("choices.list.element.text", "outcome", "reason")

Key = tuple[str, str | None, int, int]
"""Instance, perturbation, train trial and trial."""


class Text(NamedTuple):
    """What a list shows of a trial's requests."""

    input: str
    completion: str
    """Of the first request; empty where each reference was scored by itself."""
    outcome: str
    """The first that is not ok, if any is not."""
    reason: str


class Wanted(NamedTuple):
    """The listed trials of one run, with the rows of their scores."""

    scores: Path
    requests: Path
    positions: Mapping[Key, int]
    per_trial: int
    """Scores of one trial; 0: the positions are already those of requests."""


def texts(wanted: Sequence[Wanted], width: int) -> list[dict[Key, Text]]:
    """The texts of each run's trials, cut to `width` characters."""
    if len(wanted) == 1:
        return [_texts(wanted[0], width)]
    with ThreadPoolExecutor(_THREADS, "holoscope-texts") as pool:
        return list(pool.map(lambda each: _texts(each, width), wanted))


def _texts(wanted: Wanted, width: int) -> dict[Key, Text]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(wanted.requests) as file:
        groups, each = _likely(file, wanted)
        found = _read(file, groups, wanted.positions) if groups else {}
        if not groups or any(len(found.get(key, ())) != each for key in wanted.positions):
            found = _read(file, range(file.num_row_groups), wanted.positions)
    return {key: _text(rows, width) for key, rows in found.items()}


def _likely(file: Any, wanted: Wanted) -> tuple[list[int], int]:
    """The row groups where the trials should stand, and requests per trial; none where that can't be told."""
    import pyarrow.parquet as pq

    each, rest = 1, 0
    if wanted.per_trial:
        scores = pq.read_metadata(wanted.scores).num_rows
        each, rest = divmod(file.metadata.num_rows * wanted.per_trial, scores)
    if rest or not each:
        return [], 0
    starts = [0, *accumulate(file.metadata.row_group(group).num_rows for group in range(file.num_row_groups))]
    first = [position // (wanted.per_trial or 1) * each for position in wanted.positions.values()]
    rows = [*first, *(row + each - 1 for row in first)]
    return sorted({bisect_right(starts, row) - 1 for row in rows if row < starts[-1]}), each


def _read(file: Any, groups: Iterable[int], keys: Mapping[Key, int]) -> dict[Key, list[dict[str, Any]]]:
    """The rows of the trials, among those of some row groups."""
    import pyarrow as pa
    import pyarrow.compute as pc

    ids = pa.array({key[0] for key in keys})
    found: dict[Key, list[dict[str, Any]]] = defaultdict(list)
    for group in groups:
        table = file.read_row_group(group, columns=[*_COLUMNS, *_ANSWER], use_threads=False)
        for row in table.filter(pc.is_in(table["instance_id"], ids)).to_pylist():
            key = tuple(row[name] for name in _COLUMNS[:4])
            if key in keys:
                found[key].append(row)
    return found


def _text(rows: Sequence[dict[str, Any]], width: int) -> Text:
    first = rows[0]
    choices = first["choices"] if first["reference_index"] is None else []
    ended = next((row for row in rows if row["outcome"] != Outcome.OK), first)
    completion = choices[0]["text"] if choices else ""
    return Text(first["input"][:width], completion[:width], ended["outcome"], ended["reason"])
