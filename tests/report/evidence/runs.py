"""Runs on disk with the scores and measures that a test names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Instance,
    Measure,
    Outcome,
    Params,
    PerturbationDescription,
    PlannedRequest,
    Request,
    ScenarioSpec,
    Score,
    builtin,
    group_trials,
)
from holoscope.report.grid import Grid, Row, grid
from holoscope.store import (
    REQUESTS,
    SCORES,
    ModelSummary,
    RequestsWriter,
    ScenarioSummary,
    ScoresWriter,
    StoredRun,
    open_run,
    run_folder,
    scan,
    write_manifest,
    write_measures,
)
from store.made import manifest, spec

REGISTRY = builtin()


@dataclass(frozen=True)
class Answer:
    """One trial: what was said, how long it took, and its scores."""

    scores: Mapping[str, float | None]
    text: str = "yes"
    seconds: float | None = 0.5
    perturbation: str | None = None
    split: str = "test"
    draw: int = 0
    """Which draw of in-context examples."""


@dataclass(frozen=True)
class Made:
    """A run to write."""

    model: str = "maker/one"
    scenario: str = "gsm"
    """Its name; after a comma what else tells the run's name apart."""
    answers: Sequence[Answer] = ()
    measures: Sequence[Measure] = ()
    main: str = "exact_match"
    status: str = "complete"
    fields: Mapping[str, object] = field(default_factory=dict)


def write(out: Path, *runs: Made) -> Grid:
    """Write runs and read them as a grid."""
    for run in runs:
        _write(out, run)
    return grid(scan(out, "mine").runs, REGISTRY)


def pairs(out: Path, made: Grid) -> list[tuple[Row, StoredRun]]:
    found = {run.name: run for run in scan(out, "mine").runs}
    return [(row, found[row.manifest.spec.name]) for row in made.rows]


def _write(out: Path, run: Made) -> StoredRun:
    name = f"{run.scenario}:model={run.model.replace('/', '_')}"
    scenario = run.scenario.partition(",")[0]
    kept = manifest(
        run=spec(name, scenario=ScenarioSpec(scenario), **run.fields),
        scenario=ScenarioSummary(name=scenario, main_metric=run.main, main_split="test"),
        model=ModelSummary(name=run.model),
        status=run.status,
        reason="the key was refused" if run.status == "failed" else "",
    )
    folder = run_folder(out, "mine", name)
    if run.status != "failed":
        exchanges = [_exchange(index, answer) for index, answer in enumerate(run.answers)]
        with RequestsWriter(folder / REQUESTS) as requests:
            requests.write(exchanges)
        with ScoresWriter(folder / SCORES) as scores:
            for trial, answer in zip(group_trials(exchanges), run.answers, strict=True):
                scores.write_trial(trial, [_score(metric, value) for metric, value in answer.scores.items()])
        write_measures(folder, run.measures)
    write_manifest(folder, kept)
    return open_run(folder)


def _score(metric: str, value: float | None) -> Score:
    if value is None:
        return Score(metric, None, Outcome.NOT_SUPPORTED, "not given")
    return Score(metric, value)


def _exchange(index: int, answer: Answer) -> Exchange:
    perturbation = None if answer.perturbation is None else PerturbationDescription(answer.perturbation)
    instance = Instance(id=f"id{index}", input="?", split=answer.split, perturbation=perturbation)
    request = Request(Params(temperature=0.0), prompt="?")
    completion = Completion(Outcome.OK, (Choice(answer.text, finish_reason="stop"),), request_time=answer.seconds)
    return Exchange(PlannedRequest(instance=instance, request=request, train_trial_index=answer.draw), completion)


def measure(metric: str, axis: str, value: float | None, **more: object) -> Measure:
    given: dict[str, object] = {
        "n": 20,
        "split": "test",
        "reason": "" if value is not None else "no such thing",
        **more,
    }
    return Measure(metric, axis, value, **given)  # type: ignore[arg-type]
