"""What a request costs the client, in each wire format: CPU milliseconds, beside our own OpenAI-compatible client's.

    python benchmarks/providers.py [--requests 1000] [--in-flight 64] [--only anthropic,gemini]

A loopback server in a process of its own repeats one reply of the format (the one that the tests of the wire formats
use); the client asks through `Model.generate`, as the engine does. The server is not counted. All formats are timed in
one run, so that the ratios hold on a busy machine; the first 50 requests of each, which import and connect, are not.
"""

import argparse
import asyncio
import multiprocessing
import resource
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from holoscope.core import Params, Request, Settings
from holoscope.models import Model, resolve
from models.stub import Stub
from models.wires.dialect import Dialect, Said
from models.wires.test_wires import DIALECTS

WARM_UP = 50


class Cost(NamedTuple):
    """Of one format, per request in milliseconds."""

    cpu: float
    wall: float


def main() -> None:
    flags = _flags()
    wanted = flags.only.split(",") if flags.only else [dialect.name for dialect in DIALECTS]
    chosen = [dialect for dialect in DIALECTS if dialect.name in wanted or dialect.name == "openai"]
    chosen.sort(key=lambda dialect: dialect.name != "openai")
    print(f"{flags.requests} requests, {flags.in_flight} in flight")
    base: Cost | None = None
    for dialect in chosen:
        cost = _cost(dialect, flags.requests, flags.in_flight)
        base = base or cost
        print(f"{dialect.name:12} {cost.cpu:6.2f} ms CPU  {cost.wall:6.2f} ms wall  {cost.cpu / base.cpu:5.1f}x ours")


def _flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--only", default="", help="names of formats, with commas between")
    return parser.parse_args()


def _cost(dialect: Dialect, requests: int, in_flight: int) -> Cost:
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(dialect.name, there), daemon=True)
    server.start()
    try:
        return asyncio.run(_ask(dialect, here.recv(), requests, in_flight))
    finally:
        server.terminate()
        server.join()


def _serve(name: str, pipe: Connection) -> None:
    """The server's process: says the same for ever."""
    dialect = next(dialect for dialect in DIALECTS if dialect.name == name)

    async def serve() -> None:
        async with Stub() as stub:
            say = dialect.says(Said("Paris"))
            stub.says = lambda _: say
            pipe.send(stub.url.removesuffix("/v1"))
            await asyncio.Event().wait()

    asyncio.run(serve())


async def _ask(dialect: Dialect, url: str, requests: int, in_flight: int) -> Cost:
    with tempfile.TemporaryDirectory() as empty:
        folder = Path(empty)
        model = resolve(dialect.model, Settings(cache_dir=folder, local_path=folder, environ=dialect.environ(url)))
        try:
            await _many(model, WARM_UP, in_flight)
            cpu, wall = _cpu(), time.perf_counter()
            await _many(model, requests, in_flight)
            return Cost(1000 * (_cpu() - cpu) / requests, 1000 * (time.perf_counter() - wall) / requests)
        finally:
            await model.aclose()


async def _many(model: Model, requests: int, in_flight: int) -> None:
    """Ask that often, with so many under way."""
    numbers = iter(range(requests))

    async def lane() -> None:
        for number in numbers:
            ask = Request(Params(temperature=0.0, max_tokens=50), prompt=f"{number}: what is the capital of France?")
            assert (await model.generate(ask)).text == "Paris"

    await asyncio.gather(*(lane() for _ in range(in_flight)))


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
