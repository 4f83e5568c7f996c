"""What a list of instances costs: pages of a suite of a million, by each kind of filter, as the server makes them.

    python benchmarks/instances.py [--runs 40] [--instances 25000] [--metrics 6] [--rounds 5]

Makes the suite in a temporary folder (about 0.8 GB for a million), written by the package's own writers, and asks the
application without a socket: the first answer (files not opened yet) and the median of the following, by the clock and
in CPU time, which other work on the machine does not change. The limit that the project sets itself: 300 ms for a page
of a list. Searches through the texts read all of them and are listed apart.
"""

import argparse
import asyncio
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import FastAPI

from holoscope.core import (
    AdapterSpec,
    Choice,
    Completion,
    Exchange,
    Instance,
    MetricSpec,
    Outcome,
    Params,
    PlannedRequest,
    Reference,
    Request,
    RunSpec,
    ScenarioSpec,
    Score,
    Trial,
    Usage,
    builtin,
)
from holoscope.report.library import Library
from holoscope.store import (
    REQUESTS,
    SCORES,
    Manifest,
    ModelSummary,
    RequestsWriter,
    ScenarioSummary,
    ScoresWriter,
    Versions,
    provenance,
    run_folder,
    write_manifest,
    write_measures,
)
from holoscope.web import create_app

SUITE = "million"
LISTS = {
    "all": "",
    "wrong answers": "?score=wrong",
    "originals of one split": "?perturbation=none&split=test",
    "by a value, highest first": "?metric=metric_5&sort=-value",
    "outcome truncated": "?outcome=truncated",
    "outcome ok": "?outcome=ok",
    "page 36,000": "?offset=900000",
}
SEARCHES = {
    "text": "?text=needle",
    "pattern": "?regex=1&text=need[a-z]e",
    "text of wrong ones": "?text=needle&score=wrong",
}


def exchanges(count: int, draw: random.Random) -> Iterator[Exchange]:
    words = [f"{draw.randrange(10**6):x}" for _ in range(5_000)]
    for number in range(count):
        question = " ".join(draw.choices(words, k=60))
        references = tuple(
            Reference(" ".join(draw.choices(words, k=3)), ("correct",) if k == 1 else ()) for k in range(4)
        )
        instance = Instance(id=f"id{number}", input=question, references=references)
        text = f"{draw.choice('ABCD')} {' '.join(draw.choices(words, k=10))}{' needle' if number % 5_000 == 7 else ''}"
        outcome = Outcome.TRUNCATED if number % 500 == 3 else Outcome.OK
        prompt = f"{' '.join(draw.choices(words, k=120))} {question}"
        yield Exchange(
            PlannedRequest(instance=instance, request=Request(Params(temperature=0.0), prompt=prompt)),
            Completion(outcome, (Choice(text, -0.3),), usage=Usage(200, 12), request_time=0.3, created=1.7e9),
        )


def write_suite(out: Path, runs: int, instances: int, metrics: int) -> None:
    """One run by the package's writers, then copies of it under other names."""
    draw = random.Random(0)
    first = run_folder(out, SUITE, "seed")
    with RequestsWriter(first / REQUESTS) as requests, ScoresWriter(first / SCORES) as scores:
        for exchange in exchanges(instances, draw):
            requests.write([exchange])
            right = float(draw.random() < 0.7)
            values = [right if k < 3 else draw.random() for k in range(metrics)]
            own = [Score(f"metric_{k}", value, answer="B" if k == 0 else None) for k, value in enumerate(values)]
            scores.write_trial(Trial(exchange.planned.instance, (exchange,)), own)
    for number in range(runs):
        spec = RunSpec(
            name=f"part:number={number},model=m{number % 8}",
            entry="part",
            scenario=ScenarioSpec("part", {"number": str(number)}),
            adapter=AdapterSpec(model=f"lab/m{number % 8}"),
            metrics=(MetricSpec("metric_0"),),
        )
        folder = run_folder(out, SUITE, spec.name)
        folder.mkdir()
        for name in (REQUESTS, SCORES):
            shutil.copy(first / name, folder / name)
        write_measures(folder, ())
        write_manifest(folder, _manifest(spec, instances, metrics))
    shutil.rmtree(first)


def _manifest(spec: RunSpec, instances: int, metrics: int) -> Manifest:
    return Manifest(
        suite=SUITE,
        spec=spec,
        status="complete",
        scenario=ScenarioSummary(name="part", main_metric="metric_0", main_split="test", redistribution="yes"),
        model=ModelSummary(name=spec.adapter.model),
        versions=Versions(metrics={f"metric_{k}": "1" for k in range(metrics)}),
        provenance=provenance(Path.cwd()),
        started=datetime.now(UTC),
        instances=instances,
        requests=instances,
        outcomes={Outcome.OK: instances},
    )


class Took(NamedTuple):
    """What a page took, in ms."""

    wall: float
    cpu: float


def ask(app: FastAPI, path: str) -> Took:
    """Make a page."""
    address, _, query = path.partition("?")
    scope = {
        **{"type": "http", "method": "GET", "path": address, "raw_path": address.encode(), "root_path": ""},
        **{"query_string": query.encode(), "headers": [(b"host", b"localhost")], "http_version": "1.1"},
        **{"scheme": "http", "server": ("localhost", 80), "client": ("localhost", 1), "asgi": {"version": "3.0"}},
    }
    status: list[int] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            status.append(message["status"])

    start, cpu = time.perf_counter(), time.process_time()
    asyncio.run(app(scope, receive, send))
    took = Took(1000 * (time.perf_counter() - start), 1000 * (time.process_time() - cpu))
    assert status == [200], (path, status)
    return took


def report(app: FastAPI, name: str, path: str, rounds: int) -> None:
    first, *rest = (ask(app, path) for _ in range(rounds + 1))
    then = Took(statistics.median(took.wall for took in rest), statistics.median(took.cpu for took in rest))
    print(f"{name:32} first {first.wall:6.0f} ms, CPU {first.cpu:6.0f}   then {then.wall:6.0f} ms, CPU {then.cpu:6.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for flag, value in (("--runs", 40), ("--instances", 25_000), ("--metrics", 6), ("--rounds", 5)):
        parser.add_argument(flag, type=int, default=value)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        write_suite(out, asked.runs, asked.instances, asked.metrics)
        library = Library(out, builtin())
        one = next(iter(library.suite(SUITE).runs))
        print(f"{asked.runs * asked.instances:,} instances in {asked.runs} runs, {asked.metrics} scores each")
        for name, query in LISTS.items():
            report(create_app(library), name, f"/s/{SUITE}/instances{query}", asked.rounds)
        app = create_app(library)
        report(app, "one run, wrong answers", f"/s/{SUITE}/run/{one}/instances?score=wrong", asked.rounds)
        report(app, "one instance", f"/s/{SUITE}/run/{one}/instance/id777", asked.rounds)
        report(app, "one run, text", f"/s/{SUITE}/run/{one}/instances?text=needle", asked.rounds)
        for name, query in SEARCHES.items():
            report(app, f"the suite, {name}", f"/s/{SUITE}/instances{query}", 2)


if __name__ == "__main__":
    main()
