"""The cells of the grid: means, intervals, what is missing and why."""

from collections.abc import Sequence
from typing import Any

import pytest

from holoscope.core import (
    CORRECT,
    Choice,
    Instance,
    Measure,
    MetricSpec,
    Outcome,
    PerturbationDescription,
    Reference,
    Trial,
)
from holoscope.metrics import measure, score
from metrics.made import failed, generated, instance, joint, registry

TYPOS = PerturbationDescription("typos", robustness=True)
GENDER = PerturbationDescription("gender", fairness=True)


def answered(right: bool, index: int = 0, train_trial: int = 0, repetition: int = 0, **fields: Any) -> Trial:
    of = Instance(id=f"id{index}", input="?", references=(Reference("yes", (CORRECT,)),), **fields)
    trial = generated(of, "yes" if right else "no")
    return Trial(of, trial.exchanges, train_trial, repetition)


def measured(trials: Sequence[Trial], *metrics: str) -> list[Measure]:
    specs = [MetricSpec(name) for name in metrics or ("exact_match",)]
    return measure(specs, trials, score(specs, trials, registry()), registry())


def cell(
    trials: Sequence[Trial],
    perturbation: str | None = None,
    sub_split: str | None = None,
    metric: str = "exact_match",
    split: str = "test",
) -> Measure:
    found = [
        m
        for m in measured(trials, metric)
        if (m.metric, m.perturbation, m.sub_split, m.split) == (metric, perturbation, sub_split, split)
    ]
    assert len(found) == 1
    return found[0]


def test_a_proportion_carries_n_and_wilsons_interval() -> None:
    found = cell([answered(i < 8, i) for i in range(10)])
    assert (found.value, found.n, found.n_missing, found.axis) == (0.8, 10, 0, "accuracy")
    assert (round(found.low or 0, 4), round(found.high or 0, 4), found.method) == (0.4902, 0.9433, "wilson")


def test_one_trial_has_no_interval() -> None:
    found = cell([answered(True)])
    assert (found.value, found.low, found.high, found.method) == (1.0, None, None, "")


def test_splits_are_told_apart() -> None:
    trials = [answered(True, i, split="valid") for i in range(3)] + [answered(False, i + 3) for i in range(2)]
    assert (cell(trials).value, cell(trials).n) == (0.0, 2)
    assert cell(trials, split="valid").value == 1.0


def test_sub_splits_stand_beside_the_whole() -> None:
    trials = [answered(i < 2, i, sub_split="easy" if i < 2 else "hard") for i in range(4)]
    assert cell(trials).value == 0.5
    assert cell(trials, sub_split="easy").value == 1.0
    assert cell(trials, sub_split="hard").value == 0.0


def test_repetitions_are_averaged_within_an_instance() -> None:
    trials = [answered(k == 0, 0, repetition=k) for k in range(2)] + [answered(True, 1)]
    found = cell(trials)
    assert (found.value, found.n, found.method) == (0.75, 2, "wilson; 1 to 2 answers each")
    assert found.low == pytest.approx(cell([answered(True, i) for i in range(2)]).low or 0, abs=0.5)


def test_repeating_does_not_narrow_the_interval_over_instances() -> None:
    once = cell([answered(i % 2 == 0, i) for i in range(10)])
    often = cell([answered(i % 2 == 0, i, repetition=k) for i in range(10) for k in range(5)])
    assert (often.low, often.high) == (once.low, once.high)
    assert (often.n, once.n) == (10, 10)
    assert (often.method, once.method) == ("wilson; 5 answers each", "wilson")
    assert (often.outcomes, once.outcomes) == ({"ok": 50}, {})


def test_train_trials_are_averaged_within_an_instance() -> None:
    assert cell([answered(k == 0, 0, train_trial=k) for k in range(4)]).value == 0.25


def test_a_shared_passage_widens_the_interval() -> None:
    apart = cell([answered(i < 10, i) for i in range(20)])
    shared = cell([answered(i < 10, i, cluster=f"passage {i // 5}") for i in range(20)])
    assert (shared.method, shared.n_clusters, apart.n_clusters) == ("cluster wilson", 4, None)
    assert (shared.high or 0) - (shared.low or 0) > (apart.high or 0) - (apart.low or 0)


