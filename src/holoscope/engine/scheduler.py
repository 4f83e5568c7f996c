"""The engine: takes works from the plan, finds or gets their answers, and hands these on.

    plan -> look up, in bulk -> join a flight for the same key, or start one:
            claim -> turn in the model's lane -> attempt (and again) -> commit -> hand on

A work is handed on exactly once, and only after the commit of its answer. All runs of a suite are read as one: the
caller gives one queue for each model, and each queue is read only while its model's lane is short of works, so that
memory stays flat, no run has a tail, and no model waits for another. Whatever fails is one work's failure, with two
exceptions that end the run: a ledger that can't keep answers (nothing is sent that could not be kept), and an error
in the caller's own functions.
"""

import asyncio
import random
import time
from collections.abc import Iterable, Iterator
from functools import partial

from holoscope.core import Completion, LedgerError
from holoscope.engine.lane import Lane, failure
from holoscope.engine.leases import Lease
from holoscope.engine.ledger import LedgerProtocol
from holoscope.engine.limits import Limits
from holoscope.engine.progress import Progress
from holoscope.engine.retry import ask
from holoscope.engine.work import OnDone, Price, Work

_LOOK_UP = 256
"""Works looked up at once: a query for many costs little more than for one, yet planning them must not take long."""
_SLICE_S = 0.005
"""How long the plan may be read before answers under way get their turn on the loop."""
_FIRST_POLL_S, _LAST_POLL_S = 0.05, 0.4
"""How often another process's answer is looked for."""


async def run(
    queues: Iterable[Iterable[Work]],
    ledger: LedgerProtocol,
    *,
    on_done: OnDone,
    limits: Limits | None = None,
    progress: Progress | None = None,
    price: Price | None = None,
) -> None:
    """Have every work of `queues` answered, one queue for each model; see `Engine.run`."""
    await Engine(ledger, limits=limits, progress=progress, price=price).run(queues, on_done)


