"""Metrics that are classes of their own in HELM and record values for each trial.

A run spec names the class and gives its arguments; `OWN` says what it records.
"""

from collections.abc import Callable, Iterable, Mapping

from holoscope.core import Json, Trial
from holoscope.metrics.helm.checked import CHECKED_CLASSES
from holoscope.metrics.helm.completions import (
    COT,
    IFEVAL,
    chain_of_thought_values,
    copyright_values,
    disinformation_values,
    ifeval_values,
    summarization_values,
)
from holoscope.metrics.helm.ranking import ranking_values
from holoscope.metrics.helm.readings import READING_CLASSES

Recorded = Callable[[Trial, Mapping[str, Json]], Iterable[tuple[str, float | None]]]

OWN: dict[str, Recorded] = {
    COT: chain_of_thought_values,
    "copyright": copyright_values,
    "disinformation": disinformation_values,
    "ifeval": ifeval_values,
    IFEVAL: ifeval_values,
    "ranking": ranking_values,
    "summarization": summarization_values,
    **CHECKED_CLASSES,
    **READING_CLASSES,
}
