"""Seconds, tokens and money; unknown is never zero."""

from typing import Any

import pytest

from holoscope.core import Choice, Outcome, Token, Trial, Usage
from metrics.made import generated, instance, one

USAGE = Usage(prompt_tokens=1000, completion_tokens=200, cached_tokens=400)


def replied(**fields: Any) -> Trial:
    return generated(instance(), Choice("a b", tokens=(Token("a"), Token(" b"))), **fields)


def test_times_are_per_request() -> None:
    once = replied(request_time=2.0, time_to_first_token=0.5)
    twice = Trial(once.instance, once.exchanges * 2)
    assert one("request_time", twice).value == 2.0
    assert one("time_to_first_token", twice).value == 0.5


def test_tokens_are_of_the_whole_trial() -> None:
    once = replied(usage=USAGE, request_time=2.0)
    twice = Trial(once.instance, once.exchanges * 2)
    assert one("num_prompt_tokens", twice).value == 2000
    assert one("num_completion_tokens", twice).value == 400
    assert one("tokens_per_second", twice).value == 100


def test_returned_tokens_are_counted_where_no_usage_is_reported() -> None:
    assert one("num_completion_tokens", replied()).value == 2


def test_cost_prices_cached_tokens_apart() -> None:
    found = one("cost", replied(usage=USAGE), input=1.0, output=10.0, cached_input=0.5)
    assert found.value == pytest.approx((600 * 1.0 + 400 * 0.5 + 200 * 10.0) / 1e6)


@pytest.mark.parametrize(
    "metric", ["request_time", "time_to_first_token", "tokens_per_second", "num_prompt_tokens", "cost"]
)
def test_unknown_is_missing(metric: str) -> None:
    found = one(metric, replied())
    assert (found.value, found.outcome) == (None, Outcome.NOT_SUPPORTED)
    assert found.reason


def test_a_price_without_token_counts_is_no_cost() -> None:
    assert one("cost", replied(), input=1.0, output=1.0).value is None


def test_what_came_in_a_batch_is_paid_at_the_batch_price() -> None:
    batched = replied(usage=USAGE, is_batched=True)
    cost = one("cost", batched, input=1.0, output=10.0, batch_input=0.5, batch_output=5.0).value
    assert cost == one("cost", replied(usage=USAGE), input=0.5, output=5.0).value
    unknown = one("cost", batched, input=1.0, output=10.0)
    assert (unknown.value, unknown.reason) == (None, "the batch price of this model is not known")


@pytest.mark.parametrize("metric", ["request_time", "time_to_first_token", "tokens_per_second"])
def test_a_batch_has_no_time_and_that_is_the_reason(metric: str) -> None:
    found = one(metric, replied(usage=USAGE, is_batched=True))
    assert found.value is None
    assert "batch API" in found.reason
