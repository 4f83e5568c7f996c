"""Each sentence against the numbers it is made of: direction, size, certainty, and what does not follow."""

from typing import Any

import pytest

from holoscope.core import AdapterSpec, AugmentationSpec, Json, PerturbationSpec, RunSpec, ScenarioSpec
from holoscope.report import audit_words as words
from holoscope.report.evidence import Bias, GroupTable, Miscalibration, Perturbed
from holoscope.report.figures import Change, Group, Value
from holoscope.report.grid import Cell

NONE = Value(None)


def cell(value: float | None, low: float | None = None, high: float | None = None, n: int = 50, **more: Any) -> Cell:
    given: dict[str, Any] = {
        **{"suite": "s", "run": "r", "scenario": "x", "group": "x", "model": "m", "axis": "accuracy"},
        **{"metric": "exact_match", "metric_version": "1", "perturbation": None, "split": "test", "sub_split": None},
        **{"n_missing": 0, "outcomes": {}, "method": "wilson", "reason": ""},
    }
    return Cell(value=value, low=low, high=high, n=n, **{**given, **more})


@pytest.mark.parametrize(
    ("low", "high", "chance", "says"),
    [
        (0.65, 0.87, 0.25, "Guessing gets 0.25: the model does better than that."),
        (0.65, 0.87, 0.9, "Guessing gets 0.90: the model does worse than that."),
        (0.65, 0.87, 0.7, "which lies within the interval: this does not show that the model does better than"),
    ],
)
def test_a_score_is_held_against_guessing(low: float, high: float, chance: float, says: str) -> None:
    told = words.accuracy(cell(0.78, low, high), "Exact match", chance, lower_is_better=False)
    assert told.startswith("Exact match: 39 of 50, 0.78 (95 % interval 0.65 to 0.87; 50 instances).")
    assert says in told


def test_a_score_without_an_interval_is_held_against_nothing() -> None:
    told = words.accuracy(cell(0.17, n=4), "F1", 0.25, lower_is_better=False)
    assert told == "F1: 0.17 (no interval can be given; 4 instances)."


def test_an_error_rate_is_no_share_of_right_answers() -> None:
    told = words.accuracy(cell(0.5, 0.4, 0.6), "Word error rate", 0.25, lower_is_better=True)
    assert told == "Word error rate: 0.50 (95 % interval 0.40 to 0.60; 50 instances)."


def test_what_was_not_measured_has_its_reason() -> None:
    assert words.accuracy(cell(None, reason="no sandbox"), "Pass", None, lower_is_better=False) == (
        "Not measured: no sandbox."
    )
    assert words.toxicity(cell(None, reason="no text")) == "Not measured: no text."


def calibration(error: float, p_value: float, sure: float = 0.9, right: float = 0.8) -> str:
    found = Miscalibration("m", "x", Value(error, 0.0, 0.2, 46), Value(0.09, 0.04, 0.16), p_value)
    return " ".join(words.calibration(found, Value(sure), Value(right)))


def test_an_error_that_chance_explains_shows_neither_wrong_nor_true_probabilities() -> None:
    told = calibration(0.04, 0.97)
    assert "off by 0.04 on average (95 % interval 0.00 to 0.20; 46 answers)" in told
    assert "an error of 0.09 with these confidences by chance alone, and in 95 of 100 cases none above 0.16" in told
    assert told.endswith("does not show that its probabilities are wrong, nor, with so few, that they are true.")


def test_an_error_beyond_chance_is_said_to_be_one() -> None:
    assert calibration(0.3, 0.001).endswith("more than that, so its probabilities are not true as they stand.")


@pytest.mark.parametrize(
    ("sure", "right", "says"),
    [
        (0.9, 0.8, "it was surer (0.90) than it was right (0.80)"),
        (0.7, 0.8, "it was less sure (0.70) than it was right (0.80)"),
        (0.801, 0.8, "it was as sure (0.80) as it was right (0.80)"),
    ],
)
def test_the_direction_of_a_wrong_confidence_is_told(sure: float, right: float, says: str) -> None:
    assert says in calibration(0.1, 0.5, sure, right)


def test_calibration_that_was_not_measured_has_its_reason() -> None:
    found = Miscalibration("m", "x", Value(None, reason="no log-probabilities"), NONE, None)
    assert list(words.calibration(found, NONE, NONE)) == ["Not measured: no log-probabilities."]


def change(value: float | None, low: float | None, high: float | None, p: float | None = None, n: int = 45) -> str:
    found = Change("dialect", "m", Value(0.84), Value(0.69), Value(value, low, high, n, "not run"), p)
    return " ".join(words.change(found, "In dialect"))


def test_a_drop_that_chance_does_not_explain_is_a_worse_answer() -> None:
    told = change(-0.156, -0.266, -0.045)
    assert told == (
        "In dialect: the score fell by 0.16, from 0.84 to 0.69 (95 % interval of the change -0.27 to -0.04; the same "
        "45 instances in both forms). The interval leaves out 0: chance alone does not explain it, so the model "
        "answers that form worse."
    )


def test_where_lower_is_better_a_drop_is_a_better_answer() -> None:
    found = Change("dialect", "m", Value(0.8), Value(0.6), Value(-0.2, -0.3, -0.1, 45))
    assert " ".join(words.change(found, "x", lower_is_better=True)).endswith("answers that form better.")


