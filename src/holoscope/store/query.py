"""Instances of one run or of a whole suite, found in place: DuckDB over the Parquet files that the runs wrote.

A list is made of scores first, a row for each trial, because scores are short; only for the rows of one page are texts
then read. What a reader types is always a bound value, never part of the SQL, and the connection can open no file but
the runs'. Patterns are RE2's, which cannot blow up; a search that takes too long is given up. Nothing is indexed or
kept, so a list is never older than the files. duckdb is imported with the first question.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from holoscope.core import Exchange, Outcome, StoreError, UsageError
from holoscope.store import _sql
from holoscope.store._texts import Key, Text, Wanted, texts
from holoscope.store.exchanges import exchange_of
from holoscope.store.folders import REQUESTS, SCORES
from holoscope.store.listing import InstanceFilter, InstancePage, InstanceRow, Neighbours, PairFilter, PairRow
from holoscope.store.scan import StoredRun
from holoscope.store.scores import ScoreRow, score_row_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_PATIENCE_S = 30.0
"""How long a search may take."""
_MOST_PATTERN = 1_000
"""Characters of a pattern or a searched text."""


class Instances:
    """Answers questions about the instances of stored runs below one output folder. Safe to share between threads."""

    def __init__(self, out: Path) -> None:
        self._root = Path(out).absolute()
        self._lock = Lock()
        self._opened: DuckDBPyConnection | None = None

    def page(
        self, runs: Sequence[StoredRun], wanted: InstanceFilter, *, offset: int = 0, limit: int = 50, width: int = 300
    ) -> InstancePage:
        """The trials from `offset` on that pass the filter, their texts cut to `width` characters; 0: no texts.

        Raises UsageError for a pattern that can't be read, StoreError where nothing can.
        """
        _check(wanted, offset, limit)

        def listed(whole: Sequence[StoredRun], warnings: tuple[str, ...]) -> InstancePage:
            with self._cursor() as cursor:
                chosen = _chosen(cursor, whole, wanted.metric)
                rows, total = _listed(cursor, _groups(chosen), wanted, offset, limit)
            shown = _texts_of(chosen, rows, width) if width else {}
            by_path = {run.path: position for position, run in enumerate(runs)}
            places = [by_path[each.run.path] for each in chosen]
            made = tuple(_row(row, places, shown.get(row[:5])) for row in rows)
            return InstancePage(rows=made, total=total, offset=offset, warnings=warnings)

        return self._of_whole(runs, listed)

    def exchanges(self, run: StoredRun, instance_id: str) -> list[Exchange]:
        """Every exchange of one instance, in plan order; empty if the run has no such instance."""
        return [exchange_of(row) for row in self._all(run.path / REQUESTS, instance_id)]

    def scores(self, run: StoredRun, instance_id: str) -> list[ScoreRow]:
        """Every stored score of one instance, in plan order."""
        path = run.path / SCORES
        return [score_row_of(row) for row in self._all(path, instance_id)] if path.exists() else []

    def neighbours(self, run: StoredRun, instance_id: str) -> Neighbours | None:
        """What stands before and after an instance; None if the run has no such instance."""
        with self._naming(run.path / REQUESTS), self._cursor() as cursor:
            cursor.execute(_sql.NEIGHBOURS, [_file(run, REQUESTS), instance_id])
            row = cursor.fetchone()
        return None if row is None else Neighbours(before=row[0], after=row[1], position=row[2], total=row[3])

    def pairs(
        self, a: StoredRun, b: StoredRun, wanted: PairFilter, *, offset: int = 0, limit: int = 50
    ) -> tuple[list[PairRow], int]:
        """The instances that two runs share, in A's plan order, and how many there are on all pages."""
        condition = _sql.PAIR_KINDS[wanted.kind]
        cell = (wanted.metric, wanted.split, wanted.perturbation)
        bound: list[object] = [_file(a, SCORES), *cell, _file(b, SCORES), *cell]
        with self._naming(a.path / SCORES), self._cursor() as cursor:
            total = _number(cursor, f"SELECT count(*) FROM ({_sql.PAIRS}) WHERE {condition}", bound)
            sql = f"SELECT * EXCLUDE position FROM ({_sql.PAIRS}) WHERE {condition} ORDER BY position LIMIT ? OFFSET ?"
            rows = cursor.execute(sql, [*bound, limit, offset]).fetchall()
        names = PairRow.__struct_fields__
        return [PairRow(**dict(zip(names, row, strict=True))) for row in rows], total

    def close(self) -> None:
        """Give the connection up."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def _all(self, path: Path, instance_id: str) -> list[dict[str, Any]]:
        with self._naming(path), self._cursor() as cursor:
            rows = cursor.execute(_sql.OF_INSTANCE, [str(path.absolute()), instance_id]).fetchall()
            names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _of_whole(
        self, runs: Sequence[StoredRun], listed: Callable[[Sequence[StoredRun], tuple[str, ...]], InstancePage]
    ) -> InstancePage:
        """`listed` of the runs that have both tables; where that fails, of those whose tables can be read."""
        import duckdb

        there = [run for run in runs if (run.path / SCORES).exists() and (run.path / REQUESTS).exists()]
        try:
            return listed(there, ())
        except duckdb.Error as error:
            damage = {run.path: _damage(run) for run in there}
            warnings = tuple(filter(None, damage.values()))
            if not warnings:
                raise StoreError(f"cannot list instances: {str(error).splitlines()[0]}") from error
        return listed([run for run in there if not damage[run.path]], warnings)

    @contextmanager
    def _naming(self, path: Path) -> Iterator[None]:
        """Turn what DuckDB says of a file into one line."""
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            raise StoreError(f"cannot read {path}: {str(error).splitlines()[0]}") from error

    @contextmanager
    def _cursor(self) -> Iterator["DuckDBPyConnection"]:
        """A connection of one's own for one question, which is given up after a while."""
        import duckdb

        cursor = self._connection().cursor()
        alarm = Timer(_PATIENCE_S, cursor.interrupt)
        alarm.daemon = True
        alarm.start()
        try:
            yield cursor
        except duckdb.InterruptException:
            raise UsageError(f"given up after {_PATIENCE_S:.0f} s; search fewer runs, or for less") from None
        finally:
            alarm.cancel()
            cursor.close()

    def _connection(self) -> "DuckDBPyConnection":
        with self._lock:
            if self._opened is None:
                self._opened = _connected(self._root)
            return self._opened