def test_one_passage_has_no_interval() -> None:
    found = cell([answered(i < 5, i, cluster="p") for i in range(10)])
    assert (found.value, found.low, found.n_clusters) == (0.5, None, 1)


def test_a_mean_that_is_no_proportion_has_a_t_interval() -> None:
    assert cell([answered(i < 5, i) for i in range(10)], metric="f1_score").method == "t"


def test_missing_scores_are_counted_by_outcome() -> None:
    trials = [
        answered(True, 0),
        failed(instance("yes", id="id1"), Outcome.CONTENT_FILTER),
        failed(instance("yes", id="id2"), Outcome.TRANSPORT_ERROR),
        joint("None of the above", id="id3"),
    ]
    found = cell(trials)
    assert (found.value, found.n, found.n_missing) == (1.0, 1, 3)
    assert found.outcomes == {"content_filter": 1, "transport_error": 1, "ungradable": 1}


def test_the_outcome_of_a_graded_answer_is_counted_too() -> None:
    trials = [generated(instance("yes", id=f"id{i}"), "yes", outcome=Outcome.TRUNCATED) for i in range(2)]
    assert cell(trials).outcomes == {"truncated": 2}


def test_where_nothing_is_known_the_cell_says_why() -> None:
    found = cell([failed(instance("yes"), Outcome.CONTENT_FILTER, "blocked by policy")])
    assert (found.value, found.n, found.reason) == (None, 0, "blocked by policy")


def test_no_trials_make_empty_cells() -> None:
    found = measured([], "exact_match", "calibration", "bits_per_byte")
    assert all(m.value is None and m.reason and m.n == 0 for m in found)
    assert {"exact_match", "ece_10_bin", "bits_per_byte"} <= {m.metric for m in found}


def test_an_unknown_metric_is_an_empty_cell() -> None:
    found = cell([answered(True)], metric="exact_mach")
    assert found.value is None
    assert found.reason == "unknown metric 'exact_mach'; did you mean 'exact_match'?"


def test_scores_are_found_by_name() -> None:
    specs = [MetricSpec("exact_match"), MetricSpec("f1_score")]
    trials = [answered(True)]
    scores = [list(reversed(row)) for row in score(specs, trials, registry())]
    assert [m.value for m in measure(specs, trials, scores, registry())] == [1.0, 1.0]


def test_compat_measures_carry_helms_version() -> None:
    specs = [MetricSpec("f1_score")]
    trials = [answered(True)]
    scores = score(specs, trials, registry(), compat=True)
    assert measure(specs, trials, scores, registry(), compat=True)[0].version == "helm-0.5.16"


def perturbed_run() -> list[Trial]:
    """50 instances, 8 of them changed: 5 right before, 5 right after, 4 right both times."""
    before = [True] * 5 + [False] * 3 + [True] * 42
    after = [True] * 4 + [False] + [True] + [False] * 2
    trials = [answered(right, i) for i, right in enumerate(before)]
    return trials + [answered(right, i, perturbation=TYPOS) for i, right in enumerate(after)]


def test_perturbed_and_unperturbed_are_compared_on_the_same_instances() -> None:
    trials = perturbed_run()
    values = {p: cell(trials, p) for p in (None, "typos", "typos/original", "typos/worst")}
    assert {p: (m.value, m.n) for p, m in values.items()} == {
        None: (0.94, 50),
        "typos": (0.625, 8),
        "typos/original": (0.625, 8),
        "typos/worst": (0.5, 8),
    }


def test_robustness_is_the_worst_case_over_all_instances() -> None:
    found = cell(perturbed_run(), "robustness")
    assert (found.value, found.n, found.axis) == (46 / 50, 50, "robustness")
    assert (found.value or 0) <= (cell(perturbed_run()).value or 0)


def test_flips_count_both_ways_and_only_over_changed_instances() -> None:
    """T080: five right before and five after, but two of the eight changed their answer."""
    found = cell(perturbed_run(), "typos/flipped")
    assert (found.value, found.n) == (2 / 8, 8)


