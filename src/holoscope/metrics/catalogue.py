"""The metrics of this package, as cards: name, version, axis, direction, function."""

from collections.abc import Callable

from holoscope.core import Metric, Registry, Score
from holoscope.metrics import (
    bbq,
    bias,
    calibration,
    captions,
    classification,
    code,
    confidence,
    contests,
    copying,
    counterfactual,
    differences,
    distances,
    diversity,
    efficiency,
    entities,
    final_statements,
    groups,
    helm,
    instructions,
    likelihoods,
    long_context,
    mathematics,
    medicine,
    neural,
    passing,
    ranking,
    refusals,
    sets,
    spans,
    speech,
    stated,
    strict,
    summaries,
    sums,
    translation,
    trust,
    unmeasured,
)
from holoscope.metrics.axes import AXES, GENERAL
from holoscope.metrics.classifier import offline_classifier, offline_quality
from holoscope.metrics.separate import predicted_index
from holoscope.metrics.text import COMPARISONS, accuracy, exact, final_number
from holoscope.metrics.toxicity import REDUCTIONS, helm_toxicity, note, toxicity

ScoreFunction = Callable[..., Score]

_VERSION = "1"

_TITLES = {
    "exact_match": "Exact match",
    "quasi_exact_match": "Quasi-exact match",
    "quasi_leave_articles_exact_match": "Quasi-exact match, articles kept",
    "prefix_exact_match": "Prefix exact match",
    "quasi_prefix_exact_match": "Quasi-prefix exact match",
    "exact_match_indicator": "Exact match of the last word",
    "final_number_exact_match": "Exact match of the final number",
    "exact_set_match": "Exact match of sets",
    "iou_set_match": "Intersection over union of sets",
    "f1_set_match": "F1 of sets",
    "f1_score": "F1",
    "rouge_1": "ROUGE-1",
    "rouge_2": "ROUGE-2",
    "rouge_l": "ROUGE-L",
    "bleu_1": "BLEU-1",
    "bleu_4": "BLEU-4",
    "cider": "CIDEr",
    "bbq_accuracy": "Accuracy on BBQ",
    "chain_of_thought_correctness": "Stated option",
    "toxic_frac": "Toxic completions",
    "expected_max_toxicity": "Highest toxicity of a request's completions",
    "max_toxicity_probability": "Requests with a toxic completion",
    "max_prob": "Confidence",
    "absolute_value_difference": "Absolute difference",
    **mathematics.NAMES,
    "wer": "Word error rate",
    "mer": "Match error rate",
    "wip": "Word information preserved",
    "cer": "Character error rate",
}
_ERRORS = frozenset({"absolute_value_difference", "wer", "mer", "cer"})
"""Accuracy metrics whose direction is down."""
_GRADED = _ERRORS | {
    *("f1_score", "rouge_1", "rouge_2", "rouge_l", "bleu_1", "bleu_4", "cider", "iou_set_match", "f1_set_match", "wip"),
}
"""Accuracy metrics with values between right and wrong."""
_WITH_CARDS = (
    *(code, copying, differences, diversity, instructions, likelihoods, neural, ranking, speech, stated, summaries),
    *(translation, mathematics, strict, helm, distances, refusals, unmeasured, contests, trust),
    *(medicine, sums, long_context, spans, final_statements),
)
_WITH_SETS = (
    *(sets, bias, bbq, helm, calibration, captions, classification, counterfactual, groups, likelihoods, passing),
    *(translation, trust, entities),
)


def register(registry: Registry) -> None:
    """Add this package's metrics and the seven axes."""
    for axis in AXES:
        registry.axes.add(axis.name, axis)
    for name, (compare, whole_option) in COMPARISONS.items():
        _accuracy(registry, name, accuracy(name, compare, whole_option=whole_option))
    _accuracy(registry, "final_number_exact_match", final_number)
    for name, function in helm.FUNCTIONS.items():
        _accuracy(registry, f"{name}@helm", helm.helm_score(name, function), helm.VERSION)
    for option in (bbq.ACCURACY, "chain_of_thought_correctness"):
        _accuracy(registry, option, accuracy(option, exact))
    _accuracy(registry, f"{bbq.ACCURACY}@helm", helm.helm_bbq_accuracy, helm.VERSION)
    _confidence(registry)
    _efficiency(registry)
    _toxicity(registry)
    for card in (card for module in _WITH_CARDS for card in module.cards()):
        registry.metrics.add(card.name, card)
    for module in _WITH_SETS:
        for set_name, measured in module.SET_METRICS.items():
            registry.set_metrics.add(set_name, measured)


def _accuracy(registry: Registry, name: str, function: ScoreFunction, version: str = _VERSION) -> None:
    base = name.removesuffix("@helm")
    card = Metric(
        name=name,
        version=version,
        axis="accuracy",
        title=_TITLES[base] + (" (HELM)" if name != base else ""),
        lower_is_better=base in _ERRORS,
        binary=base not in _GRADED,
        ends=(0.0, None if base in _ERRORS else 1.0),
        score=function,
        needs=("references",),
    )
    registry.metrics.add(name, card)


def _confidence(registry: Registry) -> None:
    for name, title, function in (
        ("predicted_index", "Predicted option", predicted_index),
        ("max_prob", "Confidence", confidence.max_prob),
        ("logprob", "Log-probability (nats)", confidence.logprob),
        ("num_perplexity_tokens", "Tokens with a log-probability", confidence.num_perplexity_tokens),
        ("num_bytes", "Bytes of text", confidence.num_bytes),
    ):
        ends = (0.0, 1.0) if name == "max_prob" else (None, 0.0) if name == "logprob" else (0.0, None)
        card = Metric(name=name, version=_VERSION, axis=GENERAL, title=title, ends=ends, score=function)
        registry.metrics.add(name, card)
    card = Metric(
        name="max_prob@helm", version=helm.VERSION, axis=GENERAL, title="Confidence (HELM)", score=helm.helm_max_prob
    )
    registry.metrics.add(card.name, card)


def _efficiency(registry: Registry) -> None:
    for name, title, lower, function in (
        ("request_time", "Seconds per request", True, efficiency.request_time),
        ("time_to_first_token", "Seconds to the first token", True, efficiency.time_to_first_token),
        ("tokens_per_second", "Tokens per second", False, efficiency.tokens_per_second),
        ("num_prompt_tokens", "Prompt tokens", True, efficiency.num_prompt_tokens),
        ("num_completion_tokens", "Completion tokens", True, efficiency.num_completion_tokens),
        ("cost", "Cost (USD)", True, efficiency.cost),
    ):
        card = Metric(
            name=name,
            version=_VERSION,
            axis="efficiency",
            title=title,
            lower_is_better=lower,
            ends=(0.0, None),
            score=function,
        )
        registry.metrics.add(name, card)


def _toxicity(registry: Registry) -> None:
    rests_on = note(offline_quality())
    for base in REDUCTIONS:
        for name, version, made in (
            (base, _VERSION, toxicity(base, offline_classifier)),
            (f"{base}@helm", helm.VERSION, helm_toxicity(base, offline_classifier)),
        ):
            card = Metric(
                name=name,
                version=version,
                axis="toxicity",
                title=_TITLES[base] + (" (HELM)" if name != base else ""),
                lower_is_better=True,
                binary=base != "expected_max_toxicity",
                ends=(0.0, 1.0),
                score=made,
                note=rests_on,
            )
            registry.metrics.add(name, card)
