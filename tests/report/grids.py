"""A registry with the seven axes, and a small suite of two models on four scenarios."""

from pathlib import Path
from typing import Any

from holoscope.core import Axis, Measure, Outcome, Registry, ScenarioSpec
from holoscope.report import Grid, grid
from holoscope.store import Manifest, ModelSummary, ScenarioSummary, StoredRun
from store.made import manifest, spec

AUGMENT = "add data_augmentation=canonical to the entry"
AXES = (
    ("accuracy", False, (), "the run has no main metric"),
    ("calibration", True, ("ece",), "the model gives no log-probabilities"),
    ("robustness", False, ("worst_case",), AUGMENT),
    ("fairness", False, ("worst_case",), AUGMENT),
    ("bias", True, ("bias",), "add metric=bias to the entry"),
    ("toxicity", True, ("toxic_fraction",), "add metric=toxicity to the entry"),
    ("efficiency", True, ("request_time",), "the completions carry no times"),
)


def registry() -> Registry:
    made = Registry()
    for name, lower, metrics, reason in AXES:
        axis = Axis(
            name=name,
            title=name,
            lower_is_better=lower,
            chance=None,
            ceiling=None,
            metrics=metrics,
            empty_reason=reason,
        )
        made.axes.add(name, axis)
    return made


def accuracy(metric: str, value: float | None = 0.62, **fields: Any) -> Measure:
    given: dict[str, Any] = {"low": 0.51, "high": 0.72, "method": "wilson", **fields}
    return Measure(metric, "accuracy", value, 20, "test", **given)


def measures(main: str) -> list[Measure]:
    return [
        accuracy(main, outcomes={"truncated": 2} if main == "f1_score" else {}),
        Measure("ece", "calibration", 0.11, 20, "test", low=0.08, high=0.15),
        Measure("worst_case", "robustness", 0.58, 20, "test", perturbation="robustness", low=0.47, high=0.69),
        Measure("toxic_fraction", "toxicity", 0.004, 20, "test", low=0.0, high=0.013),
        Measure("request_time", "efficiency", 0.25, 20, "test", low=0.24, high=0.26),
    ]


def stored(kept: Manifest) -> StoredRun:
    return StoredRun(Path("nowhere"), kept)


def run(scenario: str, main: str, model: str = "test/echo", **fields: Any) -> StoredRun:
    args = fields.pop("args", {})
    name = fields.pop("name", f"{scenario}:model={model.replace('/', '_')}")
    return stored(
        manifest(
            run=spec(name, scenario=ScenarioSpec(scenario, args), groups=(scenario,)),
            scenario=ScenarioSummary(name=scenario, main_metric=main, main_split="test"),
            model=ModelSummary(name=model),
            **fields,
        )
    )


def suite() -> list[StoredRun]:
    ok = {Outcome.OK: 20}
    cut = {Outcome.OK: 18, Outcome.TRUNCATED: 2}
    return [
        made
        for model in ("local/smollm2-135m-instruct", "test/echo")
        for made in (
            run("mmlu", "exact_match", model, args={"subject": "college_computer_science"}, outcomes=ok),
            run(
                "narrative_qa",
                "f1_score",
                model,
                outcomes=cut,
            ),
            run(
                "synthetic_reasoning_natural",
                "f1_set_match",
                model,
                outcomes=ok,
                status="incomplete",
                reason="stopped after 10 minutes; the same command goes on",
            ),
        )
    ]


def whole_grid() -> Grid:
    return grid(suite(), registry(), lambda run: measures(run.manifest.scenario.main_metric))
