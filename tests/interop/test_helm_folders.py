from pathlib import Path

import pytest

from holoscope.core import UsageError
from holoscope.interop import find_helm_runs
from interop.helm_made import write_run


def found(path: Path, suite: str = "") -> list[tuple[str, str]]:
    return [(each.suite, each.path.name) for each in find_helm_runs(path, suite)]


def test_a_whole_output_a_suite_and_one_run_are_found(tmp_path: Path) -> None:
    run = write_run(tmp_path / "benchmark_output" / "runs" / "v1" / "mmlu:subject=anatomy,model=openai_gpt2")
    expected = [("v1", "mmlu:subject=anatomy,model=openai_gpt2")]
    assert found(tmp_path / "benchmark_output") == expected
    assert found(tmp_path / "benchmark_output" / "runs") == expected
    assert found(run.parent) == expected
    assert found(run) == expected


def test_suites_keep_their_names_unless_one_is_given(tmp_path: Path) -> None:
    for suite in ("a", "b"):
        write_run(tmp_path / "runs" / suite / f"mmlu-model={suite}")
    assert found(tmp_path) == [("a", "mmlu-model=a"), ("b", "mmlu-model=b")]
    assert found(tmp_path, "mine") == [("mine", "mmlu-model=a"), ("mine", "mmlu-model=b")]


def test_a_link_to_the_latest_suite_is_not_read_twice(tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "v1" / "mmlu-model=a")
    (tmp_path / "runs" / "latest").symlink_to("v1")
    assert found(tmp_path) == [("v1", "mmlu-model=a")]


def test_what_else_lies_in_a_suite_is_no_run(tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "v1" / "mmlu-model=a")
    for other in ("groups", "eval_cache", "mmlu--model-a--0123456789ab"):
        (tmp_path / "runs" / "v1" / other).mkdir()
    assert found(tmp_path) == [("v1", "mmlu-model=a")]


def test_the_empty_folder_of_a_run_that_helm_began_is_found(tmp_path: Path) -> None:
    (tmp_path / "runs" / "v1" / "gsm:model=a").mkdir(parents=True)
    (run,) = find_helm_runs(tmp_path)
    assert run.is_empty


def test_a_suite_name_that_is_no_folder_on_every_system_is_made_one(tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "v1.0 (final)" / "mmlu-model=a")
    assert found(tmp_path) == [("v1.0-final", "mmlu-model=a")]


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_without_runs_says_what_was_looked_for(tmp_path: Path, there: bool) -> None:
    path = tmp_path / "x"
    if there:
        path.mkdir()
    with pytest.raises(UsageError, match=r"name a benchmark_output, one of its runs/<suite>, or one run"):
        find_helm_runs(path)
