"""Calls of code that may never return, in threads that nobody has to wait for.

A pool joins its threads when the interpreter ends, so one call that hangs would keep a command from ending; these are
daemons. A call that was given up on still counts as one under way: what it runs may not take a second beside it.
"""

import asyncio
import threading
from collections.abc import Callable


class Threads:
    """At most so many calls at once."""

    def __init__(self, most: int) -> None:
        self._free = asyncio.Semaphore(most)

    async def call(self, function: Callable[..., object], *arguments: object) -> object:
        """What the function returns or raises."""
        await self._free.acquire()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[object] = loop.create_future()

        def settle(result: object, error: BaseException | None) -> None:
            self._free.release()
            if future.done():
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        def work() -> None:
            result, raised = None, None
            try:
                result = function(*arguments)
            except BaseException as error:  # noqa: BLE001  (it belongs to whoever waits for the future)
                raised = error
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, result, raised)

        threading.Thread(target=work, name="holoscope-local-model", daemon=True).start()
        return await future
