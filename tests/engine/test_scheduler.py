"""What becomes of a plan: order, sharing, fairness, stopping. In virtual time, but where a real ledger is named."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.fakes import Kept, MemoryLedger, Scripted, answers_after, completion, in_virtual_time, work, works
from holoscope.core import Completion, LedgerError, Outcome, Request, TransportError
from holoscope.engine import Engine, Ledger, Limits, Progress, Work, run


async def test_every_work_is_handed_on_once_with_its_own_answer(tmp_path: Path) -> None:
    model, kept = Scripted(), Kept()
    async with Ledger.open(tmp_path / "l.sqlite") as ledger:
        await run([works(model, 700)], ledger, on_done=kept)
    assert len(kept.calls) == 700
    assert kept.texts == {(0, i): f"to 0/{i}" for i in range(700)}
    assert not any(cached for _, _, cached in kept.calls)


async def test_a_second_pass_sends_nothing_and_gives_the_same(tmp_path: Path) -> None:
    model, first, second = Scripted(), Kept(), Kept()
    async with Ledger.open(tmp_path / "l.sqlite") as ledger:
        await run([works(model, 700)], ledger, on_done=first)
        await run([works(model, 700)], ledger, on_done=second)
    assert len(model.prompts) == 700
    assert second.texts == first.texts
    assert all(cached for _, _, cached in second.calls)


async def test_a_work_is_handed_on_only_after_its_commit(tmp_path: Path) -> None:
    async with Ledger.open(tmp_path / "l.sqlite") as ledger, Ledger.open(tmp_path / "l.sqlite") as other:
        seen: list[bool] = []

        def on_done(work: Work, _completion: Completion, _cached: bool) -> None:
            seen.append(work.key in other._database.get_many([work.key]))

        await run([works(Scripted(), 50)], ledger, on_done=on_done)
    assert seen == [True] * 50


async def test_two_engines_over_one_ledger_ask_once(tmp_path: Path) -> None:
    model = Scripted(answers_after(0.02))
    one, two = Kept(), Kept()
    async with Ledger.open(tmp_path / "l.sqlite") as ledger:
        await asyncio.gather(
            run([works(model, 100)], ledger, on_done=one), run([works(model, 100)], ledger, on_done=two)
        )
    assert len(model.prompts) == 100
    assert one.texts == two.texts


def test_equal_keys_in_flight_are_one_request() -> None:
    model, kept = Scripted(answers_after(1.0)), Kept()
    same = [work(model, "p", run=r, position=r) for r in range(40)]
    in_virtual_time(run([same], MemoryLedger(), on_done=kept))
    assert model.prompts == ["p"]
    assert len(kept.calls) == 40
    assert sum(not cached for _, _, cached in kept.calls) == 1


def test_equal_keys_further_apart_than_the_look_up_are_one_request() -> None:
    model, kept = Scripted(), Kept()
    plan = [work(model, f"{i % 300}", position=i) for i in range(3000)]
    in_virtual_time(run([plan], MemoryLedger(), on_done=kept))
    assert len(model.prompts) == 300
    assert len(kept.calls) == 3000


def test_answers_do_not_depend_on_order_or_connections() -> None:
    async def behaviour(request: Request) -> Completion:
        await asyncio.sleep(random.random())
        return completion(f"to {request.prompt}")

    texts = []
    for seed, connections in [(0, 1), (1, 7), (2, 64)]:
        plan, kept = works(Scripted(behaviour), 100), Kept()
        random.Random(seed).shuffle(plan)
        limits = Limits(max_connections=connections)
        in_virtual_time(run([plan], MemoryLedger(), on_done=kept, limits=limits))
        texts.append(kept.texts)
    assert texts[0] == texts[1] == texts[2]


def test_many_small_runs_take_no_longer_than_one_large() -> None:
    model = Scripted(answers_after(0.1))
    runs = [w for r in range(50) for w in works(model, 20, run=r)]
    _, seconds = in_virtual_time(run([runs], MemoryLedger(), on_done=Kept(), limits=Limits(max_connections=32)))
    assert seconds < 1.15 * 1000 * 0.1 / 32


def test_a_slow_model_holds_up_no_other() -> None:
    slow, quick = Scripted(answers_after(100), name="slow"), Scripted(answers_after(0.1), name="quick")
    finished: dict[str, float] = {}

    def on_done(work: Work, _completion: Completion, _cached: bool) -> None:
        finished[work.model.identity["deployment"]] = asyncio.get_running_loop().time()

    in_virtual_time(run([works(slow, 500), works(quick, 500)], MemoryLedger(), on_done=on_done))
    assert finished["quick"] < 5
    assert finished["slow"] > 500


def test_a_poisoned_request_costs_itself_only() -> None:
    async def behaviour(request: Request) -> Completion:
        if request.prompt.endswith("7"):  # type: ignore[union-attr]
            raise TransportError("500")
        await asyncio.sleep(0.05)
        return completion("ok")

    kept = Kept()
    _, seconds = in_virtual_time(run([works(Scripted(behaviour), 1000)], MemoryLedger(), on_done=kept))
    failed = {prompt for prompt, c in kept.by_prompt.items() if c.outcome is Outcome.TRANSPORT_ERROR}
    assert failed == {f"0/{i}" for i in range(7, 1000, 10)}
    assert seconds < 60


def test_a_failed_request_is_asked_again_by_the_same_command() -> None:
    healthy = False

    async def behaviour(_: Request) -> Completion:
        if not healthy:
            raise TransportError("500")
        return completion("now")

    model, ledger, kept = Scripted(behaviour), MemoryLedger(), Kept()
    in_virtual_time(run([[work(model, "p")]], ledger, on_done=kept))
    healthy = True
    in_virtual_time(run([[work(model, "p")]], ledger, on_done=kept))
    assert [c.outcome for _, c, _ in kept.calls] == [Outcome.TRANSPORT_ERROR, Outcome.OK]


def test_a_plan_is_read_only_as_far_as_it_is_needed() -> None:
    model, read, most_ahead = Scripted(answers_after(1.0)), 0, 0
    kept = Kept()

    def plan() -> Iterator[Work]:
        nonlocal read, most_ahead
        for w in works(model, 5_000):
            read += 1
            most_ahead = max(most_ahead, read - len(kept.calls))
            yield w

    in_virtual_time(run([plan()], MemoryLedger(), on_done=kept))
    assert len(kept.calls) == 5_000
    assert most_ahead < 600


def test_a_plan_full_of_failures_is_read_no_further_than_a_thousand_ahead() -> None:
    async def behaviour(_: Request) -> Completion:
        if random.random() < 0.5:
            return completion("ok")
        raise TransportError("500")

    model, kept, read, most_ahead = Scripted(behaviour), Kept(), 0, 0

    def plan() -> Iterator[Work]:
        nonlocal read, most_ahead
        for w in works(model, 5_000):
            read += 1
            most_ahead = max(most_ahead, read - len(kept.calls))
            yield w

    in_virtual_time(run([plan()], MemoryLedger(), on_done=kept))
    assert most_ahead < 1500


def test_progress_counts_by_run() -> None:
    async def behaviour(request: Request) -> Completion:
        if request.prompt == "1/3":
            raise KeyError("bug")
        return completion("ok")

    model, ledger, progress = Scripted(behaviour), MemoryLedger(), Progress()
    in_virtual_time(run([works(model, 10, run=0)], ledger, on_done=Kept()))
    plan = [*works(model, 20, run=0), *works(model, 5, run=1)]
    in_virtual_time(run([plan], ledger, on_done=Kept(), progress=progress, price=lambda _w, _c: 0.5))
    assert (progress.runs[0].done, progress.runs[0].cached, progress.runs[0].failed) == (20, 10, 0)
    assert (progress.runs[1].done, progress.runs[1].cached, progress.runs[1].failed) == (5, 0, 1)
    assert (progress.prompt_tokens, progress.completion_tokens) == (14 * 10, 14 * 2)
    assert progress.cost == 7.0
    assert progress.in_flight == 0


def test_an_unknown_price_is_counted_apart() -> None:
    progress = Progress()
    in_virtual_time(run([works(Scripted(), 3)], MemoryLedger(), on_done=Kept(), progress=progress))
    assert (progress.cost, progress.unpriced) == (0.0, 3)


def test_at_the_cost_limit_nothing_more_is_sent_and_what_is_known_is_still_handed_on() -> None:
    model, ledger, kept, progress = Scripted(answers_after(1.0)), MemoryLedger(), Kept(), Progress()
    known = works(model, 100, run=9)
    in_virtual_time(run([known], ledger, on_done=Kept()))
    plan = [*works(model, 2000, run=0), *known]
    limits = Limits(max_connections=10, max_cost=5.0)
    in_virtual_time(run([plan], ledger, on_done=kept, progress=progress, limits=limits, price=lambda _w, _c: 0.1))
    assert "cost limit of $5" in progress.stopped
    fresh = sum(not cached for _, _, cached in kept.calls)
    assert 50 <= fresh <= 60
    assert progress.cost == pytest.approx(0.1 * fresh)
    assert len(kept.calls) - fresh == 100
    assert ledger.claimed == set()


def test_at_the_time_limit_nothing_more_is_sent_and_what_is_under_way_is_kept() -> None:
    model, ledger, kept, progress = Scripted(answers_after(10)), MemoryLedger(), Kept(), Progress()
    limits = Limits(max_connections=10, max_time_s=35)
    _, seconds = in_virtual_time(run([works(model, 500)], ledger, on_done=kept, progress=progress, limits=limits))
    assert "time limit of 35 s" in progress.stopped
    assert 40 <= seconds < 41
    assert len(kept.calls) == len(model.prompts) == len(ledger.answers) == 40


def test_stopping_keeps_the_answers_of_the_next_two_seconds() -> None:
    async def behaviour(request: Request) -> Completion:
        await asyncio.sleep(1.5 if request.prompt < "0/5" else 100)  # type: ignore[operator]
        return completion("ok")

    model, ledger, kept, progress = Scripted(behaviour), MemoryLedger(), Kept(), Progress()
    engine = Engine(ledger, progress=progress)

    async def main() -> None:
        asyncio.get_running_loop().call_later(0.5, engine.stop, "enough")
        await engine.run([works(model, 10)], kept)

    _, seconds = in_virtual_time(main())
    assert set(kept.by_prompt) == {f"0/{i}" for i in range(5)}
    assert len(ledger.answers) == 5
    assert ledger.claimed == set()
    assert progress.stopped == "enough"
    assert seconds < 2.6


def test_cancelling_keeps_the_answers_of_the_next_two_seconds() -> None:
    model, ledger, kept = Scripted(answers_after(1.5)), MemoryLedger(), Kept()

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(run([works(model, 500)], ledger, on_done=kept), 1.0)

    _, seconds = in_virtual_time(main())
    assert len(kept.calls) == len(ledger.answers) == len(model.prompts) == 16
    assert seconds < 3.1


def test_after_stopping_nothing_is_tried_again() -> None:
    async def behaviour(_: Request) -> Completion:
        await asyncio.sleep(1)
        raise TransportError("500")

    model, kept = Scripted(behaviour), Kept()
    engine = Engine(MemoryLedger())

    async def main() -> None:
        asyncio.get_running_loop().call_later(0.5, engine.stop, "enough")
        await engine.run([works(model, 5)], kept)

    in_virtual_time(main())
    assert len(model.prompts) == 5
    assert kept.calls == []


def test_a_stopped_engine_answers_a_question_with_the_reason() -> None:
    model = Scripted()
    engine = Engine(MemoryLedger())

    async def main() -> Completion:
        engine.stop("enough")
        return await engine.ask(work(model, "p"))

    answer, _ = in_virtual_time(main())
    assert (answer.outcome, answer.reason) == (Outcome.TRANSPORT_ERROR, "enough")
    assert model.prompts == []


def test_a_question_beside_the_run_shares_its_lane_and_its_answers() -> None:
    model, kept = Scripted(answers_after(1.0)), Kept()
    engine = Engine(MemoryLedger(), limits=Limits(max_connections=4))

    async def main() -> Completion:
        _, answer = await asyncio.gather(engine.run([works(model, 20)], kept), engine.ask(work(model, "0/3")))
        return answer

    answer, _ = in_virtual_time(main())
    assert answer.text == "to 0/3"
    assert len(model.prompts) == 20
    assert model.most_at_once == 4


def test_one_question_is_not_kept_waiting_by_a_long_run() -> None:
    model = Scripted(answers_after(1.0))
    engine = Engine(MemoryLedger(), limits=Limits(max_connections=4))

    async def main() -> float:
        running = asyncio.ensure_future(engine.run([works(model, 400)], Kept()))
        await asyncio.sleep(10.5)
        await engine.ask(work(model, "question"))
        asked = asyncio.get_running_loop().time()
        await running
        return asked

    asked, seconds = in_virtual_time(main())
    assert asked < 16
    assert seconds > 99


def test_a_limit_reached_with_the_last_work_leaves_nothing_undone() -> None:
    progress, limits = Progress(), Limits(max_cost=3.0, max_time_s=10)
    engine = Engine(MemoryLedger(), limits=limits, progress=progress, price=lambda _w, _c: 1.0)

    async def main() -> None:
        await engine.run([works(Scripted(), 3)], Kept())
        await asyncio.sleep(20)

    in_virtual_time(main())
    assert progress.stopped == ""


def test_a_ledger_that_cannot_keep_answers_ends_the_run_and_the_sending() -> None:
    class Full(MemoryLedger):
        async def put(self, key: bytes, completion: Completion) -> None:
            if len(self.answers) >= 5:
                raise LedgerError("no space left")
            await super().put(key, completion)

    model, ledger, kept = Scripted(answers_after(0.1)), Full(), Kept()
    limits = Limits(max_connections=4)
    with pytest.raises(LedgerError, match="no space left"):
        in_virtual_time(run([works(model, 500)], ledger, on_done=kept, limits=limits))
    assert len(model.prompts) <= 5 + 2 * 4
    assert len(kept.calls) == len(ledger.answers)


def test_an_error_of_the_callers_function_ends_the_run() -> None:
    def on_done(_work: Work, _completion: Completion, _cached: bool) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        in_virtual_time(run([works(Scripted(answers_after(0.1)), 500)], MemoryLedger(), on_done=on_done))


def test_an_error_of_the_plan_ends_the_run() -> None:
    def plan() -> Iterator[Work]:
        yield from works(Scripted(answers_after(0.1)), 10)
        raise LookupError("no such row")

    with pytest.raises(LookupError, match="no such row"):
        in_virtual_time(run([plan()], MemoryLedger(), on_done=Kept()))


def test_nothing_to_do_is_done_at_once() -> None:
    in_virtual_time(run([], MemoryLedger(), on_done=Kept()))
    in_virtual_time(run([[], iter(())], MemoryLedger(), on_done=Kept()))
