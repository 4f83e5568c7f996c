"""Sums over financial tables: whether a program is the right one, what it gives, and whether a number is the right one.

A program is a list of steps, `subtract(9, 4), divide(#0, 4)`, where `#0` is what the first step gives; a step over a
table names a row. Two programs are equal if they are as formulas over the same numbers, whatever the order of terms:
each number is given a value of its own in a large finite field, where two different formulas hardly ever agree. HELM
compares what a computer algebra makes of them, and knows `table_max` only, although its prompt says `table-max`.
"""

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from holoscope.core import Metric, Outcome, Score, Trial
from holoscope.metrics.answers import answer, correct_texts, empty_score, moved, shown
from holoscope.metrics.extract import find_number, parse_number, same_number
from holoscope.metrics.normalise import normalise
from holoscope.metrics.separate import is_separate

ScoreFunction = Callable[..., Score]

PROGRAM, EXECUTION, NUMBER = "program_accuracy", "execution_accuracy", "float_equiv"

_FIELD = 2**61 - 1
CLOSE = 1e-6
_TABLE = "table_"
_STEP = re.compile(r"\s*([a-z_]+)\(([^()]*)\)\s*(?:,\s*|$)")
_ANSWER = {"yes", "no"}


class Step(NamedTuple):
    operation: str
    first: str
    second: str


def steps_of(program: str, *, dashes: bool = True) -> list[Step] | None:
    """The steps of a program; None where it is none. With `dashes`, `table-max` is `table_max`."""
    text = re.sub(r"\btable-", _TABLE, program) if dashes else program
    steps, place = [], 0
    while place < len(text):
        found = _STEP.match(text, place)
        if found is None:
            return None
        parts = found[2].rpartition(", ") if found[1].startswith(_TABLE) else found[2].partition(", ")
        if not parts[1] or (found[1] not in _OPERATIONS and found[1] not in _AGGREGATES):
            return None
        steps.append(Step(found[1], parts[0].strip(), parts[2].strip()))
        place = found.end()
    return steps or None


def run_program(steps: Sequence[Step], table: Sequence[Sequence[str]]) -> float | str | None:
    """What the last step gives: a number to five places, `yes` or `no`; None where a step can't be done."""
    rows = {row[0]: row[1:] for row in table if row}
    results: list[float | str] = []
    for step in steps:
        given = _aggregate(step, rows) if step.operation.startswith(_TABLE) else _calculate(step, results)
        if given is None:
            return None
        results.append(given)
    last = results[-1]
    return last if isinstance(last, str) else round(last, 5)


def _aggregate(step: Step, rows: dict[str, Sequence[str]]) -> float | None:
    cells = [_cell(cell) for cell in rows.get(step.first, ())]
    numbers = [number for number in cells if number is not None]
    return _AGGREGATES[step.operation](numbers) if numbers and len(numbers) == len(cells) else None


def _cell(text: str) -> float | None:
    return _number(text.replace("$", "").strip().partition("(")[0].strip())


def _calculate(step: Step, results: Sequence[float | str]) -> float | str | None:
    first, second = (_argument(text, results) for text in (step.first, step.second))
    if first is None or second is None:
        return None
    if step.operation == "greater":
        return "yes" if first > second else "no"
    try:
        value = _OPERATIONS[step.operation](first, second)
    except (ArithmeticError, ValueError, TypeError):  # TypeError: a root of a negative number is no float
        return None
    return value if math.isfinite(value) else None


def _argument(text: str, results: Sequence[float | str]) -> float | None:
    if not text.startswith("#"):
        return _number(text)
    place = text[1:]
    value = results[int(place)] if place.isdecimal() and int(place) < len(results) else None
    return value if isinstance(value, float) else None


def _number(text: str) -> float | None:
    """A number, a percentage, or a constant such as `const_100` and `const_m1`."""
    plain = text.replace(",", "").replace("const_m", "-").replace("const_", "")
    percent = plain.endswith("%")
    try:
        value = float(plain.removesuffix("%"))
    except ValueError:
        return None
    return value / 100 if percent else value


_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "exp": lambda a, b: float(a**b),
    "greater": lambda a, b: float(a > b),
}
_AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "table_max": max,
    "table_min": min,
    "table_sum": sum,
    "table_average": lambda numbers: sum(numbers) / len(numbers),
}


