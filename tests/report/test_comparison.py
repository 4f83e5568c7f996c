"""Two models on what both answered."""

from pathlib import Path

import pytest

from generated import Shape, write_suite
from holoscope.core import Measure, Registry, UnknownNameError, UsageError, builtin
from holoscope.report.comparison import Comparison, compare
from holoscope.report.differences import Difference, Flip, FourWays
from holoscope.report.grid import grid
from holoscope.store import StoredRun, scan, write_measures
from report.comparing import calibration, robustness, stored

REGISTRY = builtin()


def compared(*runs: StoredRun, metric: str = "") -> Comparison:
    first, second = runs
    return compare([first], [second], REGISTRY, metric=metric)


def accuracy(made: Comparison) -> Difference:
    (pair,) = made.pairs
    return next(d for d in pair.differences if d.axis == "accuracy")


def test_instances_are_paired_by_id_and_counted_four_ways(tmp_path: Path) -> None:
    a = stored(tmp_path, "a", [1, 1, 1, 1, 0, 0])
    b = stored(tmp_path, "b", {"id5": 0, "id4": 1, "id3": 1, "id2": 1, "id1": 0, "id0": 0})
    found = accuracy(compared(a, b))
    assert found.counts == FourWays(both=2, only_a=2, only_b=1, neither=1)
    assert found.value == pytest.approx(1 / 6)
    assert (found.n, found.only_a, found.only_b) == (6, 0, 0)
    assert found.flips == (Flip("id0", 1, 0), Flip("id1", 1, 0), Flip("id4", 0, 1))
    assert found.p_value == 1.0


def test_what_only_one_answered_is_counted_and_left_out(tmp_path: Path) -> None:
    a = stored(tmp_path, "a", {"id0": 1, "id1": 0, "id2": 1, "id3": None})
    b = stored(tmp_path, "b", {"id1": 1, "id2": None, "id3": 1, "id4": 0, "id5": 0})
    found = accuracy(compared(a, b))
    assert (found.n, found.only_a, found.only_b) == (1, 2, 3)
    assert (found.a, found.b, found.value) == (0.0, 1.0, -1.0)
    assert (found.low, found.p_value) == (None, None), "one pair has no interval"


def test_nothing_shared_is_no_difference_and_says_so(tmp_path: Path) -> None:
    found = accuracy(compared(stored(tmp_path, "a", {"x": 1, "y": 1}), stored(tmp_path, "b", {"v": 1, "w": 1})))
    assert (found.value, found.n, found.only_a, found.only_b) == (None, 0, 2, 2)
    assert found.reason == "no instance has a value in both runs"


def test_a_run_without_a_score_says_why(tmp_path: Path) -> None:
    found = accuracy(compared(stored(tmp_path, "a", [1, 0]), stored(tmp_path, "b", [None, None])))
    assert (found.a, found.b, found.value) == (0.5, None, None)
    assert found.reason == "B: no rule found it"


def test_repetitions_are_averaged_within_the_instance(tmp_path: Path) -> None:
    a = stored(tmp_path, "a", [0.25, 0.75, 1.0], metric="f1_score", trials=3)
    found = accuracy(compared(a, stored(tmp_path, "b", [0.25, 0.5, 0.5], metric="f1_score")))
    assert (found.n, found.a_higher, found.b_higher, found.equal) == (3, 2, 0, 1)
    assert found.counts is None
    assert [flip.instance_id for flip in found.flips] == ["id2", "id1"], "the largest first"


def test_instances_of_a_passage_are_one_unit(tmp_path: Path) -> None:
    values = [1] * 8 + [0] * 8
    runs = [
        stored(tmp_path, model, own, cluster=lambda identity: f"p{int(identity[2:]) // 4}")
        for model, own in (("a", values), ("b", values[::-1]))
    ]
    found = accuracy(compared(*runs))
    assert found.n_clusters == 4
    assert found.method.startswith("clustered")


def test_whom_a_difference_favours_depends_on_the_direction(tmp_path: Path) -> None:
    one, other = [1.0] * 30, [0.0] * 30
    found = accuracy(compared(stored(tmp_path, "a", one), stored(tmp_path, "b", other)))
    assert found.better == "a"
    down = [stored(tmp_path, m, v, scenario="ice", metric="bits_per_byte") for m, v in (("a", one), ("b", other))]
    assert accuracy(compared(*down)).better == "b"


def test_the_worst_form_is_what_robustness_compares(tmp_path: Path) -> None:
    a = stored(tmp_path, "a", [1, 1, 1, 0], typos=[1, 0, 1, 1], more=[robustness()])
    b = stored(tmp_path, "b", [1, 1, 0, 0], typos={"id0": 0, "id1": 1}, more=[robustness()])
    found = next(d for d in compared(a, b).pairs[0].differences if d.axis == "robustness")
    assert found.counts == FourWays(both=0, only_a=2, only_b=1, neither=1)
    assert found.is_paired


