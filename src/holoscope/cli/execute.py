"""From the words of a command to runs, a grid and an exit code: what `run`, `quickstart` and `helm-run` share."""

import asyncio
import math
import signal
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from holoscope.cli.planned import print_plan
from holoscope.cli.progress import watch
from holoscope.cli.session import DEFAULT_OUT, console, registry, run_async, settings
from holoscope.cli.unsafe import warn_if_unsafe
from holoscope.core import HoloscopeError, Registry, RunSpec, UnknownNameError, UsageError, shares
from holoscope.engine import Limits, in_batches
from holoscope.entries import (
    FILE_TASK,
    ConfEntry,
    Options,
    Resolved,
    load_conf,
    resolve_all,
    split_entries,
    split_names,
)
from holoscope.metrics import expanded
from holoscope.models import ModelCard
from holoscope.pipeline import Models, Planner, RunResult, SuiteRun, dry_run, tell_shortfalls, write_requests
from holoscope.store import check_suite

if TYPE_CHECKING:
    from holoscope.cli.baseline import Baseline


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked for, as the flags say it."""

    entries: Sequence[str] = ()
    confs: Sequence[Path] = ()
    models: Sequence[str] = ()
    base_url: str = ""
    max_eval_instances: int | None = None
    num_train_trials: int | None = None
    suite: str = "default"
    out: Path | None = None
    trials: int = 1
    seed: int = 0
    max_connections: int | None = None
    max_cost: float | None = None
    max_minutes: float | None = None
    dry_run: bool = False
    requests: Path | None = None
    compat: str = ""
    data_dir: Path | None = None
    local_path: Path | None = None
    batch: bool = False
    """Ask through the providers' batch APIs."""
    offline: bool = False
    """Fetch neither rows nor word lists."""
    allow_unsafe_code: bool = False
    fail_under: Sequence[str] = ()
    baseline: str = ""
    max_regression: float | None = None
    json: bool = False

    @property
    def folder(self) -> Path:
        return self.out or DEFAULT_OUT


def execute(command: Command) -> int:
    """Resolve, run and show; the exit code."""
    _check(command)
    things = registry()
    return execute_specs(command, resolved(command, things), things)


def execute_specs(command: Command, found: Resolved, things: Registry) -> int:
    """Run and show; the exit code, which is not 0 where anything that was named can't be run."""
    specs = found.specs
    _print_notes(found.notes)
    _check_metrics(specs, things)
    machine = settings(
        command.data_dir,
        command.local_path,
        offline=command.offline,
        allow_unsafe_code=command.allow_unsafe_code,
    )
    batches = command.folder if command.batch else None
    models = Models(machine, things, command.base_url, needs_key=not command.dry_run, batches=batches)
    planner = Planner(things, machine, models)
    if command.dry_run:
        _print_notes(tell_shortfalls(_cards(specs, planner)))
        return _plan_only(command, found, planner)
    if command.max_cost is not None:
        _check_prices(specs, planner)
    suite = SuiteRun(specs, planner, command.folder, command.suite)
    baselines = _baselines(command, specs, suite)
    suite.prepare()  # outside the event loop, where Ctrl-C ends a download at once
    warn_if_unsafe(suite.sandbox, specs, things)
    _print_notes(suite.shortfalls())
    results = run_async(_run(suite, _limits(command)))
    code = _report(command, results, suite.notes, things)
    for absent in found.missing:
        console(stderr=True).print(f"missing: {absent}", soft_wrap=True)
        code = code or 1
    if baselines:
        from holoscope.cli.baseline import is_worse

        missed = [is_worse(each, suite.place, things, command.max_regression) for each in baselines]
        code = code or (3 if any(missed) else 0)
    return code


def resolved(command: Command, things: Registry) -> Resolved:
    """The run specs of the command's entries and files, and what the user should know of them."""
    entries: list[str | ConfEntry] = [*split_entries(command.entries)]
    for conf in command.confs:
        entries += load_conf(conf)
    if not entries:
        raise UsageError("no run entry; type e.g. holoscope run mmlu:subject=philosophy --model openai/gpt-4o")
    options = Options(
        max_eval_instances=command.max_eval_instances,
        num_train_trials=command.num_train_trials,
        trials=command.trials,
        seed=command.seed,
        compat=command.compat,
    )
    return resolve_all(entries, things, models=split_names(command.models), options=options)


def _baselines(command: Command, specs: Sequence[RunSpec], suite: SuiteRun) -> "list[Baseline]":
    """What the runs will be compared with, looked up before anything is paid for."""
    if not command.baseline:
        return []
    from holoscope.cli.baseline import find_baselines

    return find_baselines(command.baseline, specs, suite.place)


def _check(command: Command) -> None:
    check_suite(command.suite)
    for flag, value, least in (
        ("-m", command.max_eval_instances, 1),
        ("--trials", command.trials, 1),
        ("--max-connections", command.max_connections, 1),
    ):
        if value is not None and value < least:
            raise UsageError(f"{flag} must be at least {least}, not {value}")
    for flag, amount in (("--max-cost", command.max_cost), ("--max-time", command.max_minutes)):
        if amount is not None and not (0 < amount < math.inf):
            raise UsageError(f"{flag} must be more than 0, not {amount}")
    if not 0 <= command.seed < 2**32:
        raise UsageError(f"--seed is a whole number from 0 to {2**32 - 1}, not {command.seed}")
    if command.requests is not None and not command.dry_run:
        raise UsageError("--requests writes what would be sent: add --dry-run")
    for text in command.fail_under:
        _threshold(text)
    if command.max_regression is not None and not command.baseline:
        raise UsageError("--max-regression needs what to compare with: add --baseline RUN")
    if command.max_regression is not None and not 0 <= command.max_regression < math.inf:
        raise UsageError(f"--max-regression is how much worse is allowed, 0 or more, not {command.max_regression}")


