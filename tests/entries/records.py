"""A registry whose tasks answer from the record of HELM's own entries: what name and arguments resolve to there."""

import gzip
import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from holoscope.core import (
    Json,
    Perturbation,
    PerturbationDescription,
    Registry,
    Task,
    canonical,
)
from holoscope.entries.augmentations import AUGMENTATIONS
from paths import GOLDEN, SHARED

RECORD = SHARED / "reference" / "helm_run_entries.jsonl.gz"


@cache
def helm_entries() -> list[dict[str, Any]]:
    """HELM's entries, each with what it resolves to."""
    with gzip.open(RECORD, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@cache
def golden_runs() -> dict[str, list[dict[str, Any]]]:
    """Entry -> the run specs that HELM made of it."""
    runs = {}
    for path in sorted(GOLDEN.glob("*.json.gz")):
        golden = json.loads(gzip.decompress(path.read_bytes()))
        runs[golden["entry"]] = [run["run_spec"] for run in golden["runs"]]
    return runs


def registry_of(tasks: Iterable[tuple[str, Mapping[str, Json], Task]]) -> Registry:
    """A registry in which (name, arguments) gives just that task; every perturbation is there."""
    registry = with_perturbations(Registry())
    answers = {(name, canonical(args)): task for name, args, task in tasks}
    for name in sorted({name for name, _ in answers}):

        def function(_name: str = name, **args: Json) -> Task:
            return answers[_name, canonical(args)]

        registry.tasks.add(name, function)
    return registry


def with_perturbations(registry: Registry) -> Registry:
    """`registry` with something under each name that a data augmentation uses."""
    names = {spec.name for runs in AUGMENTATIONS.values() for specs in runs.values() for spec in specs}
    for name in sorted(names):
        registry.perturbations.add(name, Perturbation(name=name, version="1", describe=_describe, apply=lambda i, _: i))
    return registry


def _describe(**args: Json) -> PerturbationDescription:
    return PerturbationDescription(name="any", args=args)
