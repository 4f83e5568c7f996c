"""Under compat, the perturbed instances are those of HELM's own runs, byte for byte, in its order."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import AugmentationSpec, Instance, PerturbationSpec, Reference, Registry, Settings
from holoscope.perturbations import augment, load_lexicons, register
from paths import DATA, GOLDEN, needs_data, needs_golden

pytestmark = [needs_golden, needs_data]

NAMES = {
    "MildMixPerturbation": "mild_mix",
    "MisspellingPerturbation": "misspellings",
    "DialectPerturbation": "dialect",
    "GenderPerturbation": "gender",
    "PersonNamePerturbation": "person_name",
}


def perturbed_runs() -> Iterator[Any]:
    for path in sorted(GOLDEN.glob("*.json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            runs = json.load(file)["runs"]
        for run in runs:
            if run["run_spec"].get("data_augmenter_spec", {}).get("perturbation_specs"):
                yield pytest.param(run, id=run["run_spec"]["name"].replace("model=golden_echo,", "")[-70:])


def spec_of(run: Any) -> AugmentationSpec:
    wanted = run["run_spec"]["data_augmenter_spec"]
    return AugmentationSpec(
        perturbations=tuple(
            PerturbationSpec(NAMES[p["class_name"].rpartition(".")[2]], p["args"]) for p in wanted["perturbation_specs"]
        ),
        augment_eval=wanted["should_augment_eval_instances"],
        include_original=wanted["should_include_original_eval"],
        skip_unchanged=wanted["should_skip_unchanged_eval"],
        seeds_per_instance=wanted["seeds_per_instance"],
    )


def asked(run: Any) -> list[dict[str, Any]]:
    """A row per instance and perturbation, in the order of the requests."""
    rows: list[dict[str, Any]] = []
    for request in run["requests"]:
        row = {key: request.get(key) for key in ("instance_id", "split", "perturbation", "input", "references")}
        if row not in rows:
            rows.append(row)
    return rows


def as_row(instance: Instance) -> dict[str, Any]:
    description = instance.perturbation
    return {
        "instance_id": instance.id,
        "split": instance.split,
        "perturbation": description
        and {
            "name": description.name,
            "robustness": description.robustness,
            "fairness": description.fairness,
            "computed_on": "perturbed",
            **description.args,
        },
        "input": instance.input,
        "references": [{"text": r.text, "tags": list(r.tags)} for r in instance.references],
    }


def original(row: dict[str, Any]) -> Instance:
    references = tuple(Reference(r["text"], tuple(r["tags"])) for r in row["references"])
    return Instance(id=row["instance_id"], split=row["split"], input=row["input"], references=references)


@pytest.mark.parametrize("run", list(perturbed_runs()))
def test_perturbed_instances_equal_those_of_helm(run: Any, tmp_path: Path) -> None:
    registry, spec = Registry(), spec_of(run)
    register(registry)
    lexicons = load_lexicons(spec, registry, Settings(tmp_path, DATA, offline=True), compat=True)
    rows = asked(run)
    made = augment(
        [original(row) for row in rows if row["perturbation"] is None],
        spec,
        registry,
        lexicons=lexicons,
        compat=True,
        helm_class=run["run_spec"]["scenario_spec"]["class_name"],
    )
    assert [as_row(instance) for instance in made] == rows
    assert [list(as_row(i)["perturbation"] or ()) for i in made] == [list(row["perturbation"] or ()) for row in rows]


def test_every_golden_run_with_perturbations_is_read() -> None:
    assert len(list(perturbed_runs())) == 9
