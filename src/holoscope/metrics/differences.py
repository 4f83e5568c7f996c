"""How far off a number is: the absolute difference between the answer's number and the nearest right one."""

from collections.abc import Sequence

from holoscope.core import Metric, Outcome, Score, Trial
from holoscope.metrics.answers import answer, correct_texts, moved
from holoscope.metrics.extract import find_number, parse_number
from holoscope.metrics.separate import is_separate

NAME = "absolute_value_difference"


def absolute_value_difference(trial: Trial) -> Score:
    """|answer - reference|, the smallest over right references; ungradable without a number in the answer."""
    golds = [] if is_separate(trial) else [g for g in map(parse_number, correct_texts(trial)) if g is not None]
    if not golds:
        return Score(NAME, None, Outcome.NOT_SUPPORTED, "no reference marked as right is a number")
    given = answer(trial)
    found = find_number(given.text)
    value = parse_number(found.answer) if found.answer else None
    if value is None:
        return Score(NAME, None, Outcome.UNGRADABLE, found.reason or "the answer holds no number", rule=found.rule)
    distance = float(min(abs(value - gold) for gold in golds))
    return Score(NAME, distance, rule=found.rule, span=moved(found.span, given.start), answer=found.answer)


def cards() -> Sequence[Metric]:
    return [
        Metric(
            name=NAME,
            version="1",
            axis="accuracy",
            title="Absolute difference",
            lower_is_better=True,
            score=absolute_value_difference,
            needs=("references",),
        )
    ]
