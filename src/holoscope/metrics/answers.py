"""What a trial's completion answers: the graded text, and the option it names.

The text that is graded is that of one choice without its thinking, and without the next question where the model runs
on: the choice with the highest log-probability where all have one, else the first. An empty answer is an answer: it is
wrong, not unparsable.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from holoscope.core import CORRECT, Choice, Outcome, Score, Trial
from holoscope.metrics.confidence_statements import without_statement
from holoscope.metrics.extract import Found, answer_end, answer_start, find_option

_LONGEST_SHOWN = 500


class Answer(NamedTuple):
    """The graded part of a completion."""

    text: str
    start: int
    """Where it starts in the completion's text."""


def best_choices(trial: Trial, k: int = 1) -> Sequence[Choice]:
    """The k choices with the highest log-probability, or the first k where some have none."""
    choices = trial.exchanges[0].completion.choices
    if len(choices) > 1 and all(c.logprob is not None for c in choices):
        choices = tuple(sorted(choices, key=lambda c: -(c.logprob or 0.0)))
    return choices[:k]


def answer(trial: Trial) -> Answer:
    """The text to grade: the answer up to a statement of how sure it is, where one ends it."""
    whole = whole_answer(trial)
    text = without_statement(whole.text)
    return whole if text is whole.text else Answer(text, whole.start)


def whole_answer(trial: Trial) -> Answer:
    """All of the answer; empty where the token limit fell inside the thinking."""
    choices = best_choices(trial)
    if not choices or trial.exchanges[0].completion.outcome is Outcome.TRUNCATED_IN_REASONING:
        return Answer("", 0)
    text = choices[0].text
    start = answer_start(text)
    given = text[start:] if start else text
    if "\n\n" in given:
        given = given[: answer_end(given, trial.exchanges[0].planned.request.prompt)]
    return Answer(given, start)


def empty_score(name: str, trial: Trial) -> Score:
    """An empty answer is wrong."""
    cut = trial.exchanges[0].completion.outcome is Outcome.TRUNCATED_IN_REASONING
    reason = "the token limit fell inside the model's thinking" if cut else "the answer is empty"
    return Score(name, 0.0, reason=reason, rule="empty_answer", answer="")


def chosen_option(given: Answer, mapping: dict[str, str], pattern: str | None = None) -> Found:
    """The label of the option that an answer names; `pattern` is the adapter's own expression for it, tried first."""
    if pattern:
        stated = matched(given.text, pattern)
        if stated and stated.answer and stated.answer.strip() in mapping:
            return stated._replace(answer=stated.answer.strip())
    return find_option(given.text, mapping)


def matched(text: str, pattern: str) -> Found | None:
    """The first match of an adapter's expression: its first group, or all of it where it has none."""
    match = _compiled(pattern).search(text)
    if match is None:
        return None
    group = 1 if match.re.groups else 0
    return Found(match.group(group), "adapter_pattern", match.span(group))


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def moved(span: tuple[int, int] | None, start: int) -> tuple[int, int] | None:
    """A span of the answer as a span of the completion's text."""
    return None if span is None else (span[0] + start, span[1] + start)


def shown(text: str) -> str:
    """The text as a score keeps it: the completion itself is stored once, elsewhere."""
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def correct_texts(trial: Trial) -> list[str]:
    """Texts of the right answers."""
    return [r.text for r in trial.instance.references if CORRECT in r.tags]
