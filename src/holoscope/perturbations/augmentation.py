"""Evaluation instances, and beside each its perturbed versions.

What a perturbation makes of an instance depends on the two of them and the seed, and on nothing else: not on the other
instances, their order, or the thread, since each pair draws from a generator of its own. A perturbed instance keeps its
id, so that it can be compared with the original.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from msgspec.structs import replace

from holoscope.core import (
    AugmentationSpec,
    Instance,
    PerturbationDescription,
    PerturbationSpec,
    Registry,
    UsageError,
    canonical,
    rng,
)
from holoscope.perturbations import helm
from holoscope.perturbations.registration import definition
from holoscope.perturbations.sources import Lexicons


def augment(
    instances: Sequence[Instance],
    spec: AugmentationSpec,
    registry: Registry,
    *,
    lexicons: Lexicons,
    compat: bool,
    seed: int = 0,
    helm_class: str = "",
) -> list[Instance]:
    """The evaluation instances in HELM's order: each original, then its perturbed versions.

    `lexicons` are those of `load_lexicons` for the same spec. `seed` counts where `compat` does not: HELM has none.
    `helm_class` is the scenario's: under compat it decides whether unchanged instances are left out.
    """
    if not spec.augment_eval:
        return list(instances)
    perturbations = [_prepare(wanted, registry, lexicons, compat=compat) for wanted in spec.perturbations]
    made: list[Instance] = []
    for instance in instances:
        if spec.include_original:
            made.append(instance)
        for perturbation in perturbations:
            for changed in _versions(instance, perturbation, spec.seeds_per_instance, None if compat else seed):
                kept = compat and helm.keeps_unchanged(perturbation.description.name, helm_class, instance.input)
                if kept or not spec.skip_unchanged or _differs(changed, instance):
                    made.append(changed)
    return made


@dataclass(frozen=True)
class _Prepared:
    """A perturbation with its arguments and word list."""

    description: PerturbationDescription
    apply: Callable[[Instance, Random], Instance]
    purpose: str
    """What its draws are for: equal perturbations draw alike in any run."""


def _prepare(wanted: PerturbationSpec, registry: Registry, lexicons: Lexicons, *, compat: bool) -> _Prepared:
    card = definition(wanted.name, registry, compat=compat)
    try:
        description = card.describe(**wanted.args)
    except TypeError as problem:
        raise UsageError(f"perturbation {wanted.name!r} {str(problem).rpartition('() ')[2]}") from None
    lists = {"lexicon": lexicons.find(card.lexicon, wanted.args)} if card.lexicon else {}
    purpose = f"perturbation {wanted.name} {canonical(description.args).decode()}"
    return _Prepared(description, partial(card.apply, **wanted.args, **lists), purpose)


def _versions(instance: Instance, perturbation: _Prepared, count: int, seed: int | None) -> Iterator[Instance]:
    """The instance as perturbed with each of `count` draws; `seed` None means HELM's draws."""
    for index in range(count):
        if seed is None:
            number = helm.seed_of(perturbation.description.name, index)
            draws = Random(f"{number or ''}{instance.id}")
        else:
            number = index or None
            draws = rng(seed, f"{perturbation.purpose} {index}", instance.id)
        yield replace(
            perturbation.apply(instance, draws),
            id=instance.id,
            split=instance.split,
            perturbation=replace(perturbation.description, seed=number),
            original_input=instance.input,
        )


def _differs(changed: Instance, instance: Instance) -> bool:
    """True if the model is asked something else.

    A change of what the references say is none, as in HELM; their order is that of the options.
    """
    if changed.input != instance.input or changed.messages != instance.messages:
        return True
    before, after = instance.references, changed.references
    return before != after and Counter(before) == Counter(after)
