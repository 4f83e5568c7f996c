"""HELM's readings of answers that a rule checks: quantities, errors in notes, codes, programs and numbers.

They are kept as HELM has them, faults and all: kinds of quantity it does not know are always wrong, the sentence of an
error is compared with a number that the reference never is, and a number ends at its first comma.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial

from holoscope.core import Json, Metric, Outcome, Score, Trial
from holoscope.metrics.answers import shown
from holoscope.metrics.helm.score import VERSION, sorted_choices
from holoscope.metrics.medicine import BY_NAME, CALC, CODES, FLAG, NO_GOLD, SENTENCE, codes
from holoscope.metrics.sums import CLOSE, EXECUTION, NUMBER, PROGRAM, programmed

ScoreFunction = Callable[..., Score]

_AS_TUPLE = re.compile(r"\('(\d+) weeks', '(\d+) days'\)")
_CODE = re.compile(r"\b[A-Z]\d{1,3}(?:\.\d{1,4})?\.?\b")
_PLAIN_NUMBER = re.compile(r"[-+]?(?:\d*\.\d+|\d+\.?)(?:[Ee][+-]?\d+)?")


def helm_calculated(trial: Trial) -> Score:
    """HELM's reading: kinds that it does not know, such as lab tests and dosages, are always wrong."""
    said, gold = _first(trial), trial.instance.references[0].text
    if str(trial.instance.extra.get("category", "")) in BY_NAME:
        return Score(CALC, float(said == gold), rule="whole_text", answer=shown(said))
    try:
        right = _helm_within(said, gold, trial.instance.extra)
    except ValueError:
        right = False
    return Score(CALC, float(right), rule="whole_text", answer=shown(said))


def _helm_within(said: str, gold: str, limits: Mapping[str, Json]) -> bool:
    low, high = str(limits["lower_limit"]), str(limits["upper_limit"])
    match limits["category"]:
        case "date" if _AS_TUPLE.match(gold):
            return _helm_days(low) <= _helm_days(said) <= _helm_days(high)
        case "date":
            first, value, last = (datetime.strptime(text, "%m/%d/%Y") for text in (low, said, high))
            return first <= value <= last
        case "dosage conversion" | "physical":
            return float(low) <= float(said) <= float(high)
        case other:
            raise ValueError(other)


def _helm_days(text: str) -> int:
    found = _AS_TUPLE.match(text)
    if found is None:
        raise ValueError(text)
    return int(found[1]) * 7 + int(found[2])


def _helm_errors(name: str) -> ScoreFunction:
    """HELM's reading: it takes the whole reference for a number, so that it knows the sentence of no error."""

    def score(trial: Trial) -> Score:
        said = _first(trial)
        gold = next((r.text.replace(".", "").strip() for r in trial.instance.references if r.is_correct), None)
        if gold is None:
            return Score(name, None, Outcome.NOT_SUPPORTED, NO_GOLD)
        flagged, is_wrong = said != "CORRECT", gold != "CORRECT"
        if name == FLAG or not (flagged and is_wrong):
            return Score(name, float(flagged == is_wrong), rule="whole_text", answer=shown(said))
        number = re.match(r"(\d+)", said)
        found = int(number[1]) if number else -2
        return Score(name, float(found == (int(gold) if gold.isdigit() else -1)), rule="whole_text", answer=shown(said))

    return score


def _helm_program(name: str) -> ScoreFunction:
    """HELM's reading: a step over a table is known by `table_` alone."""

    def score(trial: Trial) -> Score:
        return programmed(name, trial, _first(trial), dashes=False)

    return score


def helm_float_equiv(trial: Trial) -> Score:
    """HELM's reading: the first digits of either, without thousands; words are never right."""
    said = sorted_choices(trial.exchanges[0].completion)[0].text
    found, wanted = (_PLAIN_NUMBER.search(text) for text in (said, trial.instance.references[0].text))
    right = found is not None and wanted is not None and abs(float(found[0]) - float(wanted[0])) < CLOSE
    return Score(NUMBER, float(right), rule="first_number", answer=found[0] if found else None)


def _first(trial: Trial) -> str:
    return sorted_choices(trial.exchanges[0].completion)[0].text.strip()


CHECKED: dict[str, ScoreFunction] = {
    CALC: helm_calculated,
    FLAG: _helm_errors(FLAG),
    SENTENCE: _helm_errors(SENTENCE),
    **{name: codes(name, _CODE) for name in CODES},
    PROGRAM: _helm_program(PROGRAM),
    EXECUTION: _helm_program(EXECUTION),
    NUMBER: helm_float_equiv,
}
"""HELM's functions by metric."""


def recorded(names: tuple[str, ...], trial: Trial, args: Mapping[str, Json]) -> list[tuple[str, float | None]]:
    """What HELM's class of these metrics records for a trial."""
    return [(name, CHECKED[name](trial).value) for name in names]


CHECKED_CLASSES = {
    CALC: partial(recorded, (CALC,)),
    "medec": partial(recorded, (FLAG, SENTENCE)),
    "mimiciv_billing_code": partial(recorded, CODES),
    "fin_qa": partial(recorded, (PROGRAM, EXECUTION)),
    NUMBER: partial(recorded, (NUMBER,)),
}
"""By the name under which a run lists the class."""


def cards() -> Iterator[Metric]:
    """HELM's versions of these metrics."""
    for name, function in CHECKED.items():
        yield Metric(
            name=f"{name}@helm",
            version=VERSION,
            axis="accuracy",
            title=f"{name.replace('_', ' ').capitalize()} (HELM)",
            binary=name not in CODES,
            ends=(0.0, 1.0),
            score=function,
            needs=("references",),
        )
