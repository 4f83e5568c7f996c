"""One model's lane: who may send to it now, and what its answers and failures teach.

Every request to a model passes here, whichever run it belongs to, so the model has one pace (`pace.py`) and one
health (`health.py`), and what happens in one lane never holds up another. A task gets a turn, sends once, and gives
the turn back; a task that waits to try again holds no turn. An answer that is not committed yet still counts against
`max_connections`: so many requests, and no more, can a kill -9 make to be asked again.
"""

import asyncio
from collections import deque
from typing import Any, NamedTuple

from msgspec import structs

from holoscope.core import Completion, FatalModelError, NotSupportedError, Outcome, Request, TransportError
from holoscope.engine.health import Health
from holoscope.engine.limits import Limits
from holoscope.engine.pace import Pace
from holoscope.engine.patience import Patience
from holoscope.engine.progress import Progress
from holoscope.engine.work import Endpoint, Work

_MOST_OPEN = 1000
"""Works taken from the plan and not done yet, most of them waiting to try again; bounds the memory. As many as may be
under way at once are always taken."""

_Task = asyncio.Task[Any]


def failure(reason: str, attempts: int = 1) -> Completion:
    """What stands for the answer that could not be had."""
    return Completion(Outcome.TRANSPORT_ERROR, reason=reason, attempts=attempts)


class _Attempt(NamedTuple):
    max_tokens: int
    first: bool
    sent: float
    at_once: int
    """Requests under way to the model when it was sent, itself included."""


