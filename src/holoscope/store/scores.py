"""`scores.parquet`: a row per instance, perturbation, trial and metric.

Equal completions make this file byte for byte, on any machine: it holds no time, and scores that are made of times
(efficiency) are left out by whoever writes it, because they are computed again from `requests.parquet`.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from holoscope.core import Outcome, PerturbationDescription, Score, Trial
from holoscope.store._parquet import Column, RowsWriter, read_rows
from holoscope.store._text import to_json


class ScoreRow(msgspec.Struct, frozen=True):
    """A score and the trial it belongs to."""

    instance_id: str
    split: str
    sub_split: str | None
    cluster: str | None
    perturbation: PerturbationDescription | None
    train_trial_index: int
    trial: int
    score: Score


def score_row(trial: Trial, score: Score) -> ScoreRow:
    """The row for one score of `trial`."""
    instance = trial.instance
    return ScoreRow(
        instance_id=instance.id,
        split=instance.split,
        sub_split=instance.sub_split,
        cluster=instance.cluster,
        perturbation=instance.perturbation,
        train_trial_index=trial.train_trial_index,
        trial=trial.index,
        score=score,
    )


_COLUMNS: tuple[Column[ScoreRow], ...] = (
    Column("instance_id", "text", lambda r: r.instance_id),
    Column("split", "word", lambda r: r.split),
    Column("sub_split", "word", lambda r: r.sub_split),
    Column("cluster", "word", lambda r: r.cluster),
    Column("perturbation", "word", lambda r: None if r.perturbation is None else r.perturbation.name),
    Column("perturbation_json", "word", lambda r: None if r.perturbation is None else to_json(r.perturbation)),
    Column("train_trial_index", "int", lambda r: r.train_trial_index),
    Column("trial", "int", lambda r: r.trial),
    Column("metric", "word", lambda r: r.score.metric),
    Column("version", "word", lambda r: r.score.version),
    Column("value", "float", lambda r: r.score.value),
    Column("outcome", "word", lambda r: r.score.outcome),
    Column("reason", "word", lambda r: r.score.reason),
    Column("rule", "word", lambda r: r.score.rule),
    Column("span_start", "int", lambda r: r.score.span[0] if r.score.span else None),
    Column("span_end", "int", lambda r: r.score.span[1] if r.score.span else None),
    Column("answer", "text", lambda r: r.score.answer),
)


class ScoresWriter(RowsWriter[ScoreRow]):
    """Writes `scores.parquet`, in plan order, without the metrics named in `leave_out`."""

    group_rows = 20_000
    """Rows are short and are filtered by metric: a scan of a suite costs by the group more than by the row."""

    def __init__(self, path: Path, leave_out: Iterable[str] = ()) -> None:
        super().__init__(path, _COLUMNS)
        self._left_out = frozenset(leave_out)

    def _size(self, row: ScoreRow) -> int:
        return len(row.score.answer or "") + len(row.score.reason)

    def write_trial(self, trial: Trial, scores: Sequence[Score]) -> None:
        """Append the scores of one trial."""
        self.write(score_row(trial, score) for score in scores if score.metric not in self._left_out)


def read_scores(path: Path) -> Iterator[ScoreRow]:
    """What ScoresWriter wrote, in the same order."""
    return read_rows(path, score_row_of)


_perturbation = msgspec.json.Decoder(PerturbationDescription).decode


def score_row_of(row: dict[str, Any]) -> ScoreRow:
    """A score from the columns of its row."""
    perturbation, start = row["perturbation_json"], row["span_start"]
    score = Score(
        metric=row["metric"],
        value=row["value"],
        outcome=Outcome(row["outcome"]),
        reason=row["reason"],
        rule=row["rule"],
        span=None if start is None else (start, row["span_end"]),
        answer=row["answer"],
        version=row["version"],
    )
    return ScoreRow(
        instance_id=row["instance_id"],
        split=row["split"],
        sub_split=row["sub_split"],
        cluster=row["cluster"],
        perturbation=None if perturbation is None else _perturbation(perturbation),
        train_trial_index=row["train_trial_index"],
        trial=row["trial"],
        score=score,
    )
