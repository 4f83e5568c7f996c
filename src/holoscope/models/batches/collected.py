"""Requests that are in no batch yet, and which of them make the next one."""

from collections.abc import Collection
from typing import NamedTuple

from holoscope.core import TransportError
from holoscope.models.batches.api import BatchLimits, Row
from holoscope.models.batches.batch import Waiter
from holoscope.models.batches.purse import Purse
from holoscope.models.model import Api


class New(NamedTuple):
    """A request that is in no batch yet."""

    row: Row
    api: Api
    waiter: Waiter


class Collected:
    """What is collected for the next batches, in the order in which it came."""

    def __init__(self, limits: BatchLimits, purse: Purse) -> None:
        self.most = limits.requests
        """Requests in a batch; less than the provider's limit once that has turned out to be too much."""
        self.arrivals = 0
        """How many have ever come."""
        self._limits, self._purse = limits, purse
        self._new: dict[str, New] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._new)

    def __contains__(self, key: object) -> bool:
        return key in self._new

    @property
    def fills_a_batch(self) -> bool:
        return len(self._new) >= self.most or self._bytes >= self._limits.bytes

    def add(self, new: New) -> None:
        self._new[new.waiter.key] = new
        self._bytes += len(new.row.content)
        self.arrivals += 1

    def drop(self, waiter: Waiter) -> None:
        """Leave out a request that nobody waits for any more, if it is here."""
        if (new := self._new.get(waiter.key)) is not None and new.waiter is waiter:
            self._pop(waiter.key)

    def leave(self, keys: Collection[str]) -> list[Waiter]:
        """Whoever waits for one of these, which are asked elsewhere now."""
        return [self._pop(key).waiter for key in [key for key in self._new if key in keys]]

    def fail(self, error: BaseException) -> None:
        """Tell everybody that nothing is sent."""
        new, self._new, self._bytes = self._new, {}, 0
        for each in new.values():
            if not each.waiter.future.done():
                each.waiter.future.set_exception(error)

    def take(self) -> list[New]:
        """The next batch: requests of one API, within the limits, and within the money."""
        taken: list[str] = []
        size, api, room = 0, None, self._purse.room()
        if room <= 0 and self._purse.is_idle:
            self.fail(TransportError("the cost limit is reached"))
        for key, new in self._new.items():
            if api is not None and new.api != api:
                continue
            size, room = size + len(new.row.content), room - self._purse.likely(new.waiter.most)
            is_over = len(taken) >= self.most or size > self._limits.bytes or room < 0
            if is_over and (taken or not self._purse.is_idle):
                break
            api = new.api
            taken.append(key)
        return [self._pop(key) for key in taken]

    def _pop(self, key: str) -> New:
        new = self._new.pop(key)
        self._bytes -= len(new.row.content)
        return new
