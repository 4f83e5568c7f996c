"""Options scored one by one."""

import math

import pytest

from holoscope.core import Choice, Completion, Exchange, Outcome, Params, PlannedRequest, Request, Token, Trial
from metrics.made import choice_instance, one, separate


def test_the_likeliest_option_is_the_answer() -> None:
    assert one("exact_match", separate([-1.0, -2.0])).value == 1
    assert one("exact_match", separate([-2.0, -1.0])).value == 0
    assert one("predicted_index", separate([-2.0, -1.0])).value == 1


@pytest.mark.parametrize(
    ("scores", "correct", "value"), [([0.4, 0.4, 0.2], 1, 0.5), ([0.5, 0.5], 0, 0.5), ([0.5, 0.5], 1, 0.5)]
)
def test_a_tie_gives_the_expected_accuracy(scores: list[float | None], correct: int, value: float) -> None:
    assert one("exact_match", separate(scores, correct)).value == value


def test_nan_fails_the_item() -> None:
    found = one("exact_match", separate([math.nan, math.nan]))
    assert (found.value, found.outcome) == (None, Outcome.UNGRADABLE)


def test_calibration_takes_the_options_own_likelihood_off() -> None:
    assert one("exact_match", separate([-1.0, -2.0], correct=1, calibration=[-1.0, -5.0])).value == 1


def test_confidence_is_the_softmax_of_the_scores() -> None:
    found = one("max_prob", separate([-1.0, -2.0]))
    assert found.value == pytest.approx(1 / (1 + math.exp(-1)))


def test_without_log_probabilities_there_is_no_answer() -> None:
    assert one("exact_match", separate([None, None])).value is None
    assert one("max_prob", separate([None, None])).value is None


def _trial(tokens: list[Token], reference: str, counted: int) -> Trial:
    of = choice_instance(0, [reference])
    planned = PlannedRequest(
        instance=of,
        request=Request(Params(echo_prompt=True), prompt="?"),
        reference_index=0,
        request_mode="original",
        continuation_tokens=counted,
    )
    return Trial(of, (Exchange(planned, Completion(Outcome.OK, (Choice("", -1.0, tuple(tokens)),))),))


def test_only_the_options_own_tokens_count() -> None:
    from holoscope.metrics.separate import ranking

    tokens = [Token("Q", -9.0), Token(":", -9.0), Token(" red", -1.0), Token(" cat", -3.0)]
    ranked = ranking(_trial(tokens, "red cat", counted=7))
    assert not isinstance(ranked, str)
    assert ranked.scores == (-2.0,)


def test_a_space_token_before_the_option_belongs_to_it() -> None:
    from holoscope.metrics.separate import ranking

    tokens = [Token("Q", -9.0), Token(" ", -2.0), Token("a", -4.0)]
    ranked = ranking(_trial(tokens, "a", counted=2))
    assert not isinstance(ranked, str)
    assert ranked.scores == (-3.0,)


def test_tokens_that_do_not_spell_the_option_are_counted() -> None:
    from holoscope.metrics.separate import ranking

    tokens = [Token("Q", -9.0), Token(r"bytes:\xc3", -1.0), Token(r"bytes:\xa9", -2.0)]
    ranked = ranking(_trial(tokens, "é", counted=2))
    assert not isinstance(ranked, str)
    assert ranked.scores == (-1.5,)
