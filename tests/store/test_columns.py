from pathlib import Path

import pytest

from holoscope.core import Instance, PerturbationDescription, Score, StoreError, Trial
from holoscope.store import ScoresWriter, read_columns

TYPOS = PerturbationDescription("typos", robustness=True)


def written(folder: Path) -> Path:
    path = folder / "scores.parquet"
    with ScoresWriter(path) as writer:
        for number in range(40):
            for perturbation in (None, TYPOS):
                trial = Trial(Instance(id=f"id{number}", input="q", perturbation=perturbation), ())
                writer.write_trial(trial, [Score("f1", number / 40), Score("exact_match", None, reason="unread")])
    return path


def test_only_the_columns_asked_for_come_in_plan_order(tmp_path: Path) -> None:
    (batch,) = read_columns(written(tmp_path), ["instance_id", "value"], {"metric": ["f1"], "perturbation": [None]})
    assert batch["instance_id"] == [f"id{number}" for number in range(40)]
    assert batch["value"] == [number / 40 for number in range(40)]
    assert batch.keys() == {"instance_id", "value"}


def test_a_null_is_a_value_like_others(tmp_path: Path) -> None:
    path = written(tmp_path)
    (both,) = read_columns(path, ["perturbation"], {"perturbation": [None, "typos"], "metric": ["f1"]})
    assert both["perturbation"] == [None, "typos"] * 40
    (named,) = read_columns(path, ["perturbation"], {"perturbation": ["typos"]})
    assert set(named["perturbation"]) == {"typos"}


def test_without_a_filter_every_row_comes(tmp_path: Path) -> None:
    assert sum(len(batch["metric"]) for batch in read_columns(written(tmp_path), ["metric"])) == 160


def test_a_metric_nobody_scored_leaves_empty_batches(tmp_path: Path) -> None:
    assert not any(batch["value"] for batch in read_columns(written(tmp_path), ["value"], {"metric": ["bleu"]}))


def test_a_missing_or_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    with pytest.raises(StoreError, match="cannot read"):
        list(read_columns(path, ["value"]))
    path.write_bytes(written(tmp_path).read_bytes()[:-40])
    with pytest.raises(StoreError, match="damaged"):
        list(read_columns(path, ["value"]))


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="colour"):
        list(read_columns(written(tmp_path), ["colour"]))
