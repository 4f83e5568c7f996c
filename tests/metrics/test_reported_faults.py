"""Public reports of wrong text metrics, calibration and pass@k, by their ids in the shared list of cases."""

import math

import pytest

from holoscope.core import Choice, MetricSpec, Trial
from holoscope.metrics import measure, score
from holoscope.stats import equal_mass_ece, equal_width_ece, pass_at_k
from metrics.made import generated, instance, one, registry, separate


def value(metric: str, gold: str, said: str, **args: str) -> float | None:
    return one(metric, generated(instance(gold), said), compat=False, **args).value


@pytest.mark.parametrize("metric", ["f1_score", "quasi_exact_match"])
@pytest.mark.parametrize(("gold", "said"), [("A", "A"), ("An", "An"), ("the", "The")])
def test_t041_articles_do_not_empty_an_answer(metric: str, gold: str, said: str) -> None:
    assert value(metric, gold, said) == 1


def test_t041_the_normaliser_is_of_the_language() -> None:
    assert value("f1_score", "a", "a", language="fr") == 1
    assert value("f1_score", "il a", "il a un", language="fr") == 1
    assert value("f1_score", "der Hund", "Hund", language="de") == 1
    assert value("f1_score", "l’eau", "eau", language="fr") == 1


def test_t043_repetition_costs_precision() -> None:
    assert value("f1_score", "rome", "rome rome rome rome rome") == pytest.approx(1 / 3)


@pytest.mark.parametrize(("gold", "said"), [("STRASSE", "Straße"), ("İstanbul", "i̇stanbul")])
def test_t046_case_is_folded_in_every_script(gold: str, said: str) -> None:
    assert value("quasi_exact_match", gold, said) == 1


def test_t049_a_denial_is_no_match() -> None:
    assert value("exact_match", "Mark Twain", "not Mark Twain") == 0
    assert value("quasi_exact_match", "Mark Twain", "not Mark Twain") == 0


def calibrated(trials: list[Trial]) -> dict[str, float | None]:
    specs = [MetricSpec(name) for name in ("exact_match", "max_prob", "calibration", "calibration_parts")]
    return {m.metric: m.value for m in measure(specs, trials, score(specs, trials, registry()), registry())}


def test_t055_without_log_probabilities_there_is_no_calibration() -> None:
    trials = [generated(instance("y", id=f"id{i}"), "y" if i < 6 else "n") for i in range(10)]
    found = calibrated(trials)
    assert {found[name] for name in ("ece_10_bin", "ece_1_bin", "smooth_ece", "ece_debiased_l2", "brier")} == {None}


def test_t055_one_confidence_is_off_by_its_gap() -> None:
    trials = [generated(instance("y", id=f"i{k}"), Choice("y" if k < 6 else "n", math.log(0.8))) for k in range(10)]
    found = calibrated(trials)
    assert found["ece_10_bin"] == pytest.approx(0.2)
    assert found["smooth_ece"] == pytest.approx(0.2, abs=1e-3)


def test_t055_nothing_has_no_calibration() -> None:
    assert set(calibrated([]).values()) == {None}


def test_t055_zero_and_one_are_in_the_outer_bins() -> None:
    assert equal_mass_ece([0.0, 1.0], [0, 1]) == 0
    assert equal_width_ece([0.0, 1.0], [1, 0], bins=10) == 1


def test_t057_ties_are_expected_accuracy() -> None:
    trial = separate([math.log(0.4), math.log(0.4), math.log(0.2)], correct=1)
    assert [one(name, trial).value for name in ("exact_match", "acc_sum", "acc_bytes")] == [0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    ("n", "correct", "k", "estimate"), [(2, 0, 5, None), (99, 0, 100, None), (10, 3, 5, 0.9167), (5, 5, 5, 1.0)]
)
def test_t065_fewer_draws_than_k_are_never_one(n: int, correct: int, k: int, estimate: float | None) -> None:
    assert pass_at_k(n, correct, k) == (None if estimate is None else pytest.approx(estimate, abs=1e-4))


@pytest.mark.parametrize(
    "said",
    ["Paris\nConfidence: 85%", "Paris. Confidence: 85 %", "Paris.\n\n**Confidence:** 0.9", "Paris. I am 90% sure."],
)
def test_a_stated_confidence_is_no_part_of_the_answer(said: str) -> None:
    assert value("quasi_exact_match", "Paris", said) == 1


@pytest.mark.parametrize("said", ["Confidence: 85%", "the confidence interval is 95%", "40% sure"])
def test_a_statement_that_is_the_answer_stays(said: str) -> None:
    assert value("exact_match", said, said) == 1
