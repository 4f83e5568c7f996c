"""Other processes see how far a run is, once a second, and nothing of it once it is over."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holoscope.core import AdapterSpec, RunSpec, ScenarioSpec, Settings, builtin
from holoscope.engine import Limits, Progress
from holoscope.entries import Options, resolve
from holoscope.pipeline import Models, Place, Planner, SuiteRun, telling
from holoscope.pipeline.telling import Told, tell
from holoscope.store import PROGRESS, RunProgress, read_progress, write_progress

SPEC = RunSpec(
    name="quiz:model=m", entry="quiz", scenario=ScenarioSpec("quiz"), adapter=AdapterSpec(model="lab/m"), metrics=()
)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "_EVERY_S", 0.001)


class Heard:
    """What was written, and a sign when it was."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.all: list[RunProgress] = []
        self._loop, self._news = asyncio.get_running_loop(), asyncio.Event()
        monkeypatch.setattr(telling, "write_progress", self._write)

    def _write(self, folder: Path, progress: RunProgress) -> None:
        write_progress(folder, progress)
        self.all.append(progress)
        self._loop.call_soon_threadsafe(self._news.set)

    async def next(self) -> RunProgress:
        async with asyncio.timeout(20):
            await self._news.wait()
        self._news.clear()
        return self.all[-1]


@asynccontextmanager
async def telling_of(counts: Progress, out: Path, *, is_scoring: bool = False) -> AsyncIterator[Place]:
    """A run under way."""
    place, over = Place(out, "mine"), asyncio.Event()
    task = asyncio.create_task(tell(lambda: [Told(0, SPEC, datetime.now(UTC), is_scoring)], counts, place, over))
    yield place
    over.set()
    await task


async def test_a_run_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts, heard = Progress(), Heard(monkeypatch)
    counts.runs[0].total, counts.runs[0].done, counts.runs[0].failed = 40, 7, 1
    async with telling_of(counts, tmp_path) as place:
        await heard.next()
        found = read_progress(place.folder(SPEC))
    assert found is not None
    assert (found.run, found.model, found.scenario) == ("quiz:model=m", "lab/m", "quiz")
    assert (found.total, found.done, found.failed, str(found)) == (40, 7, 1, "7 of 40 requests done")
    assert found.is_live()


async def test_a_run_tells_what_it_waits_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts, heard = Progress(), Heard(monkeypatch)
    counts.wait("lab/m", "429 from the endpoint", asyncio.get_running_loop().time() + 60)
    async with telling_of(counts, tmp_path, is_scoring=True):
        found = await heard.next()
    assert (found.waiting, found.is_scoring, found.total) == ("429 from the endpoint", True, None)


async def test_news_are_written_and_nothing_else_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts, heard = Progress(), Heard(monkeypatch)
    async with telling_of(counts, tmp_path):
        for done in (0, 1, 2):
            counts.runs[0].done = done
            await heard.next()
    assert [progress.done for progress in heard.all] == [0, 1, 2]


async def test_a_finished_run_leaves_no_sign_of_going_on(tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_text('{"question": "1+1?", "answer": "2"}\n' * 30, encoding="utf-8")
    registry, settings = builtin(), Settings(tmp_path / "cache", offline=True)
    entry = f"file:path={tmp_path / 'questions.jsonl'}"
    specs = resolve(entry, registry, models=["test/echo"], options=Options()).specs
    planner = Planner(registry, settings, Models(settings, registry))
    results = await SuiteRun(specs, planner, tmp_path / "out", "mine").run(Limits())
    assert [result.status for result in results] == ["complete"]
    assert list((tmp_path / "out").rglob(f"*{PROGRESS}*")) == []
