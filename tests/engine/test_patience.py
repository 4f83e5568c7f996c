import pytest

from holoscope.engine import Limits
from holoscope.engine.patience import Patience


def known(slowest: float) -> Patience:
    patience = Patience(Limits())
    for _ in range(50):
        patience.answered(slowest)
    return patience


def test_a_long_answer_may_take_longer_but_not_longer_than_the_deadline() -> None:
    patience = Patience(Limits(attempt_s=120, deadline_s=600))
    assert patience.seconds(0) == 120
    assert patience.seconds(4096) == pytest.approx(529.6)
    assert patience.seconds(100_000) == 600


def test_a_model_known_to_be_quick_is_not_waited_for_as_long() -> None:
    assert known(0.05).seconds(0) == 15
    assert known(0.05).seconds(1000) == 115


def test_a_model_known_to_be_slow_is_given_its_time() -> None:
    assert known(9.0).seconds(0) == 90
    assert known(60.0).seconds(0) == 120


def test_few_answers_say_nothing_yet() -> None:
    patience = Patience(Limits())
    for _ in range(49):
        patience.answered(0.05)
    assert patience.seconds(0) == 120