def _connected(root: Path) -> "DuckDBPyConnection":
    """An empty database that can read what lies in `root`, and can neither fetch nor load anything."""
    import duckdb

    connection = duckdb.connect(
        ":memory:", config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    )
    connection.execute("SET parquet_metadata_cache = true")
    connection.execute("SET temp_directory = ''")
    connection.execute("SET allowed_directories = ?", [[str(root / "runs")]])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def _check(wanted: InstanceFilter, offset: int, limit: int) -> None:
    if len(wanted.text) > _MOST_PATTERN:
        raise UsageError(f"a search has at most {_MOST_PATTERN:,} characters, not {len(wanted.text):,}")
    if offset < 0 or limit < 1:
        raise UsageError("a page starts at 0 or later and has at least one row")


class _Chosen(NamedTuple):
    """A run and the metric that stands for it."""

    run: StoredRun
    metric: str
    """Empty: it has no scores of single instances."""
    per_trial: int
    """Scores that each trial has."""


def _chosen(cursor: "DuckDBPyConnection", runs: Sequence[StoredRun], metric: str) -> list[_Chosen]:
    """The runs, those with the same metric side by side: `metric`, else their main one, else their first."""
    if not runs:
        return []
    kept: dict[int, list[str]] = {}
    for position, name in cursor.execute(_sql.METRICS, [[_file(run, SCORES) for run in runs]]).fetchall():
        kept.setdefault(position, []).append(name)
    by_metric: dict[str, list[_Chosen]] = {}
    for position, run in enumerate(runs):
        main, names = run.manifest.scenario.main_metric, kept.get(position, [])
        name = metric or (main if main in names else next(iter(names), ""))
        by_metric.setdefault(name, []).append(_Chosen(run, name, len(names)))
    return [each for same in by_metric.values() for each in same]


