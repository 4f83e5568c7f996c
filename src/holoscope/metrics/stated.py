"""The confidence that an answer states in words, as a metric."""

from collections.abc import Sequence

from holoscope.core import Metric, Outcome, Score, Trial
from holoscope.metrics.answers import whole_answer
from holoscope.metrics.axes import GENERAL
from holoscope.metrics.confidence_statements import stated_in
from holoscope.metrics.separate import is_separate

STATED = "verbalised_confidence"


def stated(trial: Trial) -> float | None:
    """The confidence that the answer states last, as a probability; None where it states none."""
    return None if is_separate(trial) or trial.failure is not None else stated_in(whole_answer(trial).text)


def verbalised_confidence(trial: Trial) -> Score:
    """The confidence that the answer states."""
    value = stated(trial)
    if value is None:
        return Score(STATED, None, Outcome.UNGRADABLE, "the answer states no confidence")
    return Score(STATED, value, rule="stated_confidence")


def cards() -> Sequence[Metric]:
    return [Metric(name=STATED, version="1", axis=GENERAL, title="Stated confidence", score=verbalised_confidence)]
