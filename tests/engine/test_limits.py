import pytest

from holoscope.core import UsageError
from holoscope.engine import Limits


def test_a_long_answer_may_take_longer_but_not_longer_than_the_deadline() -> None:
    limits = Limits(attempt_s=120, deadline_s=600)
    assert limits.attempt_limit(0) == 120
    assert limits.attempt_limit(4096) == pytest.approx(201.92)
    assert limits.attempt_limit(100_000) == 600


@pytest.mark.parametrize("wrong", [{"max_connections": 0}, {"attempts": 0}])
def test_limits_under_which_nothing_could_be_asked_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="at least one"):
        Limits(**wrong)
