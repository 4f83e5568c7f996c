"""Small runs for tests: a manifest, exchanges and their scores, made of the core's own values."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from holoscope.core import (
    AdapterSpec,
    Choice,
    Completion,
    Exchange,
    Instance,
    Measure,
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
    group_trials,
)
from holoscope.store import (
    REQUESTS,
    SCORES,
    Manifest,
    ModelSummary,
    Provenance,
    RequestsWriter,
    ScenarioSummary,
    ScoresWriter,
    StoredRun,
    open_run,
    run_folder,
    write_manifest,
    write_measures,
)


def spec(name: str = "mmlu:subject=anatomy,model=test_echo", **fields: Any) -> RunSpec:
    given: dict[str, Any] = {
        "entry": "mmlu:subject=anatomy,model=test/echo",
        "scenario": ScenarioSpec("mmlu", {"subject": "anatomy"}),
        "adapter": AdapterSpec(model="test/echo", model_deployment="test/echo", num_outputs=1),
        "metrics": (MetricSpec("exact_match"),),
        "groups": ("mmlu",),
    }
    return RunSpec(name=name, **{**given, **fields})


def manifest(suite: str = "mine", run: RunSpec | None = None, **fields: Any) -> Manifest:
    given: dict[str, Any] = {
        "status": "complete",
        "scenario": ScenarioSummary(
            name="mmlu", title="MMLU", main_metric="exact_match", main_split="test", redistribution="yes"
        ),
        "model": ModelSummary(name="test/echo", deployment="test/echo"),
        "provenance": Provenance(holoscope="0.1.0", python="3.11.7", platform="Linux x86_64"),
        "started": datetime(2026, 6, 1, tzinfo=UTC),
        "outcomes": {Outcome.OK: 2},
        "requests": 2,
        "instances": 2,
    }
    return Manifest(suite=suite, spec=run or spec(), **{**given, **fields})


def exchange(identity: str, prompt: str, answer: str, gold: str = "yes", **planned: Any) -> Exchange:
    instance = planned.pop("instance", None) or Instance(
        id=identity, input=prompt, references=(Reference(gold, ("correct",)), Reference("no"))
    )
    return Exchange(
        PlannedRequest(instance=instance, request=Request(Params(temperature=0.0), prompt=prompt), **planned),
        Completion(Outcome.OK, (Choice(answer, finish_reason="stop"),), request_time=0.25, created=1.5e9),
    )


def exact(trial: Trial) -> Score:
    gold = {reference.text for reference in trial.instance.correct_references}
    return Score("exact_match", float(trial.exchanges[0].completion.text in gold))


def store_run(
    out: Path, kept: Manifest, exchanges: Sequence[Exchange], measures: Iterable[Measure] | None = None
) -> StoredRun:
    folder = run_folder(out, kept.suite, kept.spec.name)
    with RequestsWriter(folder / REQUESTS) as requests:
        requests.write(exchanges)
    with ScoresWriter(folder / SCORES) as scores:
        for trial in group_trials(exchanges):
            scores.write_trial(trial, [exact(trial)])
    if measures is not None:
        write_measures(folder, measures)
    write_manifest(folder, kept)
    return open_run(folder)
