"""Processes for the tests that need more than one, or one to kill: `python child.py VERB LEDGER ...`."""

import asyncio
import os
import resource
import sys
import time
from pathlib import Path

from engine.fakes import Kept, Scripted, completion, works
from holoscope.core import Completion, LedgerError, Request
from holoscope.engine import Lease, Ledger, Limits, run

KEY = b"k" * 32


def say(line: object) -> None:
    print(line, flush=True)


async def claim(path: Path, fork: str) -> None:
    """Claim KEY and never let go."""
    async with Ledger.open(path) as ledger:
        say(await ledger.claim(KEY))
        if fork == "fork" and os.fork() == 0:
            time.sleep(3)  # noqa: ASYNC251 - outlives its parent, who is killed
            os._exit(0)
        await asyncio.sleep(30)


async def ask(path: Path, served: str, count: str, seconds: str) -> None:
    """Have `count` works answered; a byte in `served` for each request that reached the model."""
    tally = os.open(served, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    async def behaviour(request: Request) -> Completion:
        os.write(tally, b".")
        await asyncio.sleep(float(seconds))
        return completion(f"to {request.prompt}")

    kept = Kept()
    say("open")
    async with Ledger.open(path) as ledger:
        await run([works(Scripted(behaviour), int(count))], ledger, on_done=kept, limits=Limits(max_connections=16))
    assert all(c.text == f"to {w.request.prompt}" for w, c, _ in kept.calls)
    say(len(kept.calls))


async def fill(path: Path, most: str) -> None:
    """Put answers until the disk, which takes files of `most` bytes, is full."""
    ledger, put = Ledger.open(path), 0
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), int(most)))
    try:
        while True:
            await ledger.put(os.urandom(32), completion(os.urandom(3000).hex()))
            put += 1
    except LedgerError as error:
        say(f"{put} {error}")
    await ledger.close()


async def hammer(path: Path, name: str) -> None:
    """Claim and put 50 answers from each of 32 tasks."""
    async with Ledger.open(path) as ledger:

        async def task(number: int) -> None:
            for i in range(50):
                key = f"{name}/{number}/{i}".encode()
                assert await ledger.claim(key) is Lease.MINE
                await ledger.put(key, completion("x"))

        await asyncio.gather(*map(task, range(32)))
    say("done")


if __name__ == "__main__":
    verbs = {"claim": claim, "ask": ask, "fill": fill, "hammer": hammer}
    asyncio.run(verbs[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:]))  # type: ignore[operator]
