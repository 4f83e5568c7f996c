"""Prompts under compat are HELM's, byte for byte: every unperturbed request of the golden files is rebuilt."""

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from holoscope import scenarios
from holoscope.core import AdapterSpec, Instance, PlannedRequest, Reference, Registry, Settings, Task
from holoscope.models.tokenizers import CharacterWindow, Limits
from holoscope.prompts import METHODS, choose_eval, plan
from paths import DATA, GOLDEN, needs_data, needs_golden

FILES = sorted(
    path.name
    for pattern in ("mmlu_subject_*", "gsm*", "commonsense_*", "synthetic_reasoning_mode_*")
    for path in GOLDEN.glob(pattern)
)
WINDOWS = {"golden/echo": 16_000, "golden/short": 2_048}

pytestmark = [needs_golden, needs_data]


def read(name: str) -> dict[str, Any]:
    with gzip.open(GOLDEN / name, "rt", encoding="utf-8") as file:
        content: dict[str, Any] = json.load(file)
        return content


def arguments(entry: str) -> tuple[str, dict[str, str]]:
    name, _, rest = entry.partition(":")
    return name, dict(pair.split("=", 1) for pair in rest.split(",")) if rest else {}


def build(registry: Registry, entry: str) -> Task:
    name, args = arguments(entry)
    own = registry.task_arguments(name)
    return registry.tasks.get(name)(**{key: value for key, value in args.items() if key in own})


def expanded(task: Task, entry: str, limit: int, shots: int) -> AdapterSpec:
    """The adapter as the entry's expanders and the command line leave it."""
    _, args = arguments(entry)
    return msgspec.structs.replace(
        task.adapter,
        model=args["model"],
        model_deployment=args["model"],
        max_eval_instances=limit,
        max_train_instances=shots if "max_train_instances" in args else task.adapter.max_train_instances,
        num_train_trials=int(args.get("num_train_trials", 1)),
        eval_splits=(args["eval_split"],) if "eval_split" in args else None,
    )


def planned(tmp_path: Path, golden: dict[str, Any], run: dict[str, Any]) -> tuple[AdapterSpec, list[PlannedRequest]]:
    registry = Registry()
    scenarios.register(registry)
    task = build(registry, golden["entry"])
    shots = run["run_spec"]["adapter_spec"]["max_train_instances"]
    adapter = expanded(task, golden["entry"], golden["max_eval_instances"], shots)
    settings = Settings(cache_dir=tmp_path, data_dir=DATA, offline=True)
    instances = scenarios.load_instances(task.scenario, registry, settings)
    train = [instance for instance in instances if instance.split == "train"]
    chosen = choose_eval(instances, adapter, compat=True, main_split="test", seed=0)
    window = CharacterWindow(Limits(sequence=WINDOWS[adapter.model]))
    requests = plan(adapter, train, chosen, window, compat=True, seed=0, trials=1, wants_logprobs=True)
    return adapter, list(requests)


def as_golden(request: PlannedRequest) -> dict[str, Any]:
    """A planned request in the golden files' form."""
    instance, params = request.instance, msgspec.structs.asdict(request.request.params)
    del params["top_p"]
    found = {
        "instance_id": instance.id,
        "split": instance.split,
        "input": instance.input,
        "references": [{"text": r.text, "tags": list(r.tags)} for r in instance.references],
        "reference_index": request.reference_index,
        "request_mode": request.request_mode,
        "train_trial_index": request.train_trial_index,
        "output_mapping": request.output_mapping,
        "num_train_instances": request.num_train_instances,
        "prompt_truncated": request.prompt_truncated,
        "num_conditioning_tokens": request.num_conditioning_tokens,
        "prompt": request.request.prompt,
        "params": {**params, "stop_sequences": list(params["stop_sequences"])},
    }
    return {key: value for key, value in found.items() if value is not None}


@pytest.mark.parametrize("name", FILES)
def test_requests_are_helms(name: str, tmp_path: Path) -> None:
    golden = read(name)
    for run in golden["runs"]:
        _, requests = planned(tmp_path, golden, run)
        expected = [request for request in run["requests"] if "perturbation" not in request]
        for request in expected:
            del request["completions"]
        assert [as_golden(request) for request in requests] == expected


@pytest.mark.parametrize("name", FILES)
def test_adapter_is_helms(name: str, tmp_path: Path) -> None:
    golden = read(name)
    for run in golden["runs"]:
        adapter, _ = planned(tmp_path, golden, run)
        fields: dict[str, Any] = json.loads(msgspec.json.encode(adapter))
        found = {key: value for key, value in fields.items() if value is not None}
        assert found == run["run_spec"]["adapter_spec"]


@pytest.mark.parametrize("name", FILES)
def test_task_has_helms_name_groups_and_metrics(name: str) -> None:
    registry = Registry()
    scenarios.register(registry)
    golden = read(name)
    task = build(registry, golden["entry"])
    for run in golden["runs"]:
        spec = run["run_spec"]
        assert spec["name"].startswith(task.name)
        assert task.groups == tuple(spec["groups"])
        assert registry.scenarios.get(task.scenario.name).helm_class == spec["scenario_spec"]["class_name"]
        assert [metric.name for metric in task.metrics] == spec["metric_specs"][0]["args"]["names"]


ZERO_SHOT = ("bbq", "blimp", "bold", "code", "ifeval", "pubmed_qa")


@pytest.mark.parametrize("name", [p.name for start in ZERO_SHOT for p in sorted(GOLDEN.glob(f"{start}*"))])
def test_prompts_of_other_scenarios_are_helms(name: str) -> None:
    """The instances come from the golden file itself: these runs had no in-context examples."""
    for run in read(name)["runs"]:
        adapter = msgspec.convert(run["run_spec"]["adapter_spec"], AdapterSpec)
        assert adapter.method in METHODS
        instances = list({r["instance_id"]: as_instance(r) for r in run["requests"]}.values())
        window = CharacterWindow(Limits(sequence=WINDOWS[adapter.model]))
        requests = plan(adapter, [], instances, window, compat=True, seed=0, trials=1, wants_logprobs=False)
        assert [r.request.prompt for r in requests] == [r["prompt"] for r in run["requests"]]


def as_instance(request: dict[str, Any]) -> Instance:
    references = tuple(Reference(r["text"], tuple(r["tags"])) for r in request["references"])
    return Instance(id=request["instance_id"], input=request["input"], references=references, split=request["split"])


def test_there_are_golden_files() -> None:
    assert len(FILES) >= 10
