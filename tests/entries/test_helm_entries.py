"""HELM's own 4,297 entries, and the run specs that it made of those behind the golden files."""

from typing import Any

import msgspec
import pytest

from entries.records import RECORD, golden_runs, helm_entries, registry_of
from holoscope.core import HELM_COMPAT, AdapterSpec, Json, Registry, ScenarioSpec, Task
from holoscope.entries import Options, parse_entry, resolve
from holoscope.entries.expanders import EXPANDERS
from paths import SHARED, needs_golden

pytestmark = pytest.mark.skipif(not RECORD.is_file(), reason=f"no record of HELM's entries under {SHARED}")

HELM = Options(compat=HELM_COMPAT)

UNRECORDED = {
    "bbq:subject=Age": "bbq:subject=Age,method=multiple_choice_joint",
    "big_bench:task=strategyqa,subtask=": "big_bench:task=strategyqa",
    "legal_contract_summarization": "legal_contract_summarization",
    "legalbench:subset=abercrombie": "legalbench:subset=abercrombie",
    "mmlu_pro:subject=all,use_few_shot=true,use_chain_of_thought=false": (
        "mmlu_pro:subset=all,use_chain_of_thought=false,use_few_shot=true"
    ),
    "mmlu_pro:subject=all,use_few_shot=true,use_chain_of_thought=true": (
        "mmlu_pro:subset=all,use_chain_of_thought=true,use_few_shot=true"
    ),
    "msmarco:track=regular,valid_topk=20": "msmarco:track=regular,valid_topk=20",
    "msmarco:track=trec,valid_topk=20": "msmarco:track=trec,valid_topk=20",
}
"""Task names of golden entries that no conf of HELM's has."""


def task_of(row: dict[str, Any]) -> Task:
    """The task as HELM's run-spec function made it."""
    return Task(
        name=row["name"],
        scenario=ScenarioSpec(row["scenario"], row["sargs"]),
        adapter=msgspec.convert(row["adapter"], AdapterSpec),
        metrics=(),
        groups=tuple(row["groups_rs"]),
    )


@pytest.fixture(scope="module")
def registry() -> Registry:
    tasks = [(row["fn"], row["args"], task_of(row)) for row in helm_entries() if "name" in row]
    for text, name in UNRECORDED.items():
        entry = parse_entry(text)
        task = Task(name=name, scenario=ScenarioSpec(name), adapter=AdapterSpec(), metrics=(), groups=())
        tasks.append((entry.name, entry.args, task))
    return registry_of(tasks)


def test_every_entry_of_helm_parses_to_what_helm_makes_of_it() -> None:
    assert len(helm_entries()) == 4297
    for row in helm_entries():
        entry = parse_entry(row["desc"])
        own = {key: value for key, value in entry.args.items() if key not in EXPANDERS}
        expanders = {key: value for key, value in entry.args.items() if key in EXPANDERS}
        assert (entry.name, own, expanders) == (row["fn"], row["args"], row["ex"]), row["desc"]


def test_every_entry_that_helm_resolves_is_resolved(registry: Registry) -> None:
    """All but those that leave the tokenizer to the model, under the name of HELM's task."""
    for row in helm_entries():
        if "name" in row and row["ex"].get("tokenizer") != "default":
            model = row["ex"].get("model", "")
            models = [model] if "/" in model else ["test/echo"]
            specs = resolve(row["desc"], registry, models=models, options=HELM).specs
            assert specs, row["desc"]
            assert all(spec.name.startswith(row["name"].replace("/", "_")) for spec in specs), row["desc"]


def expected_name(row: dict[str, Any]) -> str:
    name = str(row["name"])
    for key, value in row["ex"].items():
        shown = "test_echo" if key == "model" else value
        name += f"{',' if ':' in name else ':'}{key}={shown}"
    return name


SIMPLE = {"model", "eval_split", "max_eval_instances", "max_train_instances", "num_output_tokens", "num_train_trials"}


def test_names_grow_in_the_order_of_the_entry(registry: Registry) -> None:
    rows = [row for row in helm_entries() if "name" in row and set(row["ex"]) <= SIMPLE and "model" in row["ex"]]
    rows = [r for r in rows if all(isinstance(v, int) or k in ("model", "eval_split") for k, v in r["ex"].items())]
    assert len(rows) > 1000
    for row in rows:
        if "/" not in row["ex"]["model"]:
            (spec,) = resolve(row["desc"], registry, models=["test/echo"], options=HELM).specs
            assert spec.name == expected_name(row).replace("/", "_")


GOLDEN_ENTRIES = sorted(golden_runs())


@needs_golden
@pytest.mark.parametrize("entry", GOLDEN_ENTRIES)
def test_names_of_runs_are_helms(registry: Registry, entry: str) -> None:
    specs = resolve(entry, registry, options=HELM).specs
    assert sorted(spec.name for spec in specs) == sorted(run["name"] for run in golden_runs()[entry])


FIELDS = ("model", "model_deployment", "max_eval_instances", "num_train_trials")


@needs_golden
@pytest.mark.parametrize("entry", GOLDEN_ENTRIES)
def test_what_expanders_and_options_decide_is_helms(registry: Registry, entry: str) -> None:
    specs = resolve(entry, registry, options=Options(compat=HELM_COMPAT, max_eval_instances=8)).specs
    made = {spec.name: {field: getattr(spec.adapter, field) for field in FIELDS} for spec in specs}
    helms = {run["name"]: {field: run["adapter_spec"][field] for field in FIELDS} for run in golden_runs()[entry]}
    assert made == helms


RECORDED = [entry for entry in GOLDEN_ENTRIES if not any(entry.startswith(f"{text},model") for text in UNRECORDED)]


@needs_golden
@pytest.mark.parametrize("entry", [entry for entry in RECORDED if not entry.startswith("legal_contract")])
def test_adapters_and_groups_are_helms(registry: Registry, entry: str) -> None:
    specs = resolve(entry, registry, options=Options(compat=HELM_COMPAT, max_eval_instances=8)).specs
    made = {spec.name: (spec.adapter, spec.groups) for spec in specs}
    assert made == {
        run["name"]: (msgspec.convert(run["adapter_spec"], AdapterSpec), tuple(run["groups"]))
        for run in golden_runs()[entry]
    }


HELM_PERTURBATIONS = {
    "MildMixPerturbation": "mild_mix",
    "DialectPerturbation": "dialect",
    "GenderPerturbation": "gender",
    "PersonNamePerturbation": "person_name",
    "MisspellingPerturbation": "misspellings",
}


def without_defaults(args: dict[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in args.items() if value is not None and key != "bidirectional"}


@needs_golden
@pytest.mark.parametrize("entry", [entry for entry in GOLDEN_ENTRIES if "data_augmentation" in entry])
def test_perturbations_are_helms(registry: Registry, entry: str) -> None:
    made = {
        spec.name: [(perturbation.name, perturbation.args) for perturbation in spec.augmentation.perturbations]
        for spec in resolve(entry, registry, options=HELM).specs
    }
    helms = {
        run["name"]: [
            (HELM_PERTURBATIONS[spec["class_name"].rsplit(".", 1)[1]], without_defaults(spec["args"]))
            for spec in run["data_augmenter_spec"]["perturbation_specs"]
        ]
        for run in golden_runs()[entry]
    }
    assert made == helms
