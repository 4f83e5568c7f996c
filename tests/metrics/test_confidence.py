"""Log-probabilities: unknown is not certain."""

import math

import pytest

from holoscope.core import Choice, Completion, Exchange, Outcome, Params, PlannedRequest, Request, Token, Trial
from holoscope.metrics.confidence import utf8_length
from metrics.made import generated, instance, one


def test_confidence_is_the_probability_of_the_text() -> None:
    assert one("max_prob", generated(instance(), Choice("a", math.log(0.25)))).value == pytest.approx(0.25)


def test_confidence_without_log_probabilities_is_unknown() -> None:
    found = one("max_prob", generated(instance(), "a"))
    assert (found.value, found.outcome) == (None, Outcome.NOT_SUPPORTED)
    assert found.reason == "the model gives no log-probabilities"


def test_helms_confidence_without_log_probabilities_is_one() -> None:
    assert one("max_prob", generated(instance(), "a"), compat=True).value == 1


@pytest.mark.parametrize(("text", "size"), [("é", 2), ("한국", 6), ("👍", 4), (r"bytes:\xe2\x80", 2)])
def test_bytes_are_those_of_utf8(text: str, size: int) -> None:
    assert utf8_length([Token(text)]) == size


def scored(*tokens: Token, conditioning: int = 1) -> Trial:
    of = instance(references=())
    request = Request(Params(echo_prompt=True, max_tokens=0), prompt="?")
    planned = PlannedRequest(instance=of, request=request, num_conditioning_tokens=conditioning)
    return Trial(of, (Exchange(planned, Completion(Outcome.OK, (Choice("", -1.0, tokens),))),) * 2)


def test_conditioning_tokens_are_not_scored() -> None:
    trial = scored(Token("<s>"), Token("ab", -1.0), Token("é", -2.0))
    assert one("logprob", trial).value == -6
    assert one("num_bytes", trial).value == 8
    assert one("num_perplexity_tokens", trial).value == 4


def test_a_token_without_log_probability_makes_the_sum_unknown() -> None:
    assert one("logprob", scored(Token("a", -1.0), Token("b"), conditioning=0)).value is None


def test_a_reply_without_tokens_has_no_likelihood() -> None:
    assert one("logprob", generated(instance(), "a")).value is None
    assert one("num_bytes", generated(instance(), "a")).value is None
