"""Stored runs of known scores, to be compared."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from holoscope.core import (
    AdapterSpec,
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
    group_trials,
)
from holoscope.stats import mean_interval
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
    write_manifest,
    write_measures,
)
from store.made import manifest, spec

TYPOS = PerturbationDescription("typos", robustness=True)
Values = Mapping[str, float | None] | Sequence[float | None]


def by_id(values: Values) -> dict[str, float | None]:
    return dict(values) if isinstance(values, Mapping) else {f"id{k}": value for k, value in enumerate(values)}


def stored(
    out: Path,
    model: str,
    values: Values,
    *,
    suite: str = "mine",
    scenario: str = "mmlu",
    metric: str = "exact_match",
    typos: Values = (),
    trials: int = 1,
    cluster: Callable[[str], str | None] = lambda _: None,
    prompt: Callable[[str], str] = lambda identity: f"Question {identity}?",
    adapter: Mapping[str, Any] | None = None,
    more: Sequence[Measure] = (),
    version: str = "1",
    **fields: Any,
) -> StoredRun:
    """A run of `scenario` whose instances have these values, and with `typos` those."""
    name = f"{scenario}:model={model.replace('/', '_')}"
    run = spec(
        name,
        scenario=ScenarioSpec(scenario),
        adapter=AdapterSpec(model=model, model_deployment=model, num_outputs=1, **(adapter or {})),
        groups=(scenario,),
        **fields.pop("spec", {}),
    )
    given: dict[str, Any] = {
        "scenario": ScenarioSummary(name=scenario, version=version, main_metric=metric, main_split="test"),
        "model": ModelSummary(name=model, deployment=model),
        **fields,
    }
    folder = run_folder(out, suite, name)
    known = {None: by_id(values), TYPOS.name: by_id(typos)}
    exchanges = [
        _exchange(identity, perturbation, trial, prompt(identity), cluster(identity))
        for identity in known[None]
        for perturbation in (None, TYPOS)
        for trial in range(trials)
        if identity in known[perturbation.name if perturbation else None]
    ]
    with RequestsWriter(folder / REQUESTS) as requests:
        requests.write(exchanges)
    with ScoresWriter(folder / SCORES) as scores:
        for made in group_trials(exchanges):
            scores.write_trial(made, [_score(metric, known[made.instance.perturbation_name][made.instance.id])])
    write_measures(folder, [*_measures(metric, known[None]), *more])
    write_manifest(folder, manifest(suite, run, **given))
    return open_run(folder)


def robustness(metric: str = "exact_match", value: float = 0.5) -> Measure:
    return Measure(metric, "robustness", value, 4, "test", perturbation="robustness", low=0.1, high=0.9)


def calibration(value: float, low: float | None, high: float | None) -> Measure:
    return Measure("ece_10_bin", "calibration", value, 20, "test", low=low, high=high)


def _exchange(
    identity: str, perturbation: PerturbationDescription | None, trial: int, prompt: str, cluster: str | None
) -> Exchange:
    instance = Instance(id=identity, input=prompt, perturbation=perturbation, cluster=cluster)
    request = Request(Params(temperature=0.0), prompt=prompt)
    return Exchange(
        PlannedRequest(instance=instance, request=request, trial=trial), Completion(Outcome.OK, (Choice("x"),))
    )


def _score(metric: str, value: float | None) -> Score:
    return Score(metric, value) if value is not None else Score(metric, None, Outcome.UNGRADABLE, "no rule found it")


def _measures(metric: str, values: Mapping[str, float | None]) -> list[Measure]:
    known = [value for value in values.values() if value is not None]
    if not known:
        return [Measure(metric, "accuracy", None, 0, "test", n_missing=len(values), reason="no rule found it")]
    found = mean_interval(known, ends=(0.0, 1.0))
    low, high = (found.low, found.high) if found else (None, None)
    return [Measure(metric, "accuracy", sum(known) / len(known), len(known), "test", low=low, high=high)]
