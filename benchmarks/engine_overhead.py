"""What the engine and the ledger cost per request, apart from any network: a fake model that only sleeps.

    python benchmarks/engine_overhead.py [--requests 10000] [--in-flight 128] [--latency 0.05] [--loop uvloop]

Prints a line for the bare loop (a semaphore and a sleep), one for a fresh pass and one for a pass over the full
ledger. The ideal wall time is requests * latency / in flight. CPU covers the whole process, both ledger threads
included; the peak of the resident memory is the process's so far.
"""

import argparse
import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from holoscope.core import Choice, Completion, Outcome, Params, Request, Usage
from holoscope.engine import Ledger, Limits, Work, request_key, run

PROMPT = "Which of the following statements about the nervous system is correct? " * 44


class Sleeper:
    """A model that answers after a fixed time."""

    card = None
    identity = {"deployment": "sleeper"}

    def __init__(self, latency: float) -> None:
        self.latency, self.served = latency, 0

    async def generate(self, request: Request) -> Completion:
        await asyncio.sleep(self.latency)
        self.served += 1
        choice = Choice(" B", finish_reason="stop")
        return Completion(Outcome.OK, (choice,), usage=Usage(550, 1), request_time=self.latency, created=time.time())


def plan(model: Sleeper, requests: int) -> Iterator[Work]:
    params = Params(temperature=0.0, max_tokens=5)
    for i in range(requests):
        request = Request(params, prompt=f"{PROMPT}{i}")
        yield Work(model, request, request_key(model.identity, request, 0, f"id{i}"), 0, i)


async def bare(model: Sleeper, requests: int, in_flight: int) -> None:
    slots = asyncio.Semaphore(in_flight)

    async def one(work: Work) -> None:
        async with slots:
            await model.generate(work.request)

    await asyncio.gather(*(one(work) for work in plan(model, requests)))


async def through_engine(model: Sleeper, requests: int, in_flight: int, path: Path) -> None:
    done = 0

    def count(_work: Work, _completion: Completion, _cached: bool) -> None:
        nonlocal done
        done += 1

    async with Ledger.open(path) as ledger:
        await run([plan(model, requests)], ledger, on_done=count, limits=Limits(max_connections=in_flight))
    assert done == requests


async def measured(name: str, requests: int, model: Sleeper, work: Callable[[], Awaitable[None]]) -> None:
    served, wall, cpu = model.served, time.perf_counter(), time.process_time()
    await work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    rate, each = requests / wall, 1000 * cpu / requests
    sent = model.served - served
    print(f"{name:8} {wall:6.2f} s wall  {rate:7.0f}/s  {each:.3f} ms CPU each  {peak} MB peak  {sent} sent")


async def main(options: argparse.Namespace) -> None:
    model = Sleeper(options.latency)
    n, in_flight = options.requests, options.in_flight
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.sqlite"
        await measured("fresh", n, model, lambda: through_engine(model, n, in_flight, path))
        await measured("cached", n, model, lambda: through_engine(model, n, in_flight, path))
        print(f"ledger   {path.stat().st_size / n:.0f} bytes each")
    await measured("bare", n, model, lambda: bare(model, n, in_flight))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--in-flight", type=int, default=128)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--loop", choices=["asyncio", "uvloop"], default="uvloop")
    chosen = parser.parse_args()
    if chosen.loop == "uvloop" and sys.platform != "win32":
        import uvloop

        uvloop.run(main(chosen))
    else:
        asyncio.run(main(chosen))
