"""A HELM run folder for tests: two questions, one of them perturbed, with whatever a test wants to be different."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Json = dict[str, Any]

TYPOS = {"name": "typos", "robustness": True, "fairness": False, "computed_on": "perturbed", "prob": 0.1}
NAME = "mmlu:subject=anatomy,model=openai_gpt2"


def write_run(
    folder: Path, *, old: bool = False, logprob: float = -0.5, change: Callable[[str, Any], Any] | None = None
) -> Path:
    """The five files of a run; `old` as HELM wrote them in 2022, `change` gets each file's name and content."""
    files: dict[str, Any] = {
        "run_spec.json": run_spec(old=old),
        "scenario.json": {"name": "mmlu", "description": "Exams.", "tags": [], "definition_path": ""},
        "scenario_state.json": {"adapter_spec": adapter(old=old), "request_states": states(logprob, old=old)},
        "stats.json": stats(logprob),
        "per_instance_stats.json": per_instance(logprob),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        made = change(name, content) if change else content
        if made is not None:
            text = made if isinstance(made, str) else json.dumps(made, indent=2)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def adapter(*, old: bool = False) -> Json:
    deployed: Json = {} if old else {"model_deployment": "huggingface/gpt2"}
    nulls: Json = {"random": None, "max_eval_instances": None, "conditioning": "gone"} if old else {}
    return {"method": "generation", "model": "openai/gpt2", "num_outputs": 1, "max_tokens": 5, **deployed, **nulls}


def run_spec(*, old: bool = False) -> Json:
    scenario = {"class_name": "helm.benchmark.scenarios.mmlu_scenario.MMLUScenario", "args": {"subject": "anatomy"}}
    basic = "basic_metrics.BasicMetric" if old else "metrics.basic_metrics.BasicGenerationMetric"
    metrics = [
        {"class_name": f"helm.benchmark.{basic}", "args": {"names": ["exact_match"]}},
        {"class_name": "helm.benchmark.metrics.basic_metrics.InstancesPerSplitMetric", "args": {}},
    ]
    typos = {
        "class_name": "helm.benchmark.augmentations.typos_perturbation.TyposPerturbation",
        "args": {"prob": 0.1},
    }
    return {
        "name": NAME,
        "scenario" if old else "scenario_spec": scenario,
        "adapter_spec": adapter(old=old),
        "metrics" if old else "metric_specs": metrics,
        "data_augmenter_spec": {"perturbation_specs": [typos], "should_augment_eval_instances": True},
        "groups": ["mmlu"],
    }


def state(identity: str, answer: str, logprob: float, *, perturbed: bool = False, old: bool = False) -> Json:
    def text(words: str) -> Any:
        return words if old else {"text": words}

    instance: Json = {
        "input": text("Is itt?" if perturbed else "Is it?"),
        "references": [{"output": text("yes"), "tags": ["correct"]}, {"output": text("no"), "tags": []}],
        "split": "test",
        "id": identity,
    }
    if perturbed:
        instance |= {"perturbation": TYPOS, "contrast_inputs": [text("Is it?")]}
    if old:
        instance = {"sub_split": None, "perturbation": None, "contrast_inputs": None, **instance}
    token = {"text": answer, "logprob": logprob} | ({"top_logprobs": {answer: logprob}} if old else {})
    return {
        "instance": instance,
        "train_trial_index": 0,
        "output_mapping": None,
        "request": {"prompt": "Is it?", "temperature": 0.0, "max_tokens": 5, "stop_sequences": [], "random": None},
        "result": {
            "success": True,
            "completions": [{"text": answer, "logprob": logprob, "tokens": [token]}],
            "request_time": 0.25,
            "request_datetime": 1_650_000_000,
        },
        "num_train_instances": 0,
        "prompt_truncated": False,
        "num_conditioning_tokens": 0,
    }


def states(logprob: float, *, old: bool = False) -> list[Json]:
    return [
        state("id0", "yes", logprob, old=old),
        state("id0", "no", logprob, perturbed=True, old=old),
        state("id1", "no", logprob, old=old),
    ]


def stat(name: str, mean: float, perturbation: Json | None = None, split: str = "test", **more: Any) -> Json:
    named: Json = {"name": name, "split": split, **more}
    if perturbation:
        named["perturbation"] = perturbation
    return {"name": named, "count": 1, "sum": mean, "sum_squared": mean * mean, "min": mean, "max": mean, "mean": mean}


def stats(logprob: float) -> list[Json]:
    robust, fair = (
        {"name": kind, "robustness": kind == "robustness", "fairness": kind == "fairness", "computed_on": "worst"}
        for kind in ("robustness", "fairness")
    )
    return [
        stat("exact_match", 0.5),
        stat("exact_match", 0.0, TYPOS),
        stat("exact_match", 1.0, TYPOS | {"computed_on": "original"}),
        stat("exact_match", 0.0, TYPOS | {"computed_on": "worst"}),
        stat("exact_match", 0.0, robust),
        stat("exact_match", 0.5, fair),
        stat("logprob", logprob),
        stat("logprob", logprob, robust),
        stat("max_prob", 2.718281828459045**logprob),
        stat("inference_runtime", 0.25),
        stat("ece_10_bin", 0.125),
        stat("num_instances", 2),
        stat("num_instances", 1, TYPOS),
        {"name": {"name": "training_co2_cost", "split": "test"}, "count": 0, "sum": 0, "sum_squared": 0},
    ]


def per_instance(logprob: float) -> list[Json]:
    def row(identity: str, right: float, perturbation: Json | None = None) -> Json:
        own = [stat("exact_match", right, perturbation), stat("logprob", logprob, perturbation)]
        own += [stat("inference_runtime", 0.25, perturbation), stat("num_prompt_tokens", 7, perturbation)]
        made: Json = {"instance_id": identity, "train_trial_index": 0, "stats": own}
        return made | ({"perturbation": perturbation} if perturbation else {})

    return [row("id0", 1), row("id0", 0, TYPOS), row("id1", 0)]
