from pathlib import Path

from holoscope.core import Measure, Score, Trial
from holoscope.store import STATISTICS, ScoresWriter, read_measures, write_measures
from store.made import exchange

MEASURES = (
    Measure("exact_match", "accuracy", 0.5, 2, "test", low=0.1, high=0.9, method="wilson"),
    Measure("ece", "calibration", None, 0, "test", reason="no log-probabilities"),
)


def write_scores(folder: Path, value: float) -> None:
    with ScoresWriter(folder / "scores.parquet") as writer:
        trial = Trial(exchange("id0", "q", "a").planned.instance, ())
        writer.write_trial(trial, [Score("exact_match", value)])


def test_what_is_read_equals_what_was_written(tmp_path: Path) -> None:
    write_scores(tmp_path, 1.0)
    write_measures(tmp_path, MEASURES)
    assert read_measures(tmp_path) == MEASURES


def test_measures_of_other_scores_count_as_absent(tmp_path: Path) -> None:
    write_scores(tmp_path, 1.0)
    write_measures(tmp_path, MEASURES)
    write_scores(tmp_path, 0.0)
    assert read_measures(tmp_path) is None


def test_missing_or_damaged_measures_count_as_absent(tmp_path: Path) -> None:
    write_scores(tmp_path, 1.0)
    assert read_measures(tmp_path) is None
    (tmp_path / STATISTICS).write_bytes(b"{half")
    assert read_measures(tmp_path) is None