class Lane:
    """The way to one model."""

    def __init__(self, model: Endpoint, limits: Limits, progress: Progress) -> None:
        self.model = model
        self.name = str(getattr(model.card, "name", "")) or model.identity.get("deployment", "model")
        self.given_up = ""
        """Why the model is not asked any more."""
        self.closed = False
        """True once nothing more is sent to any model."""
        self.open = self.flights = self.parked = 0
        """Works not done; tasks that serve them; those of the tasks that wait for something other than a turn."""
        self.sending: set[_Task] = set()
        self.committing: set[_Task] = set()
        self._limits, self._progress = limits, progress
        own = getattr(model.card, "max_concurrency", None)
        ceiling = min(limits.max_connections, own or limits.max_connections)
        self._pace = Pace(ceiling, ceiling) if limits.batch else Pace(ceiling)
        self._most_open = max(_MOST_OPEN, limits.max_connections)
        self.patience = Patience(limits)
        self._timeouts: dict[_Task, tuple[_Attempt, asyncio.Timeout]] = {}
        self._health = Health(limits.outage_s, limits.deadline_s)
        self._queue: deque[tuple[_Task, asyncio.Future[None]]] = deque()
        self._alarm: asyncio.TimerHandle | None = None
        self._turnstile, self._changed = asyncio.Lock(), asyncio.Event()
        self._given_up = asyncio.Event()

    def is_busy_with(self, task: _Task) -> bool:
        """True while the task's answer is under way: it is being paid for, so don't cancel it."""
        return task in self.sending or task in self.committing

    def request_of(self, work: Work) -> Request:
        """What to send; a model that is asked in batches is told the key too."""
        if getattr(self.model.card, "is_batch", False):
            return structs.replace(work.request, key=work.key.hex())
        return work.request

    @property
    def is_probing(self) -> bool:
        """True while the model gives no answer to anyone: an attempt now is made for all."""
        return self._health.outage

    async def wants_work(self) -> None:
        """Wait until the lane is short of works: it keeps as many in reserve as it has connections.

        Whoever comes is served in turn, so that one question isn't kept waiting by a long plan.
        """
        async with self._turnstile:
            while not self.given_up and (self.open >= self._most_open or self._reserve() >= 2 * self._pace.limit):
                self._changed.clear()
                await self._changed.wait()

    def nudge(self) -> None:
        """Look again whether works are wanted; not for each one, as waking the reader has its price."""
        if self.given_up or self._reserve() <= 1.5 * self._pace.limit:
            self._changed.set()

    async def turn(self, *, again: bool) -> None:
        """Wait for a connection; those who try again go first. Each turn is given back by `leave`."""
        task = _this_task()
        if not self._queue and self._has_room():
            self.sending.add(task)
            return
        self._pace.pressed = True
        granted = asyncio.get_running_loop().create_future()
        (self._queue.appendleft if again else self._queue.append)((task, granted))
        self._grant_turns()
        try:
            await granted
        except asyncio.CancelledError:
            self.leave()
            raise

    def leave(self) -> None:
        """Give the turn back."""
        self.sending.discard(_this_task())
        self._grant_turns()

    def settled(self) -> None:
        """The task's answer is committed, or will not be."""
        self.committing.discard(_this_task())
        self._grant_turns()

    async def attempt(self, request: Request, seconds: float, *, first: bool) -> Completion | TransportError:
        """Send once, within a turn. A TransportError is returned where trying again may help."""
        clock = asyncio.get_running_loop().time
        attempt = _Attempt(request.params.max_tokens, first, clock(), len(self.sending))
        self._progress.in_flight += 1
        try:
            async with asyncio.timeout(seconds) as timeout:
                self._timeouts[_this_task()] = attempt, timeout
                completion = await self.model.generate(request)
        except TransportError as error:
            return self._missed(error, attempt)
        except TimeoutError as error:
            late = TransportError(str(error) or f"no answer within {clock() - attempt.sent:.0f} s")
            return self._missed(late, attempt)
        except asyncio.CancelledError:
            if _this_task().cancelling():
                raise
            return self._missed(TransportError("the client of the model cancelled the request"), attempt)
        except FatalModelError as error:
            self.give_up(str(error))
            return failure(self.given_up)
        except NotSupportedError as error:
            self._health.answered()
            return Completion(Outcome.NOT_SUPPORTED, reason=str(error))
        except Exception as error:  # noqa: BLE001 - a fault of the model's code costs this request alone
            return failure(f"{type(error).__name__}: {error}")
        finally:
            self._timeouts.pop(_this_task(), None)
            self._progress.in_flight -= 1
        self._learn(clock() - attempt.sent)
        self.committing.add(_this_task())
        return completion

    def _learn(self, seconds: float) -> None:
        """An answer came after so long."""
        self._health.answered()
        self._pace.answered(seconds)
        if self.patience.answered(seconds):
            for attempt, timeout in self._timeouts.values():
                latest = timeout.when()
                due = attempt.sent + self.patience.seconds(attempt.max_tokens)
                if latest is not None and due < latest:
                    timeout.reschedule(due)

    async def park(self, seconds: float) -> None:
        """Wait, at most until the model is given up, without counting as one of the works in reserve."""
        self.parked += 1
        self.nudge()
        try:
            async with asyncio.timeout(seconds):
                await self._given_up.wait()
        except TimeoutError:
            pass
        finally:
            self.parked -= 1

    def give_up(self, reason: str) -> None:
        """Send nothing more to this model; whoever waits for a turn gets one, to find that out."""
        self.given_up = self.given_up or f"{self.name}: {reason}"
        self._given_up.set()
        self._grant_turns()
        self.nudge()

    def _missed(self, error: TransportError, attempt: "_Attempt") -> TransportError:
        if self._limits.batch:
            return error  # rows that fail together say nothing of each other, nor of how many may be sent
        now = asyncio.get_running_loop().time()
        if error.overloaded:
            self._pace.overloaded(attempt.at_once)
        if reason := self._health.missed(error, attempt.first, attempt.sent, now, self._pace.limit):
            self.give_up(reason)
        if self._health.opens_at > now:
            self._progress.wait(self.name, str(error), self._health.opens_at)
        return error

    def _reserve(self) -> int:
        return self.flights - self.parked

    def _has_room(self) -> bool:
        if self.given_up:
            return True
        if self._closed_for() > 0:
            return False
        if self._health.outage:
            return not self.sending
        unsafe = len(self.sending) + len(self.committing)
        return len(self.sending) < self._pace.limit and unsafe < self._limits.max_connections

    def _closed_for(self) -> float:
        return self._health.opens_at - asyncio.get_running_loop().time()

    def _grant_turns(self) -> None:
        while self._queue and self._has_room():
            task, granted = self._queue.popleft()
            if not granted.done():
                self.sending.add(task)
                granted.set_result(None)
        if self._queue and self._alarm is None and (seconds := self._closed_for()) > 0:
            self._alarm = asyncio.get_running_loop().call_later(seconds, self._opens)

    def _opens(self) -> None:
        self._alarm = None
        self._grant_turns()


def _this_task() -> _Task:
    task = asyncio.current_task()
    assert task is not None
    return task
