"""pass@k over repetitions: never 1 for lack of draws."""

import pytest

from holoscope.core import Measure, MetricSpec, Outcome, Trial
from holoscope.metrics import measure, score
from metrics.made import failed, generated, instance, registry


def drawn(instance_id: str, *said: str) -> list[Trial]:
    made = [generated(instance("right", id=instance_id), text) for text in said]
    return [Trial(trial.instance, trial.exchanges, 0, k) for k, trial in enumerate(made)]


def measured(trials: list[Trial], k: int) -> Measure:
    specs = [MetricSpec("exact_match"), MetricSpec("pass_at_k", {"k": k})]
    return measure(specs, trials, score(specs, trials, registry()), registry())[-1]


def test_the_estimate_is_averaged_over_instances() -> None:
    found = measured([*drawn("a", "right", "wrong", "wrong"), *drawn("b", "right", "right", "right")], 2)
    assert found.metric == "pass@2"
    assert found.value == pytest.approx((2 / 3 + 1) / 2)
    assert (found.n, found.n_missing) == (2, 0)


@pytest.mark.parametrize("said", [("wrong", "wrong"), ("right", "right")])
def test_fewer_draws_than_k_are_missing(said: tuple[str, ...]) -> None:
    found = measured(drawn("a", *said), 5)
    assert (found.value, found.n, found.n_missing) == (None, 0, 1)
    assert "--trials 5" in found.reason


def test_draws_without_a_score_do_not_count() -> None:
    lost = failed(instance("right", id="a"), Outcome.TRANSPORT_ERROR)
    found = measured([*drawn("a", "right", "wrong"), Trial(lost.instance, lost.exchanges, 0, 2)], 3)
    assert found.value is None
