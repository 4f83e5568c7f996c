"""All 4,297 entries of HELM's confs: each makes HELM's run here, or it is said why not."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from entries.records import RECORD, helm_entries
from holoscope.core import HELM_COMPAT, AdapterSpec, HoloscopeError, Registry, Task, builtin
from holoscope.entries import Options, load_absent, resolve
from holoscope.entries.arguments import check_arguments
from holoscope.scenarios.adapters import IN_FILES
from paths import SHARED
from scenarios.test_helm_tasks import as_recorded, own_metrics

pytestmark = pytest.mark.skipif(not RECORD.is_file(), reason=f"no record of HELM's entries under {SHARED}")

HELM = Options(compat=HELM_COMPAT)
EQUAL = "equal"
UNRECORDED = {
    "big_bench": "HELM reads the task's own file to make the run, which it could not fetch when the record was made",
    "legalbench": "HELM reads the tasks' settings to make the run, which it could not fetch when the record was made",
    "raft": "HELM reads the tasks' settings to make the run, which it could not fetch when the record was made",
}
"""Tasks that are here and of which the record holds no run of HELM's to compare with, and why."""
DIFFERENT = {
    "boolq:model=text,only_contrast=True,data_augmentation=contrast_sets": "HELM hands True on as text",
    "imdb:model=text,only_contrast=True,data_augmentation=contrast_sets": "HELM hands True on as text",
}
"""Entries whose adapter, groups and metrics are HELM's, and whose scenario argument is not."""
REFUSED = {"tokenizer=default": "the tokenizer is the model's, and no model is looked at; the entry has to name one"}
"""Arguments that are refused, and why."""
EQUAL_AT_LEAST = 2800


@pytest.fixture(scope="module")
def known() -> Registry:
    return builtin()


def differences(row: dict[str, Any], task: Task, known: Registry) -> set[str]:
    """In what a task differs from the run that HELM made of the entry."""
    adapter = msgspec.convert(row["adapter"], AdapterSpec)
    if IN_FILES in task.adapter.instructions:  # whose words are read from the pinned source, not from the task
        adapter = replace(adapter, instructions=task.adapter.instructions)
    helm_class = known.scenarios.get(task.scenario.name).helm_class.partition("scenarios.")[2]
    pairs: dict[str, tuple[object, object]] = {
        "adapter": (task.adapter, adapter),
        "name": (task.name.replace("/", "_"), row["name"]),
        "groups": (task.groups, tuple(row["groups_rs"])),
        "class": (helm_class, row["scenario"]),
        "arguments": (task.scenario.args, row["sargs"]),
        "metrics": ([(metric.name, as_recorded(metric.args)) for metric in task.metrics], own_metrics(row)),
    }
    return {what for what, (ours, helms) in pairs.items() if ours != helms}


def kind_of(row: dict[str, Any], known: Registry, absent: dict[str, str]) -> str:
    """`equal`, or the kind of reason why the entry's run is not HELM's."""
    name = row["fn"]
    if name not in known.tasks:
        return absent.get(name, f"UNEXPLAINED: {name} is neither here nor in entries/not_here.yaml")
    model = row["ex"].get("model", "")
    try:
        resolve(row["desc"], known, models=[model if "/" in model else "test/echo"], options=HELM)
    except HoloscopeError as error:
        refused = next((argument for argument in REFUSED if argument in row["desc"]), "")
        return f"refused: {refused}" if refused else f"UNEXPLAINED: {row['desc']}: {error}"
    if "name" not in row:
        return f"no record: {name}" if name in UNRECORDED else f"UNEXPLAINED: no record of {row['desc']}"
    function = known.tasks.get(name)
    found = differences(row, function(**check_arguments(name, function, row["args"], ())), known)
    if row["desc"] in DIFFERENT and found == {"arguments"}:
        return "argument as text"
    return f"UNEXPLAINED: {row['desc']}: {', '.join(sorted(found))}" if found else EQUAL


def test_every_entry_of_helm_makes_its_run_or_it_is_said_why_not(known: Registry) -> None:
    absent = {name: f"not here: {kind.kind}" for kind in load_absent() for name in kind.names}
    kinds = Counter(kind_of(row, known, absent) for row in helm_entries())
    assert not [kind for kind in kinds if kind.startswith("UNEXPLAINED")]
    assert sum(kinds.values()) == 4297
    for kind, count in sorted(kinds.items()):
        print(f"{count:5}  {kind}")
    assert kinds[EQUAL] >= EQUAL_AT_LEAST
    assert kinds["not here: image generation"] == 85
    assert kinds["not here: audio"] == 85
    assert kinds["not here: video"] == 1
    assert kinds["no record: legalbench"] + kinds["no record: raft"] + kinds["no record: big_bench"] == 200
    assert kinds["argument as text"] == len(DIFFERENT)
    assert kinds["refused: tokenizer=default"] == 2


def test_no_name_is_both_here_and_said_to_be_missing(known: Registry) -> None:
    named = [name for kind in load_absent() for name in kind.names]
    assert len(named) == len(set(named))
    assert not {*known.tasks, *known.aliases} & set(named)


def test_every_run_spec_function_of_helm_is_here_or_explained(known: Registry) -> None:
    """The record has 254 of HELM's 309; the others have no entry in any of its confs."""
    named = {name for kind in load_absent() for name in kind.names}
    assert not {row["fn"] for row in helm_entries()} - named - {*known.tasks, *known.aliases}
