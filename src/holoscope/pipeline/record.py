"""From a run's exchanges to its folder: scores, measures, files, and a manifest that says how it ended.

The manifest is written last. A run is complete when every request has an answer of the model and every metric it lists
has a value; else it is incomplete, with the commonest reason, and the same command asks for what is missing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from holoscope.core import (
    HELM_COMPAT,
    Exchange,
    Measure,
    MetricSpec,
    Outcome,
    Registry,
    RunSpec,
    Scenario,
    Score,
    StoreError,
    Trial,
    group_trials,
)
from holoscope.metrics import TIMED_METRICS, applicable, expanded, measure, score
from holoscope.metrics.scoring import lookup
from holoscope.models import Model, Price, TrainingCost
from holoscope.perturbations import definition
from holoscope.pipeline.collect import Collector
from holoscope.pipeline.plan import Planner, RunPlan
from holoscope.sandbox import Job, Sandbox
from holoscope.store import (
    REQUESTS,
    SCORES,
    Manifest,
    ModelSummary,
    RequestsWriter,
    ScenarioSummary,
    ScoresWriter,
    Status,
    Versions,
    provenance,
    read_manifest,
    run_folder,
    write_manifest,
    write_measures,
)

_UNANSWERED = frozenset({Outcome.TRANSPORT_ERROR, Outcome.NOT_SUPPORTED, Outcome.JUDGE_FAILED})


@dataclass(frozen=True)
class RunResult:
    """How one run ended."""

    spec: RunSpec
    status: Status
    reason: str = ""
    measures: tuple[Measure, ...] = ()
    requests: int = 0
    cached: int = 0
    dropped_params: dict[str, int] = field(default_factory=dict)
    """What the endpoint did not take and was left out or renamed, in words, and of how many requests."""


@dataclass(frozen=True)
class Place:
    """Where the runs of a suite are written."""

    out: Path
    suite: str

    def folder(self, spec: RunSpec) -> Path:
        """The run's own folder; under HELM's definitions a run has HELM's name, and another folder than ours."""
        return run_folder(self.out, self.suite, f"{spec.name},compat={spec.compat}" if spec.compat else spec.name)

    def changed_rows(self, spec: RunSpec, data: dict[str, str]) -> str:
        """What to tell the user where the run that this one replaces was made from other rows; empty if it was not."""
        try:
            earlier = read_manifest(self.folder(spec))
        except StoreError:
            return ""
        if not earlier.data or all(earlier.data.get(path, value) == value for path, value in data.items()):
            return ""
        return f"{spec.name}: its rows have changed since the earlier run of this name, which is replaced"


def record_run(
    plan: RunPlan,
    collector: Collector,
    stopped: str,
    started: datetime,
    registry: Registry,
    place: Place,
    sandbox: Sandbox,
) -> RunResult:
    """Score the run and write its folder. Raises StoreError where that fails."""
    exchanges = list(collector.exchanges(stopped))
    trials = list(group_trials(exchanges))
    model = _model(plan.model, exchanges)
    specs, scores, measures = scored(plan.spec, trials, registry, model, sandbox)
    folder = place.folder(plan.spec)
    with RequestsWriter(folder / REQUESTS) as requests:
        requests.write(exchanges)
    write_scores(folder, trials, scores, measures)
    status, reason = _status(plan.spec, exchanges, specs, measures, stopped)
    dropped = dict(Counter(said for exchange in exchanges for said in exchange.completion.dropped_params))
    manifest = Manifest(
        suite=place.suite,
        spec=plan.spec,
        status=status,
        reason=reason,
        scenario=_scenario(plan.scenario, plan.spec),
        model=model,
        versions=_versions(plan.spec, measures, registry),
        data=plan.data | {f"lexicon/{kind}": name for kind, name in plan.lexicons.items()},
        provenance=provenance(Path.cwd()),
        started=started,
        finished=datetime.now(UTC),
        instances=plan.originals,
        requests=len(exchanges),
        cached=collector.cached,
        outcomes=dict(Counter(exchange.completion.outcome for exchange in exchanges)),
        dropped_params=dropped,
        sandbox=ran_in(sandbox, specs, registry),
    )
    write_manifest(folder, manifest)
    return RunResult(plan.spec, status, reason, tuple(measures), len(exchanges), collector.cached, dropped)


def record_failure(spec: RunSpec, reason: str, planner: Planner, place: Place, status: Status = "failed") -> RunResult:
    """Note a run that has no answers, so that its cells say why; an earlier result is left as it is."""
    folder = place.folder(spec)
    name = spec.adapter.model_deployment or spec.adapter.model
    now = datetime.now(UTC)
    manifest = Manifest(
        suite=place.suite,
        spec=spec,
        status=status,
        reason=reason,
        scenario=_scenario(planner.registry.scenarios.get(spec.scenario.name), spec),
        model=ModelSummary(name=name, deployment=name),
        provenance=provenance(Path.cwd()),
        started=now,
        finished=now,
    )
    if not _has_result(folder):
        write_manifest(folder, manifest)
    return RunResult(spec, status, reason)


