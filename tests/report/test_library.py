"""The output folder as pages read it."""

import os
from pathlib import Path

import pytest

from generated import Shape, write_suite
from holoscope.core import Measure, UnknownNameError, builtin
from holoscope.report import library as library_module
from holoscope.report.library import Library
from holoscope.store import StoredRun


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write_suite(tmp_path, Shape(models=2, scenarios=2, instances=4, suite="one"))
    return tmp_path


def test_an_empty_folder_has_no_suites(tmp_path: Path) -> None:
    assert Library(tmp_path / "nothing", builtin()).suites() == []


def test_a_suite_is_summed_up(out: Path) -> None:
    (suite,) = Library(out, builtin()).suites()
    assert (suite.name, len(suite.models), len(suite.scenarios), suite.runs, suite.complete) == ("one", 2, 2, 4, 4)


def test_runs_are_found_by_folder_and_by_its_hash(out: Path) -> None:
    library = Library(out, builtin())
    folder = next(iter(library.suite("one").runs))
    assert library.run("one", folder) == library.run("one", folder[-12:])


def test_rows_and_runs_have_one_order(out: Path) -> None:
    suite = Library(out, builtin()).suite("one")
    assert [row.manifest for row in suite.grid.rows] == [run.manifest for run in suite.runs.values()]


@pytest.mark.parametrize("name", ["two", "..", "../one", "one/..", "", "one\x00"])
def test_only_what_is_listed_is_opened(out: Path, name: str) -> None:
    with pytest.raises(UnknownNameError):
        Library(out, builtin()).suite(name)
    with pytest.raises(UnknownNameError):
        Library(out, builtin()).run("one", name)


def test_what_did_not_change_is_not_read_again(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(out, builtin())
    first = library.suite("one")

    def read_again(path: Path) -> StoredRun:
        raise AssertionError(f"{path} is read again")

    monkeypatch.setattr(library_module, "open_run", read_again)
    assert library.suite("one") is first


def test_a_run_that_changed_is_read_again(out: Path) -> None:
    library = Library(out, builtin())
    first = library.suite("one")
    path = next(iter(first.runs.values())).path / "run.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"requests": 16', '"requests": 99'), encoding="utf-8")
    assert sorted(run.manifest.requests for run in library.suite("one").runs.values()) == [16, 16, 16, 99]


def test_only_the_changed_run_is_measured_again(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library, measured = Library(out, builtin()), list[str]()
    first = library.suite("one")

    def counting(run: StoredRun, registry: object) -> tuple[Measure, ...]:
        measured.append(run.path.name)
        return ()

    monkeypatch.setattr(library_module, "measures_of", counting)
    changed = next(iter(first.runs.values())).path
    os.utime(changed / "scores.parquet", ns=(1, 1))
    library.suite("one")
    assert measured == [changed.name]


def test_a_run_that_cannot_be_read_is_a_warning(out: Path) -> None:
    library = Library(out, builtin())
    (next(iter(library.suite("one").runs.values())).path / "run.json").write_text("{", encoding="utf-8")
    suite = library.suite("one")
    assert len(suite.runs) == 3
    assert "run.json" in suite.warnings[0]


def test_damaged_measures_are_reasons_and_no_error(out: Path) -> None:
    library = Library(out, builtin())
    path = next(iter(library.suite("one").runs.values())).path
    for name in ("statistics.json", "scores.parquet", "requests.parquet"):
        (path / name).write_bytes(b"PAR1 not really")
    row = next(row for row, run in zip(*_zipped(library), strict=True) if run.path == path)
    assert "damaged" in row.headlines["accuracy"].reason


def _zipped(library: Library):  # type: ignore[no-untyped-def]
    suite = library.suite("one")
    return suite.grid.rows, suite.runs.values()


def test_what_is_made_of_a_suite_is_made_once(out: Path) -> None:
    library, made = Library(out, builtin()), list[int]()
    suite = library.suite("one")
    for _ in range(2):
        library.kept(suite, "something", lambda: made.append(1))
    assert made == [1]
