"""Calibration beyond HELM's numbers, for confidences of any origin and never one that nobody stated."""

import math
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from holoscope.core import AdapterSpec, Choice, Measure, MetricSpec, Outcome, Params, RunSpec, ScenarioSpec, Trial
from holoscope.metrics import applicable, measure, score
from holoscope.metrics.axes import AXES
from holoscope.metrics.calibration import LOWER_IS_BETTER, NAMES
from metrics.made import choice_instance, failed, generated, instance, joint, one, registry


def measured(name: str, trials: Sequence[Trial]) -> dict[str, Measure]:
    specs = [MetricSpec("exact_match"), MetricSpec("max_prob"), MetricSpec(name)]
    scores = score(specs, trials, registry())
    return {m.metric: m for m in measure(specs, trials, scores, registry())}


def sure(n: int, right: int, confidence: float | None) -> list[Trial]:
    logprob = None if confidence is None else math.log(confidence)
    return [generated(instance("y", id=f"id{i}"), Choice("y" if i < right else "n", logprob)) for i in range(n)]


def test_every_part_of_one_confidence() -> None:
    found = measured("calibration_parts", sure(100, 60, 0.8))
    assert found["smooth_ece"].value == pytest.approx(0.2, abs=1e-3)
    assert found["brier"].value == pytest.approx(0.6 * 0.04 + 0.4 * 0.64)
    assert found["brier_reliability"].value == pytest.approx(0.04)
    assert found["brier_resolution"].value == pytest.approx(0)
    assert found["brier_uncertainty"].value == pytest.approx(0.24)
    assert found["aurc"].value == pytest.approx(0.4)
    assert found["calibration_p_value"].value is not None
    assert found["calibration_p_value"].value < 0.01
    assert all(found[name].axis == "calibration" for name in NAMES)


def test_errors_have_intervals() -> None:
    found = measured("calibration_parts", sure(100, 60, 0.8))["smooth_ece"]
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.2 < found.high


def test_what_chance_shows_stands_beside_the_error() -> None:
    found = measured("calibration_parts", sure(100, 80, 0.8))
    by_chance = found["ece_of_calibrated"]
    assert by_chance.low is not None
    assert by_chance.high is not None
    assert by_chance.low < (by_chance.value or 0) < by_chance.high < 0.12
    assert (found["calibration_p_value"].value or 0) > 0.5


def test_rescaling_by_other_answers_mends_one_confidence() -> None:
    found = measured("calibration_parts", sure(100, 60, 0.95))
    assert (found["ece_cross_fitted_isotonic"].value or 1) < 0.2
    assert (found["ece_cross_fitted_platt"].value or 1) < 0.2


def test_without_log_probabilities_every_part_is_missing() -> None:
    found = measured("calibration_parts", sure(10, 6, None))
    assert {found[name].value for name in NAMES} == {None}
    assert {found[name].reason for name in NAMES} == {"the model gives no log-probabilities"}


def test_one_answer_has_no_rescaling() -> None:
    found = measured("calibration_parts", sure(1, 1, 0.9))
    assert found["brier"].value == pytest.approx(0.01)
    assert found["ece_cross_fitted_platt"].value is None
    assert found["ece_cross_fitted_platt"].reason


def draws(instance_id: str, *said: str, temperature: float = 1.0) -> list[Trial]:
    of = instance("Paris", id=instance_id)
    return [_at(Trial(of, generated(of, text).exchanges, 0, k), temperature) for k, text in enumerate(said)]


def _at(trial: Trial, temperature: float) -> Trial:
    exchanges = [
        replace(e, planned=replace(e.planned, request=replace(e.planned.request, params=Params(temperature))))
        for e in trial.exchanges
    ]
    return replace(trial, exchanges=tuple(exchanges))


def test_agreement_of_repeated_answers_is_a_confidence() -> None:
    trials = [*draws("a", "Paris", "Paris", "Paris", "Rome"), *draws("b", "Rome", "Rome", "Rome", "Paris")]
    found = measured("sampled_calibration", trials)
    assert found["sampled_ece_1_bin"].value == pytest.approx(0.25)
    assert found["sampled_ece_1_bin"].n == 2
    assert "ece_10_bin" not in found


def test_completions_of_one_request_agree_with_the_graded_one() -> None:
    trial = generated(instance("Paris"), "Paris", "Rome", "Paris", "Paris")
    assert measured("sampled_calibration", [trial])["sampled_ece_1_bin"].value == pytest.approx(0.25)


