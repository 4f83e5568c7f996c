"""Tells other processes how far the runs of a suite are: a small file in each run's folder, once a second.

What is told is read from the engine's counts when the second has passed, so it costs the same at any rate of requests.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from holoscope.core import RunSpec
from holoscope.engine import Progress
from holoscope.pipeline.record import Place
from holoscope.store import BEAT_S, RunProgress, write_progress

_EVERY_S = 1.0


class Told(NamedTuple):
    """A run under way."""

    number: int
    """In the engine's counts."""
    spec: RunSpec
    started: datetime
    is_scoring: bool


async def tell(under_way: Callable[[], Iterable[Told]], counts: Progress, place: Place, over: asyncio.Event) -> None:
    """Write the progress of the runs that `under_way` gives, until it is over."""
    written: dict[int, RunProgress] = {}
    while not await _passed(over):
        now, loop_time = datetime.now(UTC), asyncio.get_running_loop().time()
        waiting = {name: wait.reason for name, wait in counts.waiting(loop_time).items()}
        news = {run.number: (run.spec, _progress(run, counts, waiting, now)) for run in under_way()}
        due = {index: each for index, each in news.items() if _is_due(written.get(index), each[1])}
        await asyncio.to_thread(_write, list(due.values()), place)
        written.update({index: progress for index, (_, progress) in due.items()})


async def _passed(over: asyncio.Event) -> bool:
    """Wait a second, or until it is over; whether it is."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(over.wait(), _EVERY_S)
    return over.is_set()


def _progress(run: Told, counts: Progress, waiting: dict[str, str], now: datetime) -> RunProgress:
    count = counts.runs.get(run.number)
    model = run.spec.adapter.model_deployment or run.spec.adapter.model
    return RunProgress(
        run=run.spec.name,
        model=model,
        scenario=run.spec.scenario.name,
        started=run.started,
        updated=now,
        total=count.total if count else None,
        done=count.done if count else 0,
        cached=count.cached if count else 0,
        failed=count.failed if count else 0,
        waiting=waiting.get(model, ""),
        is_scoring=run.is_scoring,
    )


def _is_due(written: RunProgress | None, new: RunProgress) -> bool:
    """True if there is news, or nothing was written for a while."""
    if written is None or (new.updated - written.updated).total_seconds() >= BEAT_S:
        return True
    return (new.done, new.total, new.waiting, new.is_scoring) != (
        written.done,
        written.total,
        written.waiting,
        written.is_scoring,
    )


def _write(news: Iterable[tuple[RunSpec, RunProgress]], place: Place) -> None:
    for spec, progress in news:
        write_progress(place.folder(spec), progress)