def _limits(command: Command) -> Limits:
    minutes = command.max_minutes
    limits = Limits(max_cost=command.max_cost, max_time_s=None if minutes is None else 60 * minutes)
    if command.batch:
        return in_batches(limits, command.max_connections)
    return limits if command.max_connections is None else replace(limits, max_connections=command.max_connections)


def _check_prices(specs: Sequence[RunSpec], planner: Planner) -> None:
    """A limit on cost that could not hold is refused before anything is sent."""
    for card in (planner.open_model(spec).card for spec in specs):
        price = card.price.in_batches if card.price and card.is_batch else card.price
        is_unknown = price is None or (card.is_batch and None in (price.input, price.output))
        if card.base_url and is_unknown:
            what, where = ("batch price", "as batch_input and batch_output ") if card.is_batch else ("price", "")
            raise UsageError(
                f"--max-cost cannot hold: the {what} of {card.name} is unknown; state it {where}in "
                "prod_env/prices.yaml, or limit with -m or --max-time"
            )


def _check_metrics(specs: Sequence[RunSpec], things: Registry) -> None:
    """A metric that a user's own data file names is looked up before anything is paid for."""
    known = {*things.metrics, *things.set_metrics}
    for spec in specs:
        for metric in expanded(spec.metrics) if spec.scenario.name == FILE_TASK else ():
            if metric.name not in known and f"{metric.name}@helm" not in known and "@" not in metric.name:
                raise UnknownNameError("metric", metric.name, known, "(holoscope list metrics)")


async def _run(suite: SuiteRun, limits: Limits) -> list[RunResult]:
    """Run with live progress; the first Ctrl-C stops gently, the second at once."""
    with _gentle_interrupt(suite):
        drawing = asyncio.create_task(watch(suite))
        try:
            return await suite.run(limits)
        finally:
            drawing.cancel()
            await asyncio.gather(drawing, return_exceptions=True)
            await suite.planner.models.aclose()


@contextmanager
def _gentle_interrupt(suite: SuiteRun) -> Iterator[None]:
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # the second one ends at once
        suite.stop("stopped by Ctrl-C")

    loop.add_signal_handler(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def _plan_only(command: Command, found: Resolved, planner: Planner) -> int:
    if command.requests is not None:
        written = write_requests(found.specs, planner, command.requests)
        console(stderr=True).print(f"{written:,} requests written to {command.requests}", soft_wrap=True)
        return 0
    return print_plan(dry_run(found.specs, planner), found.missing, as_json=command.json)


def _report(command: Command, results: Sequence[RunResult], notes: Sequence[str], things: Registry) -> int:
    from holoscope.cli.show import print_grid

    errors = console(stderr=True)
    _print_notes([*notes, *_not_taken(results)])
    names = {result.spec.name for result in results}
    code = print_grid(command.folder, command.suite, things, json=command.json, only=names)
    for result in results:
        if result.status != "complete":
            errors.print(f"{result.status}: {result.spec.name}: {result.reason}", soft_wrap=True)
            code = 1
    return code or (3 if _missed(command, results) else 0)


def _cards(specs: Sequence[RunSpec], planner: Planner) -> Iterator[tuple[RunSpec, ModelCard]]:
    """Each run with its model's card; a model that can't be opened has its reason in the plan."""
    for spec in specs:
        with suppress(HoloscopeError):
            yield spec, planner.open_model(spec).card


def _print_notes(notes: Iterable[str]) -> None:
    for note in notes:
        console(stderr=True).print(f"note: {note}", soft_wrap=True)


def _not_taken(results: Sequence[RunResult]) -> Iterator[str]:
    """What was left out or renamed for each model, of how many of its requests."""
    by_model: dict[str, list[RunResult]] = {}
    for result in results:
        by_model.setdefault(result.spec.adapter.model_deployment or result.spec.adapter.model, []).append(result)
    for model, own in by_model.items():
        counts: Counter[str] = Counter()
        for result in own:
            counts.update(result.dropped_params)
        for said in shares(counts, sum(result.requests for result in own), "request"):
            yield f"{model}: {said}"


def _threshold(text: str) -> tuple[str, float]:
    metric, _, value = text.partition("=")
    try:
        return metric, float(value)
    except ValueError:
        raise UsageError(f"--fail-under takes METRIC=VALUE, e.g. exact_match=0.5, not {text!r}") from None


def _missed(command: Command, results: Sequence[RunResult]) -> bool:
    """Whether a threshold was missed, saying which."""
    missed = False
    for metric, least in map(_threshold, command.fail_under):
        found = [(r, m) for r in results for m in r.measures if m.metric == metric and m.perturbation is None]
        if not found:
            raise UsageError(f"--fail-under: no run has the metric {metric!r}")
        for result, measure in found:
            if measure.value is None or measure.value < least:
                said = "unknown" if measure.value is None else f"{measure.value:.4g}"
                console(stderr=True).print(f"below {metric}={least:g}: {result.spec.name}: {said}", soft_wrap=True)
                missed = True
    return missed