class Engine:
    """Lanes to models over one ledger. Calls of `run` and `ask` may overlap and share everything."""

    def __init__(
        self,
        ledger: LedgerProtocol,
        *,
        limits: Limits | None = None,
        progress: Progress | None = None,
        price: Price | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.progress = progress or Progress()
        self._ledger = ledger
        self._price = price
        self._rng = random.Random()
        self._lanes: dict[int, Lane] = {}
        self._flights: dict[bytes, _Flight] = {}
        self._feeders: set[asyncio.Task[None]] = set()
        self._error: BaseException | None = None
        self._end = ""
        """Why nothing more is sent; told to the user only if a work is left."""
        self._reads_nothing = self._time_is_armed = False

    async def run(self, queues: Iterable[Iterable[Work]], on_done: OnDone) -> None:
        """Hand every work of `queues` to `on_done` with its completion.

        Works that were not answered because the run was stopped (`stop`, a limit on cost or time) are not handed on;
        `progress.stopped` then says why. Cancelling does the same as `stop`. Raises LedgerError, and whatever the
        queues or `on_done` raise.
        """
        call = _Call(on_done)
        self._arm_time_limit()
        for queue in queues:
            self._start_feeding(iter(queue), call)
        call.look()
        try:
            await asyncio.shield(call.finished)
        except asyncio.CancelledError:
            self.stop("interrupted")
            await asyncio.shield(call.finished)
            raise
        if self._error is not None:
            raise self._error

    async def ask(self, work: Work) -> Completion:
        """The completion of one work; a transport error with the reason where the engine was stopped."""
        answers: list[Completion] = []
        await self.run([[work]], lambda _work, completion, _cached: answers.append(completion))
        return answers[0] if answers else failure(self.progress.stopped, attempts=0)

    def stop(self, reason: str) -> None:
        """Read and send nothing more; answers that still come within `grace_s` are kept, then `run` returns."""
        self._send_nothing_more(reason)
        self._read_nothing_more()
        asyncio.get_running_loop().call_later(self.limits.grace_s, self._cut_off)

    def _arm_time_limit(self) -> None:
        if self.limits.max_time_s is not None and not self._time_is_armed:
            self._time_is_armed = True
            asyncio.get_running_loop().call_later(self.limits.max_time_s, self._time_is_up)

    def _time_is_up(self) -> None:
        reason = f"the time limit of {self.limits.max_time_s:g} s was reached"
        if self.limits.batch:
            self.stop(reason)
            return
        self._send_nothing_more(reason)
        self._read_nothing_more()

    def _send_nothing_more(self, reason: str) -> None:
        """Cancel every flight that is not being answered or committed."""
        self._end = self._end or reason
        for lane in self._lanes.values():
            lane.closed = True
        for flight in self._flights.values():
            if not flight.lane.is_busy_with(flight.task):
                flight.task.cancel()

    def _read_nothing_more(self) -> None:
        self._reads_nothing = True
        for feeder in self._feeders:
            feeder.cancel()

    def _cut_off(self) -> None:
        for flight in self._flights.values():
            flight.task.cancel()

    def _look_at(self, ended: asyncio.Task[None]) -> None:
        """A task that was cancelled leaves works undone; one that failed ends the run."""
        if ended.cancelled():
            self.progress.stopped = self._end
        elif (error := ended.exception()) is not None:
            self._error = self._error or error
            self.stop(str(error))

    def _start_feeding(self, works: Iterator[Work], call: "_Call") -> None:
        feeder = asyncio.get_running_loop().create_task(self._feed(works, call))
        self._feeders.add(feeder)
        call.feeders += 1
        feeder.add_done_callback(partial(self._fed, call))
        if self._reads_nothing:
            feeder.cancel()

    def _fed(self, call: "_Call", feeder: asyncio.Task[None]) -> None:
        self._feeders.discard(feeder)
        self._look_at(feeder)
        call.feeders -= 1
        call.look()

    async def _feed(self, works: Iterator[Work], call: "_Call") -> None:
        """Hand on what the ledger has; start flights for the rest as fast as their lanes take them."""
        while batch := await _pull(works):
            known = await self._ledger.get_many([work.key for work in batch])
            for work in batch:
                if (completion := known.get(work.key)) is not None:
                    self._hand_on(work, completion, True, call)
            for work in batch:
                if work.key not in known:
                    await self._admit(work, call)

    async def _admit(self, work: Work, call: "_Call") -> None:
        lane = self._lane(work)
        await lane.wants_work()
        if self._end:
            self.progress.stopped = self._end
            return
        flight = self._flights.get(work.key)
        if flight is None:
            flight = self._flights[work.key] = _Flight(lane)
            flight.task = asyncio.get_running_loop().create_task(self._fly(flight, work))
            flight.task.add_done_callback(partial(self._landed, flight, work.key))
            lane.flights += 1
        flight.lane.open += 1
        call.open += 1
        flight.works.append((work, call))

    def _lane(self, work: Work) -> Lane:
        lane = self._lanes.get(id(work.model))
        if lane is None:
            lane = self._lanes[id(work.model)] = Lane(work.model, self.limits, self.progress)
        return lane

    async def _fly(self, flight: "_Flight", work: Work) -> None:
        completion, cached = await self._answer(flight.lane, work)
        del self._flights[work.key]  # from here on the ledger answers for it
        if not cached:
            self._pay(work, completion)
        for place, (waiting, call) in enumerate(flight.works):
            self._hand_on(waiting, completion, cached or place > 0, call)

    async def _answer(self, lane: Lane, work: Work) -> tuple[Completion, bool]:
        """The completion, kept if it is final; True if it came from elsewhere."""
        held = await self._claim(lane, work.key)
        if isinstance(held, Completion):
            return held, True
        if held is Lease.TAKEN:
            return failure(lane.given_up, attempts=0), False
        kept = False
        try:
            completion = await ask(lane, lane.request_of(work), self.limits, self.progress, self._rng)
            if completion.outcome.is_final:
                await self._keep(work.key, completion)
                kept = True
        finally:
            lane.settled()
            if not kept:
                self._ledger.release(work.key)
        return completion, False

    async def _keep(self, key: bytes, completion: Completion) -> None:
        """Commit an answer; where that fails nothing is sent from this moment on."""
        try:
            await self._ledger.put(key, completion)
        except LedgerError as error:
            self.stop(str(error))
            raise

    async def _claim(self, lane: Lane, key: bytes) -> Completion | Lease:
        """Take the lease, or wait for the answer of whoever has it; TAKEN where the model is given up meanwhile."""
        pause = _FIRST_POLL_S
        held = Lease.TAKEN if lane.given_up else await self._ledger.claim(key)
        while held is Lease.TAKEN and not lane.given_up:
            until = asyncio.get_running_loop().time() + pause
            self.progress.wait(lane.name, "the same request is under way elsewhere", until)
            await lane.park(pause)
            pause = min(2 * pause, _LAST_POLL_S)
            held = await self._ledger.claim(key)
        return held

    def _landed(self, flight: "_Flight", key: bytes, task: asyncio.Task[None]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]
        flight.lane.flights -= 1
        flight.lane.open -= len(flight.works)
        flight.lane.nudge()
        self._look_at(task)
        for _, call in flight.works:
            call.open -= 1
            call.look()

    def _hand_on(self, work: Work, completion: Completion, cached: bool, call: "_Call") -> None:
        self.progress.delivered(work, completion, cached)
        call.on_done(work, completion, cached)

    def _pay(self, work: Work, completion: Completion) -> None:
        if not completion.outcome.is_final:
            return
        self.progress.paid(completion, self._price(work, completion) if self._price else None)
        most = self.limits.max_cost
        if most is not None and self.progress.cost >= most and not self._end:
            self._send_nothing_more(f"the cost limit of ${most:g} was reached")


class _Call:
    """One call of `run`: whom to tell, and what has not been told yet."""

    def __init__(self, on_done: OnDone) -> None:
        self.on_done = on_done
        self.feeders = self.open = 0
        self.finished = asyncio.get_running_loop().create_future()

    def look(self) -> None:
        """Finish where nothing is left to read or to wait for."""
        if not self.feeders and not self.open and not self.finished.done():
            self.finished.set_result(None)


class _Flight:
    """A key that is being answered, and the works that wait for it; the first one started it."""

    task: asyncio.Task[None]

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.works: list[tuple[Work, _Call]] = []


async def _pull(works: Iterator[Work]) -> list[Work]:
    """The next few works of a plan; empty at its end."""
    batch = []
    due = time.perf_counter() + _SLICE_S
    for work in works:
        batch.append(work)
        if len(batch) == _LOOK_UP:
            break
        if time.perf_counter() > due:
            await asyncio.sleep(0)
            due = time.perf_counter() + _SLICE_S
    return batch
