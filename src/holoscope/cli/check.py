"""`holoscope check`: whether a scenario is whole, asked before it is run or handed on.

Its rows are loaded, its first prompt is shown, and its own gold answers go through its extractor and metric, where they
must be right. What a reader of results will want to know (licence, citation, fixed sources) must be stated.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from holoscope.core import HoloscopeError, Registry, Request, RunSpec, Scenario, Settings, Source, Text, UsageError

if TYPE_CHECKING:
    from holoscope.pipeline import Rehearsal, RunPlan

_MOST = 50
"""Gold answers that are tried."""
_PINNED = re.compile(r"[0-9a-f]{40}|/v?\d+\.\d+")
"""A revision in an address: a commit, or a version."""


class Finding(NamedTuple):
    """One thing that was looked at."""

    kind: Literal["ok", "note", "wrong"]
    what: str
    found: str


def check(scenario: str, *, data_dir: Path | None = None, json: bool = False) -> int:
    """Check a scenario: its rows, its prompt, its gold answers, its licence and its sources.

    Parameters
    ----------
    scenario
        A run entry, or a file of Python that has `register(registry)`, which is run.
    data_dir
        Folder of benchmark files as upstream publishes them.
    json
        Print JSON.
    """
    import msgspec

    from holoscope.cli.columns import print_columns
    from holoscope.cli.session import console, settings

    findings: list[Finding] = []
    prompts: list[str] = []
    machine = settings(data_dir)
    for spec, things in _specs(scenario):
        found, prompt = _check(spec, things, machine)
        findings += found
        prompts.append(prompt)
    if json:
        rows = [each._asdict() for each in findings]
        print(msgspec.json.encode({"findings": rows, "prompts": prompts}).decode())  # noqa: T201
    else:
        print_columns([(each.kind, each.what, each.found) for each in findings], console())
        for prompt in filter(None, prompts):
            console().print(f"\nIts first prompt:\n{prompt}", soft_wrap=True)
    return 1 if any(each.kind == "wrong" for each in findings) else 0


def _specs(named: str) -> Iterator[tuple[RunSpec, Registry]]:
    """The runs to look at: one of an entry, or of each entry that a file registers."""
    from holoscope.cli.session import registry
    from holoscope.entries import resolve

    things = registry()
    if not named.endswith(".py"):
        beside = Path(named) / f"{named}.py"
        if named not in things.tasks and named not in things.aliases and beside.is_file():
            raise UsageError(f"{named} is not installed; to check its file: holoscope check {beside}")
        specs = resolve(named, things, models=["test/echo"]).specs
        if len(specs) != 1:
            raise UsageError(f"check looks at one scenario at a time; {named} is {len(specs)} runs")
        yield specs[0], things
        return
    before = set(things.tasks)
    _load(Path(named))(things)
    added = [name for name in things.tasks if name not in before]
    if not added:
        raise UsageError(f"{named}: its register(registry) adds no run entry")
    for name in added:
        for spec in resolve(name, things, models=["test/echo"]).specs:
            yield spec, things


def _load(path: Path) -> Callable[[Registry], None]:
    """The `register` of a file of Python, which is run."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(path.stem, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise UsageError(f"{path}: no such file of Python")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (ImportError, SyntaxError, NameError) as error:
        raise UsageError(f"{path}: cannot be loaded ({type(error).__name__}: {error})") from error
    register: Callable[[Registry], None] | None = getattr(module, "register", None)
    if register is None:
        raise UsageError(f"{path}: it has no function register(registry)")
    return register


def _check(spec: RunSpec, things: Registry, machine: Settings) -> tuple[list[Finding], str]:
    from holoscope.pipeline import Models, Planner

    card = things.scenarios.get(spec.scenario.name)
    findings = [*_stated(card), *_sources(card.sources(**spec.scenario.args))]
    planner = Planner(things, machine, Models(machine, things))
    try:
        if reason := planner.obstacle(spec):
            return [*findings, Finding("wrong", "rows", reason)], ""
        plan = planner.plan(spec)
        first = next(plan.requests(), None)
        findings += [*_rows(plan), *_golds(plan, things, machine)]
    except HoloscopeError as error:
        return [*findings, Finding("wrong", "rows", str(error))], ""
    return findings, _shown(first.request) if first else ""


