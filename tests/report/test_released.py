from pathlib import Path

from holoscope.core import Measure
from holoscope.report.released import change_line, difference_lines, released
from holoscope.store import Change, Difference, ReleasedValue
from report.grids import accuracy, registry
from store.made import exchange, manifest, store_run


def value(number: float | None, low: float | None = None, high: float | None = None) -> ReleasedValue:
    return ReleasedValue(axis="accuracy", metric="exact_match", value=number, n=20, low=low, high=high)


def test_a_release_keeps_what_stands_for_each_axis(tmp_path: Path) -> None:
    measures = [accuracy("exact_match"), Measure("ece", "calibration", 0.11, 20, "test")]
    kept = store_run(tmp_path, manifest(), [exchange("id0", "Is it?", "yes")], measures)
    (run,) = released([kept], registry())
    values = {each.axis: (each.metric, each.value, each.n) for each in run.values}
    assert values["accuracy"] == ("exact_match", 0.62, 20)
    assert values["calibration"] == ("ece", 0.11, 20)
    assert len(values) == 7
    assert {each.axis: each.reason for each in run.values}["robustness"]
    assert (run.suite, run.folder, run.model, run.scenario) == (
        "mine",
        kept.path.name,
        "test/echo",
        "mmlu:subject=anatomy",
    )


def test_a_change_is_told_with_its_intervals() -> None:
    line = change_line(Change("a/one", "mmlu", "accuracy", value(0.5, 0.3, 0.7), value(0.625)))
    assert line == "a/one, mmlu, accuracy: exact_match 0.50 [0.30, 0.70] (n=20) -> exact_match 0.62 (n=20)"
    assert change_line(Change("a/one", "mmlu", "bias", None, value(None))).endswith("no value -> no value")


def test_a_difference_is_told_in_lines_and_no_name_can_move_the_cursor() -> None:
    changes = tuple(Change("a/one", f"s{i}", "accuracy", value(0.5), value(0.6)) for i in range(25))
    found = Difference("v1", "v2", ("evil\x1b[31m",), (), (), ("gsm",), ("gsm:model=a",), (), changes)
    lines = list(difference_lines(found))
    assert lines[:3] == ["+ model evil\ufffd[31m", "- scenario gsm", "+ 1 run"]
    assert len(lines) == 3 + 20 + 1
    assert lines[-1] == "and 5 more changed values"
