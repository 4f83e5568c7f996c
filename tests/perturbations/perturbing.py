"""Perturb a text or an instance by the name of a perturbation, with the lists that the package carries."""

from pathlib import Path

from holoscope.core import AugmentationSpec, Instance, Json, PerturbationSpec, Reference, Registry, Settings
from holoscope.perturbations import Lexicons, augment, load_lexicons, register

NOWHERE = Settings(cache_dir=Path("/nonexistent"), offline=True)


def registry() -> Registry:
    filled = Registry()
    register(filled)
    return filled


def spec_for(name: str, **args: Json) -> AugmentationSpec:
    return AugmentationSpec(perturbations=(PerturbationSpec(name, args),), augment_eval=True)


def lexicons_for(spec: AugmentationSpec, settings: Settings = NOWHERE) -> Lexicons:
    return load_lexicons(spec, registry(), settings, compat=False)


def perturb_instance(instance: Instance, name: str, **args: Json) -> Instance:
    spec = spec_for(name, **args)
    return augment([instance], spec, registry(), lexicons=lexicons_for(spec), compat=False)[0]


def perturb(text: str, name: str, **args: Json) -> str:
    return perturb_instance(Instance(id="id0", input=text), name, **args).input


def instance(text: str, *references: str) -> Instance:
    return Instance(id="id0", input=text, references=tuple(Reference(r) for r in references))
