"""What figures are given, from stored runs made for each question."""

from pathlib import Path

import pytest

from holoscope.core import Measure
from holoscope.report import evidence
from holoscope.report.figures import Reliability, Sample, Shares
from report.evidence.runs import Answer, Made, measure, pairs, write

CALIBRATED = (
    measure("exact_match", "accuracy", 0.5),
    measure("ece_10_bin", "calibration", 0.2, low=0.1, high=0.3),
    measure("ece_of_calibrated", "calibration", 0.1, low=0.05, high=0.15),
    measure("calibration_p_value", "calibration", 0.01),
)


def answers(*found: tuple[float | None, float | None]) -> list[Answer]:
    return [Answer({"max_prob": p, "exact_match": y}) for p, y in found]


def test_a_curve_is_made_of_the_answers_that_have_both_confidence_and_grade(tmp_path: Path) -> None:
    own = [*answers((0.9, 1.0), (0.8, 0.0), (None, 1.0), (0.7, None)), Answer({"exact_match": 1.0})]
    made = write(tmp_path, Made(answers=own, measures=CALIBRATED))
    curve = evidence.reliability(*pairs(tmp_path, made)[0])
    assert isinstance(curve, Reliability)
    assert curve.n == 2
    assert sum(curve.counts) == 2
    assert curve.counts[18] == 1


def test_perturbed_and_other_splits_are_not_in_it(tmp_path: Path) -> None:
    scores = {"max_prob": 0.9, "exact_match": 1.0}
    own = [Answer(scores), Answer(scores), Answer(scores, perturbation="typos"), Answer(scores, split="valid")]
    made = write(tmp_path, Made(answers=own, measures=CALIBRATED))
    curve = evidence.reliability(*pairs(tmp_path, made)[0])
    assert isinstance(curve, Reliability)
    assert curve.n == 2


def test_the_error_and_what_chance_would_show_are_the_measures(tmp_path: Path) -> None:
    made = write(tmp_path, Made(answers=answers((0.9, 1.0), (0.2, 0.0)), measures=CALIBRATED))
    curve = evidence.reliability(*pairs(tmp_path, made)[0])
    assert isinstance(curve, Reliability)
    assert (curve.error, curve.null.mean, curve.null.high, curve.null.p_value) == (0.2, 0.1, 0.15, 0.01)
    (found,) = evidence.miscalibrations(made.rows)
    assert (found.error.value, found.chance.high, found.p_value) == (0.2, 0.15, 0.01)


def test_a_curve_is_the_same_whenever_it_is_made(tmp_path: Path) -> None:
    made = write(tmp_path, Made(answers=answers(*[(0.5 + i / 50, i % 2) for i in range(20)]), measures=CALIBRATED))
    run = pairs(tmp_path, made)[0]
    assert evidence.reliability(*run) == evidence.reliability(*run)


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (Made(status="failed"), "failed: the key was refused"),
        (Made(measures=[measure("exact_match", "accuracy", 0.5)]), "needs log-probabilities"),
        (Made(measures=[measure("ece_10_bin", "calibration", None)]), "no such thing"),
        (Made(measures=CALIBRATED), "no instance has both"),
    ],
)
def test_without_a_curve_there_is_a_reason(run: Made, reason: str, tmp_path: Path) -> None:
    made = write(tmp_path, run)
    found = evidence.reliability(*pairs(tmp_path, made)[0])
    assert isinstance(found, str)
    assert reason in found


def test_damaged_scores_are_a_reason(tmp_path: Path) -> None:
    made = write(tmp_path, Made(answers=answers((0.9, 1.0)), measures=CALIBRATED))
    row, run = pairs(tmp_path, made)[0]
    (run.path / "scores.parquet").write_bytes(b"no parquet")
    found = evidence.reliability(row, run)
    assert isinstance(found, str)
    assert "scores.parquet" in found


def forms(name: str, original: float, now: float, worst: float) -> list[Measure]:
    parts = {f"{name}/original": original, name: now, f"{name}/worst": worst, f"{name}/flipped": 0.1}
    return [measure("exact_match", "accuracy", value, perturbation=part) for part, value in parts.items()]


def test_a_slope_has_the_three_values_of_the_changed_instances(tmp_path: Path) -> None:
    whole = measure("exact_match", "accuracy", 0.95)
    made = write(tmp_path, Made(measures=[whole, *forms("typos", 0.9, 0.7, 0.6)]))
    (found,) = evidence.perturbed(made.rows)
    assert [v.value for v in (found.original, found.perturbed, found.worst, found.flipped)] == [0.9, 0.7, 0.6, 0.1]
    assert (found.perturbation, found.kind) == ("typos", "robustness")


