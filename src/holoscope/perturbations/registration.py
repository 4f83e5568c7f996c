"""The perturbations by name; HELM's definition, where it differs from ours, by `name@helm`."""

from collections.abc import Callable

from holoscope.core import Instance, Perturbation, Registry
from holoscope.perturbations import descriptions, fairness, helm, robustness
from holoscope.perturbations.descriptions import HELM_FOLDER, Describe, plain, with_probability
from holoscope.perturbations.rewriting import contrast_set, on_text

Apply = Callable[..., Instance]

HELM_VERSION = "helm-0.5.16"

AS_IN_HELM: dict[str, tuple[Describe, Apply]] = {
    "contrast_sets": (plain("contrast_sets"), contrast_set),
    "extra_space": (descriptions.extra_space, on_text(robustness.extra_space)),
    "filler_words": (descriptions.filler_words, on_text(robustness.filler_words)),
    "lowercase": (plain("lowercase"), on_text(robustness.lowercase)),
    "space": (descriptions.space, on_text(robustness.space)),
    "style": (descriptions.style, on_text(robustness.style)),
}

OURS: dict[str, tuple[Describe, Apply]] = {
    "contraction": (plain("contraction"), on_text(robustness.contraction)),
    "dialect": (descriptions.dialect(), on_text(fairness.dialect, references=True)),
    "expansion": (plain("expansion"), on_text(robustness.expansion)),
    "gender": (descriptions.gender, on_text(fairness.gender, references=True)),
    "mild_mix": (plain("mild_mix"), on_text(robustness.mild_mix)),
    "misspellings": (with_probability("misspellings"), on_text(robustness.misspellings)),
    "person_name": (descriptions.person_name(), fairness.person_name),
    "typos": (with_probability("typos"), on_text(robustness.typos)),
}

HELMS: dict[str, tuple[Describe, Apply]] = {
    "contraction": (plain("contraction"), on_text(helm.contraction)),
    "dialect": (descriptions.dialect(HELM_FOLDER), on_text(helm.dialect, references=True)),
    "expansion": (plain("expansion"), on_text(helm.expansion)),
    "gender": (descriptions.gender, on_text(helm.gender, references=True)),
    "mild_mix": (plain("mild_mix"), on_text(helm.mild_mix)),
    "misspellings": (with_probability("misspellings"), on_text(helm.misspellings)),
    "person_name": (descriptions.person_name(HELM_FOLDER), helm.person_name),
    "typos": (with_probability("typos"), on_text(helm.typos)),
}

LEXICONS = {
    "dialect": "dialect",
    "gender": "gender",
    "mild_mix": "misspellings",
    "misspellings": "misspellings",
    "person_name": "names",
}


def register(registry: Registry) -> None:
    """Add every perturbation of this package."""
    for name, (describe, apply) in (AS_IN_HELM | OURS).items():
        _add(registry, name, "1", describe, apply, LEXICONS.get(name, ""))
    for name, (describe, apply) in HELMS.items():
        _add(registry, f"{name}@helm", HELM_VERSION, describe, apply, LEXICONS.get(name, ""))


def definition(name: str, registry: Registry, *, compat: bool) -> Perturbation:
    """The card of a perturbation: HELM's under compat, where there is one."""
    as_helm = f"{name}@helm"
    return registry.perturbations.get(as_helm if compat and as_helm in registry.perturbations else name)


def _add(registry: Registry, name: str, version: str, describe: Describe, apply: Apply, lexicon: str) -> None:
    card = Perturbation(name=name, version=version, describe=describe, apply=apply, lexicon=lexicon)
    registry.perturbations.add(name, card)
