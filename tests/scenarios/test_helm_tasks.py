"""Every entry of HELM's whose scenario exists makes the run that HELM made of it."""

import ast
import gzip
import json
from typing import Any

import msgspec
import pytest

from holoscope.core import AdapterSpec, Json, Registry
from holoscope.entries.arguments import check_arguments
from paths import SHARED
from scenarios.made import registry

RECORD = SHARED / "reference" / "helm_run_entries.jsonl.gz"

pytestmark = pytest.mark.skipif(not RECORD.is_file(), reason=f"no record of HELM's entries under {SHARED}")

REFUSED = {"boolq": "only_contrast=True arrives there as text", "code": "the data of apps is gated"}
"""Tasks some of whose entries differ, and why."""


def rows() -> list[dict[str, Any]]:
    with gzip.open(RECORD, "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if "name" in row]


def own_metrics(row: dict[str, Any]) -> list[tuple[str, Json]]:
    """HELM's metrics without those that every run has: names given to one class, and classes with arguments."""
    found: list[tuple[str, Json]] = []
    for dotted, args in row["metrics"]:
        name = dotted.rsplit(".", 1)[1]
        if name == "BasicGenerationMetric":
            found += [(each, {}) for each in ast.literal_eval(args["names"])]
        elif name not in ("BasicReferenceMetric", "InstancesPerSplitMetric"):
            found.append((CLASSES[name], args))
    return found


CLASSES = {
    "BBQMetric": "bbq",
    "BiasMetric": "bias",
    "GPQAChainOfThoughtMetric": "chain_of_thought_correctness",
    "IFEvalMetric": "ifeval",
    "ToxicityMetric": "toxicity",
}


@pytest.fixture(scope="module")
def known() -> Registry:
    return registry()


def test_tasks_are_those_of_helms_entries(known: Registry) -> None:
    compared = set()
    for row in rows():
        name, args = row["fn"], row["args"]
        if name not in known.tasks or (name in REFUSED and args not in ({}, {"dataset": "humaneval"})):
            continue
        function = known.tasks.get(name)
        task = function(**check_arguments(name, function, args, ()))
        adapter = msgspec.convert(row["adapter"], AdapterSpec)
        card = known.scenarios.get(task.scenario.name)
        assert (task.name, task.groups, task.adapter) == (row["name"], tuple(row["groups_rs"]), adapter), row["desc"]
        assert (card.helm_class.split("scenarios.", 1)[1], task.scenario.args) == (row["scenario"], row["sargs"])
        assert [(m.name, m.args) for m in task.metrics] == own_metrics(row), row["desc"]
        compared.add(name)
    assert compared == {row["fn"] for row in rows() if row["fn"] in known.tasks}
    assert len(compared) >= 24