def test_fairness_perturbations_are_no_slopes_of_robustness(tmp_path: Path) -> None:
    by_measure = measure("counterfactual_change", "fairness", -0.1, perturbation="renamed")
    own = [
        *forms("renamed", 0.9, 0.8, 0.7),
        by_measure,
        *forms("dialect", 0.9, 0.8, 0.7),
        *forms("typos", 0.9, 0.8, 0.7),
    ]
    made = write(tmp_path, Made(measures=own))
    assert [found.perturbation for found in evidence.perturbed(made.rows)] == ["typos"]
    assert [change.name for change in evidence.changes(made.rows)] == ["renamed", "dialect"]


def test_slopes_are_arranged_by_scenario_or_by_model(tmp_path: Path) -> None:
    own = forms("typos", 0.9, 0.7, 0.6)
    made = write(tmp_path, *(Made(m, s, measures=own) for m in ("a", "b") for s in ("gsm", "math")))
    found = evidence.perturbed(made.rows)
    by_scenario, by_model = evidence.slopes(found), evidence.slopes(found, "model")
    assert {title: [s.name for s in own] for title, own in by_scenario.items()} == {
        "gsm · typos": ["a", "b"],
        "math · typos": ["a", "b"],
    }
    assert {title: [s.name for s in own] for title, own in by_model.items()} == {
        "a · typos": ["gsm", "math"],
        "b · typos": ["gsm", "math"],
    }


def of_group(group: str, metric: str, value: float, **more: object) -> Measure:
    return measure(metric, "fairness", value, sub_split=group, **more)


def test_groups_come_with_their_drawn_in_values_and_the_gap_by_chance(tmp_path: Path) -> None:
    own = [
        measure("exact_match", "accuracy", 0.7),
        of_group("sex=f", "exact_match", 0.8, n=5),
        of_group("sex=m", "exact_match", 0.6),
        of_group("sex=f", "exact_match_shrunken", 0.72),
        of_group("sex=m", "exact_match_shrunken", 0.68),
        of_group("sex", "group_gap", 0.2),
        of_group("sex", "group_gap_by_chance", 0.15, high=0.3),
        of_group("sex", "group_gap_p_value", 0.4),
    ]
    made = write(tmp_path, Made(measures=own))
    (table,) = evidence.group_tables(made.rows)
    assert (table.attribute, table.mean.value, table.gap.value) == ("sex", 0.7, 0.2)
    assert (table.by_chance.value, table.by_chance.high, table.p_value) == (0.15, 0.3, 0.4)
    assert [(g.name, g.value.n, g.shrunken.value if g.shrunken else None) for g in table.groups] == [
        ("sex=f", 5, 0.72),
        ("sex=m", 20, 0.68),
    ]


def test_two_attributes_together_are_a_table_of_their_own(tmp_path: Path) -> None:
    own = [
        *(of_group(f"a={x}", "exact_match", 0.5) for x in ("1", "2")),
        *(of_group(f"a={x}&b=R&D", "exact_match", 0.5) for x in ("1", "2")),
        *(of_group(name, "group_gap", 0.2) for name in ("a", "a&b")),
        of_group("hard, a=1", "exact_match", 0.1),  # within a sub-split
    ]
    made = write(tmp_path, Made(measures=own))
    tables = evidence.group_tables(made.rows)
    assert [(t.attribute, len(t.groups)) for t in tables] == [("a", 2), ("a&b", 2)]


def test_a_run_without_groups_has_no_table(tmp_path: Path) -> None:
    assert evidence.group_tables(write(tmp_path, Made(measures=CALIBRATED)).rows) == []


def test_a_change_is_the_paired_measure_where_there_is_one(tmp_path: Path) -> None:
    own = [
        *forms("dialect", 0.9, 0.7, 0.6),
        measure("counterfactual_change", "fairness", -0.21, perturbation="dialect", low=-0.3, high=-0.1, n=12),
        measure("counterfactual_equivalence_p_value", "fairness", 0.9, perturbation="dialect"),
    ]
    (change,) = evidence.changes(write(tmp_path, Made(measures=own)).rows)
    assert (change.difference.value, change.difference.low, change.difference.n) == (-0.21, -0.3, 12)
    assert change.p_value == 0.9


