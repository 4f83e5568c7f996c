"""The questions that `query.py` asks, as SQL with a mark for each value.

Every text here is fixed or put together of fixed parts: what a reader types goes into `bound` and nowhere else.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from holoscope.store.listing import InstanceFilter


class Statement(NamedTuple):
    """SQL and the values for its marks, in order."""

    sql: str
    bound: list[object]


COLUMNS = (
    *("run", "instance_id", "perturbation_json", "train_trial_index", "trial", "position"),
    *("split", "sub_split", "perturbation", "metric", "value", "outcome", "reason", "rule", "answer"),
)
"""Of a listed trial; the first five name it."""
_KEY = COLUMNS[1:5]
_KEYS = ", ".join(_KEY)

_ORDERS = {
    "plan": "run, position",
    "value": "value ASC NULLS LAST, run, position",
    "-value": "value DESC NULLS LAST, run, position",
}

_SCORES = {
    "right": "value >= 1",
    "wrong": "value <= 0",
    "between": "value > 0 AND value < 1",
    "none": "value IS NULL",
}

_TRIALS = f"""
SELECT CAST(file_index AS BIGINT) + ? AS run, {_KEYS}, file_row_number AS position, split, sub_split,
    perturbation, metric, value, outcome, reason, rule, answer
FROM read_parquet(?, file_row_number = true) WHERE metric = ?"""

_TRIALS_WITHOUT_SCORES = f"""
SELECT CAST(file_index AS BIGINT) + ? AS run, {_KEYS}, min(file_row_number) AS position, split, sub_split,
    perturbation, '' AS metric, CAST(NULL AS DOUBLE) AS value, CAST(NULL AS VARCHAR) AS outcome, '' AS reason,
    '' AS rule, CAST(NULL AS VARCHAR) AS answer