def same_program(gold: Sequence[Step], said: Sequence[Step]) -> bool:
    """True if both are one formula over the same numbers and rows."""
    return _names(said) <= _names(gold) and (value := _formula(gold)) is not None and value == _formula(said)


def _names(steps: Sequence[Step]) -> set[str]:
    """The numbers that a program takes, and its steps over tables."""
    tables = {_row(step) for step in steps if step.operation.startswith(_TABLE)}
    rest = (step for step in steps if not step.operation.startswith(_TABLE))
    return tables | {text for step in rest for text in (step.first, step.second) if not text.startswith("#")}


def _formula(steps: Sequence[Step]) -> tuple[int, ...] | None:
    """The last step's value in the field; that of a comparison is both of its sides."""
    values: list[int] = []
    for step in steps:
        if step.operation.startswith(_TABLE):
            values.append(_symbol(_row(step)))
            continue
        first, second = (_in_field(text, values) for text in (step.first, step.second))
        if first is None or second is None:
            return None
        if step.operation == "greater":
            return (first, second) if step is steps[-1] else None
        if step.operation == "divide" and not second:
            return None
        values.append(_FIELD_OPERATIONS[step.operation](first, second) % _FIELD)
    return (values[-1],)


def _row(step: Step) -> str:
    return f"{step.operation}({step.first}"


def _in_field(text: str, values: Sequence[int]) -> int | None:
    if not text.startswith("#"):
        return _symbol(text)
    place = text[1:]
    return values[int(place)] if place.isdecimal() and int(place) < len(values) else None


def _symbol(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) % _FIELD


_FIELD_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a * pow(b, -1, _FIELD),
    "exp": lambda a, b: pow(a, b, _FIELD),
}


def programs(name: str) -> ScoreFunction:
    """Whether the answer is the right program, or one with the right result."""

    def score(trial: Trial) -> Score:
        text = answer(trial).text.strip()
        return programmed(name, trial, text) if text or is_separate(trial) else empty_score(name, trial)

    return score


def programmed(name: str, trial: Trial, text: str, *, dashes: bool = True) -> Score:
    """The score of the program `text`."""
    references = [reference.text for reference in trial.instance.references]
    gold = steps_of(references[0]) if len(references) == 3 and not is_separate(trial) else None
    if gold is None:
        return Score(name, None, Outcome.NOT_SUPPORTED, "needs a program, its result and a table as references")
    said = steps_of(text, dashes=dashes)
    if said is None:
        return Score(name, 0.0, reason="the answer is no program", rule="program", answer=shown(text))
    is_result = name == EXECUTION and _is_result(run_program(said, json.loads(references[2])), references[1])
    right = is_result if name == EXECUTION else same_program(gold, said)
    return Score(name, float(right), rule="program", answer=shown(text))


def _is_result(value: float | str | None, gold: str) -> bool:
    if gold in _ANSWER or not isinstance(value, float):
        return value == gold
    wanted = _number(gold)
    return wanted is not None and math.isclose(wanted, value)


def float_equiv(trial: Trial) -> Score:
    """1 if the number that the answer gives is the reference's to six places; words are compared as words."""
    golds = correct_texts(trial)
    if is_separate(trial) or not golds:
        return Score(NUMBER, None, Outcome.NOT_SUPPORTED, "no reference of the instance is marked as right")
    given = answer(trial)
    if not given.text.strip():
        return empty_score(NUMBER, trial)
    wanted = parse_number(golds[0])
    if wanted is None:
        right = normalise(golds[0], "en") == normalise(given.text, "en")
        return Score(NUMBER, float(right), rule="whole_text", answer=shown(given.text.strip()))
    found = find_number(given.text)
    if found.answer is None:
        return Score(NUMBER, None, Outcome.UNGRADABLE, found.reason, rule=found.rule)
    value = parse_number(found.answer)
    close = value is not None and abs(wanted - value) < CLOSE
    right = close or same_number(golds[0], found.answer)
    return Score(NUMBER, float(right), rule=found.rule, span=moved(found.span, given.start), answer=found.answer)


def cards() -> Iterator[Metric]:
    """The metrics of this module."""
    for name, title, function in (
        (PROGRAM, "Right program", programs(PROGRAM)),
        (EXECUTION, "Program with the right result", programs(EXECUTION)),
        (NUMBER, "Right number", float_equiv),
    ):
        yield Metric(
            name=name,
            version="1",
            axis="accuracy",
            title=title,
            binary=True,
            ends=(0.0, 1.0),
            score=function,
            needs=("references",),
        )
