"""Runs of the golden files as our run specs and trials."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from holoscope.core import (
    AdapterSpec,
    Choice,
    Completion,
    Exchange,
    Instance,
    MetricSpec,
    Outcome,
    Params,
    PerturbationDescription,
    PlannedRequest,
    Reference,
    Request,
    RunSpec,
    ScenarioSpec,
    Token,
    Trial,
    group_trials,
)
from paths import GOLDEN

FAMILIES = {"BBQMetric": "bbq", "BiasMetric": "bias"}
"""HELM's class -> how our run specs name it."""

_DESCRIPTION_FIELDS = ("name", "robustness", "fairness", "computed_on", "seed")


class GoldenRun(NamedTuple):
    """One run as HELM made it, and what it computed."""

    spec: RunSpec
    metric_classes: tuple[str, ...]
    trials: list[Trial]
    stats: list[dict[str, Any]]
    per_instance_stats: list[dict[str, Any]]


def golden_files() -> list[Path]:
    return sorted(GOLDEN.glob("*.json.gz"))


@cache
def golden_runs(path: Path) -> list[GoldenRun]:
    """The runs of one golden file."""
    return [_run(row) for row in json.loads(gzip.decompress(path.read_bytes()))["runs"]]


def _run(row: dict[str, Any]) -> GoldenRun:
    spec = row["run_spec"]
    metrics = [made for m in spec["metric_specs"] for made in _metrics(m["class_name"].rpartition(".")[2], m["args"])]
    return GoldenRun(
        spec=RunSpec(
            name=spec["name"],
            entry=spec["name"],
            scenario=ScenarioSpec("golden"),
            adapter=msgspec.convert(spec["adapter_spec"], AdapterSpec),
            metrics=tuple(metrics),
            compat="helm",
        ),
        metric_classes=tuple(m["class_name"].rpartition(".")[2] for m in spec["metric_specs"]),
        trials=list(group_trials(map(_exchange, row["requests"]))),
        stats=row["stats"],
        per_instance_stats=row["per_instance_stats"],
    )


def _metrics(class_name: str, args: dict[str, Any]) -> list[MetricSpec]:
    if class_name in FAMILIES:
        return [MetricSpec(FAMILIES[class_name], args)]
    return [MetricSpec(name) for name in args.get("names", [])]


def _exchange(row: dict[str, Any]) -> Exchange:
    instance = _instance(row)
    params = msgspec.convert({k: v for k, v in row["params"].items() if v is not None}, Params)
    reference = row.get("reference_index")
    planned = PlannedRequest(
        instance=instance,
        request=Request(params, prompt=row.get("prompt", "")),
        reference_index=reference,
        request_mode=row.get("request_mode"),
        train_trial_index=row["train_trial_index"],
        output_mapping=row.get("output_mapping"),
        num_train_instances=row["num_train_instances"],
        prompt_truncated=row["prompt_truncated"],
        num_conditioning_tokens=row["num_conditioning_tokens"],
        num_prompt_tokens=len(row.get("prompt", "")),
        continuation_tokens=0 if reference is None else 1 + len(instance.references[reference].text),
    )
    choices = tuple(
        Choice(text=c["text"], logprob=c["logprob"], tokens=tuple(Token(*token) for token in c["tokens"]))
        for c in row["completions"]
    )
    return Exchange(planned, Completion(Outcome.OK, choices, request_time=0.25))


def _instance(row: dict[str, Any]) -> Instance:
    return Instance(
        id=row["instance_id"],
        input=row["input"],
        references=tuple(Reference(r["text"], tuple(r["tags"])) for r in row["references"]),
        split=row["split"],
        sub_split=row.get("sub_split"),
        perturbation=_perturbation(row["perturbation"]) if "perturbation" in row else None,
    )


def _perturbation(row: dict[str, Any]) -> PerturbationDescription:
    args = {key: value for key, value in row.items() if key not in _DESCRIPTION_FIELDS}
    return PerturbationDescription(row["name"], row["robustness"], row["fairness"], args, row.get("seed"))
