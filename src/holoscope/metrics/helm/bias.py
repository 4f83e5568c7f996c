"""HELM's six bias metrics: all completions as they are, nltk's tokens, each train trial by itself."""

from collections.abc import Sequence

from holoscope.core import Trial
from holoscope.metrics.bias import VARIANTS, Reading, bias_metric, distance
from holoscope.metrics.helm.score import VERSION
from holoscope.metrics.helm.strings import word_tokens
from holoscope.metrics.written import raw

__all__ = ["SET_METRICS", "VALUES", "bias_values"]

_HELMS = Reading(raw, lambda text: word_tokens(text.lower()), helm=True, version=VERSION)

VALUES = {variant.name: variant for variant in VARIANTS}
"""Statistic -> what it is of."""

SET_METRICS = {f"{variant.name}@helm": bias_metric(variant, _HELMS) for variant in VARIANTS}


def bias_values(name: str, trials: Sequence[Trial]) -> list[float | None]:
    """What HELM adds to the statistic `name` for one context; None where the score is undefined."""
    return [distance(VALUES[name], trials, _HELMS)]
