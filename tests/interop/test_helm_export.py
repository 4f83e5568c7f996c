import json
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Instance,
    MetricSpec,
    Outcome,
    PerturbationDescription,
    Registry,
    Scenario,
)
from holoscope.interop import export_run, read_helm_run
from holoscope.interop.helm_export import NOTE
from holoscope.store import ScenarioSummary
from store.made import exchange, manifest, spec, store_run

FIVE = {"per_instance_stats.json", "run_spec.json", "scenario.json", "scenario_state.json", "stats.json"}
EXCHANGES = [exchange("id0", "Is it?", "yes"), exchange("id1", "Was it?", "no")]


@pytest.fixture
def registry() -> Registry:
    made = Registry()
    made.scenario(
        Scenario(
            name="mmlu",
            title="MMLU",
            description="Exam questions.",
            licence="MIT",
            redistribution="yes",
            citation="https://arxiv.org/abs/2009.03300",
            main_metric="exact_match",
            main_split="test",
            load=lambda files: [],
            sources=lambda: (),
            helm_class="helm.benchmark.scenarios.mmlu_scenario.MMLUScenario",
        )
    )
    return made


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_a_run_becomes_helms_five_files_under_helms_name(tmp_path: Path, registry: Registry) -> None:
    run = spec("mmlu:subject=anatomy,model=openai/gpt2")
    exported = export_run(store_run(tmp_path, manifest(run=run), EXCHANGES), tmp_path / "to", registry)
    assert exported.path == tmp_path / "to" / "runs" / "mine" / "mmlu:subject=anatomy,model=openai_gpt2"
    assert {path.name for path in exported.path.iterdir()} == FIVE
    assert read(exported.path / "run_spec.json")["name"] == "mmlu:subject=anatomy,model=openai_gpt2"


def test_what_is_exported_reads_back_as_the_exchanges_it_was_made_of(tmp_path: Path, registry: Registry) -> None:
    exported = export_run(store_run(tmp_path, manifest(), EXCHANGES), tmp_path / "to", registry)
    assert read_helm_run(exported.path) == EXCHANGES


def test_statistics_are_helms_for_these_completions(tmp_path: Path, registry: Registry) -> None:
    exported = export_run(store_run(tmp_path, manifest(), EXCHANGES), tmp_path / "to", registry)
    stats = {s["name"]["name"]: s for s in read(exported.path / "stats.json") if "perturbation" not in s["name"]}
    assert stats["exact_match"]["mean"] == 0.5
    rows = read(exported.path / "per_instance_stats.json")
    assert [row["instance_id"] for row in rows] == ["id0", "id1"]


def test_the_scenario_is_named_by_helms_class(tmp_path: Path, registry: Registry) -> None:
    exported = export_run(store_run(tmp_path, manifest(), EXCHANGES), tmp_path / "to", registry)
    assert read(exported.path / "run_spec.json")["scenario_spec"] == {
        "class_name": "helm.benchmark.scenarios.mmlu_scenario.MMLUScenario",
        "args": {"subject": "anatomy"},
    }


def test_none_is_left_out_and_files_are_indented_by_two(tmp_path: Path, registry: Registry) -> None:
    exported = export_run(store_run(tmp_path, manifest(), EXCHANGES), tmp_path / "to", registry)
    for path in exported.path.iterdir():
        text = path.read_text(encoding="utf-8")
        assert "null" not in text
        assert text == json.dumps(json.loads(text), indent=2)


def test_a_perturbed_instance_carries_helms_description_and_its_original(tmp_path: Path, registry: Registry) -> None:
    typos = PerturbationDescription("typos", robustness=True, args={"prob": 0.1}, seed=2)
    instance = Instance(id="id0", input="Is itt?", perturbation=typos, original_input="Is it?")
    exported = export_run(
        store_run(tmp_path, manifest(), [exchange("id0", "", "yes", instance=instance)]), tmp_path / "to", registry
    )
    (state,) = read(exported.path / "scenario_state.json")["request_states"]
    assert state["instance"]["contrast_inputs"] == [{"text": "Is it?"}]
    assert state["instance"]["perturbation"] == {
        "name": "typos",
        "robustness": True,
        "fairness": False,
        "computed_on": "perturbed",
        "seed": 2,
        "prob": 0.1,
    }


