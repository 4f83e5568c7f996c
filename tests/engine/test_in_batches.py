"""The engine where models answer in batches: everything starts at once, and waits as long as that takes."""

from dataclasses import dataclass

from msgspec import structs

from engine.fakes import Kept, MemoryLedger, Scripted, answers_after, completion, in_virtual_time, work, works
from holoscope.core import Completion, Request, TransportError
from holoscope.engine import Limits, Progress, in_batches, run

HOUR = 3600.0


def test_all_that_may_wait_is_handed_on_at_once() -> None:
    model = Scripted(answers_after(HOUR))
    kept = Kept()
    limits = in_batches(Limits(), 3000)
    _, seconds = in_virtual_time(run([works(model, 3000)], MemoryLedger(), on_done=kept, limits=limits))
    assert model.most_at_once == 3000
    assert len(kept.calls) == 3000
    assert seconds < HOUR + 60


def test_no_more_wait_than_may() -> None:
    model = Scripted(answers_after(HOUR))
    in_virtual_time(run([works(model, 30)], MemoryLedger(), on_done=Kept(), limits=in_batches(Limits(), 10)))
    assert model.most_at_once == 10


def test_a_batch_of_a_day_is_no_hanging_request() -> None:
    quick = [answers_after(60.0)] * 100

    async def behaviour(request: Request) -> Completion:
        return await (quick.pop() if quick else answers_after(23 * HOUR))(request)

    kept = Kept()
    limits = in_batches(Limits(), None)
    in_virtual_time(run([works(Scripted(behaviour), 120)], MemoryLedger(), on_done=kept, limits=limits))
    assert all(answer.outcome.is_final and answer.attempts == 1 for _, answer, _ in kept.calls)


def test_rows_that_fail_together_are_no_outage_and_are_asked_together() -> None:
    failed: set[str] = set()

    async def behaviour(request: Request) -> Completion:
        await answers_after(HOUR)(request)
        prompt = request.prompt or ""
        if prompt not in failed:
            failed.add(prompt)
            raise TransportError("the batch expired")
        return completion(prompt)

    kept, model = Kept(), Scripted(behaviour)
    limits = in_batches(Limits(), None)
    _, seconds = in_virtual_time(run([works(model, 200)], MemoryLedger(), on_done=kept, limits=limits))
    assert all(answer.outcome.is_final and answer.attempts == 2 for _, answer, _ in kept.calls)
    assert seconds < 2 * HOUR + 60
    assert model.most_at_once == 200


def test_a_row_is_given_up_after_some_batches() -> None:
    async def behaviour(request: Request) -> Completion:
        raise TransportError("no result")

    kept, model = Kept(), Scripted(behaviour)
    in_virtual_time(run([works(model, 1)], MemoryLedger(), on_done=kept, limits=in_batches(Limits(), None)))
    assert len(model.prompts) == Limits().attempts
    assert "gave up" in kept.calls[0][1].reason


def test_when_the_time_is_up_a_batch_is_not_waited_for() -> None:
    limits, progress = in_batches(Limits(max_time_s=60), None), Progress()
    kept = Kept()
    main = run(
        [works(Scripted(answers_after(HOUR)), 10)], MemoryLedger(), on_done=kept, limits=limits, progress=progress
    )
    _, seconds = in_virtual_time(main)
    assert seconds < 120
    assert not kept.calls
    assert "time limit" in progress.stopped


@dataclass(frozen=True)
class BatchCard:
    name: str = "m"
    is_batch: bool = True


def test_a_model_asked_in_batches_is_told_the_key() -> None:
    requests: list[Request] = []

    async def behaviour(request: Request) -> Completion:
        requests.append(request)
        return completion("x")

    batched, live = Scripted(behaviour), Scripted(behaviour)
    batched.card = BatchCard()  # type: ignore[assignment]
    asked = [work(batched, "b"), work(live, "l")]
    in_virtual_time(run([[each] for each in asked], MemoryLedger(), on_done=Kept(), limits=in_batches(Limits(), None)))
    assert {r.prompt: r.key for r in requests} == {"b": asked[0].key.hex(), "l": ""}
    assert structs.replace(requests[0], key="") in [each.request for each in asked]