def scored(
    spec: RunSpec, trials: Sequence[Trial], registry: Registry, model: ModelSummary, sandbox: Sandbox
) -> tuple[Sequence[MetricSpec], list[list[Score]], list[Measure]]:
    """The run's metrics, a list of scores for each trial, and the measures made of them."""
    compat = spec.compat == HELM_COMPAT
    specs = applicable(spec, prices=model.prices, training=model.training)
    scores = score(specs, trials, registry, compat=compat, run=lambda jobs: sandbox.run(cast("Sequence[Job]", jobs)))
    return specs, scores, measure(specs, trials, scores, registry, compat=compat)


def ran_in(sandbox: Sandbox, specs: Sequence[MetricSpec], registry: Registry) -> dict[str, str]:
    """What ran the model's programs; empty where the metrics run none, or nothing could."""
    cards = (lookup(spec.name, registry, compat=False) for spec in specs)
    return sandbox.described if any(card is not None and card.jobs is not None for card in cards) else {}


def write_scores(
    folder: Path, trials: Sequence[Trial], scores: Sequence[Sequence[Score]], measures: Sequence[Measure]
) -> None:
    """Write the run's scores, but those made of times, and its measures."""
    with ScoresWriter(folder / SCORES, leave_out=TIMED_METRICS) as writer:
        for trial, own in zip(trials, scores, strict=True):
            writer.write_trial(trial, own)
    write_measures(folder, measures)


def _status(
    spec: RunSpec,
    exchanges: Sequence[Exchange],
    specs: Sequence[MetricSpec],
    measures: Sequence[Measure],
    stopped: str,
) -> tuple[Status, str]:
    reasons = Counter(e.completion.reason for e in exchanges if e.completion.outcome in _UNANSWERED)
    if reasons:
        missing = f"{reasons.total():,} of {len(exchanges):,} requests have no answer: {reasons.most_common(1)[0][0]}"
        return "incomplete", missing
    if stopped:
        return "incomplete", stopped
    listed = {metric.name for metric in expanded(spec.metrics)} & {metric.name for metric in specs}
    for found in measures:
        is_missing = found.value is None and found.n == 0  # with n > 0 it was measured and is undefined
        if found.metric in listed and is_missing and found.perturbation is None:
            return "incomplete", f"{found.metric}: {found.reason}"
    return "complete", ""


def _scenario(card: Scenario, spec: RunSpec) -> ScenarioSummary:
    return ScenarioSummary(
        name=card.name,
        title=card.title,
        version=card.version,
        main_metric=card.main_metric or next((metric.name for metric in expanded(spec.metrics)), ""),
        main_split=card.main_split,
        chance=card.chance,
        licence=card.licence,
        redistribution=card.redistribution,
    )


def _model(model: Model, exchanges: Sequence[Exchange]) -> ModelSummary:
    card, window = model.card, model.window()
    served = Counter(e.completion.served_model for e in exchanges if e.completion.served_model)
    return ModelSummary(
        name=card.name,
        deployment=card.deployment,
        served_model=served.most_common(1)[0][0] if served else None,
        base_url=card.base_url,
        identity=dict(model.identity),
        is_batch=card.is_batch,
        tokenizer=window.source,
        has_estimates=window.estimates,
        prices=_prices(card.price),
        training=_training(card.training),
    )


def _versions(spec: RunSpec, measures: Sequence[Measure], registry: Registry) -> Versions:
    compat = spec.compat == HELM_COMPAT
    used = dict.fromkeys(wanted.name for wanted in spec.augmentation.perturbations)
    return Versions(
        metrics={m.metric: m.version for m in measures},
        perturbations={name: definition(name, registry, compat=compat).version for name in used},
    )


def _prices(price: Price | None) -> dict[str, float | None]:
    if price is None:
        return {}
    batch = {"batch_input": price.batch_input, "batch_output": price.batch_output}
    known = {name: value for name, value in batch.items() if value is not None}
    return {"input": price.input, "output": price.output, "cached_input": price.cached_input, **known}


def _training(cost: TrainingCost | None) -> dict[str, float | None]:
    return {"energy_kwh": cost.energy_kwh, "co2_kg": cost.co2_kg} if cost else {}


def _has_result(folder: Path) -> bool:
    try:
        return read_manifest(folder).requests > 0
    except StoreError:
        return False
