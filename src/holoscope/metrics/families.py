"""What a run may list by the name of a whole family, as HELM does with its classes.

`bbq` and `toxicity` stand for three metrics each, `bias` with arguments for one of six, `ranking` for the measures that
its arguments list. A run spec may name either; metrics are computed one by one, and HELM's files have the families.
"""

from collections.abc import Iterable, Iterator
from typing import cast

from holoscope.core import Json, MetricSpec
from holoscope.metrics import bbq, instructions, ranking
from holoscope.metrics.bias import VARIANTS, Variant
from holoscope.metrics.toxicity import REDUCTIONS

_BIAS = "bias"
_MEMBERS = {"bbq": (bbq.ACCURACY, *bbq.BIASES), "toxicity": tuple(REDUCTIONS), "ifeval": instructions.NAMES}
_FAMILY = {member: family for family, members in _MEMBERS.items() for member in members}
_VARIANTS = {variant.name: variant for variant in VARIANTS}
_CLASSIFICATIONS = frozenset({"classification", "multiple_choice_classification"})
"""HELM has one for generations and one for options, and says which averages it writes; ours gives all of either."""
_SUMMARIZATION = (
    *("rouge_1", "rouge_2", "rouge_l"),
    *("summarization_coverage", "summarization_density", "summarization_compression"),
)
_NAMED_BY_ARGUMENT = frozenset({"copyright", "disinformation"})
"""Families whose argument `name` says which of them is meant."""


def expanded(specs: Iterable[MetricSpec]) -> tuple[MetricSpec, ...]:
    """Each metric by its own name, once."""
    found: dict[str, MetricSpec] = {}
    for spec in specs:
        for member in _members(spec):
            found.setdefault(member.name, member)
    return tuple(found.values())


def in_families(specs: Iterable[MetricSpec]) -> tuple[MetricSpec, ...]:
    """The same metrics by family, where they are of one."""
    found: list[MetricSpec] = []
    for spec in specs:
        known = _VARIANTS.get(spec.name)
        if known is not None:
            found.append(MetricSpec(_BIAS, _arguments(known)))
        elif (family := _FAMILY.get(spec.name)) is None:
            found.append(spec)
        elif all(other.name != family for other in found):
            found.append(MetricSpec(family))
    return tuple(found)


def _members(spec: MetricSpec) -> Iterator[MetricSpec]:
    if spec.name == _BIAS:
        fields = cast("dict[str, str]", spec.args)
        yield MetricSpec(Variant(*(fields.get(key, "") for key in _KEYS)).name)
    elif spec.name == ranking.FAMILY:
        yield from ranking.members(spec.args)
    elif spec.name == "summarization":
        yield from map(MetricSpec, _SUMMARIZATION)
    elif spec.name in _CLASSIFICATIONS:
        yield MetricSpec("classification", {k: v for k, v in spec.args.items() if k in ("labels", "delimiter")})
    elif spec.name in _NAMED_BY_ARGUMENT:
        yield MetricSpec(str(spec.args.get("name", "")), {k: v for k, v in spec.args.items() if k != "name"})
    elif spec.name in _MEMBERS:
        yield from map(MetricSpec, _MEMBERS[spec.name])
    else:
        yield spec


_KEYS = ("mode", "demographic_category", "target_category")


def _arguments(variant: Variant) -> dict[str, Json]:
    return {key: value for key, value in zip(_KEYS, variant, strict=True) if value is not None}