FROM read_parquet(?, file_row_number = true) GROUP BY ALL"""

METRICS = """
SELECT file_index, metric FROM read_parquet(?, file_row_number = true) WHERE file_row_number < 64
GROUP BY ALL ORDER BY file_index, min(file_row_number)"""

OF_INSTANCE = """
SELECT * EXCLUDE file_row_number FROM read_parquet(?, file_row_number = true) WHERE instance_id = ?
ORDER BY file_row_number"""

NEIGHBOURS = """
WITH ids AS (
    SELECT instance_id, min(file_row_number) AS position FROM read_parquet(?, file_row_number = true) GROUP BY ALL
), placed AS (
    SELECT instance_id, lag(instance_id) OVER plan AS before, lead(instance_id) OVER plan AS after,
        row_number() OVER plan AS place, count(*) OVER () AS total
    FROM ids WINDOW plan AS (ORDER BY position)
)
SELECT before, after, place, total FROM placed WHERE instance_id = ?"""

_VALUES = """
SELECT instance_id, avg(value) AS value, min(file_row_number) AS position
FROM read_parquet(?, file_row_number = true)
WHERE metric = ? AND split = ? AND perturbation IS NOT DISTINCT FROM ? AND value IS NOT NULL GROUP BY ALL"""

PAIRS = f"""
SELECT a.instance_id, a.value AS value_a, b.value AS value_b, a.position AS position
FROM ({_VALUES}) a JOIN ({_VALUES}) b USING (instance_id)"""

PAIR_KINDS = {
    "": "true",
    "both": "value_a >= 1 AND value_b >= 1",
    "only_a": "value_a >= 1 AND value_b < 1",
    "only_b": "value_a < 1 AND value_b >= 1",
    "neither": "value_a < 1 AND value_b < 1",
}


class Group(NamedTuple):
    """Neighbouring runs that are listed by one metric."""

    metric: str
    """Empty: they have no scores of single instances."""
    start: int
    """Position of the first."""
    scores: list[str]
    requests: list[str]


def trials(groups: Sequence[Group], wanted: "InstanceFilter") -> Statement:
    """A row for each trial that passes the filter; the tables `found` and `ended` are made before, if it needs them."""
    parts: list[str] = []
    bound: list[object] = []
    for group in groups:
        parts.append(_TRIALS if group.metric else _TRIALS_WITHOUT_SCORES)
        bound += [group.start, group.scores, group.metric] if group.metric else [group.start, group.requests]
    conditions = _conditions(wanted)
    joins = [_join("SEMI", "found")] if wanted.text else []
    if wanted.outcome:
        joins.append(_join("ANTI" if wanted.outcome == OK else "SEMI", "ended"))
    rows = " ".join([f"SELECT * FROM ({' UNION ALL '.join(parts)}) t", *joins])
    sql = f"{rows} WHERE {' AND '.join(['true', *conditions.sql])}"
    return Statement(sql, [*bound, *conditions.bound])


class _Conditions(NamedTuple):
    sql: list[str]
    bound: list[object]


def _conditions(wanted: "InstanceFilter") -> _Conditions:
    sql: list[str] = [_SCORES[wanted.score]] if wanted.score else []
    bound: list[object] = []
    for condition, value in (
        ("value >= ?", wanted.low),
        ("value <= ?", wanted.high),
        ("split = ?", wanted.split or None),
        ("perturbation = ?", wanted.perturbation or None),
    ):
        if value is not None:
            sql.append(condition)
            bound.append(value)
    if wanted.perturbation == "":
        sql.append("perturbation_json IS NULL")
    return _Conditions(sql, bound)


def order(groups: Sequence[Group], wanted: "InstanceFilter") -> str:
    """The clause that puts the rows of `trials` in order.

    Without a join or a grouping none is needed for the order of the plan: DuckDB keeps that of the files and their
    rows, and stops reading at the end of the page.
    """
    is_as_read = not (wanted.text or wanted.outcome) and all(group.metric for group in groups)
    if wanted.sort == "plan" and is_as_read:
        return ""
    return f"ORDER BY {_ORDERS[wanted.sort]}"


def _join(kind: str, table: str) -> str:
    """Equal keys by hash, a NULL being equal to itself; as a subquery DuckDB takes twice as long."""
    same = " AND ".join(f"{table}.{name} IS NOT DISTINCT FROM t.{name}" for name in ("run", *_KEY))
    return f"{kind} JOIN {table} ON {same}"


OK = "ok"

_HITS = f"""
CREATE TEMP TABLE {{}} AS SELECT DISTINCT CAST(file_index AS BIGINT) AS run, {_KEYS} FROM read_parquet(?) WHERE {{}}"""
_TEXTS = ("choices[1].text", "choices[1].thinking", "input", "instance_id")

FOUND = _HITS.format("found", " OR ".join(f"contains(lower({text}), lower(?))" for text in _TEXTS))
FOUND_PATTERN = _HITS.format("found", " OR ".join(f"regexp_matches({text}, ?)" for text in _TEXTS))
TYPED = len(_TEXTS)
"""How often what was typed stands in them."""


def ended(groups: Sequence[Group], outcome: str) -> Statement:
    """Makes `ended`: trials whose completion or score ended so; for `ok`, those whose either ended otherwise."""
    test = "outcome <> ?" if outcome == OK else "outcome = ?"
    parts = [f"SELECT CAST(file_index AS BIGINT) AS run, {_KEYS} FROM read_parquet(?) WHERE {test}"]
    bound: list[object] = [[file for group in groups for file in group.requests], outcome]
    for group in groups:
        if group.metric:
            rows = f"SELECT CAST(file_index AS BIGINT) + ?, {_KEYS} FROM read_parquet(?) WHERE metric = ? AND {test}"
            parts.append(rows)
            bound += [group.start, group.scores, group.metric, outcome]
    return Statement(f"CREATE TEMP TABLE ended AS SELECT DISTINCT * FROM ({' UNION ALL '.join(parts)})", bound)