def test_how_many_instances_were_changed_stands_beside_the_worst_case() -> None:
    assert "8 of 50 changed" in cell(perturbed_run(), "robustness").method


def test_no_interval_goes_where_no_value_can() -> None:
    texts = ("yes", "no", "no", "no")
    trials = [generated(instance("yes", id=f"id{i}"), Choice(text)) for i, text in enumerate(texts)]
    (f1,) = measured(trials, "f1_score")
    assert (f1.value, f1.low) == (0.25, 0.0)


def test_equal_values_of_a_bounded_metric_are_not_certain() -> None:
    (f1,) = measured([answered(False, i) for i in range(3)], "f1_score")
    assert (f1.value, f1.low, f1.method) == (0.0, 0.0, "wilson")
    assert f1.high == pytest.approx(0.5615, abs=1e-4)


def test_equal_values_without_bounds_have_no_interval() -> None:
    trials = [generated(instance(id=f"id{i}"), "x", request_time=2.0) for i in range(3)]
    (time,) = measured(trials, "request_time")
    assert (time.value, time.low, time.high) == (2.0, None, None)


def test_an_instance_with_any_value_is_not_missing() -> None:
    lost = failed(instance("yes", id="id0"), Outcome.CONTENT_FILTER)
    trials = [
        answered(True, 0),
        Trial(lost.instance, lost.exchanges, 0, 1),
        failed(instance(id="id1"), Outcome.TRANSPORT_ERROR),
    ]
    found = cell(trials)
    assert (found.value, found.n, found.n_missing) == (1.0, 1, 1)
    assert found.outcomes == {"ok": 1, "content_filter": 1, "transport_error": 1}


def test_a_kind_without_perturbations_has_no_cell() -> None:
    assert not [m for m in measured(perturbed_run()) if m.axis == "fairness"]
    assert not [m for m in measured([answered(True)]) if m.axis == "robustness"]


def test_fairness_takes_only_its_own_perturbations() -> None:
    trials = [answered(True), answered(False, perturbation=TYPOS), answered(True, perturbation=GENDER)]
    assert cell(trials, "fairness").value == 1.0
    assert cell(trials, "robustness").value == 0.0


def test_worst_is_the_highest_where_lower_is_better() -> None:
    from holoscope.metrics.rows import worst_cells, worst_rows

    trials = [answered(True), answered(False, perturbation=TYPOS)]
    scores = [row[0] for row in score([MetricSpec("exact_match")], trials, registry())]
    place = next(p for p in worst_cells(trials) if p.perturbation == "typos/worst")
    assert worst_rows(trials, place, scores, lower_is_better=True)[0].value == 1.0
    assert worst_rows(trials, place, scores, lower_is_better=False)[0].value == 0.0


def test_a_missing_form_makes_the_worst_case_unknown() -> None:
    of = instance("yes", id="id0", perturbation=TYPOS)
    found = cell([answered(True), failed(of, Outcome.CONTENT_FILTER)], "typos/worst")
    assert (found.value, found.n_missing, found.outcomes) == (None, 1, {"content_filter": 1})


def test_perturbations_of_one_name_are_told_apart_by_their_parameters() -> None:
    strong = PerturbationDescription("typos", robustness=True, args={"prob": 0.5})
    weak = PerturbationDescription("typos", robustness=True, args={"prob": 0.1})
    trials = [answered(True), answered(False, perturbation=strong), answered(True, perturbation=weak)]
    assert cell(trials, "typos:prob=0.5").value == 0.0
    assert cell(trials, "typos:prob=0.1").value == 1.0


def test_efficiency_has_no_worst_case() -> None:
    trials = perturbed_run()
    assert {m.perturbation for m in measured(trials, "request_time")} == {None, "typos"}


def test_confidence_intervals_of_measures_do_not_depend_on_the_order_of_trials() -> None:
    trials = [
        generated(instance("yes", id=f"id{i}"), Choice("yes" if i % 3 else "no", -0.1 * (i + 1))) for i in range(30)
    ]
    metrics = ("exact_match", "max_prob", "calibration")
    one, other = measured(trials, *metrics), measured(trials[::-1], *metrics)
    for a, b in zip(one, other, strict=True):
        assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high), abs=1e-12)
