import time
from pathlib import Path

import pytest

from holoscope.core import Measure, UsageError
from holoscope.store import run_folder, scan, write_manifest
from store.made import exchange, manifest, spec, store_run


def test_runs_are_found_by_suite_and_name(tmp_path: Path) -> None:
    for suite, name in [("two", "b:model=x"), ("one", "c:model=x"), ("two", "a:model=x")]:
        write_manifest(run_folder(tmp_path, suite, name), manifest(suite, spec(name)))
    assert [(r.manifest.suite, r.name) for r in scan(tmp_path).runs] == [
        ("one", "c:model=x"),
        ("two", "a:model=x"),
        ("two", "b:model=x"),
    ]
    assert [r.name for r in scan(tmp_path, "one").runs] == ["c:model=x"]


def test_a_stored_run_gives_its_parts(tmp_path: Path) -> None:
    exchanges = [exchange("id0", "a?", "yes"), exchange("id1", "b?", "no")]
    measure = Measure("exact_match", "accuracy", 0.5, 2, "test")
    run = store_run(tmp_path, manifest(), exchanges, [measure])
    assert list(run.exchanges()) == exchanges
    assert [row.score.value for row in run.scores()] == [1.0, 0.0]
    assert run.measures() == (measure,)


def test_a_run_that_was_interrupted_is_a_warning_that_says_how_to_go_on(tmp_path: Path) -> None:
    run_folder(tmp_path, "mine", "gsm:model=x").mkdir(parents=True)
    found = scan(tmp_path)
    assert found.runs == ()
    assert "the same command completes it" in found.warnings[0]


def test_a_damaged_run_does_not_hide_the_others(tmp_path: Path) -> None:
    write_manifest(run_folder(tmp_path, "mine", "good"), manifest(run=spec("good")))
    bad = run_folder(tmp_path, "mine", "bad")
    bad.mkdir()
    (bad / "run.json").write_bytes(b"\x00\xff")
    found = scan(tmp_path)
    assert [run.name for run in found.runs] == ["good"]
    assert len(found.warnings) == 1


def test_what_other_tools_keep_in_a_suite_is_passed_over(tmp_path: Path) -> None:
    for name in ("groups", "mmlu:subject=anatomy,model=x"):
        (tmp_path / "runs" / "mine" / name).mkdir(parents=True)
    assert scan(tmp_path) == ((), ())


def test_an_output_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert scan(tmp_path / "none") == ((), ())


def test_a_suite_name_that_leaves_the_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="suite name"):
        scan(tmp_path, "../..")


def test_570_runs_are_scanned_within_a_second(tmp_path: Path) -> None:
    folder = run_folder(tmp_path, "mine", "r")
    write_manifest(folder, manifest())
    content = (folder / "run.json").read_bytes()
    for i in range(570):
        path = run_folder(tmp_path, "mine", f"r{i}")
        path.mkdir()
        (path / "run.json").write_bytes(content)
    start = time.process_time()
    assert len(scan(tmp_path).runs) == 571
    assert time.process_time() - start < 1