def _groups(chosen: Sequence[_Chosen]) -> list[_sql.Group]:
    groups: list[_sql.Group] = []
    for metric, same in groupby(chosen, lambda each: each.metric):
        runs = [each.run for each in same]
        start = groups[-1].start + len(groups[-1].scores) if groups else 0
        groups.append(_sql.Group(metric, start, [_file(r, SCORES) for r in runs], [_file(r, REQUESTS) for r in runs]))
    return groups


def _listed(
    cursor: "DuckDBPyConnection", groups: Sequence[_sql.Group], wanted: InstanceFilter, offset: int, limit: int
) -> tuple[list[tuple[Any, ...]], int]:
    """Rows of the list without texts, and how many there are on all pages."""
    if not groups:
        return [], 0
    wanted = _find(cursor, groups, wanted)
    listed = _sql.trials(groups, wanted)
    if wanted.text or wanted.outcome not in ("", _sql.OK):
        cursor.execute(f"CREATE TEMP TABLE listed AS {listed.sql}", listed.bound)  # few, and found at a price
        listed = _sql.Statement("SELECT * FROM listed", [])
    total = _number(cursor, f"SELECT count(*) FROM ({listed.sql})", listed.bound)
    sql = f"{listed.sql} {_sql.order(groups, wanted)} LIMIT ? OFFSET ?"
    return cursor.execute(sql, [*listed.bound, limit, offset]).fetchall(), total


def _find(cursor: "DuckDBPyConnection", groups: Sequence[_sql.Group], wanted: InstanceFilter) -> InstanceFilter:
    """Note the trials that hold the text, or ended as the filter says; what is still to be asked of the list."""
    import duckdb

    if wanted.outcome:
        cursor.execute(*_sql.ended(groups, wanted.outcome))
        if wanted.outcome == _sql.OK and not _number(cursor, "SELECT count(*) FROM ended", ()):
            wanted = replace(wanted, outcome="")
    if not wanted.text:
        return wanted
    question = _sql.FOUND_PATTERN if wanted.is_regex else _sql.FOUND
    try:
        cursor.execute(question, [[file for group in groups for file in group.requests], *[wanted.text] * _sql.TYPED])
    except duckdb.InvalidInputException as error:
        if not wanted.is_regex:
            raise
        words = str(error).splitlines()[0].removeprefix("Invalid Input Error: ")
        raise UsageError(f"cannot read the pattern {wanted.text!r}: {words}") from error
    return wanted


def _texts_of(chosen: Sequence[_Chosen], rows: Sequence[tuple[Any, ...]], width: int) -> dict[tuple[Any, ...], Text]:
    """What to show of each listed trial's requests, by run and key."""
    positions: dict[int, dict[Key, int]] = {}
    for run, instance, perturbation, train_trial, trial, position, *_ in rows:
        positions.setdefault(run, {})[instance, perturbation, train_trial, trial] = position
    wanted = []
    for run, trials in positions.items():
        path, metric, per_trial = chosen[run].run.path, chosen[run].metric, chosen[run].per_trial
        wanted.append(Wanted(path / SCORES, path / REQUESTS, trials, per_trial if metric else 0))
    found = zip(positions, texts(wanted, width), strict=True)
    return {(run, *key): text for run, of_run in found for key, text in of_run.items()}


def _row(row: tuple[Any, ...], places: Sequence[int], text: Text | None) -> InstanceRow:
    fields = dict(zip(_sql.COLUMNS, row, strict=True))
    shown = text or Text("", "", Outcome.OK, "")
    if fields["outcome"] in (None, Outcome.OK):
        fields |= {"outcome": shown.outcome, "reason": shown.reason}
    del fields["position"]
    fields |= {"run": places[fields["run"]], "outcome": Outcome(fields["outcome"])}
    return InstanceRow(**fields, input=shown.input, completion=shown.completion)


def _damage(run: StoredRun) -> str:
    """Why a run's tables can't be read; empty if they can."""
    from holoscope.store._parquet import check_table

    try:
        check_table(run.path / SCORES)
        check_table(run.path / REQUESTS)
    except StoreError as error:
        return str(error)
    return ""


def _file(run: StoredRun, name: str) -> str:
    return str((run.path / name).absolute())


def _number(cursor: "DuckDBPyConnection", sql: str, bound: Sequence[object]) -> int:
    row = cursor.execute(sql, list(bound)).fetchone()
    return int(row[0]) if row else 0
