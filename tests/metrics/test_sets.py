"""What only a set has: calibration, percentiles, likelihood per byte, training cost."""

import math
from collections.abc import Sequence

import pytest

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Instance,
    Measure,
    MetricSpec,
    Outcome,
    Params,
    PlannedRequest,
    Request,
    Token,
    Trial,
)
from holoscope.metrics import measure, score
from metrics.made import generated, instance, registry, separate


def measured(specs: Sequence[MetricSpec], trials: Sequence[Trial], *, compat: bool = False) -> dict[str, Measure]:
    scores = score(specs, trials, registry(), compat=compat)
    return {m.metric: m for m in measure(specs, trials, scores, registry(), compat=compat)}


CALIBRATION = [MetricSpec(name) for name in ("exact_match", "max_prob", "calibration")]


def sure(n: int, right: int, confidence: float | None) -> list[Trial]:
    logprob = None if confidence is None else math.log(confidence)
    return [generated(instance("y", id=f"id{i}"), Choice("y" if i < right else "n", logprob)) for i in range(n)]


def test_constant_confidence_is_off_by_the_gap() -> None:
    found = measured(CALIBRATION, sure(10, 6, 0.8))
    assert found["ece_10_bin"].value == pytest.approx(0.2)
    assert found["ece_1_bin"].value == pytest.approx(0.2)
    assert (found["ece_10_bin"].n, found["ece_10_bin"].axis) == (10, "calibration")


@pytest.mark.parametrize("compat", [False, True])
def test_without_log_probabilities_there_is_no_calibration(compat: bool) -> None:
    found = measured(CALIBRATION, sure(10, 6, None), compat=compat)["ece_10_bin"]
    assert (found.value, found.n, found.n_missing) == (None, 0, 10)
    assert found.reason == "the model gives no log-probabilities"


def test_part_of_the_answers_is_measured_and_the_rest_counted() -> None:
    trials = [*sure(10, 6, 0.8), generated(instance("y", id="id99"), "y")]
    found = measured(CALIBRATION, trials)["ece_1_bin"]
    assert (found.n, found.n_missing) == (10, 1)


def test_confidence_of_one_is_counted() -> None:
    assert measured(CALIBRATION, sure(4, 4, 1.0))["ece_10_bin"].value == 0


def test_all_right_has_no_platt_fit() -> None:
    found = measured(CALIBRATION, sure(10, 10, 0.8))
    assert found["platt_coef"].value is None
    assert found["platt_coef"].reason == "all answers are right or all are wrong"
    assert found["platt_ece_10_bin"].value == 0


def test_calibration_has_an_interval() -> None:
    found = measured(CALIBRATION, sure(40, 20, 0.8))["ece_1_bin"]
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 0.3 <= found.high
    assert found.method == "t of the signed gap"


def test_repetitions_count_once_with_their_instance() -> None:
    once = sure(40, 20, 0.8)
    often = [Trial(t.instance, t.exchanges, 0, k) for t in once for k in range(4)]
    found = measured(CALIBRATION, often)["ece_1_bin"]
    assert (found.n, found.n_clusters) == (40, 40)
    assert found.method == "t of the signed gap; 4 answers each"


def test_options_scored_one_by_one_are_calibrated_too() -> None:
    trials = [separate([-1.0, -2.0], correct=i % 2, id=f"id{i}") for i in range(6)]
    assert measured(CALIBRATION, trials)["ece_1_bin"].value == pytest.approx(1 / (1 + math.exp(-1)) - 0.5)


def test_percentiles_of_time() -> None:
    trials = [generated(instance(id=f"id{i}"), "x", request_time=float(i)) for i in range(101)]
    found = measured([MetricSpec("request_time"), MetricSpec("time_percentiles")], trials)
    assert [found[f"request_time_p{p}"].value for p in (50, 90, 99)] == [50, 90, 99]
    median = found["request_time_p50"]
    assert median.low is not None
    assert median.high is not None
    assert median.low < 50 < median.high
    assert found["request_time_p99"].low is None


def test_percentiles_of_unknown_times_say_why() -> None:
    found = measured([MetricSpec("request_time"), MetricSpec("time_percentiles")], sure(3, 3, None))
    assert found["request_time_p50"].value is None
    assert found["request_time_p50"].reason == "the completion carries no request time"


LIKELIHOOD = [
    MetricSpec(name)
    for name in ("logprob", "num_bytes", "num_perplexity_tokens", "bits_per_byte", "perplexity", "logprob_per_byte")
]


def text(index: int, *tokens: Token) -> Trial:
    of = Instance(id=f"id{index}", input="?")
    planned = PlannedRequest(instance=of, request=Request(Params(echo_prompt=True), prompt="?"))
    return Trial(of, (Exchange(planned, Completion(Outcome.OK, (Choice("", 0.0, tokens),))),))


def test_likelihood_is_that_of_all_text_together() -> None:
    trials = [text(0, Token("ab", -2.0)), text(1, Token("é", -1.0), Token("abcd", -1.0))]
    found = measured(LIKELIHOOD, trials)
    assert found["bits_per_byte"].value == pytest.approx(4 / 8 / math.log(2))
    assert found["perplexity"].value == pytest.approx(math.exp(4 / 3))
    assert found["logprob_per_byte"].value == pytest.approx(-0.5)
    assert found["bits_per_byte"].axis == "accuracy"
    assert found["bits_per_byte"].low is not None


def test_likelihood_without_log_probabilities_is_unknown() -> None:
    found = measured(LIKELIHOOD, [text(0, Token("ab"))])["bits_per_byte"]
    assert (found.value, found.reason) == (None, "the model gives no log-probabilities")


def test_training_cost_is_what_the_card_says() -> None:
    found = measured([MetricSpec("training", {"energy_kwh": 1200.0})], sure(2, 1, None))
    assert found["training_energy_kwh"].value == 1200
    assert found["training_co2_kg"].value is None
    assert found["training_co2_kg"].reason