def _shown(request: Request) -> str:
    """The prompt, or the turns of a chat with images as a word."""
    if request.messages is None:
        return request.prompt or ""
    turns = (
        (turn.role, (Text(turn.content),) if isinstance(turn.content, str) else turn.content)
        for turn in request.messages
    )
    return "\n".join(
        f"{role}: {''.join(part.text if isinstance(part, Text) else '[image]' for part in parts)}"
        for role, parts in turns
    )


def _stated(card: Scenario) -> Iterator[Finding]:
    for what in ("title", "description", "licence", "citation"):
        stated = getattr(card, what)
        yield Finding("ok" if stated else "wrong", what, stated or f"not stated: give {what}=")
    yield Finding("ok", "redistribution", card.redistribution)


def _sources(sources: Sequence[Source]) -> Iterator[Finding]:
    if not sources:
        yield Finding("ok", "sources", "none: its rows are made by the code")
    for source in sources:
        if source.gated:
            yield Finding("note", source.path, f"only from a user's own copy: {source.gated}")
        elif not source.url:
            yield Finding("note", Path(source.path).name, "no address: others can have it only with the code")
        elif not source.sha256 and not _PINNED.search(source.url):
            yield Finding("wrong", source.path, f"{source.url} may change: give its sha256, or a fixed revision")
        else:
            yield Finding("ok", source.path, f"pinned, {source.url}")


def _rows(plan: "RunPlan") -> Iterator[Finding]:
    yield Finding(
        "ok", "rows", f"{plan.originals:,} asked ({plan.scenario.main_split}), {len(plan.train):,} for examples"
    )
    without = sum(not instance.correct_references for instance in plan.instances)
    if without:
        yield Finding("note", "references", f"{without:,} of {len(plan.instances):,} have no right answer stated")
    twins = [text for text, count in Counter(each.input for each in plan.instances).items() if count > 1]
    if twins:
        yield Finding("note", "rows", f"{len(twins):,} inputs are there more than once, the first: {twins[0][:60]!r}")


def _golds(plan: "RunPlan", things: Registry, machine: Settings) -> Iterator[Finding]:
    """What its main metric says of its gold answers."""
    from holoscope.pipeline import rehearse
    from holoscope.sandbox import Sandbox

    name = plan.scenario.main_metric or next((metric.name for metric in plan.spec.metrics), "")
    listed = [metric.name for metric in plan.spec.metrics]
    if not any(instance.correct_references for instance in plan.instances):
        yield Finding("note", name or "metric", "no row states a right answer: nothing to try")
        return
    if name not in things.metrics:
        known = name in things.set_metrics or f"{name}@helm" in things.metrics
        yield Finding("note" if known else "wrong", name or "metric", "not a metric of single answers: not tried")
        return
    tried = rehearse(plan, name, things, Sandbox.of(machine), _MOST)
    if not tried:
        yield Finding("wrong", name, f"no gold answer could be tried; the run's metrics are {', '.join(listed)}")
        return
    yield _verdict(name, tried, best=0.0 if things.metrics.get(name).lower_is_better else 1.0)


def _verdict(name: str, tried: "Sequence[Rehearsal]", best: float) -> Finding:
    unknown = [each for each in tried if each.score.value is None]
    bad = [each for each in tried if each.score.value not in (None, best)]
    if bad:
        trial, given = bad[0]
        said = trial.exchanges[0].completion.text[:60]
        why = f"{trial.instance.id} gives {given.value:g} for {said!r}"
        return Finding("wrong", name, f"{len(bad)} of {len(tried)} gold answers are not right: {why}")
    if unknown:
        return Finding("note", name, f"{len(unknown)} gold answers have no score: {unknown[0].score.reason}")
    return Finding("ok", name, f"{len(tried)} gold answers of {len(tried)} are right")
