"""The ledger: every answer ever paid for, by key, and who is getting which one now.

An answer counts when `put` has returned: its transaction is committed, and no death of the process can take it away.
Commits are grouped, `GROUP_S` late at most, since a commit costs as much for fifty answers as for one. SQLite is only
touched in two threads, one that writes and one that reads, so the loop never waits for the disk. A `Ledger` belongs
to one event loop; other processes may have the same file open.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from holoscope.core import Completion
from holoscope.engine.database import Database
from holoscope.engine.leases import Lease

GROUP_S = 0.005
"""How long an operation waits for others to share its commit."""


class LedgerProtocol(Protocol):
    """What the engine needs of a ledger. A failure is a LedgerError of one line."""

    async def get_many(self, keys: Sequence[bytes]) -> dict[bytes, Completion]:
        """The answers there are."""
        ...

    async def claim(self, key: bytes) -> Completion | Lease:
        """The answer, or whether the caller may get it. Each `Lease.MINE` is followed by `put` or `release`."""
        ...

    async def put(self, key: bytes, completion: Completion) -> None:
        """Keep an answer and end the lease; returns after the commit."""
        ...

    def release(self, key: bytes) -> None:
        """End the lease without an answer, soon."""
        ...


class _Operation(NamedTuple):
    action: Callable[[], object]
    key: bytes
    done: asyncio.Future[Any] | None
    """Whom to tell; nobody for a release."""


class Ledger:
    """A ledger in an SQLite file.

    >>> async with Ledger.open(Path("out/ledger.sqlite")) as ledger:  # doctest: +SKIP
    ...     await ledger.put(key, completion)
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pending: list[_Operation] = []
        self._closed = False
        self._writer = ThreadPoolExecutor(1, "ledger-writer")
        self._reader = ThreadPoolExecutor(1, "ledger-reader")

    @classmethod
    def open(cls, path: Path) -> "Ledger":
        """Open or create the file at `path`; a damaged one is set aside, as `notice` then tells."""
        return cls(Database(path))

    @property
    def notice(self) -> str:
        """What the user should be told about the opening; empty as a rule."""
        return self._database.notice

    async def get_many(self, keys: Sequence[bytes]) -> dict[bytes, Completion]:
        """The answers there are, for any number of keys at a time up to 30,000."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reader, self._database.get_many, keys)

    async def claim(self, key: bytes) -> Completion | Lease:
        """The answer, or whether the caller may get it."""
        claimed: Completion | Lease = await self._soon(partial(self._database.claim, key), key)
        return claimed

    async def put(self, key: bytes, completion: Completion) -> None:
        """Keep an answer and end the lease; returns after the commit."""
        await self._soon(partial(self._database.put, key, completion), key)

    def release(self, key: bytes) -> None:
        """End the lease without an answer, soon."""
        if not self._closed:
            self._enqueue(_Operation(partial(self._database.release, key), key, None))

    async def close(self) -> None:
        """Commit what is pending, give up all leases, close the file."""
        self._commit()
        self._closed = True
        self._reader.shutdown()  # a lookup that nobody waits for any more may still be under way
        await asyncio.get_running_loop().run_in_executor(self._writer, self._database.close)
        self._writer.shutdown()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _soon(self, action: Callable[[], object], key: bytes) -> asyncio.Future[Any]:
        done = asyncio.get_running_loop().create_future()
        self._enqueue(_Operation(action, key, done))
        return done

    def _enqueue(self, operation: _Operation) -> None:
        self._pending.append(operation)
        if len(self._pending) == 1:
            asyncio.get_running_loop().call_later(GROUP_S, self._commit)

    def _commit(self) -> None:
        """Hand the pending operations to the writer's thread as one transaction."""
        if self._pending:
            group, self._pending = self._pending, []
            actions = [operation.action for operation in group]
            committed = asyncio.get_running_loop().run_in_executor(self._writer, self._database.commit, actions)
            committed.add_done_callback(partial(self._tell, group))

    def _tell(self, group: list[_Operation], committed: asyncio.Future[list[object]]) -> None:
        """Hand each operation its result, or the one error that undid them all."""
        if (error := committed.exception()) is not None:
            for operation in group:
                if operation.done is not None and not operation.done.cancelled():
                    operation.done.set_exception(error)
            return
        for operation, result in zip(group, committed.result(), strict=True):
            if operation.done is None:
                continue
            if not operation.done.cancelled():
                operation.done.set_result(result)
            elif result is Lease.MINE:
                self.release(operation.key)  # whoever claimed it was cancelled before he could know