def test_an_open_interval_is_open_and_says_how_much_remains_possible() -> None:
    told = change(-0.03, -0.17, 0.109)
    assert "this shows neither that the form matters nor that it does not; a change of 0.17 remains possible" in told


def test_only_a_test_of_equivalence_rules_a_change_out() -> None:
    assert change(0.001, -0.02, 0.022, 0.01).endswith(
        "A change of 0.05 or more either way is ruled out at the 5 % level."
    )
    assert "ruled out" not in change(0.001, -0.02, 0.022, 0.2)


def test_answers_that_never_changed_may_still_change() -> None:
    found = Change("gender", "m", Value(1.0), Value(1.0), Value(0.0, n=10))
    (told,) = words.change(found, "With other pronouns")
    assert told == (
        "With other pronouns: none of 10 answers changed (score 1.00 in both forms). After so many, up to 26% of such "
        "answers may still change."
    )


def test_a_change_without_an_interval_says_that_nothing_follows() -> None:
    assert change(0.5, None, None).endswith("Whether that is more than chance cannot be said.")
    assert change(None, None, None) == "In dialect: not measured: not run."


def table(p_value: float | None, high: float | None = 0.3) -> GroupTable:
    groups = tuple(Group(f"gender={name}", "m", Value(value, n=20)) for name, value in (("f", 0.7), ("m", 0.8)))
    gap, chance = Value(0.1), Value(0.12, None, high)
    return GroupTable("m", "x", "gender", "exact_match", Value(0.75), groups, gap, chance, p_value)


def test_a_gap_between_groups_is_held_against_the_gap_of_alike_groups() -> None:
    told = " ".join(words.groups(table(0.4)))
    assert told.startswith("By gender (exact_match): f 0.70, n = 20; m 0.80, n = 20.")
    assert "show a gap of 0.12 on average, and in 95 of 100 cases none above 0.30" in told
    assert told.endswith("does not show that groups are served differently, nor that they are served alike.")
    assert " ".join(words.groups(table(0.01))).endswith("the gap found is more than chance explains.")
    assert " ".join(words.groups(table(None))).endswith("how much chance adds to that is not known.")


def test_a_gap_that_cannot_be_tested_says_why() -> None:
    untested = table(0.4)._replace(gap=Value(None, reason="every instance belongs to the same group"))
    assert " ".join(words.groups(untested)).endswith("cannot be tested: every instance belongs to the same group.")


def test_a_perturbation_is_told_with_and_without_it() -> None:
    found = Perturbed(
        "m", "x", "typos", "robustness", Value(0.85), Value(0.72, 0.57, 0.83, 46), NONE, Value(0.17, 0.09, 0.31)
    )
    assert words.perturbed(found, "With typing errors") == (
        "With typing errors: 0.85 without, 0.72 with (95 % interval 0.57 to 0.83; 46 instances that it altered). The "
        "score of 0.17 of them changed (95 % interval 0.09 to 0.31)."
    )


def test_bias_says_what_its_ends_mean() -> None:
    counted = Bias(
        "m", "x", "bias_metric:mode=x", "gender named", Value(0.04, 0.0, 0.29), "bca bootstrap; 26 words counted"
    )
    assert words.bias(counted) == (
        "Gender named: 0.04 (95 % interval 0.00 to 0.29; 26 words counted); 0 is even, and the higher the number, the "
        "more one group stands for all."
    )
    leaning = Bias("m", "x", "bbq_metric_ambiguous_bias", "ambiguous bias", Value(-0.2), "")
    assert "1 always towards and -1 always against the stereotype" in words.bias(leaning)


def test_toxicity_is_a_classifiers_opinion() -> None:
    told = words.toxicity(cell(0.075, 0.03, 0.2, 40))
    assert "3 of 40, 0.07 (95 % interval 0.03 to 0.20; 40 instances)" in told
    assert "errs both ways" in told


def spec(name: str, args: dict[str, Json]) -> RunSpec:
    changed = AugmentationSpec(perturbations=(PerturbationSpec(name, args),))
    return RunSpec(
        name="x", entry="x", scenario=ScenarioSpec("x"), adapter=AdapterSpec(), metrics=(), augmentation=changed
    )


@pytest.mark.parametrize(
    ("name", "args", "says"),
    [
        (
            "dialect",
            {"source_class": "SAE", "target_class": "AAVE"},
            "With words of Standard American English replaced by words of African American Vernacular English",
        ),
        (
            "gender",
            {"mode": "pronouns", "source_class": "male", "target_class": "female"},
            "With male pronouns replaced by female ones",
        ),
        (
            "person_name",
            {"source_class": {"race": "white_american"}, "target_class": {"race": "black_american"}},
            "With names common among white Americans replaced by names of Black Americans",
        ),
        ("typos", {"prob": 0.1}, "With typing errors"),
        ("shuffle_everything", {}, "With the perturbation 'shuffle_everything'"),
    ],
)
def test_perturbations_are_told_in_plain_words(name: str, args: dict[str, Json], says: str) -> None:
    assert words.perturbation(f"{name} · some scenario", spec(name, args)) == says
    assert words.perturbation(name, spec(name, args)) == says
