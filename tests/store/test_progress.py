from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from holoscope.core import StoreError
from holoscope.store import (
    PROGRESS,
    RunProgress,
    open_run,
    read_progress,
    remove_progress,
    run_folder,
    run_folders,
    scan,
    under_way,
    write_progress,
)


def progress(age: float = 0.0) -> RunProgress:
    now = datetime.now(UTC) - timedelta(seconds=age)
    return RunProgress(run="mmlu", model="m", scenario="mmlu", started=now, updated=now, total=1_200, done=300)


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    told = progress()
    write_progress(tmp_path / "run", told)
    assert read_progress(tmp_path / "run") == told


def test_nothing_and_half_a_file_are_no_progress(tmp_path: Path) -> None:
    assert read_progress(tmp_path) is None
    (tmp_path / PROGRESS).write_text('{"run": "mm', encoding="utf-8")
    assert read_progress(tmp_path) is None


def test_where_it_cannot_be_written_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file where the folder should be", encoding="utf-8")
    write_progress(tmp_path / "run", progress())
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_at_the_end_nothing_is_left_that_was_not_there(tmp_path: Path) -> None:
    write_progress(tmp_path / "new", progress())
    remove_progress(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "run.json").write_text("{}", encoding="utf-8")
    write_progress(tmp_path / "old", progress())
    remove_progress(tmp_path / "old")
    assert [path.name for path in (tmp_path / "old").iterdir()] == ["run.json"]


def test_an_old_file_is_no_sign_of_life(tmp_path: Path) -> None:
    folder = run_folder(tmp_path, "mine", "mmlu")
    write_progress(folder, progress())
    assert list(under_way(run_folders(tmp_path, "mine"))) == [folder.name]
    write_progress(folder, progress(age=120))
    assert under_way(run_folders(tmp_path, "mine")) == {}


def test_a_run_under_way_is_not_called_interrupted(tmp_path: Path) -> None:
    folder = run_folder(tmp_path, "mine", "mmlu")
    write_progress(folder, progress())
    assert scan(tmp_path).warnings == ("mmlu is under way: 300 of 1,200 requests done",)
    write_progress(folder, progress(age=120))
    with pytest.raises(StoreError, match="interrupted"):
        open_run(folder)
