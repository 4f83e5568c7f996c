from holoscope.core import TransportError
from holoscope.engine.health import MISSES, Health

REFUSED = TransportError("connection refused")


def fail(health: Health, now: float, *, times: int = 1, first: bool = True, error: TransportError = REFUSED) -> str:
    return [health.missed(error, first, now, now, 3) for _ in range(times)][-1]


def test_one_request_that_always_fails_is_no_outage() -> None:
    health = Health(60, 600)
    fail(health, 0)
    fail(health, 1, times=100, first=False)
    assert not health.outage


def test_many_different_requests_that_fail_in_a_row_are() -> None:
    health = Health(60, 600)
    fail(health, 0, times=MISSES)
    assert health.outage
    assert health.opens_at == 1.0


def test_an_answer_in_between_starts_the_count_anew() -> None:
    health = Health(60, 600)
    fail(health, 0, times=MISSES - 1)
    health.answered()
    fail(health, 1, times=MISSES - 1)
    assert not health.outage


def test_probes_grow_apart_to_15_seconds() -> None:
    health = Health(1000, 600)
    fail(health, 0, times=MISSES)
    gaps = []
    for _ in range(6):
        now = health.opens_at
        fail(health, now, first=False)
        gaps.append(health.opens_at - now)
    assert gaps == [2, 4, 8, 15, 15, 15]


def test_failures_that_were_under_way_are_not_probes() -> None:
    health = Health(60, 600)
    fail(health, 0, times=MISSES + 50)
    assert health.opens_at == 1.0


def test_a_probe_that_is_answered_ends_the_outage() -> None:
    health = Health(60, 600)
    fail(health, 0, times=MISSES)
    health.answered()
    assert not health.outage
    assert health.opens_at == 0.0


def test_after_a_minute_of_silence_the_model_is_given_up() -> None:
    health = Health(60, 600)
    fail(health, 0, times=MISSES)
    reason = ""
    while not reason:
        now = health.opens_at
        reason = fail(health, now, first=False)
    assert 60 <= now <= 75
    assert "connection refused" in reason


def test_silence_alone_does_not_give_a_model_up_before_a_probe() -> None:
    health = Health(60, 600)
    assert [health.missed(REFUSED, True, 0, 122, 3) for _ in range(MISSES)][-1] == ""
    assert health.outage


def test_a_server_that_puts_everyone_off_is_left_alone_for_that_long() -> None:
    health = Health(60, 600)
    busy = TransportError("429", retry_after=30, overloaded=True)
    fail(health, 0, times=2, error=busy)
    assert health.opens_at == 0.0
    fail(health, 0, error=busy)
    assert health.opens_at == 30.0
    assert not health.outage


def test_a_server_that_asks_for_longer_than_a_request_may_take_is_given_up() -> None:
    reason = fail(Health(60, 600), 0, error=TransportError("quota", retry_after=86400, overloaded=True))
    assert "86400 s" in reason


def test_a_server_that_only_ever_puts_off_is_given_up_after_a_minute() -> None:
    health, busy = Health(60, 600), TransportError("429", retry_after=2, overloaded=True)
    reasons = [fail(health, now, error=busy) for now in range(0, 61, 2)]
    assert not any(reasons[:-1])
    assert "60 s" in reasons[-1]


def test_long_waits_are_allowed_to_be_more_than_a_minute_in_all() -> None:
    health, busy = Health(60, 600), TransportError("429", retry_after=30, overloaded=True)
    assert not any(fail(health, now, error=busy) for now in range(0, 300, 30))


def test_an_answer_in_between_makes_putting_off_bearable() -> None:
    health, busy = Health(60, 600), TransportError("429", retry_after=2, overloaded=True)
    for now in range(0, 1000, 2):
        assert fail(health, now, error=busy) == ""
        if now % 50 == 0:
            health.answered()
