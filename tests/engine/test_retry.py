"""What becomes of one request that fails, in virtual time."""

import asyncio
import random

import pytest

from engine.fakes import (
    Behaviour,
    Kept,
    MemoryLedger,
    Scripted,
    answers_after,
    completion,
    in_virtual_time,
    work,
    works,
)
from holoscope.core import Completion, FatalModelError, NotSupportedError, Outcome, Request, TransportError
from holoscope.engine import Limits, Progress, run
from holoscope.engine.retry import wait_s

ONE = Limits(max_connections=1)


def failing(*errors: BaseException) -> Behaviour:
    """Raise each of `errors` in turn, then answer."""
    left = list(errors)

    async def behaviour(request: Request) -> Completion:
        if left:
            raise left.pop(0)
        return completion("at last")

    return behaviour


def always(error: Exception) -> Behaviour:
    async def behaviour(_: Request) -> Completion:
        raise error

    return behaviour


def ask_one(model: Scripted, limits: Limits = ONE) -> tuple[Completion, float]:
    kept = Kept()
    _, seconds = in_virtual_time(run([[work(model, "p")]], MemoryLedger(), on_done=kept, limits=limits))
    ((_, answer, _),) = kept.calls
    return answer, seconds


def test_retry_after_is_waited_for_each_time_and_then_the_answer_comes() -> None:
    busy = [
        TransportError("429", retry_after=2, overloaded=True),
        TransportError("503", retry_after=2, overloaded=True),
    ]
    answer, seconds = ask_one(Scripted(failing(*busy)))
    assert answer.text == "at last"
    assert answer.attempts == 3
    assert 4 <= seconds < 4.5


def test_a_wait_is_visible_with_its_reason_and_its_end() -> None:
    progress, seen = Progress(), {}
    model = Scripted(failing(TransportError("busy (429)", retry_after=2, overloaded=True)), name="openai/x")

    async def main() -> None:
        async def look() -> None:
            await asyncio.sleep(1)
            seen.update(progress.waiting(1.0))

        await asyncio.gather(look(), run([[work(model, "p")]], MemoryLedger(), on_done=Kept(), progress=progress))

    in_virtual_time(main())
    assert seen["openai/x"].reason == "busy (429)"
    assert 2 <= seen["openai/x"].until < 2.2
    assert progress.waiting(3.0) == {}
    assert progress.retries == 1


def test_a_request_is_tried_six_times_and_then_says_why_it_has_no_answer() -> None:
    model = Scripted(always(TransportError("500 from the server")))
    answer, seconds = ask_one(model)
    assert len(model.prompts) == answer.attempts == 6
    assert answer.outcome is Outcome.TRANSPORT_ERROR
    assert answer.reason == "gave up after 6 attempts: 500 from the server"
    assert seconds < 1 + 2 + 4 + 8 + 16


def test_waits_double_and_are_drawn_from_nothing_to_all() -> None:
    error, rng = TransportError("reset"), random.Random(0)
    for attempts, longest in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (9, 30)]:
        waits = [wait_s(error, attempts, rng) for _ in range(1000)]
        assert 0 <= min(waits) < 0.05 * longest
        assert 0.95 * longest < max(waits) <= longest


def test_a_server_that_keeps_putting_off_is_given_more_attempts() -> None:
    busy = [TransportError("429", retry_after=1, overloaded=True)] * 20
    assert ask_one(Scripted(failing(*busy)))[0].text == "at last"


def test_a_server_that_never_stops_putting_off_is_given_up_in_the_end() -> None:
    answer, seconds = ask_one(Scripted(always(TransportError("429", retry_after=1, overloaded=True))))
    assert answer.outcome is Outcome.TRANSPORT_ERROR
    assert answer.attempts == 24
    assert seconds < 30


def test_a_wait_that_would_pass_the_deadline_is_not_begun() -> None:
    limits = Limits(deadline_s=10)
    answer, seconds = ask_one(
        Scripted(failing(TransportError("429", retry_after=8), TransportError("429", retry_after=8))), limits
    )
    assert answer.outcome is Outcome.TRANSPORT_ERROR
    assert seconds < 9


def test_an_attempt_that_hangs_is_ended_and_tried_again() -> None:
    hung: list[str] = []

    async def behaviour(_: Request) -> Completion:
        if not hung:
            hung.append("once")
            await asyncio.sleep(10_000)
        return completion("at last")

    answer, seconds = ask_one(Scripted(behaviour), Limits(attempt_s=5))
    assert answer.text == "at last"
    assert 15 <= seconds < 16.1  # 5 s, and 0.1 s for each of the 100 tokens asked for