def test_a_failed_request_has_an_error_and_no_completion(tmp_path: Path, registry: Registry) -> None:
    failed = Exchange(EXCHANGES[0].planned, Completion(Outcome.CONTEXT_OVERFLOW, reason="3000 tokens, window 2048"))
    exported = export_run(store_run(tmp_path, manifest(), [EXCHANGES[1], failed]), tmp_path / "to", registry)
    result = read(exported.path / "scenario_state.json")["request_states"][1]["result"]
    assert (result["success"], result["completions"]) == (False, [])
    assert result["error"] == "context_overflow: 3000 tokens, window 2048"


@pytest.mark.parametrize("redistribution", ["no", "ids-only"])
def test_texts_that_may_not_be_passed_on_stay_at_home(tmp_path: Path, registry: Registry, redistribution: Any) -> None:
    secret = "Sphinx of black quartz"
    asked = exchange("id0", secret, secret, gold=secret, output_mapping={"A": secret})
    kept = manifest(scenario=ScenarioSummary(name="mmlu", licence="CC-BY-ND-4.0", redistribution=redistribution))
    exported = export_run(store_run(tmp_path, kept, [asked]), tmp_path / "to", registry)
    written = "".join(path.read_text(encoding="utf-8") for path in exported.path.iterdir())
    assert "Sphinx" not in written
    assert "id0" in written
    assert "CC-BY-ND-4.0" in (exported.path / NOTE).read_text(encoding="utf-8")


def test_the_users_own_results_keep_their_texts(tmp_path: Path, registry: Registry) -> None:
    kept = manifest(scenario=ScenarioSummary(name="mmlu", redistribution="no"))
    exported = export_run(store_run(tmp_path, kept, EXCHANGES), tmp_path / "to", registry, own_use=True)
    assert exported.note == ""
    assert {path.name for path in exported.path.iterdir()} == FIVE
    assert read_helm_run(exported.path) == EXCHANGES


def test_texts_exported_after_all_lose_the_note_that_they_were_left_out(tmp_path: Path, registry: Registry) -> None:
    stored = store_run(tmp_path, manifest(scenario=ScenarioSummary(name="mmlu", redistribution="no")), EXCHANGES)
    exported = export_run(stored, tmp_path / "to", registry)
    assert "--own-use" in (exported.path / NOTE).read_text(encoding="utf-8")
    export_run(stored, tmp_path / "to", registry, own_use=True)
    assert not (exported.path / NOTE).exists()


def test_a_completion_that_is_not_passed_on_keeps_its_numbers(tmp_path: Path, registry: Registry) -> None:
    asked = exchange("id0", "x", "y")
    sure = Exchange(asked.planned, Completion(Outcome.OK, (Choice("y", -0.5),), request_time=0.25))
    kept = manifest(scenario=ScenarioSummary(name="mmlu", redistribution="no"))
    exported = export_run(store_run(tmp_path, kept, [sure]), tmp_path / "to", registry)
    result = read(exported.path / "scenario_state.json")["request_states"][0]["result"]
    assert (result["completions"], result["request_time"]) == ([{"text": "", "logprob": -0.5, "tokens": []}], 0.25)


def test_metrics_that_helm_has_no_class_for_are_not_passed_off_as_helms(tmp_path: Path, registry: Registry) -> None:
    registry.set_metrics.add("politeness", lambda trials, scores: [])
    run = spec(metrics=(MetricSpec("exact_match"), MetricSpec("politeness")))
    exported = export_run(store_run(tmp_path, manifest(run=run), EXCHANGES), tmp_path / "to", registry)
    classes = [each["class_name"] for each in read(exported.path / "run_spec.json")["metric_specs"]]
    assert classes[-1] == "holoscope.metrics.politeness"
    assert classes[:3] == [
        f"helm.benchmark.metrics.basic_metrics.{name}"
        for name in ("BasicGenerationMetric", "BasicReferenceMetric", "InstancesPerSplitMetric")
    ]
