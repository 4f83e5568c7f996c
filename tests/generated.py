"""Suites of any size, drawn from known abilities and written through the store: for pages, servers and benchmarks.

Models differ in ability and scenarios in difficulty; everything follows from the seed. A small suite is measured by the
package's own metrics, so that every axis has what a real run has. A large one takes the measures from formulas, because
only their number and shape matter there.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import exp, log
from pathlib import Path
from random import Random
from unittest.mock import patch

from msgspec.structs import replace as replaced

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
    PerturbationDescription,
    PlannedRequest,
    Reference,
    Registry,
    Request,
    RunSpec,
    ScenarioSpec,
    Score,
    Token,
    Trial,
    Usage,
    group_trials,
)
from holoscope.stats import wilson
from holoscope.store import (
    REQUESTS,
    SCORES,
    Manifest,
    ModelSummary,
    Provenance,
    RequestsWriter,
    ScenarioSummary,
    ScoresWriter,
    Versions,
    run_folder,
    write_manifest,
    write_measures,
)

PERTURBATIONS = (
    PerturbationDescription("misspelling", robustness=True),
    PerturbationDescription("lowercase", robustness=True),
    PerturbationDescription("dialect", fairness=True),
)
PRICES: dict[str, float | None] = {"input": 1.0, "output": 4.0}
STARTED = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
WORDS = [
    *("river", "lantern", "orchard", "copper", "meadow", "harbour"),
    *("violin", "granite", "saffron", "willow", "ember", "quarry"),
]
SECRET = "TEXT THAT MUST NOT BE PASSED ON"
"""Stands in every prompt and completion of a scenario that may not be redistributed."""


@dataclass(frozen=True)
class Shape:
    """What to draw."""

    models: int = 3
    scenarios: int = 4
    instances: int = 24
    seed: int = 0
    suite: str = "generated"
    missing: float = 0.0
    """Share of the runs that are not there."""
    failed: float = 0.0
    """Share of the runs that failed."""
    is_perturbed: bool = True
    forbidden: tuple[str, ...] = ()
    """Scenarios whose texts may not be passed on."""
    hostile: str = ""
    """Written by the first model into the first completion of each run."""
    first: str = ""
    """Name of the first model, where it is not to be a usual one."""


def model_names(count: int) -> list[str]:
    """`maker-a/model-1`, ... in order of ability, best first."""
    return [f"maker-{'abcdefgh'[i % 8]}/model-{i + 1}" for i in range(count)]


def scenario_names(count: int) -> list[str]:
    """`reading_river`, ..."""
    kinds = ("reading", "sums", "law", "biology", "history", "coding")
    return [f"{kinds[i % len(kinds)]}_{WORDS[(i // len(kinds)) % len(WORDS)]}" for i in range(count)]


def write_suite(out: Path, shape: Shape, registry: Registry | None = None) -> None:
    """Write the suite below `out`, measured by `registry`'s metrics, or by formulas where there is none."""
    with _unflushed():
        for model, scenario, rng in _places(shape):
            if rng.random() >= shape.missing:
                _write_run(out, shape, model, scenario, rng, registry)


def answers(shape: Shape, model: int, scenario: int, rng: Random) -> list[Exchange]:
    """The exchanges of one run: each instance as it is, then perturbed, in plan order."""
    name = scenario_names(shape.scenarios)[scenario]
    ability = 1.6 - 3.0 * model / max(1, shape.models - 1) - 1.2 * (scenario / max(1, shape.scenarios - 1) - 0.5)
    made = []
    for index in range(shape.instances):
        instance = _instance(shape, name, index)
        luck = Random(f"{shape.seed} {name} {index}").gauss(0, 1) + rng.gauss(0, 0.6)
        for perturbation in (None, *(PERTURBATIONS if shape.is_perturbed else ())):
            harder = 0.0 if perturbation is None else rng.gauss(0.5, 0.4)
            certainty = 1 / (1 + exp(-(ability + luck - harder)))
            made.append(_exchange(_perturbed(instance, perturbation), certainty, rng))
    if shape.hostile and model == 0:
        made[0] = _answered(made[0], shape.hostile)
    return made


