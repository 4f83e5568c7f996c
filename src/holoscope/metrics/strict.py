"""The strict reading of an answer, beside the lenient one: right only in the form that was asked for.

A lenient metric finds the answer wherever it stands and calls what it can't find ungradable. Its strict counterpart
takes only the forms below, and any other answer is wrong. The difference of the two is what following the format costs
a model.

    strict_exact_match               the letter alone, or what the adapter's own expression finds
    strict_final_number_exact_match  a number that is marked: `The answer is 48.`, `#### 48`, a box
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from holoscope.core import Metric, Outcome, Score, Trial
from holoscope.metrics.answers import answer
from holoscope.metrics.text import accuracy, exact, final_number

ScoreFunction = Callable[..., Score]


class _Reading(NamedTuple):
    title: str
    lenient: ScoreFunction
    rules: frozenset[str]
    """Rules whose answers have the form that was asked for."""


STRICT = {
    "exact_match": _Reading(
        "Exact match, the letter alone", accuracy("exact_match", exact), frozenset({"adapter_pattern", "whole_text"})
    ),
    "final_number_exact_match": _Reading(
        "Exact match of a marked number",
        final_number,
        frozenset({"boxed", "hash_mark", "stated_number", "stated_formula"}),
    ),
}
"""By the lenient metric's name; the strict one's begins with `strict_`."""


def cards() -> Iterator[Metric]:
    """The metrics of this module."""
    for base, reading in STRICT.items():
        yield Metric(
            name=f"strict_{base}",
            version="1",
            axis="accuracy",
            title=reading.title,
            binary=True,
            score=_strict(f"strict_{base}", reading),
            needs=("references",),
        )


def _strict(name: str, reading: _Reading) -> ScoreFunction:
    def score(trial: Trial, **args: str) -> Score:
        found = reading.lenient(trial, **args)
        if found.outcome is Outcome.NOT_SUPPORTED or found.rule in ("empty_answer", "most_likely_option"):
            return replace(found, metric=name)
        alone = found.rule == "bare_label" and answer(trial).text.strip() == found.answer
        if found.value is not None and (alone or found.rule in reading.rules):
            return replace(found, metric=name)
        reason = f"not in the form that was asked for: {found.rule or found.reason}"
        return replace(found, metric=name, value=0.0, outcome=Outcome.OK, reason=reason)

    return score