def test_a_request_that_always_hangs_ends_at_its_deadline() -> None:
    answer, seconds = ask_one(Scripted(answers_after(1e9)), Limits(attempt_s=120, deadline_s=600))
    assert answer.outcome is Outcome.TRANSPORT_ERROR
    assert "no answer within" in answer.reason
    assert 480 < seconds <= 601


def test_a_request_the_model_cannot_take_is_not_tried_again() -> None:
    model = Scripted(always(NotSupportedError("takes no images")))
    answer, _ = ask_one(model)
    assert (answer.outcome, answer.reason) == (Outcome.NOT_SUPPORTED, "takes no images")
    assert len(model.prompts) == 1


def test_a_fault_in_the_models_code_is_that_requests_failure() -> None:
    model = Scripted(always(KeyError("contents")))
    answer, _ = ask_one(model)
    assert (answer.outcome, answer.reason) == (Outcome.TRANSPORT_ERROR, "KeyError: 'contents'")
    assert len(model.prompts) == 1


def test_a_client_that_cancels_itself_has_failed_and_is_tried_again() -> None:
    model = Scripted(failing(asyncio.CancelledError()))
    assert ask_one(model)[0].text == "at last"


def test_waiting_to_try_again_holds_up_nobody() -> None:
    async def behaviour(request: Request) -> Completion:
        await asyncio.sleep(0.05)
        if request.prompt == "0/0":
            raise TransportError("500")
        return completion("ok")

    model, kept, done_at = Scripted(behaviour), Kept(), {}

    async def main() -> None:
        def on_done(w: object, c: Completion, cached: bool) -> None:
            kept(w, c, cached)  # type: ignore[arg-type]
            done_at[c.outcome] = asyncio.get_running_loop().time()

        await run([works(model, 20)], MemoryLedger(), on_done=on_done, limits=ONE)

    in_virtual_time(main())
    assert len(kept.calls) == 20
    assert done_at[Outcome.OK] < 2.0


def test_a_fatal_error_ends_the_model_without_asking_it_again() -> None:
    model, kept = Scripted(always(FatalModelError("bad key"))), Kept()
    _, seconds = in_virtual_time(run([works(model, 500)], MemoryLedger(), on_done=kept, limits=ONE))
    assert len(model.prompts) == 1
    assert {c.reason for _, c, _ in kept.calls} == {"m: bad key"}
    assert {c.outcome for _, c, _ in kept.calls} == {Outcome.TRANSPORT_ERROR}
    assert len(kept.calls) == 500
    assert seconds < 2


def test_the_other_models_go_on_after_a_fatal_error() -> None:
    bad, good, kept = Scripted(always(FatalModelError("bad key")), name="bad"), Scripted(name="good"), Kept()
    in_virtual_time(run([works(bad, 50, run=0), works(good, 50, run=1)], MemoryLedger(), on_done=kept))
    assert [c.outcome for w, c, _ in kept.calls if w.run == 1] == [Outcome.OK] * 50


def test_an_endpoint_that_is_gone_is_given_up_after_a_minute() -> None:
    model, kept = Scripted(always(TransportError("connection refused"))), Kept()
    _, seconds = in_virtual_time(run([works(model, 2000)], MemoryLedger(), on_done=kept))
    assert 60 <= seconds < 80
    assert len(kept.calls) == 2000
    assert len(model.prompts) < 200
    assert "connection refused" in kept.calls[-1][1].reason


def test_an_outage_that_ends_costs_no_answer() -> None:
    async def behaviour(request: Request) -> Completion:
        if 1 < asyncio.get_running_loop().time() < 40:
            raise TransportError("connection refused")
        await asyncio.sleep(0.1)
        return completion("ok")

    kept = Kept()
    _, seconds = in_virtual_time(run([works(Scripted(behaviour), 2000)], MemoryLedger(), on_done=kept))
    assert {c.outcome for _, c, _ in kept.calls} == {Outcome.OK}
    assert seconds < 70


def test_failures_are_not_kept() -> None:
    ledger = MemoryLedger()
    for error in (TransportError("500"), NotSupportedError("no"), FatalModelError("bad key"), KeyError("bug")):
        in_virtual_time(run([[work(Scripted(always(error)), "p")]], ledger, on_done=Kept()))
    assert ledger.answers == {}
    assert ledger.claimed == set()


@pytest.mark.parametrize("outcome", [Outcome.TRUNCATED, Outcome.CONTENT_FILTER, Outcome.CONTEXT_OVERFLOW])
def test_what_the_model_had_to_say_is_kept(outcome: Outcome) -> None:
    async def behaviour(_: Request) -> Completion:
        return Completion(outcome, reason="so")

    ledger = MemoryLedger()
    in_virtual_time(run([[work(Scripted(behaviour), "p")]], ledger, on_done=Kept()))
    assert [c.outcome for c in ledger.answers.values()] == [outcome]