def test_paired_means_are_the_cells_of_the_grid(tmp_path: Path) -> None:
    """What is compared is what the grid shows, worst cases included."""
    write_suite(tmp_path, Shape(models=2, scenarios=1, instances=12), REGISTRY)
    runs = scan(tmp_path, "generated").runs
    rows = {row.manifest.spec.name: row for row in grid(runs, REGISTRY).rows}
    made = compare(runs[:1], runs[1:], REGISTRY)
    paired = [(pair, d) for pair in made.pairs for d in pair.differences if d.is_paired]
    assert {d.axis for _, d in paired} >= {"accuracy", "robustness", "fairness"}
    for pair, found in paired:
        shown = rows[pair.a.run].headlines[found.axis], rows[pair.b.run].headlines[found.axis]
        assert found.a == pytest.approx(shown[0].value)
        assert found.b == pytest.approx(shown[1].value)


def test_an_axis_of_sets_is_compared_by_its_intervals(tmp_path: Path) -> None:
    a = stored(tmp_path, "a", [1, 0], more=[calibration(0.10, 0.08, 0.12)])
    b = stored(tmp_path, "b", [1, 0], more=[calibration(0.30, 0.27, 0.33)])
    found = next(d for d in compared(a, b).pairs[0].differences if d.axis == "calibration")
    assert (found.is_paired, found.n, found.p_value) == (False, None, None)
    assert found.low is not None
    assert found.low == pytest.approx(-0.2 - (0.02**2 + 0.03**2) ** 0.5)
    assert found.better == "a", "less error is better"


def test_an_axis_without_intervals_has_a_difference_without_one(tmp_path: Path) -> None:
    runs = [stored(tmp_path, m, [1, 0], more=[calibration(v, None, None)]) for m, v in (("a", 0.1), ("b", 0.3))]
    found = next(d for d in compared(*runs).pairs[0].differences if d.axis == "calibration")
    assert found.value == pytest.approx(-0.2)
    assert (found.low, found.better) == (None, "")


def test_an_axis_that_neither_has_is_not_compared(tmp_path: Path) -> None:
    (pair,) = compared(stored(tmp_path, "a", [1, 0]), stored(tmp_path, "b", [1, 0])).pairs
    assert [d.axis for d in pair.differences] == ["accuracy"]


def test_different_main_metrics_are_not_mixed(tmp_path: Path) -> None:
    found = accuracy(compared(stored(tmp_path, "a", [1, 0]), stored(tmp_path, "b", [1, 0], metric="f1_score")))
    assert found.value is None
    assert found.reason == "A has exact_match test, B has f1_score test: they can't be compared"


def suite_of(tmp_path: Path, model: str, scores: dict[str, list[float]]) -> list[StoredRun]:
    return [stored(tmp_path, model, values, scenario=scenario) for scenario, values in scores.items()]


ALIKE = [1.0, 0.0] * 20


def test_models_are_compared_over_the_scenarios_they_share(tmp_path: Path) -> None:
    a = suite_of(tmp_path, "a", {"gsm": [1.0] * 40, "mmlu": ALIKE, "law": ALIKE})
    b = suite_of(tmp_path, "b", {"mmlu": ALIKE, "gsm": [0.0] * 40, "news": ALIKE})
    made = compare(a, b, REGISTRY, names=("model a", "model b"))
    assert [pair.label for pair in made.pairs] == ["gsm", "mmlu"]
    assert (made.only_a, made.only_b) == (("law:model=a",), ("news:model=b",))
    (overall,) = made.overall
    assert (overall.value, overall.scenarios) == (0.5, ("gsm", "mmlu"))
    assert (overall.a_better, overall.b_better, overall.better) == (1, 0, "a")


def test_p_values_are_corrected_among_the_scenarios_of_an_axis(tmp_path: Path) -> None:
    half = {"one": [1.0] * 7 + [0.0] * 3, "two": [1.0] * 10, "three": ALIKE}
    a, b = suite_of(tmp_path, "a", half), suite_of(tmp_path, "b", {name: [0.0] * len(v) for name, v in half.items()})
    found = {pair.label: pair.differences[0] for pair in compare(a, b, REGISTRY).pairs}
    raw = {label: d.p_value for label, d in found.items()}
    assert raw["one"] == pytest.approx(2 / 2**7)
    assert found["one"].p_adjusted == pytest.approx(2 / 2**7), "the largest of three counts once"
    assert found["three"].p_adjusted == pytest.approx(3 * 2 / 2**20)


