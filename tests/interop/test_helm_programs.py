"""Runs of programs in HELM's files: what its classes record, taken from the scores and never by running again."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import Settings, builtin
from holoscope.engine import Limits
from holoscope.entries import Options, resolve
from holoscope.interop import export_run
from holoscope.pipeline import Models, Planner, SuiteRun
from holoscope.sandbox import Sandbox
from holoscope.scenarios import load_instances
from holoscope.store import scan
from sandboxed import needs_sandbox
from scenarios.contests import apps

pytestmark = needs_sandbox


@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """HELM's files of a run on APPS whose model solves two of three problems."""
    apps(tmp_path / "data")
    registry = builtin()
    settings = Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data", offline=True)
    answers = tmp_path / "answers.jsonl"
    options = Options(max_eval_instances=10, compat="helm")
    entry = f'code:dataset=apps,model="replay/{answers}"'
    specs = resolve(entry, registry, options=options).specs
    lines = []
    for number, instance in enumerate(load_instances(specs[0].scenario, registry, settings)):
        text = "print(3)" if number == 4 else instance.references[0].text
        lines.append(json.dumps({"instance_id": instance.id, "completions": [{"text": text}]}) + "\n")
    answers.write_text("".join(lines), encoding="utf-8")
    suite = SuiteRun(specs, Planner(registry, settings, Models(settings, registry)), tmp_path / "out", "s")
    [result] = asyncio.run(suite.run(Limits()))
    assert result.status == "complete", result.reason
    monkeypatch.setattr(Sandbox, "run", None)  # an export runs nothing
    [stored] = scan(tmp_path / "out", "s").runs
    folder = export_run(stored, tmp_path / "helm", registry, own_use=True).path
    return {path.stem: json.loads(path.read_bytes()) for path in folder.glob("*.json")}


def test_a_contest_has_helms_two_statistics_and_no_others(exported: dict[str, Any]) -> None:
    means = {s["name"]["name"]: s["mean"] for s in exported["stats"] if "perturbation" not in s["name"]}
    assert means == {"test_avg": pytest.approx(2.5 / 3), "strict_acc": pytest.approx(2 / 3)}


def test_its_one_class_is_named_with_its_arguments(exported: dict[str, Any]) -> None:
    [metric] = exported["run_spec"]["metric_specs"]
    assert metric == {
        "class_name": "helm.benchmark.metrics.code_metrics.APPSMetric",
        "args": {"names": ["test_avg", "strict_acc"], "timeout": 3},
    }


def test_prompts_carry_two_solved_problems(exported: dict[str, Any]) -> None:
    prompt = exported["scenario_state"]["request_states"][0]["request"]["prompt"]
    assert prompt.count("ANSWER in Python code:") == 3
    assert "\tprint(a + b)\n" in prompt