def test_options_agree_by_letter() -> None:
    first = joint("B.", correct=1)
    choices = tuple(map(Choice, ("B.", "The answer is B", "(C)")))
    exchange = replace(first.exchanges[0], completion=replace(first.exchanges[0].completion, choices=choices))
    found = measured("sampled_calibration", [replace(first, exchanges=(exchange,))])
    assert found["sampled_ece_1_bin"].value == pytest.approx(1 / 3)


def test_repetitions_without_chance_say_nothing() -> None:
    found = measured("sampled_calibration", draws("a", "Paris", "Paris", temperature=0.0))["sampled_ece_10_bin"]
    assert (found.value, found.n_missing) == (None, 1)
    assert "temperature" in found.reason


def test_a_single_answer_has_no_agreement() -> None:
    assert measured("sampled_calibration", [generated(instance("y"), "y")])["sampled_smooth_ece"].value is None


def test_unanswered_draws_are_left_out() -> None:
    lost = failed(instance("Paris", id="a"), Outcome.TRANSPORT_ERROR)
    trials = [*draws("a", "Paris", "Paris"), Trial(lost.instance, lost.exchanges, 0, 2)]
    assert measured("sampled_calibration", trials)["sampled_ece_1_bin"].value == 0


@pytest.mark.parametrize(
    ("said", "confidence"),
    [
        ("Paris. Confidence: 85%", 0.85),
        ("Confidence: 0.7", 0.7),
        ("Confidence (0-100): 90", 0.9),
        ("**Confidence:** 90", 0.9),
        ("I am 75 % sure it is Paris.", 0.75),
        ("Confidence: 8/10", 0.8),
        ("Confidence: 40%. No: confidence 60%.", 0.6),
        ("置信度：85%", 0.85),
        ("Confianza: 0,9", 0.9),
        ("Confidence: 0", 0.0),
    ],
)
def test_stated_confidences_are_read(said: str, confidence: float) -> None:
    assert one("verbalised_confidence", generated(instance(), said)).value == pytest.approx(confidence)


@pytest.mark.parametrize(
    "said",
    [
        "Paris",
        "Confidence: high",
        "Confidence: 1",
        "Confidence: 140%",
        "The 95% confidence interval is 3.",
        "50% of it",
    ],
)
def test_what_states_no_confidence_has_none(said: str) -> None:
    found = one("verbalised_confidence", generated(instance(), said))
    assert (found.value, found.outcome) == (None, Outcome.UNGRADABLE)


def test_stated_confidence_is_calibrated_under_its_own_name() -> None:
    trials = [joint(f"Answer: {'B' if i < 6 else 'C'}. Confidence: 80%", correct=1, id=f"id{i}") for i in range(10)]
    found = measured("verbalised_calibration", trials)
    assert found["verbalised_ece_10_bin"].value == pytest.approx(0.2)
    assert found["verbalised_ece_10_bin"].n == 10


def test_where_no_answer_states_one_there_is_nothing() -> None:
    assert not [name for name in measured("verbalised_calibration", sure(3, 2, 0.5)) if name.startswith("verbalised")]


def test_the_axis_knows_every_error() -> None:
    axis = next(axis for axis in AXES if axis.name == "calibration")
    assert set(LOWER_IS_BETTER) | {"ece_10_bin", "ece_1_bin"} == set(axis.metrics)


@pytest.mark.parametrize(("trials", "temperature", "there"), [(3, 1.0, True), (3, 0.0, False), (1, 1.0, False)])
def test_agreement_is_measured_where_answers_are_drawn_again(trials: int, temperature: float, there: bool) -> None:
    spec = RunSpec(
        name="x",
        entry="x",
        scenario=ScenarioSpec("x"),
        adapter=AdapterSpec(temperature=temperature, num_outputs=1),
        metrics=(MetricSpec("exact_match"),),
        trials=trials,
    )
    names = [m.name for m in applicable(spec)]
    assert ("sampled_calibration" in names) is there
    assert {"calibration_parts", "verbalised_calibration", "groups", "counterfactual_pairs"} <= set(names)


def test_an_unfinished_answer_states_nothing() -> None:
    trial = generated(choice_instance(), "Confidence: 80%", outcome=Outcome.TRUNCATED_IN_REASONING)
    assert one("verbalised_confidence", trial).value is None