def test_the_mean_is_not_over_other_units(tmp_path: Path) -> None:
    a, b = (
        [
            *suite_of(tmp_path, model, {"gsm": ALIKE, "law": ALIKE}),
            stored(tmp_path, model, [1.5, 2.0], scenario="ice", metric="bits_per_byte"),
        ]
        for model in ("a", "b")
    )
    (overall,) = compare(a, b, REGISTRY).overall
    assert overall.scenarios == ("gsm", "law")
    assert "bits_per_byte" in overall.left_out["ice"]


def test_two_runs_of_one_scenario_are_paired_whatever_their_settings(tmp_path: Path) -> None:
    a = stored(tmp_path, "a", [1, 0])
    b = stored(tmp_path, "a", [1, 1], suite="later", adapter={"max_tokens": 7}, spec={"seed": 3})
    (pair,) = compared(a, b).pairs
    assert (pair.a.suite, pair.b.suite) == ("mine", "later")
    assert "settings differ: max_tokens 100 and 7" in pair.warnings
    assert "other seed: 0 and 3" in pair.warnings


def test_runs_of_different_scenarios_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no scenario in common"):
        compared(stored(tmp_path, "a", [1, 0], scenario="gsm"), stored(tmp_path, "b", [1, 0], scenario="mmlu"))


def test_one_metric_can_be_asked_for(tmp_path: Path) -> None:
    runs = [stored(tmp_path, m, [1, 0], more=[calibration(0.1, 0.0, 0.2)]) for m in ("a", "b")]
    (pair,) = compared(*runs, metric="ece_10_bin").pairs
    assert [d.metric for d in pair.differences] == ["ece_10_bin"]


def test_a_metric_that_one_run_lacks_is_said_to_be_lacking(tmp_path: Path) -> None:
    a = stored(tmp_path, "a", [1, 0], more=[calibration(0.1, 0.0, 0.2)])
    (pair,) = compared(a, stored(tmp_path, "b", [1, 0]), metric="ece_10_bin").pairs
    assert pair.differences[0].reason == "B: no ece_10_bin"


def test_an_unknown_metric_suggests_the_nearest(tmp_path: Path) -> None:
    runs = [stored(tmp_path, m, [1, 0]) for m in ("a", "b")]
    with pytest.raises(UnknownNameError, match="did you mean 'exact_match'"):
        compared(*runs, metric="exact_mach")


def test_a_metric_nobody_registered_is_compared_all_the_same(tmp_path: Path) -> None:
    runs = [stored(tmp_path, m, v, metric="own") for m, v in (("a", [0.5, 0.25]), ("b", [0.5, 0.0]))]
    made = compare(runs[:1], runs[1:], with_axes())
    assert made.pairs[0].differences[0].value == pytest.approx(0.125)


def with_axes() -> Registry:
    bare = Registry()
    for axis in REGISTRY.axes.values():
        bare.axes.add(axis.name, axis)
    return bare


def test_the_same_comparison_gives_the_same_numbers(tmp_path: Path) -> None:
    runs = [stored(tmp_path, m, v, metric="f1_score") for m, v in (("a", [0.1, 0.9, 0.4]), ("b", [0.3, 0.2, 0.8]))]
    assert compared(*runs) == compared(*runs)


def test_a_scenario_without_right_answers_is_compared_on_its_other_axes(tmp_path: Path) -> None:
    """Continuations have no accuracy, but a share of them is toxic."""
    runs = []
    for model, toxic in (("a", [1, 0, 1, 0]), ("b", [0, 0, 0, 0])):
        run = stored(tmp_path, model, toxic, scenario="bold", metric="toxic_frac")
        write_measures(run.path, [Measure("toxic_frac", "toxicity", sum(toxic) / 4, 4, "test", low=0.0, high=0.9)])
        runs.append(run)
    (found,) = compared(*runs).pairs[0].differences
    assert (found.axis, found.counts, found.lower_is_better) == ("toxicity", FourWays(0, 2, 0, 2), True)


def test_a_reason_that_both_share_is_said_once(tmp_path: Path) -> None:
    found = accuracy(compared(stored(tmp_path, "a", [None]), stored(tmp_path, "b", [None])))
    assert found.reason == "no rule found it"


def test_a_damaged_run_does_not_hide_the_others(tmp_path: Path) -> None:
    a, b = (suite_of(tmp_path, model, {"gsm": ALIKE, "law": ALIKE}) for model in ("a", "b"))
    for name in ("scores.parquet", "requests.parquet"):
        (b[0].path / name).write_bytes(b"PAR1 no longer")
    write_measures(b[0].path, [Measure("exact_match", "accuracy", 0.5, 40, "test")])
    damaged, whole = compare(a, b, REGISTRY).pairs
    assert "damaged" in damaged.differences[0].reason
    assert any(line.startswith("prompts were not compared") for line in damaged.warnings)
    assert whole.differences[0].value == 0.0
