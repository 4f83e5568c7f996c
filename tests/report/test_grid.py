import json

from holoscope.core import Measure
from holoscope.report import Cell, cells_json, grid
from holoscope.store import StoredRun
from report.grids import AUGMENT, AXES, accuracy, measures, registry, run, suite, whole_grid

FIELDS = (
    *("suite", "run", "scenario", "group", "model", "axis", "metric", "metric_version", "perturbation", "split"),
    *("sub_split", "value", "n", "n_missing", "outcomes", "low", "high", "method", "reason"),
)


def cells_of(one: StoredRun, *given: Measure) -> list[Cell]:
    return grid([one], registry(), lambda _: given).cells


def test_cells_have_the_fields_of_the_contract() -> None:
    cells = json.loads(cells_json(whole_grid()))["cells"]
    assert {tuple(cell) for cell in cells} == {FIELDS}


def test_every_measure_of_a_run_is_a_cell() -> None:
    cells = cells_of(run("gsm", "exact_match"), accuracy("exact_match"), accuracy("f1_score", sub_split="hard"))
    assert [(c.metric, c.sub_split, c.value) for c in cells if c.axis == "accuracy"] == [
        ("exact_match", None, 0.62),
        ("f1_score", "hard", 0.62),
    ]


def test_an_axis_without_a_measure_is_a_cell_that_says_what_to_type() -> None:
    cells = cells_of(run("gsm", "exact_match"), accuracy("exact_match"))
    assert {cell.axis for cell in cells} == {name for name, *_ in AXES}
    (robustness,) = [cell for cell in cells if cell.axis == "robustness"]
    assert (robustness.value, robustness.n, robustness.reason) == (None, 0, AUGMENT)


def test_a_failed_run_has_seven_empty_cells_with_its_reason() -> None:
    cells = cells_of(run("gsm", "exact_match", status="failed", reason="no such model"))
    assert [cell.axis for cell in cells] == [name for name, *_ in AXES]
    assert {(cell.value, cell.reason) for cell in cells} == {(None, "failed: no such model")}


def test_a_run_whose_files_cannot_be_read_is_empty_and_says_why() -> None:
    cells = grid([run("gsm", "exact_match")], registry()).cells
    assert {cell.value for cell in cells} == {None}
    assert all("cannot read nowhere" in cell.reason for cell in cells)


def test_a_measure_on_an_axis_nobody_registered_is_shown() -> None:
    cells = cells_of(run("gsm", "exact_match"), Measure("politeness", "manners", 0.5, 3, "test"))
    assert ("manners", 0.5) in [(cell.axis, cell.value) for cell in cells]


def test_no_cell_is_nan_or_infinite() -> None:
    one = accuracy("exact_match", float("nan"), low=float("-inf"))
    (cell, *_) = cells_of(run("gsm", "exact_match"), one)
    assert (cell.value, cell.low, cell.reason) == (None, None, "not a finite number")


def test_the_main_metric_stands_for_accuracy_and_no_other_in_its_place() -> None:
    (row,) = grid([run("gsm", "exact_match")], registry(), lambda _: [accuracy("f1_score")]).rows
    assert row.headlines["accuracy"].value is None
    assert row.headlines["accuracy"].metric == "exact_match"


def test_without_a_main_metric_it_is_the_first_of_the_run() -> None:
    (row,) = grid([run("gsm", "")], registry(), lambda _: [accuracy("exact_match")]).rows
    assert row.headlines["accuracy"].value == 0.62


def test_the_main_split_and_the_whole_stand_before_others() -> None:
    given = [
        Measure("exact_match", "accuracy", 0.1, 5, "valid"),
        Measure("exact_match", "accuracy", 0.2, 5, "test", sub_split="hard"),
        Measure("exact_match", "accuracy", 0.3, 5, "test"),
    ]
    (row,) = grid([run("gsm", "exact_match")], registry(), lambda _: given).rows
    assert row.headlines["accuracy"].value == 0.3


def test_the_worst_case_stands_before_single_perturbations() -> None:
    given = [
        Measure("worst_case", "robustness", value, 5, "test", perturbation=name)
        for name, value in (("typos", 0.4), ("robustness", 0.3))
    ]
    (row,) = grid([run("gsm", "exact_match")], registry(), lambda _: given).rows
    assert row.headlines["robustness"].value == 0.3


def test_outcomes_count_every_trial_of_the_cell() -> None:
    one = accuracy("exact_match", n_missing=3, outcomes={"transport_error": 3, "truncated": 2})
    assert cells_of(run("gsm", "exact_match"), one)[0].outcomes == {"ok": 18, "transport_error": 3, "truncated": 2}


def test_outcomes_that_a_measure_does_not_tell_are_not_made_up() -> None:
    assert cells_of(run("gsm", "exact_match"), accuracy("exact_match", n_missing=3))[0].outcomes == {}


def test_the_same_runs_make_the_same_bytes_in_any_order() -> None:
    def made(runs: list[StoredRun]) -> bytes:
        return cells_json(grid(runs, registry(), lambda run: measures(run.manifest.scenario.main_metric)))

    assert made(suite()) == made(suite()[::-1])


def test_runs_that_would_be_called_the_same_show_what_tells_them_apart() -> None:
    plain = run("mmlu", "exact_match", name="mmlu:subject=anatomy,model=x", args={"subject": "anatomy"})
    noisy = run(
        "mmlu", "exact_match", name="mmlu:subject=anatomy,model=x,data_augmentation=typos", args={"subject": "anatomy"}
    )
    rows = grid([plain, noisy], registry(), lambda _: []).rows
    assert sorted(str(row.label) for row in rows) == [
        "mmlu subject=anatomy",
        "mmlu subject=anatomy data_augmentation=typos",
    ]


def test_the_group_is_the_runs_first() -> None:
    assert {cell.group for cell in cells_of(run("gsm", "exact_match"))} == {"gsm"}


def test_the_main_metric_stands_for_robustness_too() -> None:
    given = [
        Measure(metric, "robustness", value, 5, "test", perturbation="robustness")
        for metric, value in (("worst_case", 0.1), ("f1_score", 0.2))
    ]
    (row,) = grid([run("nqa", "f1_score")], registry(), lambda _: given).rows
    assert row.headlines["robustness"].value == 0.2
