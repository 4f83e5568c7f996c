"""How long to wait for what, and how often to try a call to a batch API."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

from holoscope.core import FatalModelError, ModelError, TransportError

T = TypeVar("T")

_AFTER_S = 0.01
"""Clocks differ: never come a moment too early."""


class Timing(NamedTuple):
    """Waits, in seconds."""

    quiet: float = 2.0
    """Without a new request, after which what there is makes a batch."""
    first_poll: float = 5.0
    longest_poll: float = 60.0
    patience: float = 1800.0
    """For a provider that answers nothing but errors."""

    @classmethod
    def polling_every(cls, seconds: float | None) -> "Timing":
        """The usual times; with `seconds`, polls come so often and nothing waits much longer."""
        if seconds is None:
            return cls()
        return cls(min(cls().quiet, max(4 * seconds, 0.05)), seconds, seconds)


async def tried(call: Callable[[], Awaitable[T]], timing: Timing, tell: Callable[[str], None]) -> T:
    """The result of a call, however often it takes; FatalModelError once it is hopeless."""
    now = asyncio.get_running_loop().time
    pause, failing_since = timing.first_poll, None
    while True:
        try:
            return await call()
        except TransportError as error:
            failing_since = now() if failing_since is None else failing_since
            wait = pause if error.retry_after is None else error.retry_after + _AFTER_S
            if now() + wait - failing_since > timing.patience:
                raise FatalModelError(f"{error}; what was sent goes on: run the same command later") from None
            tell(f"trying again: {error}")
        except FatalModelError:
            raise
        except ModelError as error:
            raise FatalModelError(str(error)) from None
        await asyncio.sleep(wait)
        pause = min(2 * pause, timing.longest_poll)
