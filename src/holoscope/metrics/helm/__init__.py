"""HELM 0.5.16's definitions: its per-instance metrics, and its statistics in its own JSON.

They are kept apart from ours, faults included (a set-based F1, BLEU-4 of 4-grams alone, an unescaped dot in the number
expression, a worst case that takes the minimum of every statistic), because their whole purpose is to give the
numbers HELM would have given for the same completions.
"""

from holoscope.core import Metric
from holoscope.metrics.helm.bbq import SET_METRICS as _BBQ
from holoscope.metrics.helm.bbq import helm_bbq_accuracy
from holoscope.metrics.helm.bias import SET_METRICS as _BIAS
from holoscope.metrics.helm.checked import cards as _checked
from holoscope.metrics.helm.completions import cards as _of_completions
from holoscope.metrics.helm.likelihood import cards as _of_likelihood
from holoscope.metrics.helm.programs import PROGRAM_CLASSES, PROGRAMS
from holoscope.metrics.helm.programs import cards as _of_programs
from holoscope.metrics.helm.readings import cards as _readings
from holoscope.metrics.helm.score import FUNCTIONS, VERSION, helm_max_prob, helm_score
from holoscope.metrics.helm.statistics import TrainingCost, statistics

SET_METRICS = _BIAS | _BBQ
"""Metrics of whole sets, by `name@helm`."""
PROGRAM_METRICS = frozenset({*PROGRAMS, *PROGRAM_CLASSES})
"""Metrics, as runs list them, that take running what a model wrote."""


def cards() -> list[Metric]:
    """HELM's versions of metrics whose definition differs from ours."""
    return [*_of_completions(), *_of_likelihood(), *_of_programs(), *_checked(), *_readings()]


__all__ = [
    "FUNCTIONS",
    "PROGRAM_METRICS",
    "SET_METRICS",
    "VERSION",
    "TrainingCost",
    "cards",
    "helm_bbq_accuracy",
    "helm_max_prob",
    "helm_score",
    "statistics",
]
