from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import StoreError, UnknownNameError, UsageError
from holoscope.store import (
    SCORES,
    Release,
    ReleasedRun,
    ReleasedValue,
    StoredRun,
    difference,
    hash_of_scores,
    read_release,
    release_before,
    release_runs,
    releases,
    write_release,
)
from store.made import exchange, manifest, spec, store_run

DAY = datetime(2026, 6, 1, tzinfo=UTC)


def value(number: float | None = 0.5, axis: str = "accuracy", **fields: Any) -> ReleasedValue:
    return ReleasedValue(axis=axis, metric="exact_match", value=number, n=10, **fields)


def run(model: str = "a/one", scenario: str = "mmlu", *values: ReleasedValue, **fields: Any) -> ReleasedRun:
    given: dict[str, Any] = {"suite": "mine", "status": "complete", "scores_sha256": "", **fields}
    name = f"{scenario}:model={model}"
    return ReleasedRun(folder=name, run=name, model=model, scenario=scenario, values=values or (value(),), **given)


def release(name: str = "v1", *runs: ReleasedRun, made: datetime = DAY) -> Release:
    return Release(name=name, made=made, holoscope="0.1.0", runs=runs or (run(),))


def stored(out: Path, answer: str = "yes") -> StoredRun:
    return store_run(out, manifest(run=spec("mmlu")), [exchange("id0", "Is it?", answer)])


def of(kept: StoredRun, name: str = "v1") -> Release:
    return release(
        name,
        ReleasedRun(
            suite="mine",
            folder=kept.path.name,
            run=kept.name,
            model="test/echo",
            scenario="mmlu",
            status="complete",
            scores_sha256=hash_of_scores(kept.path),
        ),
    )


def test_a_release_reads_back_as_it_was_written(tmp_path: Path) -> None:
    made = release("v1", run("a/one", "mmlu", value(0.5, low=0.2, high=0.8), value(None, "bias", reason="no text")))
    assert write_release(tmp_path, made) == made
    assert read_release(tmp_path, "v1") == made
    assert (tmp_path / "releases" / "v1.json").exists()


def test_a_release_is_not_changed(tmp_path: Path) -> None:
    write_release(tmp_path, release("v1", run("a/one")))
    with pytest.raises(UsageError, match="'v1' of 2026-06-01 holds other runs or values, and is not changed"):
        write_release(tmp_path, release("v1", run("a/two")))
    assert read_release(tmp_path, "v1").models == ("a/one",)


def test_the_same_release_again_keeps_the_date_of_the_first(tmp_path: Path) -> None:
    write_release(tmp_path, release("v1"))
    again = write_release(tmp_path, release("v1", made=datetime(2027, 1, 1, tzinfo=UTC)))
    assert again.made == DAY


def test_releases_are_listed_the_newest_first_and_damaged_ones_are_said(tmp_path: Path) -> None:
    write_release(tmp_path, release("v1"))
    write_release(tmp_path, release("v2", made=datetime(2026, 7, 1, tzinfo=UTC)))
    (tmp_path / "releases" / "v3.json").write_text("{", encoding="utf-8")
    found = releases(tmp_path)
    assert [each.name for each in found.found] == ["v2", "v1"]
    (warning,) = found.warnings
    assert "v3.json" in warning


def test_what_helm_keeps_of_a_release_is_none_of_ours(tmp_path: Path) -> None:
    (tmp_path / "releases" / "v1").mkdir(parents=True)
    assert releases(tmp_path) == ((), ())


def test_the_release_before_is_the_newest_of_the_older_ones() -> None:
    dated = [release(f"v{month}", made=datetime(2026, month, 1, tzinfo=UTC)) for month in (1, 2, 3)]
    before = release_before(dated[2], dated)
    assert before is not None
    assert before.name == "v2"
    assert release_before(dated[0], dated) is None


def test_an_unknown_release_suggests_the_nearest(tmp_path: Path) -> None:
    write_release(tmp_path, release("v1.0"))
    with pytest.raises(UnknownNameError, match=r"did you mean 'v1\.0'"):
        read_release(tmp_path, "v1.1")


@pytest.mark.parametrize("name", ["", "../v1", "a/b", "con", "x" * 60])
def test_a_name_that_is_no_file_on_every_system_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="release name"):
        read_release(tmp_path, name)


@pytest.mark.parametrize("content", ["{", "[]", '{"name": 3}', '{"schema_version": 99}'])
def test_a_damaged_release_is_one_line(tmp_path: Path, content: str) -> None:
    write_release(tmp_path, release("v1"))
    (tmp_path / "releases" / "v1.json").write_text(content, encoding="utf-8")
    with pytest.raises(StoreError, match=r"v1\.json") as caught:
        read_release(tmp_path, "v1")
    assert "\n" not in str(caught.value)


def test_the_runs_of_a_release_are_found_on_the_disk(tmp_path: Path) -> None:
    kept = stored(tmp_path)
    assert release_runs(tmp_path, of(kept)) == ((kept,), ())


def test_a_run_with_other_scores_than_published_is_said(tmp_path: Path) -> None:
    published = of(stored(tmp_path))
    stored(tmp_path, "no")
    found = release_runs(tmp_path, published)
    assert len(found.runs) == 1
    assert found.warnings == ("mmlu: scored again or extended since release v1",)


def test_a_run_that_is_gone_is_said(tmp_path: Path) -> None:
    kept = stored(tmp_path)
    published = of(kept)
    for path in kept.path.iterdir():
        path.unlink()
    found = release_runs(tmp_path, published)
    assert found.runs == ()
    assert found.warnings[0].startswith("mmlu: in release v1, but ")


def test_a_run_without_scores_has_no_hash(tmp_path: Path) -> None:
    kept = stored(tmp_path)
    (kept.path / SCORES).unlink()
    assert hash_of_scores(kept.path) == ""


def test_models_scenarios_and_runs_that_came_and_went_are_told() -> None:
    before = release("v1", run("a/one", "mmlu"), run("a/one", "gsm"), run("a/old", "mmlu"))
    after = release("v2", run("a/one", "mmlu"), run("a/one", "boolq"), run("a/new", "mmlu"))
    found = difference(before, after)
    assert (found.before, found.after) == ("v1", "v2")
    assert (found.added_models, found.removed_models) == (("a/new",), ("a/old",))
    assert (found.added_scenarios, found.removed_scenarios) == (("boolq",), ("gsm",))
    assert found.added_runs == ("boolq:model=a/one", "mmlu:model=a/new")
    assert found.removed_runs == ("gsm:model=a/one", "mmlu:model=a/old")
    assert found.changed == ()


def test_a_value_that_changed_is_told_with_both() -> None:
    before = release("v1", run("a/one", "mmlu", value(0.5), value(0.1, "bias")))
    after = release("v2", run("a/one", "mmlu", value(0.75), value(0.1, "bias")))
    (change,) = difference(before, after).changed
    assert (change.model, change.scenario, change.axis) == ("a/one", "mmlu", "accuracy")
    assert change.before is not None
    assert change.after is not None
    assert (change.before.value, change.after.value) == (0.5, 0.75)


def test_a_cell_that_stays_empty_for_another_reason_has_not_changed() -> None:
    before = release("v1", run("a/one", "mmlu", value(None, reason="no sandbox")))
    after = release("v2", run("a/one", "mmlu", value(None, reason="not run")))
    assert not difference(before, after)


def test_equal_releases_do_not_differ() -> None:
    assert not difference(release("v1"), release("v2"))
