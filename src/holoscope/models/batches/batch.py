"""One batch: who waits for its rows, and what has become of them.

A row is handed out once, to whoever asks for it, before or after its result is in. What is never asked for stays: it
was in the batch of an earlier process, and may be asked for later.
"""

import asyncio
from dataclasses import dataclass, field

from holoscope.core import FatalModelError, ModelError, TransportError
from holoscope.models.batches.api import Result, State
from holoscope.models.batches.journal import Entry
from holoscope.models.providers.client import Sending, Sent
from holoscope.models.providers.faults import Fault
from holoscope.models.providers.replies import Received

Reply = Received | Fault | ModelError


@dataclass
class Waiter:
    """Somebody who waits for the answer to a row."""

    future: "asyncio.Future[Sent]"
    sending: Sending
    dropped: tuple[str, ...] = ()
    """What was left out of the body that is answered."""
    key: str = ""
    """Its row's id, once it has one."""
    most: float = 0.0
    """What the row may cost at most, USD; 0 where nobody counts."""
    reserved: float = 0.0
    """Of the money, while it is under way."""

    def hand(self, reply: Reply) -> None:
        """Give the answer, unless nobody waits any more."""
        if self.future.done():
            return
        if isinstance(reply, ModelError):
            self.future.set_exception(reply)
        else:
            self.future.set_result(Sent(reply, self.dropped))


@dataclass
class Batch:
    """A batch under way, or read."""

    entry: Entry
    waiters: dict[str, Waiter] = field(default_factory=dict)
    answered: int | None = 0
    """As the provider counts while it runs; None: it does not say."""
    failed: set[str] = field(default_factory=set)
    """Rows that came to nothing that could be kept."""
    is_read: bool = False
    task: "asyncio.Task[None] | None" = None

    def __post_init__(self) -> None:
        self._replies: dict[str, Reply] = {}
        self._left = set(self.entry.rows)

    @property
    def missing(self) -> frozenset[str]:
        """Rows of which nothing has been read."""
        return frozenset(self._left)

    def join(self, row: str, waiter: Waiter) -> None:
        """Wait for a row that was sent earlier."""
        waiter.dropped = self.entry.dropped.get(row, ())
        if row in self._replies:
            waiter.hand(self._replies.pop(row))
        else:
            self.waiters[row] = waiter

    def settle(self, result: Result) -> None:
        """Take in what became of a row; only the first word on each counts, and none on another's."""
        row = result.custom_id
        if row not in self._left:
            return
        self._left.discard(row)
        if not isinstance(result.reply, Received):
            self.failed.add(row)
        if (waiter := self.waiters.pop(row, None)) is not None:
            waiter.hand(result.reply)
        else:
            self._replies[row] = result.reply

    def close(self, state: State) -> None:
        """Settle the rows that have no result, by how the batch ended."""
        self.is_read = True
        for line, fault in state.faults.items():
            if 0 <= line < len(self.entry.rows):
                self.settle(Result(self.entry.rows[line], fault))
        for row in self.missing:
            self.settle(Result(row, self._without_result(state)))

    def fail(self, error: BaseException) -> None:
        """Tell everybody who waits that nothing is to be had now; the batch itself may go on."""
        for waiter in self.leave():
            waiter.future.set_exception(error)

    def leave(self) -> list[Waiter]:
        """Whoever still waits, and waits here no more."""
        waiters, self.waiters = self.waiters, {}
        return [waiter for waiter in waiters.values() if not waiter.future.done()]

    def _without_result(self, state: State) -> ModelError:
        name = f"batch {self.entry.id}"
        match state.phase:
            case "expired":
                return expired(self.entry)
            case "cancelled":
                return cancelled(self.entry)
            case "failed" if state.is_too_much:
                return TransportError(f"{name} was not taken: {state.reason}", overloaded=True)
            case "failed" if state.faults:
                return TransportError(f"{name} was not run because of other requests in it")
            case "failed":
                return FatalModelError(f"{name} failed: {state.reason or 'no reason given'}")
        return TransportError(f"{name} ended without a result for this")


def expired(entry: Entry) -> TransportError:
    """Why a row has no answer that its batch had no time for; it may be asked again."""
    return TransportError(f"batch {entry.id} expired before this was answered")


def cancelled(entry: Entry) -> FatalModelError:
    """Why a row has no answer that somebody did not want any more; asking again by ourselves would go against that."""
    return FatalModelError(f"batch {entry.id} was cancelled at the provider; the same command asks what is left")