def test_a_change_without_one_is_a_difference_without_an_interval(tmp_path: Path) -> None:
    (change,) = evidence.changes(write(tmp_path, Made(measures=forms("dialect", 0.9, 0.7, 0.6))).rows)
    assert change.difference.value == pytest.approx(-0.2)
    assert change.difference.low is None


TOXIC = (measure("toxic_frac", "toxicity", 0.1), measure("expected_max_toxicity", "toxicity", 0.2))


def test_toxicity_is_of_each_instance_that_has_one(tmp_path: Path) -> None:
    own = [Answer({"expected_max_toxicity": v, "toxic_frac": 0.0}) for v in (0.1, None, 0.9)]
    made = write(tmp_path, Made(answers=own, measures=TOXIC))
    assert evidence.toxicity(*pairs(tmp_path, made)[0]) == Sample("maker/one", (0.1, 0.9))


def test_a_run_without_toxicity_says_what_to_type(tmp_path: Path) -> None:
    made = write(tmp_path, Made(measures=CALIBRATED))
    assert "real_toxicity_prompts" in str(evidence.toxicity(*pairs(tmp_path, made)[0]))


def test_whom_a_run_names_is_counted_in_its_texts(tmp_path: Path) -> None:
    own = [
        Answer({}, "She met her sister."),
        Answer({}, "He left."),
        Answer({}, "Rain."),
        Answer({}, "He", split="valid"),
    ]
    made = write(tmp_path, Made(answers=own))
    found = evidence.named(*pairs(tmp_path, made)[0])
    assert isinstance(found, Shares)
    assert dict(found.counts) == {"female": 3, "male": 1}
    assert sum(found.expected.values()) == pytest.approx(1)


def test_a_run_that_names_nobody_says_so(tmp_path: Path) -> None:
    made = write(tmp_path, Made(answers=[Answer({}, "Rain.")]))
    assert evidence.named(*pairs(tmp_path, made)[0], "race") == "no completion holds a word of the race lists"


@pytest.mark.parametrize(
    ("metric", "title"),
    [
        ("bias_metric:mode=representation,demographic_category=gender", "gender named"),
        ("bbq_metric_ambiguous_bias", "ambiguous bias"),
        ("stereotype_pair_bias", "stereotype_pair_bias"),
    ],
)
def test_a_bias_is_called_what_it_is(metric: str, title: str, tmp_path: Path) -> None:
    made = write(tmp_path, Made(measures=[measure(metric, "bias", 0.1, method="26 words counted")]))
    (found,) = evidence.biases(made.rows)
    assert (found.title, found.value.value, found.method) == (title, 0.1, "26 words counted")


def test_latencies_are_of_each_request(tmp_path: Path) -> None:
    own = [Answer({}, seconds=0.1), Answer({}, seconds=None), Answer({}, seconds=0.3, perturbation="typos")]
    made = write(tmp_path, Made(answers=own))
    assert evidence.latencies(*pairs(tmp_path, made)[0]) == Sample("maker/one", (0.1,))


def test_an_unknown_price_is_a_reason_and_not_zero(tmp_path: Path) -> None:
    made = write(tmp_path, Made(answers=[Answer({"cost": None})]))
    assert evidence.costs(*pairs(tmp_path, made)[0]) == "not given"


def test_a_grid_becomes_shaded_cells_with_reasons_for_the_missing(tmp_path: Path) -> None:
    own = [measure("exact_match", "accuracy", 0.75, low=0.5, high=0.9)]
    made = write(tmp_path, Made("a", "gsm", measures=own), Made("b", "math", measures=own))
    table = evidence.by_axis(made, made.axes[0], links={("a", "gsm"): "/run"})
    assert (table.rows, table.columns) == (["a", "b"], ["gsm", "math"])
    here, absent = table.cells[0]
    assert (here.shade, here.text, here.link) == (0.75, "0.75", "/run")
    assert (absent.shade, absent.label) == (None, "not run")
    assert evidence.axis_values(made, made.axes[0])["gsm"]["a"].low == 0.5


def test_a_models_cells_are_shaded_by_axis_and_empty_ones_say_what_to_type(tmp_path: Path) -> None:
    made = write(tmp_path, Made(measures=[measure("exact_match", "accuracy", 0.75)]))
    table = evidence.by_model(made, made.rows)
    assert table.columns == [axis.name for axis in made.axes]
    assert [cell.shade for cell in table.cells[0]].count(None) == len(made.axes) - 1
    assert "data_augmentation=canonical" in table.cells[0][2].label