def _places(shape: Shape) -> Iterator[tuple[int, int, Random]]:
    for model in range(shape.models):
        for scenario in range(shape.scenarios):
            yield model, scenario, Random(f"{shape.seed} {model} {scenario}")


def _instance(shape: Shape, scenario: str, index: int) -> Instance:
    rng = Random(f"{shape.seed} {scenario} {index} words")
    right, wrong = rng.sample(WORDS, 2)
    secret = f" {SECRET}" if scenario in shape.forbidden else ""
    return Instance(
        id=f"id{index}",
        input=f"Question {index} of {scenario}: which word comes next, {right} or {wrong}?{secret}",
        references=(Reference(right, ("correct",)), Reference(wrong)),
        groups={"region": ("north", "south", "west")[index % 3], "topic": ("city", "farm")[index % 2]},
    )


def _perturbed(instance: Instance, perturbation: PerturbationDescription | None) -> Instance:
    if perturbation is None:
        return instance
    changed = instance.input.lower().replace("word", "wrod")
    return replaced(instance, input=changed, perturbation=perturbation, original_input=instance.input)


def _exchange(instance: Instance, certainty: float, rng: Random) -> Exchange:
    right, wrong = (reference.text for reference in instance.references)
    is_right = rng.random() < certainty
    answer = right if is_right else wrong
    stated = min(0.999, max(0.001, (certainty if is_right else 1 - certainty) * 0.8 + 0.15))
    choice = Choice(answer, logprob=log(stated), tokens=(Token(answer, log(stated)),), finish_reason="stop")
    completion = Completion(
        Outcome.OK,
        (choice,),
        usage=Usage(prompt_tokens=40, completion_tokens=2),
        request_time=0.1 + rng.random() * 0.3,
        created=1.79e9,
    )
    request = Request(Params(temperature=0.0, max_tokens=5), prompt=f"{instance.input}\nAnswer:")
    return Exchange(PlannedRequest(instance=instance, request=request, num_prompt_tokens=40), completion)


def _answered(exchange: Exchange, text: str) -> Exchange:
    choice = replaced(exchange.completion.choices[0], text=text, tokens=())
    return replaced(exchange, completion=replaced(exchange.completion, choices=(choice,)))


def _write_run(out: Path, shape: Shape, model: int, scenario: int, rng: Random, registry: Registry | None) -> None:
    kept = _manifest(shape, model, scenario)
    folder = run_folder(out, shape.suite, kept.spec.name)
    if rng.random() < shape.failed:
        reason = "the endpoint answered 401: the key was refused"
        write_manifest(folder, replaced(kept, status="failed", reason=reason, outcomes={}, requests=0))
        return
    exchanges = answers(shape, model, scenario, rng)
    trials = list(group_trials(exchanges))
    scores = _scores(trials, kept.spec, registry)
    with RequestsWriter(folder / REQUESTS) as requests:
        requests.write(exchanges)
    with ScoresWriter(folder / SCORES, ("request_time",)) as rows:
        for trial, own in zip(trials, scores, strict=True):
            rows.write_trial(trial, own)
    write_measures(folder, _measures(trials, scores, kept.spec, registry, rng))
    count = len(exchanges)
    write_manifest(folder, replaced(kept, requests=count, outcomes={Outcome.OK: count}))


def _manifest(shape: Shape, model: int, scenario: int) -> Manifest:
    name, by = scenario_names(shape.scenarios)[scenario], model_names(shape.models)[model]
    by = shape.first if model == 0 and shape.first else by
    started = STARTED + timedelta(minutes=model * shape.scenarios + scenario)
    spec = RunSpec(
        name=f"{name}:model={by.replace('/', '_')}",
        entry=name,
        scenario=ScenarioSpec(name),
        adapter=AdapterSpec(model=by, model_deployment=by, num_outputs=1, temperature=0.0, max_tokens=5),
        metrics=(MetricSpec("exact_match"),),
        groups=(name.partition("_")[0],),
    )
    return Manifest(
        suite=shape.suite,
        spec=spec,
        status="complete",
        scenario=ScenarioSummary(
            name=name,
            title=name.replace("_", " ").capitalize(),
            main_metric="exact_match",
            main_split="test",
            chance=0.5,
            licence="CC BY 4.0" if name not in shape.forbidden else "by agreement only",
            redistribution="no" if name in shape.forbidden else "yes",
        ),
        model=ModelSummary(name=by, deployment=by, prices=PRICES),
        versions=Versions(metrics={"exact_match": "1", "max_prob": "1"}),
        data={"test.jsonl": f"{scenario:064x}"},
        provenance=Provenance(holoscope="0.1.0", python="3.11.7", platform="Linux x86_64"),
        started=started,
        finished=started + timedelta(seconds=40),
        instances=shape.instances,
    )


