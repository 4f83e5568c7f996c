"""Runs a suite: every run's requests in one stream, each run scored and written the moment its last answer is in.

The engine reads one queue for each model. A queue plans its runs one after the other while it is read, so there is no
tail per run and no wait between runs. A run that can't be planned, or whose folder can't be written, fails alone and
says why; what was answered is in the ledger and the same command goes on from there.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from holoscope.core import (
    Completion,
    HoloscopeError,
    Instance,
    PlannedRequest,
    Request,
    RunSpec,
    StoreError,
    canonical,
)
from holoscope.core import Place as RequestPlace
from holoscope.engine import Engine, Ledger, Limits, Progress, Work, request_key
from holoscope.models import Model
from holoscope.perturbations import Ask, Lexicons
from holoscope.pipeline.collect import Collector
from holoscope.pipeline.needs import tell_shortfalls
from holoscope.pipeline.plan import NOTHING_WRITTEN, Planner, RunPlan
from holoscope.pipeline.record import Place, RunResult, record_failure, record_run
from holoscope.pipeline.telling import Told, tell
from holoscope.sandbox import Sandbox
from holoscope.store import remove_progress

LEDGER = "ledger.sqlite"


@dataclass
class _Run:
    """One run under way."""

    index: int
    spec: RunSpec
    collector: Collector
    plan: RunPlan | None = None
    written: Lexicons = NOTHING_WRITTEN
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    result: RunResult | None = None
    is_closing: bool = False


class SuiteRun:
    """A suite under way: its runs, their progress, and in the end their results."""

    def __init__(self, specs: Sequence[RunSpec], planner: Planner, out: Path, suite: str) -> None:
        self.planner, self.place = planner, Place(out, suite)
        self.progress = Progress()
        self.specs = tuple(specs)
        self.engine: Engine | None = None
        self.notes: tuple[str, ...] = ()
        """What the user should know, such as a damaged ledger that was set aside."""
        self.sandbox = Sandbox.of(planner.settings)
        self._is_prepared = False
        self._runs = [_Run(i, spec, Collector(spec)) for i, spec in enumerate(specs)]
        self._writer = ThreadPoolExecutor(1, "holoscope-write")
        self._writing: set[asyncio.Future[None]] = set()

    async def run(self, limits: Limits) -> list[RunResult]:
        """Ask, score and write everything; one result per spec, in their order.

        Raises LedgerError where answers can't be kept. Cancelling keeps what was paid for, and raises CancelledError
        after every run that has any answer is written.
        """
        self.prepare()
        async with Ledger.open(self.place.out / LEDGER) as ledger:
            self.notes += (ledger.notice,) if ledger.notice else ()
            self.engine = Engine(ledger, limits=limits, progress=self.progress, price=_price)
            over = asyncio.Event()
            telling = asyncio.create_task(tell(self._under_way, self.progress, self.place, over))
            self._watch_batches(limits)
            try:
                await self._write_lists(self.engine)
                await self.engine.run(self._queues(), self._answered)
                for model in self.planner.models.batched:
                    await model.tidy(ledger.get_many)
            finally:
                await self._close()
                over.set()
                await self._end(telling)
        return [run.result for run in self._runs if run.result is not None]

    def prepare(self) -> None:
        """Open every model and fetch every file before anything is paid for; `run` does it where the caller did not.

        Raises UsageError or ModelError where a model can't be opened; rows that can't be had fail their own run.
        """
        if self._is_prepared:
            return
        self._is_prepared = True
        _make_folder(self.place.out)
        for run in self._runs:
            self.planner.open_model(run.spec)
        self.planner.look_for_hosts(run.spec for run in self._runs)
        for run in self._runs:
            if (reason := self.planner.obstacle(run.spec)) is not None:
                self._fail(run, reason)

    def _watch_batches(self, limits: Limits) -> None:
        """Have models that are asked in batches say how these go, and keep within the limit on cost."""
        for model in self.planner.models.batched:
            model.listen(partial(self.progress.note, model.card.name))
            if limits.max_cost is not None:
                model.limit(partial(self._left, limits.max_cost))

    def _left(self, max_cost: float) -> float:
        return max_cost - self.progress.cost

    def shortfalls(self) -> list[str]:
        """What is known, before anything is sent, not to be had of the models."""
        return tell_shortfalls((spec, self.planner.open_model(spec).card) for spec in self.specs)

    def _under_way(self) -> Iterator[Told]:
        for run in self._runs:
            if run.plan is not None and run.result is None:
                yield Told(run.index, run.spec, run.started, run.is_closing)

    async def _end(self, telling: asyncio.Task[None]) -> None:
        """Leave nothing behind that says a run goes on, once nothing more is told."""
        await asyncio.gather(telling, return_exceptions=True)
        for run in self._runs:
            remove_progress(self.place.folder(run.spec))

    def _fail(self, run: _Run, reason: str) -> None:
        run.is_closing = True
        run.result = record_failure(run.spec, reason, self.planner, self.place)

    def stop(self, reason: str) -> None:
        """Send nothing more; `run` returns when what is under way is kept."""
        if self.engine is not None:
            self.engine.stop(reason)

    async def _write_lists(self, engine: Engine) -> None:
        """Have the texts written that perturbations need; they are asked for as everything else, and kept."""
        for run in self._runs:
            writers = {} if run.is_closing else self.planner.writers(run.spec)
            asks = {name: _asking(engine, model, run.index) for name, model in writers.items()}
            if not asks:
                continue
            try:
                run.written = await self.planner.write_lists(run.spec, asks)
            except HoloscopeError as error:
                if not self.progress.stopped:
                    self._fail(run, str(error))
            self.progress.runs.pop(run.index, None)  # the texts are not of the run's own plan

    def _queues(self) -> list[Iterator[Work]]:
        by_model: dict[str, list[_Run]] = defaultdict(list)
        for run in self._runs:
            by_model[run.spec.adapter.model_deployment or run.spec.adapter.model].append(run)
        return [self._works(runs) for runs in by_model.values()]

    def _works(self, runs: Sequence[_Run]) -> Iterator[Work]:
        for run in runs:
            if run.is_closing:
                continue
            try:
                run.plan = self.planner.plan(run.spec, run.written)
                changed = self.place.changed_rows(run.spec, run.plan.data)
                self.notes += (changed,) if changed else ()
                yield from self._works_of(run, run.plan)
            except HoloscopeError as error:
                self._fail(run, str(error))

    def _works_of(self, run: _Run, plan: RunPlan) -> Iterator[Work]:
        scenario = canonical(run.spec.scenario).decode()
        for planned in plan.requests():
            position = run.collector.plan(planned)
            if planned.unsent is None:
                request = _placed(planned) if plan.model.card.is_recording else planned.request
                draw = _instance_key(scenario, planned.instance, planned.train_trial_index)
                key = request_key(plan.model.identity, request, planned.trial, draw)
                yield Work(plan.model, request, key, run.index, position)
        run.collector.end_of_plan()
        self.progress.runs[run.index].total = run.collector.sent
        self._look(run)

    def _answered(self, work: Work, completion: Completion, cached: bool) -> None:
        run = self._runs[work.run]
        run.collector.answer(work.position, completion, cached)
        self._look(run)

    def _look(self, run: _Run) -> None:
        if run.collector.whole and not run.is_closing:
            self._write(run, "")

    def _write(self, run: _Run, stopped: str) -> None:
        """Score and write a run, beside the event loop."""
        run.is_closing = True
        job = asyncio.get_running_loop().run_in_executor(self._writer, self._record, run, stopped)
        self._writing.add(job)
        job.add_done_callback(self._writing.discard)

    def _record(self, run: _Run, stopped: str) -> None:
        assert run.plan is not None
        try:
            run.result = record_run(
                run.plan, run.collector, stopped, run.started, self.planner.registry, self.place, self.sandbox
            )
        except HoloscopeError as error:
            run.result = RunResult(run.spec, "failed", str(error))
        remove_progress(self.place.folder(run.spec))
        run.plan, run.collector = None, Collector(run.spec)

    def _why_stopped(self, run: _Run) -> str:
        """Why nothing more was sent, and what the model's last trouble was, if it had any."""
        stopped = self.progress.stopped or "stopped"
        trouble = self.progress.waits.get(run.plan.model.card.name) if run.plan else None
        said = f"{stopped}; before that: {trouble.reason}" if trouble else stopped
        return f"{said}; the same command picks it up" if trouble and self.planner.models.batched else said

    async def _close(self) -> None:
        """Write the runs that were stopped half-way, and wait for those being written."""
        for run in self._runs:
            if run.is_closing:
                continue
            stopped = self._why_stopped(run)
            if run.plan is not None and run.collector.answered:
                for planned in islice(run.plan.requests(), run.collector.planned, None):
                    run.collector.plan(planned)  # so that the run says how many were never asked
                self._write(run, stopped)
            else:
                run.result = record_failure(run.spec, stopped, self.planner, self.place, "incomplete")
        await asyncio.gather(*self._writing)
        self._writer.shutdown()


def _asking(engine: Engine, model: Model, run: int) -> Ask:
    """A way to ask a model beside the plan."""

    async def ask(request: Request) -> Completion:
        return await engine.ask(Work(model, request, request_key(model.identity, request, 0, ""), run, 0))

    return ask


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot make the folder {out}: {error.strerror}; choose another with --out") from error


def _price(work: Work, completion: Completion) -> float | None:
    model: Model = work.model  # type: ignore[assignment]  # the engine sees less of a model than we put in
    price = model.card.price
    return price.cost(completion.usage, is_batched=completion.is_batched) if price else None


def _placed(planned: PlannedRequest) -> Request:
    """The request with its place in the plan, by which a recording may be looked up."""
    return replace(planned.request, place=RequestPlace(planned.instance.id, planned.trial))


def _instance_key(scenario: str, instance: Instance, train_trial: int) -> str:
    """What keeps two instances with equal prompts from sharing one random draw."""
    return f"{scenario} {instance.id} {instance.perturbation_name or ''} {train_trial}"
