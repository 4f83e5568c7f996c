"""Gathers requests that wait at the same time into one call, for code that answers many at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from holoscope.core import NotSupportedError, Request


class Gathering:
    """Calls `answer_many` with all that have come while it was busy, at most `most` at once, one call at a time."""

    def __init__(self, answer_many: Callable[[list[Request]], Awaitable[object]], most: int) -> None:
        self._answer_many, self._most = answer_many, most
        self._waiting: list[tuple[Request, asyncio.Future[object]]] = []
        self._working: asyncio.Task[None] | None = None

    async def ask(self, request: Request) -> object:
        """The answer to one request."""
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, future))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        return await future

    async def _work(self) -> None:
        await asyncio.sleep(0)  # whoever is about to ask may join
        while self._waiting:
            taken, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
            taken = [(request, future) for request, future in taken if not future.done()]
            if taken:
                await self._call([request for request, _ in taken], [future for _, future in taken])

    async def _call(self, requests: list[Request], futures: list[asyncio.Future[object]]) -> None:
        try:
            answers = await self._answer_many(requests)
            if not isinstance(answers, Sequence) or isinstance(answers, str) or len(answers) != len(requests):
                found = f"{len(answers)}" if isinstance(answers, Sequence) else type(answers).__name__
                raise NotSupportedError(f"generate_many: expected a list of {len(requests)} answers, found {found}")
        except BaseException as error:
            for future in futures:
                if not future.done():
                    future.set_exception(error if isinstance(error, Exception) else NotSupportedError(str(error)))
            if not isinstance(error, Exception):
                raise
            return
        for future, answer in zip(futures, answers, strict=True):
            if not future.done():
                future.set_result(answer)
