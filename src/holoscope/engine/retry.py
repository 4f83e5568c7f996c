"""Asking until there is an answer, or no use in asking again.

Waits grow by doubling and are drawn anew between nothing and their length, so that clients that failed together
don't come back together; a server's Retry-After is kept to instead. Nothing is raised for what a model does: a
request that can't be answered becomes a completion that says why, and costs no other request anything.
"""

import asyncio
import math
import random

from msgspec import structs

from holoscope.core import Completion, Request, TransportError
from holoscope.engine.lane import Lane, failure
from holoscope.engine.limits import Limits
from holoscope.engine.progress import Progress

_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 30.0
_AFTER_S = 0.01
"""Clocks differ: never come a moment too early."""
_PUT_OFF = 0.25
"""What an attempt counts that the server put off by naming a time."""


async def ask(lane: Lane, request: Request, limits: Limits, progress: Progress, rng: random.Random) -> Completion:
    """The completion for `request`, whatever becomes of it. Cancelled where nothing may be sent any more."""
    clock = asyncio.get_running_loop().time
    attempts, spent, deadline = 0, 0.0, math.inf
    while True:
        await lane.turn(again=attempts > 0)
        try:
            if lane.given_up:
                return failure(lane.given_up, attempts)
            _stop_if_closed(lane)
            attempts += 1
            deadline = min(deadline, clock() + limits.deadline_s)
            price = 0.0 if lane.is_probing else 1.0
            seconds = min(lane.patience.seconds(request.params.max_tokens), deadline - clock())
            reply = await lane.attempt(request, seconds, first=attempts == 1)
        finally:
            lane.leave()
        if isinstance(reply, Completion):
            return reply if attempts == 1 else structs.replace(reply, attempts=attempts)
        _stop_if_closed(lane)
        spent += price if reply.retry_after is None else price * _PUT_OFF
        wait = 0.0 if limits.batch else wait_s(reply, attempts, rng)  # a batch waits for the others itself
        if spent >= limits.attempts or clock() + wait >= deadline:
            return failure(f"gave up after {attempts} attempts: {reply}", attempts)
        progress.retries += 1
        progress.wait(lane.name, str(reply), clock() + wait)
        await lane.park(wait)


def wait_s(error: TransportError, attempts: int, rng: random.Random) -> float:
    """Seconds until the next attempt, after `attempts` that failed, the last with `error`."""
    if error.retry_after is not None:
        return error.retry_after + _AFTER_S
    return rng.uniform(0, min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2 ** (attempts - 1)))


def _stop_if_closed(lane: Lane) -> None:
    if lane.closed:
        raise asyncio.CancelledError  # as if whoever closed it had found this task waiting
