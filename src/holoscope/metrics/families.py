"""What a run may list by the name of a whole family, as HELM does with its classes.

`bbq` and `toxicity` stand for three metrics each, `bias` with arguments for one of six, `ranking` for the measures that
its arguments list. A run spec may name either; metrics are computed one by one, and HELM's files have the families.
"""

from collections.abc import Iterable, Iterator
from typing import cast

from holoscope.core import Json, MetricSpec
from holoscope.metrics import bbq, contests, instructions, medicine, ranking, refusals, spans, sums, trust, unmeasured
from holoscope.metrics.bias import VARIANTS, Variant
from holoscope.metrics.toxicity import REDUCTIONS

_BIAS = "bias"
_MEMBERS = {
    "bbq": (bbq.ACCURACY, *bbq.BIASES),
    "toxicity": tuple(REDUCTIONS),
    "ifeval": instructions.NAMES,
    "safety": ("safety_score", refusals.NAME),
    "air_bench_2024": ("air_score", refusals.NAME),
    "ood_knowledge": (trust.KNOWLEDGE, trust.UNKNOWN, trust.RELIABLE),
    "privacy_leakage": ("decodingtrust_privacy_leakage_rate",),
    "stereotypes": (trust.NO_AGREEMENT, trust.REJECTION),
    "instruction_following_critique": tuple(unmeasured.CRITIQUE),
    "ehr_sql": tuple(unmeasured.EHR_SQL),
    "fin_qa": (sums.PROGRAM, sums.EXECUTION),
    "medec": (medicine.FLAG, medicine.SENTENCE),
    "mimiciv_billing_code": medicine.CODES,
    "omni_math": ("omni_math_accuracy", "math_equiv"),
    "wildbench": ("wildbench_score", "wildbench_score_rescaled"),
}
_FAMILY = {member: family for family in ("bbq", "toxicity", "ifeval") for member in _MEMBERS[family]}
_VARIANTS = {variant.name: variant for variant in VARIANTS}
_CLASSIFICATIONS = frozenset({"classification", "multiple_choice_classification"})
"""HELM has one for generations and one for options, and says which averages it writes; ours gives all of either."""
_SUMMARIZATION = (
    *("rouge_1", "rouge_2", "rouge_l"),
    *("summarization_coverage", "summarization_density", "summarization_compression"),
)
_BY_MODELS = ("BERTScore-P", "BERTScore-R", "BERTScore-F", "summac", "QAFactEval")
"""What HELM adds of a summary where it has a device to run models on."""
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
        if spec.args.get("device", "cpu") != "cpu":
            yield from map(MetricSpec, _BY_MODELS)
    elif spec.name == "disinformation_ratings":
        yield from map(MetricSpec, unmeasured.RATINGS.get(str(spec.args.get("name")), ()))
    elif spec.name == contests.FAMILY:
        names = spec.args.get("names", contests.NAMES)
        rest = {key: value for key, value in spec.args.items() if key != "names"}
        yield from (MetricSpec(name, rest) for name in contests.NAMES if name in cast("list[str]", names))
    elif spec.name in _CLASSIFICATIONS:
        yield MetricSpec("classification", {k: v for k, v in spec.args.items() if k in ("labels", "delimiter")})
    elif spec.name in _NAMED_BY_ARGUMENT:
        yield MetricSpec(str(spec.args.get("name", "")), {k: v for k, v in spec.args.items() if k != "name"})
    elif spec.name == "llm_jury":
        yield MetricSpec(str(spec.args.get("metric_name", "")))
    elif spec.name == "annotation_label":
        label = "annotation_{annotator_name}_{key}_".format(**spec.args)
        yield from (MetricSpec(f"{label}{name}") for name in cast("list[str]", spec.args.get("labels", [])))
    elif spec.name == "seahelm_qa":
        yield from (MetricSpec(name, spec.args) for name in (spans.EXACT, spans.F1))
    elif spec.name in _MEMBERS:
        yield from map(MetricSpec, _MEMBERS[spec.name])
    else:
        yield spec


_KEYS = ("mode", "demographic_category", "target_category")


def _arguments(variant: Variant) -> dict[str, Json]:
    return {key: value for key, value in zip(_KEYS, variant, strict=True) if value is not None}
