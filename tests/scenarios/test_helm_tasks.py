"""Every entry of HELM's whose scenario exists makes the run that HELM made of it."""

import ast
import gzip
import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from holoscope.core import AdapterSpec, Json, Registry
from holoscope.entries.arguments import check_arguments
from holoscope.scenarios.adapters import IN_FILES
from paths import SHARED
from scenarios.made import registry

RECORD = SHARED / "reference" / "helm_run_entries.jsonl.gz"

pytestmark = pytest.mark.skipif(not RECORD.is_file(), reason=f"no record of HELM's entries under {SHARED}")

REFUSED = {
    "boolq": "only_contrast=True arrives there as text",
    "imdb": "only_contrast=True arrives there as text",
}
"""Tasks some of whose entries differ, and why."""


def rows() -> list[dict[str, Any]]:
    if not RECORD.is_file():
        return []
    with gzip.open(RECORD, "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if "name" in row]


def own_metrics(row: dict[str, Any]) -> list[tuple[str, Json]]:
    """HELM's metrics without those that every run has: names given to one class, and classes with arguments."""
    found: list[tuple[str, Json]] = []
    for dotted, args in row["metrics"]:
        name = dotted.rsplit(".", 1)[1]
        if name == "BasicGenerationMetric":
            found += [(each, {}) for each in ast.literal_eval(args["names"])]
        elif name == "LanguageModelingMetric":
            found.append(("bits_per_byte", {}))
        elif name not in ALWAYS and not dotted.startswith("image_generation."):  # no image can be made to be measured
            found.append((CLASSES[name], as_recorded({k: v for k, v in args.items() if k != "annotator_models"})))
    return found


CLASSES = {
    "AIRBench2024ScoreMetric": "air_bench_2024",
    "APPSMetric": "apps",
    "AnnotationLabelMetric": "annotation_label",
    "BBQMetric": "bbq",
    "BasicCopyrightMetric": "copyright",
    "BiasMetric": "bias",
    "ClassificationMetric": "classification",
    "ConvFinQACalcMetric": "float_equiv",
    "DisinformationHumanEvalMetrics": "disinformation_ratings",
    "DisinformationMetric": "disinformation",
    "EhrSqlMetric": "ehr_sql",
    "FairnessMetric": "parity",
    "FinQAMetric": "fin_qa",
    "GPQAChainOfThoughtMetric": "chain_of_thought_correctness",
    "IFEvalMetric": "ifeval",
    "InstructionFollowingCritiqueMetric": "instruction_following_critique",
    "KPIEdgarMetric": "kpi_edgar",
    "LLMJuryMetric": "llm_jury",
    "LiveQAScoreMetric": "live_qa_score",
    "MIMICIVBillingCodeMetric": "mimiciv_billing_code",
    "MedCalcBenchMetric": "medcalc_bench_accuracy",
    "MedecMetric": "medec",
    "OODKnowledgeMetric": "ood_knowledge",
    "OpenAIMRCRMetric": "openai_mrcr_accuracy",
    "OmniMATHMetric": "omni_math",
    "PrivacyMetric": "privacy_leakage",
    "RankingMetric": "ranking",
    "RulerQAMetric": "ruler_string_match_part",
    "SEAHELMMachineTranslationMetric": "chr_f_plus_plus",
    "SEAHELMQAMetric": "seahelm_qa",
    "SafetyScoreMetric": "safety",
    "StereotypeMetric": "stereotypes",
    "SummarizationMetric": "summarization",
    "ToxicityMetric": "toxicity",
    "WildBenchScoreMetric": "wildbench",
}
ALWAYS = (
    *("BasicReferenceMetric", "InstancesPerSplitMetric"),
    *("SafetyBasicGenerationMetric", "AIRBench2024BasicGenerationMetric"),
)
"""Classes that follow from the others of a run or from its method."""


def as_recorded(args: Json) -> Json:
    """Arguments as the record has them: what is no text or list was written as text."""
    return {key: str(value) for key, value in args.items()} if isinstance(args, dict) else args


@pytest.fixture(scope="module")
def known() -> Registry:
    return registry()


@pytest.fixture(scope="module")
def by_task() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows():
        found.setdefault(row["fn"], []).append(row)
    return found


@pytest.mark.parametrize("name", sorted({row["fn"] for row in rows()} & set(registry().tasks)))
def test_tasks_are_those_of_helms_entries(name: str, known: Registry, by_task: dict[str, list[dict[str, Any]]]) -> None:
    compared = 0
    for row in by_task[name]:
        args = row["args"]
        if name in REFUSED and args != {}:
            continue
        function = known.tasks.get(name)
        task = function(**check_arguments(name, function, args, ()))
        adapter = msgspec.convert(row["adapter"], AdapterSpec)
        if IN_FILES in task.adapter.instructions:  # whose words are read from the pinned source, not from the task
            adapter = replace(adapter, instructions=task.adapter.instructions)
        card = known.scenarios.get(task.scenario.name)
        shown = task.name.replace("/", "_")
        assert (shown, task.groups, task.adapter) == (row["name"], tuple(row["groups_rs"]), adapter), row["desc"]
        assert (card.helm_class.split("scenarios.", 1)[1], task.scenario.args) == (row["scenario"], row["sargs"])
        assert [(m.name, as_recorded(m.args)) for m in task.metrics] == own_metrics(row), row["desc"]
        compared += 1
    assert compared


def test_most_of_helms_names_are_there(known: Registry) -> None:
    assert len({row["fn"] for row in rows()} & set(known.tasks)) >= 44
