"""The values by instance behind a cell."""

from pathlib import Path

from holoscope.report.instance_values import InstanceValues, instance_values
from report.comparing import stored


def test_values_come_in_plan_order_and_missing_ones_are_counted(tmp_path: Path) -> None:
    run = stored(tmp_path, "m", {"id3": 1, "id1": None, "id2": 0})
    assert instance_values(run, "exact_match", "test") == InstanceValues(("id3", "id2"), (1.0, 0.0), None, 1)


def test_an_instance_without_a_passage_is_its_own(tmp_path: Path) -> None:
    run = stored(tmp_path, "m", [1, 0, 1], cluster=lambda i: None if i == "id2" else "p")
    found = instance_values(run, "exact_match", "test")
    assert found is not None
    assert found.clusters == ("cluster p", "cluster p", "id id2")


def test_a_perturbation_has_values_of_its_own(tmp_path: Path) -> None:
    run = stored(tmp_path, "m", [1, 1, 0], typos=[0, 1])
    found = instance_values(run, "exact_match", "test", "typos")
    assert found is not None
    assert (found.ids, found.values) == (("id0", "id1"), (0.0, 1.0))


def test_the_worst_form_counts_and_depends_on_the_direction(tmp_path: Path) -> None:
    run = stored(tmp_path, "m", [1, 1, 0], typos=[0, 1])
    low = instance_values(run, "exact_match", "test", "robustness")
    high = instance_values(run, "exact_match", "test", "robustness", lower_is_better=True)
    assert low is not None
    assert high is not None
    assert low.values == (0.0, 1.0, 0.0)
    assert high.values == (1.0, 1.0, 0.0)


def test_where_a_form_has_no_value_neither_has_the_instance(tmp_path: Path) -> None:
    run = stored(tmp_path, "m", [1, 1], typos=[None, 0])
    found = instance_values(run, "exact_match", "test", "robustness")
    assert found is not None
    assert (found.ids, found.n_missing) == (("id1",), 1)


def test_other_kinds_of_perturbation_do_not_count(tmp_path: Path) -> None:
    found = instance_values(stored(tmp_path, "m", [1, 1], typos=[0, 0]), "exact_match", "test", "fairness")
    assert found is not None
    assert found.values == (1.0, 1.0)


def test_what_is_not_scored_by_instance_has_none(tmp_path: Path) -> None:
    run = stored(tmp_path, "m", [1, 0])
    assert instance_values(run, "ece_10_bin", "test") is None
    assert instance_values(run, "exact_match", "valid") is None
    (run.path / "scores.parquet").unlink()
    assert instance_values(run, "exact_match", "test") is None
