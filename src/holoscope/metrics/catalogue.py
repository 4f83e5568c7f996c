"""The metrics of this package, as cards: name, version, axis, direction, function."""

from collections.abc import Callable

from holoscope.core import Metric, Registry, Score
from holoscope.metrics import confidence, efficiency, helm, sets
from holoscope.metrics.axes import AXES, GENERAL
from holoscope.metrics.separate import predicted_index
from holoscope.metrics.text import COMPARISONS, accuracy, final_number

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
    "max_prob": "Confidence",
}
_GRADED = frozenset({"f1_score", "rouge_1", "rouge_2", "rouge_l", "bleu_1", "bleu_4", "iou_set_match", "f1_set_match"})
"""Accuracy metrics whose values lie between 0 and 1; the others are right or wrong."""


def register(registry: Registry) -> None:
    """Add this package's metrics and the seven axes."""
    for axis in AXES:
        registry.axes.add(axis.name, axis)
    for name, (compare, whole_option) in COMPARISONS.items():
        _accuracy(registry, name, accuracy(name, compare, whole_option=whole_option))
    _accuracy(registry, "final_number_exact_match", final_number)
    for name, function in helm.FUNCTIONS.items():
        _accuracy(registry, f"{name}@helm", helm.helm_score(name, function), helm.VERSION)
    _confidence(registry)
    _efficiency(registry)
    for set_name, measured in sets.SET_METRICS.items():
        registry.set_metrics.add(set_name, measured)


def _accuracy(registry: Registry, name: str, function: ScoreFunction, version: str = _VERSION) -> None:
    base = name.removesuffix("@helm")
    card = Metric(
        name=name,
        version=version,
        axis="accuracy",
        title=_TITLES[base] + (" (HELM)" if name != base else ""),
        binary=base not in _GRADED,
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
        registry.metrics.add(name, Metric(name=name, version=_VERSION, axis=GENERAL, title=title, score=function))
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
            name=name, version=_VERSION, axis="efficiency", title=title, lower_is_better=lower, score=function
        )
        registry.metrics.add(name, card)