def _scores(trials: Sequence[Trial], spec: RunSpec, registry: Registry | None) -> list[list[Score]]:
    if registry is None:
        return [_drawn_scores(trial) for trial in trials]
    from holoscope.metrics import applicable, score

    return score(applicable(spec, prices=PRICES), trials, registry)


def _drawn_scores(trial: Trial) -> list[Score]:
    choice = trial.exchanges[0].completion.choices[0]
    is_right = choice.text == trial.instance.correct_references[0].text
    return [Score("exact_match", float(is_right)), Score("max_prob", exp(choice.logprob or 0.0))]


def _measures(
    trials: Sequence[Trial], scores: Sequence[Sequence[Score]], spec: RunSpec, registry: Registry | None, rng: Random
) -> list[Measure]:
    if registry is not None:
        from holoscope.metrics import applicable, measure

        return measure(applicable(spec, prices=PRICES), trials, scores, registry)
    return [*_drawn_measures(trials, scores, rng)]


def _drawn_measures(trials: Sequence[Trial], scores: Sequence[Sequence[Score]], rng: Random) -> Iterator[Measure]:
    """As many measures as a run with perturbations has, with the values that follow from its scores."""
    own = [s[0].value or 0.0 for t, s in zip(trials, scores, strict=True) if t.instance.perturbation is None]
    n, right = len(own), sum(own)
    for part in (None, *(f"{p.name}{of}" for p in PERTURBATIONS for of in ("", "/original", "/worst", "/flipped"))):
        yield _proportion("exact_match", "accuracy", right / n if part is None else max(0, right - 1) / n, n, part)
        for metric in ("predicted_index", "num_prompt_tokens", "num_completion_tokens", "logprob"):
            yield Measure(metric, "general", rng.random(), n, "test", perturbation=part)
    for axis in ("robustness", "fairness"):
        yield _proportion("exact_match", axis, max(0.0, right - rng.randint(1, 4)) / n, n, axis)
    for metric in ("ece_10_bin", "ece_1_bin", "smooth_ece", "brier", "aurc", "excess_aurc", "platt_ece_10_bin"):
        error = rng.uniform(0.02, 0.3)
        yield Measure(
            metric, "calibration", error, n, "test", low=error * 0.6, high=error * 1.5, method="bca bootstrap"
        )
    seconds = rng.uniform(0.1, 2.0)
    for metric in ("request_time", "request_time_p50", "request_time_p90", "request_time_p99"):
        yield Measure(metric, "efficiency", seconds, n, "test", low=seconds * 0.9, high=seconds * 1.1, method="t")
    yield Measure("cost", "efficiency", 0.00004, n, "test", low=0.00004, high=0.00004, method="t")


def _proportion(metric: str, axis: str, share: float, n: int, part: str | None) -> Measure:
    found = wilson(share * n, n)
    low, high = (found.low, found.high) if found else (None, None)
    return Measure(metric, axis, share, n, "test", perturbation=part, low=low, high=high, method="wilson")


@contextmanager
def _unflushed() -> Iterator[None]:
    """Without waiting for the disk at each file: nothing here must survive a power cut."""
    with patch("os.fsync"):
        yield


def small() -> Shape:
    """Four models, six scenarios, everything measured."""
    return Shape(models=4, scenarios=6, instances=30, suite="small")


def large() -> Shape:
    """Fifty models, forty scenarios, a few runs missing or failed."""
    return replace(Shape(models=50, scenarios=40, instances=20, suite="large"), missing=0.01, failed=0.01)
