"""How many requests go to one model at once, in virtual time."""

import asyncio

from engine.fakes import Kept, MemoryLedger, Scripted, answers_after, completion, in_virtual_time, works
from holoscope.core import Completion, Outcome, Request, TransportError
from holoscope.engine import Limits, run


def test_128_in_flight_are_reached_at_once_and_kept_up() -> None:
    model = Scripted(answers_after(0.05))
    limits = Limits(max_connections=128)
    _, seconds = in_virtual_time(run([works(model, 10_000)], MemoryLedger(), on_done=Kept(), limits=limits))
    assert model.most_at_once == 128
    assert seconds < 1.15 * 10_000 * 0.05 / 128


def test_the_ceiling_is_never_passed() -> None:
    model = Scripted(answers_after(0.05))
    in_virtual_time(run([works(model, 500)], MemoryLedger(), on_done=Kept(), limits=Limits(max_connections=5)))
    assert model.most_at_once == 5


def test_a_models_own_ceiling_holds_too() -> None:
    model = Scripted(answers_after(0.05), max_concurrency=2)
    in_virtual_time(run([works(model, 50)], MemoryLedger(), on_done=Kept(), limits=Limits(max_connections=64)))
    assert model.most_at_once == 2


def test_a_local_model_is_never_idle_while_answers_are_committed() -> None:
    model = Scripted(answers_after(0.05), max_concurrency=1)
    _, seconds = in_virtual_time(run([works(model, 100)], MemoryLedger(), on_done=Kept()))
    assert seconds < 100 * 0.05 + 0.1


def test_answers_not_committed_yet_count_as_in_flight() -> None:
    unsafe, most = 0, 0

    class Watched(MemoryLedger):
        async def put(self, key: bytes, completion: Completion) -> None:
            nonlocal unsafe
            await asyncio.sleep(0.5)
            await super().put(key, completion)
            unsafe -= 1

    async def behaviour(_: Request) -> Completion:
        nonlocal unsafe, most
        unsafe += 1
        most = max(most, unsafe)
        await asyncio.sleep(0.01)
        return completion("ok")

    in_virtual_time(run([works(Scripted(behaviour), 200)], Watched(), on_done=Kept(), limits=Limits(max_connections=8)))
    assert most == 8


def test_a_server_with_room_for_8_is_asked_about_8_at_a_time() -> None:
    refused = 0

    async def behaviour(_: Request) -> Completion:
        nonlocal refused
        if model.at_once > 8:
            refused += 1
            raise TransportError("429", overloaded=True)
        await asyncio.sleep(0.05)
        return completion("ok")

    model, kept = Scripted(behaviour), Kept()
    _, seconds = in_virtual_time(run([works(model, 2000)], MemoryLedger(), on_done=kept))
    assert {c.outcome for _, c, _ in kept.calls} == {Outcome.OK}
    assert seconds < 2 * 2000 * 0.05 / 8
    assert refused < 0.1 * 2000


def test_a_quota_of_two_a_second_is_lived_with() -> None:
    served: list[float] = []

    async def behaviour(_: Request) -> Completion:
        now = asyncio.get_running_loop().time()
        if len([t for t in served if t > now - 1]) >= 2:
            raise TransportError("429", overloaded=True, retry_after=1)
        served.append(now)
        await asyncio.sleep(0.05)
        return completion("ok")

    model, kept = Scripted(behaviour), Kept()
    _, seconds = in_virtual_time(run([works(model, 200)], MemoryLedger(), on_done=kept))
    assert {c.outcome for _, c, _ in kept.calls} == {Outcome.OK}
    assert seconds < 200
    assert len(model.prompts) < 3 * 200


def test_one_request_that_is_always_refused_does_not_slow_the_others() -> None:
    async def behaviour(request: Request) -> Completion:
        if request.prompt == "0/7":
            raise TransportError("503", overloaded=True)
        await asyncio.sleep(0.05)
        return completion("ok")

    model = Scripted(behaviour)
    in_virtual_time(run([works(model, 2000)], MemoryLedger(), on_done=Kept()))
    assert model.most_at_once >= 60
