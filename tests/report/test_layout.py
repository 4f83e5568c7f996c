from collections.abc import Sequence

from holoscope.core import Display, DisplayGroup, DisplayMetric, Measure
from holoscope.report import Grid, grid
from holoscope.store import StoredRun
from report.grids import accuracy, registry, run

LAYOUT = Display(
    groups=(
        DisplayGroup(name="narrative_qa", title="NarrativeQA", main_metric="rouge_l", main_split="valid"),
        DisplayGroup(name="mmlu", title="MMLU (all subjects)"),
    ),
    metrics=(DisplayMetric(name="ece", lower_is_better=False), DisplayMetric(name="f1_score", lower_is_better=True)),
)
RUNS = [run("boolq", "exact_match"), run("mmlu", "exact_match"), run("narrative_qa", "f1_score")]


def measures(stored: StoredRun) -> Sequence[Measure]:
    return [
        accuracy("exact_match", 0.5),
        accuracy("f1_score", 0.4),
        accuracy("rouge_l", 0.3),
        Measure("rouge_l", "accuracy", 0.2, 10, "valid"),
    ]


def laid_out(display: Display = LAYOUT) -> Grid:
    return grid(RUNS, registry(), measures, display)


def test_rows_stand_in_the_order_of_the_layout_and_those_in_no_group_last() -> None:
    assert [row.manifest.scenario.name for row in laid_out().rows] == ["narrative_qa", "mmlu", "boolq"]


def test_a_row_has_the_title_of_its_group() -> None:
    assert [row.label.scenario for row in laid_out().rows] == ["NarrativeQA", "MMLU (all subjects)", "boolq"]


def test_the_accuracy_column_shows_the_main_metric_and_split_of_the_layout() -> None:
    shown = [row.headlines["accuracy"] for row in laid_out().rows]
    assert [(cell.metric, cell.split, cell.value) for cell in shown] == [
        ("rouge_l", "valid", 0.2),
        ("exact_match", "test", 0.5),
        ("exact_match", "test", 0.5),
    ]


def test_a_main_metric_that_a_run_lacks_is_an_empty_cell() -> None:
    display = Display(groups=(DisplayGroup(name="mmlu", title="MMLU", main_metric="bleu_4"),))
    (row,) = [row for row in laid_out(display).rows if row.manifest.scenario.name == "mmlu"]
    assert row.headlines["accuracy"].value is None


def test_the_layout_may_say_which_direction_is_better() -> None:
    plain = grid(RUNS, registry(), measures)
    assert ("ece" in plain.lower_is_better, "f1_score" in plain.lower_is_better) == (True, False)
    assert ("ece" in laid_out().lower_is_better, "f1_score" in laid_out().lower_is_better) == (False, True)
