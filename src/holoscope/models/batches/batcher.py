"""Requests in, batches out: collects what is asked, sends it, waits, and hands each answer to whoever asked.

    ask -> in a batch of an earlier process? wait for that one
        -> else collect, until no request came for a while or a batch is full
           -> journal -> upload -> journal -> submit -> journal -> poll -> read -> hand out

The invariant: before a batch can exist at the provider its requests' ids are in the journal, and nothing is collected
that is in an open batch of the journal. What goes wrong on the way (429, 5xx, a broken line) is tried again for
`Timing.patience`; after a submission whose fate is unknown the provider is asked for the batch before it is sent
again. If that does not help either, the model is given up and the batch goes on without us.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from holoscope.core import FatalModelError, HoloscopeError, ModelError, StoreError
from holoscope.models.batches.api import BatchApi, BatchGoneError, Row, State
from holoscope.models.batches.batch import Batch, Waiter
from holoscope.models.batches.collected import Collected, New
from holoscope.models.batches.journal import Entry, Journal
from holoscope.models.batches.purse import Purse
from holoscope.models.batches.trying import Timing, tried
from holoscope.models.providers.client import Sending, Sent

T = TypeVar("T")

_TICKS = 4
"""Looks in a row at which nothing new has come: one alone may fall into a moment in which the plan is being read."""
_READINGS = 3
"""Times that results which lack rows are read before those rows count as lost."""
_NOT_SENT = ("stream", "stream_options")
_UNSTREAMED = "stream: a batch is not streamed"


class Batcher:
    """The batches of one model."""

    def __init__(self, api: BatchApi, journal: Journal, timing: Timing, purse: Purse) -> None:
        self._api, self._journal, self._timing, self.purse = api, journal, timing, purse
        self.listener: Callable[[str], None] = lambda said: None
        """Told in a few words what is waited for, whenever that changes."""
        self._new = Collected(api.limits, purse)
        self._one_at_a_time = self._has_looked = False
        self._open: dict[str, Batch] = {}
        """Rows of earlier processes' batches that nobody here has asked for yet."""
        self._batches: dict[str, Batch] = {}
        self._collecting: asyncio.Task[None] | None = None

    async def ask(self, sending: Sending) -> Sent:
        """What the endpoint says to a body, some time."""
        if not self._has_looked:
            self._look_for_batches()
        waiter = Waiter(asyncio.get_running_loop().create_future(), sending)
        if (batch := self._open.pop(sending.key, None)) is not None:
            self._join(batch, sending.key, waiter)
        else:
            self._collect(waiter)
        try:
            sent = await waiter.future
        finally:
            self._forget(waiter)
        self.purse.learn(waiter.most, sent.received)
        return sent

    def needed(self) -> list[tuple[Entry, frozenset[str]]]:
        """The journal's entries, each with the rows that are still needed if their answers aren't in the ledger."""
        return [(entry, frozenset(entry.rows) - self._failed(entry)) for entry in self._journal.entries()]

    def drop(self, entry: Entry) -> None:
        """Forget a batch of which nothing is needed any more."""
        self._journal.remove(entry)

    async def aclose(self) -> None:
        """Wait for nothing more; the batches go on."""
        tasks = [task for task in (self._collecting, *(b.task for b in self._batches.values())) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._api.aclose()

    # ---- collecting

    def _collect(self, waiter: Waiter) -> None:
        """Put a request with the new ones, under its key, or a longer one where that is taken."""
        sending = waiter.sending
        waiter.dropped = sending.dropped
        body = {name: value for name, value in sending.body.items() if name not in _NOT_SENT}
        if len(body) < len(sending.body):
            waiter.dropped = (*waiter.dropped, _UNSTREAMED)
        waiter.key = sending.key
        while waiter.key in self._new:
            waiter.key += "0"
        row = self._api.row(waiter.key, sending.api, body)
        waiter.most = self.purse.most(body)
        self._new.add(New(row, sending.api, waiter))
        if self._new.fills_a_batch:
            self._send_one()
        self._collect_on()

    def _collect_on(self) -> None:
        if self._collecting is None and self._new:
            self._collecting = asyncio.get_running_loop().create_task(self._until_quiet())
            self._collecting.add_done_callback(self._collected)

    def _forget(self, waiter: Waiter) -> None:
        """Nobody waits any more: give the money back, and don't send what isn't sent."""
        self.purse.give_back(waiter.reserved)
        waiter.reserved = 0.0
        self._new.drop(waiter)

    async def _until_quiet(self) -> None:
        quiet, seen = 0, -1
        while quiet < _TICKS:
            self._tell()
            await asyncio.sleep(self._timing.quiet / _TICKS)
            quiet = quiet + 1 if seen == self._new.arrivals else 0
            seen = self._new.arrivals
        while self._new and self._send_one():
            pass
        self._tell()

    def _collected(self, task: "asyncio.Task[None]") -> None:
        self._collecting = None
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            self._new.fail(error)
        self._collect_on()  # what came at the last moment, or had to stay behind

    def _send_one(self) -> bool:
        """Make one batch of what is collected, as far as it goes into one; False if none of it may go now."""
        self._look_for_batches()
        if self._one_at_a_time and any(batch.task is not None for batch in self._batches.values()):
            return False
        sent = self._new.take()
        if not sent:
            return False
        dropped = {new.row.custom_id: new.waiter.dropped for new in sent if new.waiter.dropped}
        batch = Batch(self._journal.entry(sent[0].api, [new.row.custom_id for new in sent], dropped))
        batch.waiters = {new.row.custom_id: new.waiter for new in sent}
        for new in sent:
            new.waiter.reserved = self.purse.take(new.waiter.most)
        self._batches[batch.entry.label] = batch
        self._start(batch, self._send(batch, [new.row for new in sent]))
        return True

    # ---- batches of earlier processes

    def _look_for_batches(self) -> None:
        """Read the journal; a request that is in a batch there is not sent, but waited for."""
        self._has_looked = True
        try:
            entries = self._journal.entries()
        except StoreError as error:
            raise FatalModelError(str(error)) from error
        for entry in entries:
            if entry.label not in self._batches:
                batch = self._batches[entry.label] = Batch(entry)
                self._open |= dict.fromkeys(entry.rows, batch)
        for waiter in self._new.leave(self._open.keys()):
            self._join(self._open.pop(waiter.key), waiter.key, waiter)

    def _join(self, batch: Batch, key: str, waiter: Waiter) -> None:
        batch.join(key, waiter)
        if batch.task is None and not batch.is_read:
            self._start(batch, self._pick_up(batch))

    async def _pick_up(self, batch: Batch) -> None:
        """Follow a batch that another process sent, or was about to send."""
        entry = batch.entry
        if not entry.id:
            entry.id = await self._tried(partial(self._api.find, entry, self._ids))
            if not entry.id:
                await self._ask_anew(batch)
                return
            await asyncio.to_thread(self._journal.write, entry)
        try:
            await self._follow(batch)
        except BatchGoneError:  # results are kept for some weeks
            await self._ask_anew(batch)

    async def _ask_anew(self, batch: Batch) -> None:
        """Collect the rows of a batch that does not exist."""
        await asyncio.to_thread(self._journal.remove, batch.entry)
        for key in batch.entry.rows:
            self._open.pop(key, None)
        for waiter in batch.leave():
            self._collect(waiter)

    @property
    def _ids(self) -> frozenset[str]:
        return frozenset(batch.entry.id for batch in self._batches.values())

    # ---- one batch

    def _start(self, batch: Batch, steps: Awaitable[None]) -> None:
        async def run() -> None:
            try:
                await steps
            except HoloscopeError as error:
                self._open |= dict.fromkeys(batch.missing, batch)  # who asks again here waits for the same batch
                batch.fail(error if isinstance(error, ModelError) else FatalModelError(str(error)))

        batch.task = asyncio.get_running_loop().create_task(run())
        batch.task.add_done_callback(partial(self._ended, batch))

    def _ended(self, batch: Batch, task: "asyncio.Task[None]") -> None:
        batch.task = None
        if not task.cancelled() and (error := task.exception()) is not None:
            batch.fail(error)
        self._tell()

    async def _send(self, batch: Batch, rows: list[Row]) -> None:
        entry = batch.entry
        await asyncio.to_thread(self._journal.write, entry)
        entry.source = await self._tried(partial(self._api.upload, entry, rows))
        await asyncio.to_thread(self._journal.write, entry)
        entry.id = await self._submitted(entry, rows)
        await asyncio.to_thread(self._journal.write, entry)
        rows.clear()
        await self._follow(batch)

    async def _submitted(self, entry: Entry, rows: list[Row]) -> str:
        """The id of the batch, submitted once, however often the answer to that was lost."""
        is_again = False

        async def submit() -> str:
            nonlocal is_again
            found = await self._api.find(entry, self._ids) if is_again else ""
            is_again = True
            return found or await self._api.submit(entry, rows)

        return await self._tried(submit)

    async def _follow(self, batch: Batch) -> None:
        entry, pause = batch.entry, self._timing.first_poll
        while (state := await self._tried(partial(self._api.state, entry))).phase == "running":
            batch.answered = state.answered
            self._tell()
            await asyncio.sleep(pause)
            pause = min(1.5 * pause, self._timing.longest_poll)
        for reading in range(_READINGS):
            if reading:
                await asyncio.sleep(pause)
            await self._tried(partial(self._read, batch, state))
            if not batch.missing or state.phase != "ended":
                break
        if state.is_too_much:
            self._new.most, self._one_at_a_time = max(1, len(entry.rows) // 2), True
        batch.close(state)

    async def _read(self, batch: Batch, state: State) -> None:
        async for result in self._api.results(batch.entry, state):
            batch.settle(result)

    async def _tried(self, call: Callable[[], Awaitable[T]]) -> T:
        return await tried(call, self._timing, self._tell)

    # ---- telling

    def _failed(self, entry: Entry) -> set[str]:
        batch = self._batches.get(entry.label)
        return batch.failed if batch is not None and batch.is_read else set()

    def _tell(self, trouble: str = "") -> None:
        """Say how the batches go: which, and how many of their requests are answered, as far as that is known."""
        under_way = [batch for batch in self._batches.values() if batch.task is not None and not batch.is_read]
        said = []
        if under_way:
            name = f"batch {under_way[0].entry.id or 'being sent'}"
            rows = sum(len(batch.entry.rows) for batch in under_way)
            counts = [batch.answered for batch in under_way if batch.answered is not None]
            unknown = "" if len(counts) == len(under_way) else ", as far as the provider says"
            many = name if len(under_way) == 1 else f"{len(under_way)} batches"
            said.append(f"{many}: {sum(counts):,} of {rows:,} answered{unknown}")
        if self._new:
            said.append(f"{len(self._new):,} collected for the next batch")
        self.listener("; ".join([*said, *filter(None, (trouble,))]))
