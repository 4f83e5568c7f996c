"""Which column of somebody's data file is what, guessed from names where only one guess is possible.

A guess that could be wrong is refused: the error lists the columns and says what to type. What is decided here goes
into the scenario spec, so that a later run reads the same columns in the same way.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal

import msgspec

from holoscope.core import TEST, TRAIN, VALID, DataError, Json
from holoscope.scenarios.rows import Row

AnswerAs = Literal["text", "letter", "index", "number"]
"""How an answer names its choice: by its text, by its letter, counted from 0, or counted from 1."""

_INPUTS = ("question", "question.stem", "input", "prompt", "text", "goal", "query", "instruction", "problem")
_ANSWERS = (
    "answer",
    "answers",
    "answerkey",
    "answer_key",
    "target",
    "label",
    "reference",
    "references",
    "output",
    "gold",
    "solution",
    "completion",
    "correct_answer",
)
SPLIT_NAMES = {"train": TRAIN, "val": VALID, "valid": VALID, "validation": VALID, "dev": VALID, "test": TEST}
_CHOICES = ("choices", "question.choices", "options", "endings")
_NUMBERED = re.compile(r"(?P<stem>option|choice|ending|opt|sol)?[ _-]?(?P<mark>[a-z]|\d)", re.IGNORECASE)


class Layout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Columns by their role."""

    input: str
    answers: tuple[str, ...]
    """Several where each holds one accepted answer."""
    choices: tuple[str, ...] = ()
    """One column that holds a list, or one column for each choice; empty for free answers."""
    answer_as: AnswerAs = "text"
    id: str = ""
    split: str = ""


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """What the user named; empty is to be guessed."""

    input: str = ""
    answers: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    answer_as: AnswerAs | None = None
    id: str = ""
    split: str = ""


def arrange(path: Path, rows: Sequence[Row], named: Named) -> Layout:
    """The layout of `rows`: what is named, and guesses for the rest."""
    finder = _Finder(path, _columns(rows))
    for column in (named.input, *named.answers, *named.choices, named.id, named.split):
        finder.require(column)
    answers = named.answers or (finder.only("answer", _ANSWERS),)
    choices = named.choices or finder.choices()
    layout = Layout(
        input=named.input or finder.only("input", _INPUTS, but=(*answers, *choices)),
        answers=answers,
        choices=choices,
        id=named.id or finder.guess("id", lambda column: _all_differ(rows, column)),
        split=named.split or finder.guess("split", lambda column: all(split_of(row, column) for row in rows)),
    )
    if not choices:
        return layout
    return msgspec.structs.replace(layout, answer_as=named.answer_as or _answer_as(path, rows, layout))


def cell(row: Row, column: str) -> Json:
    """What stands in a column; `a.b` is b within a. None where there is nothing."""
    if column in row.values:
        return row.values[column]
    outer, _, inner = column.partition(".")
    value = row.values.get(outer)
    return value.get(inner) if isinstance(value, dict) else None


def _columns(rows: Sequence[Row]) -> dict[str, bool]:
    """Every column by name, with those within objects, and whether it holds an object."""
    columns: dict[str, bool] = {}
    for row in rows:
        for outer, value in row.values.items():
            columns[outer] = isinstance(value, dict)
            if isinstance(value, dict):
                columns.update((f"{outer}.{inner}", isinstance(nested, dict)) for inner, nested in value.items())
    return columns


def split_of(row: Row, column: str) -> str:
    """The split that a row names; empty where it names none."""
    return SPLIT_NAMES.get(str(cell(row, column)).lower(), "")


def _all_differ(rows: Sequence[Row], column: str) -> bool:
    values = [cell(row, column) for row in rows]
    return all(isinstance(value, str | int) for value in values) and len(set(map(str, values))) == len(values)


def as_text(row: Row, column: str) -> str:
    """A cell as the text a model would write."""
    value = cell(row, column)
    if isinstance(value, str | int | float):
        return str(value)
    raise DataError(f"{row.where}: {column} should be text or a number, and is {_shown(value)}")


def choice_texts(row: Row, columns: Sequence[str]) -> list[str]:
    """The choices of a row; empty cells at the end are choices it does not have."""
    if len(columns) > 1:
        choices = ["" if cell(row, column) is None else as_text(row, column) for column in columns]
        while choices and not choices[-1]:
            choices.pop()
    else:
        choices = _listed(row, columns[0])
    if len(choices) < 2:
        raise DataError(f"{row.where}: expected at least two choices, found {len(choices)}")
    return choices


def answer_texts(row: Row, columns: Sequence[str]) -> list[str]:
    """Every accepted answer, as written in the row."""
    found: list[str] = []
    for column in columns:
        value = cell(row, column)
        if isinstance(value, list):
            found += [as_text(Row(row.where, {column: item}), column) for item in value]
        else:
            found.append(as_text(row, column))
    if not found:
        raise DataError(f"{row.where}: no answer in {', '.join(columns)}")
    return found


def right_choices(answers: Iterable[str], choices: Sequence[str], answer_as: AnswerAs) -> set[int] | None:
    """Positions of the right choices; None if an answer names none of them."""
    right: set[int] = set()
    for answer in answers:
        named = _READINGS[answer_as](answer.strip(), choices)
        if not named:
            return None
        right |= named
    return right


def _by_text(answer: str, choices: Sequence[str]) -> set[int]:
    return {position for position, choice in enumerate(choices) if choice.strip() == answer}


def _by_letter(answer: str, choices: Sequence[str]) -> set[int]:
    position = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".find(answer.strip("().").upper()) if answer.strip("().") else -1
    return {position} if 0 <= position < len(choices) else set()


def _counted_from(first: int) -> Callable[[str, Sequence[str]], set[int]]:
    def read(answer: str, choices: Sequence[str]) -> set[int]:
        position = int(answer) - first if answer.isascii() and answer.isdigit() else -1
        return {position} if 0 <= position < len(choices) else set()

    return read


_READINGS: dict[AnswerAs, Callable[[str, Sequence[str]], set[int]]] = {
    "text": _by_text,
    "letter": _by_letter,
    "index": _counted_from(0),
    "number": _counted_from(1),
}


def _answer_as(path: Path, rows: Sequence[Row], layout: Layout) -> AnswerAs:
    """The one reading under which every row's answer names a choice."""
    pairs = [(answer_texts(row, layout.answers), choice_texts(row, layout.choices)) for row in rows]
    readings = {name: [right_choices(answers, choices, name) for answers, choices in pairs] for name in _READINGS}
    possible = {name: found for name, found in readings.items() if None not in found}
    distinct = list({str(found): name for name, found in reversed(possible.items())}.values())
    if len(distinct) == 1:
        return distinct[0]
    if not distinct:
        lost = next(
            row.where for row, found in zip(rows, zip(*readings.values(), strict=True), strict=True) if not any(found)
        )
        raise DataError(f"{lost}: {', '.join(layout.answers)} names none of the choices by text, letter or number")
    raise DataError(
        f"{path}: {', '.join(layout.answers)} can be read as {' or as '.join(sorted(possible))}; "
        f"say which, for example: {path}:answer_as={distinct[0]} (index counts from 0, number from 1)"
    )


class _Finder:
    """Looks for columns by the names people give them, whatever their case."""

    def __init__(self, path: Path, columns: Mapping[str, bool]) -> None:
        self.path, self.columns = path, columns

    def only(self, role: str, names: Sequence[str], but: Sequence[str] = ()) -> str:
        plain = (column for column, is_object in self.columns.items() if not is_object)
        found = [column for column in plain if column.lower() in names and column not in but]
        if len(found) == 1:
            return found[0]
        what = (
            f"no column is called like the {role}" if not found else f"{' and '.join(found)} could each be the {role}"
        )
        raise self._unclear(what, role, (found or list(self.columns))[0])

    def guess(self, name: str, fits: Callable[[str], bool]) -> str:
        return next((column for column in self.columns if column.lower() == name and fits(column)), "")

    def require(self, column: str) -> None:
        if column and column not in self.columns:
            raise DataError(f"{self.path}: no column {column!r}; it has {', '.join(self.columns)}")

    def choices(self) -> tuple[str, ...]:
        """A column that holds lists, or a row of columns marked A, B, C or 1, 2, 3."""
        listed = [(column,) for column in self.columns if column.lower() in _CHOICES]
        series: dict[str, list[tuple[str, str]]] = {}
        for column in self.columns:
            match = _NUMBERED.fullmatch(column)
            if match and (match["stem"] or match["mark"].isalpha()):
                series.setdefault((match["stem"] or "").lower(), []).append((match["mark"].lower(), column))
        found = [*listed, *(tuple(name for _, name in run) for run in series.values() if _is_run([m for m, _ in run]))]
        if len(found) > 1:
            shown = " and ".join("+".join(columns) for columns in found)
            raise self._unclear(f"{shown} could each be the choices", "choices", found[0][0])
        return found[0] if found else ()

    def _unclear(self, what: str, role: str, suggestion: str) -> DataError:
        return DataError(
            f"{self.path}: {what}; its columns are {', '.join(self.columns)}. Say which, for example: "
            f"{self.path}:{role}={suggestion} (or the line `{role}: {suggestion}` in {self.path.with_suffix('.yaml')})"
        )


def _is_run(marks: Sequence[str]) -> bool:
    """True for a, b, c ... and for 0, 1, 2 ... and 1, 2, 3 ..."""
    return len(marks) > 1 and marks[0] in "a01" and all(ord(b) - ord(a) == 1 for a, b in pairwise(marks))


def _listed(row: Row, column: str) -> list[str]:
    """The choices in one cell: a list of texts, of `{text}` objects, `{text: [...]}`, or JSON within a CSV."""
    value = cell(row, column)
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except json.JSONDecodeError as error:
            raise DataError(f"{row.where}: {column} is not a JSON list ({error.msg})") from error
    if isinstance(value, dict):
        value = value.get("text", list(value.values()))
    if not isinstance(value, list):
        raise DataError(f"{row.where}: {column} should be a list, and is {_shown(value)}")
    texts = [item.get("text") if isinstance(item, dict) else item for item in value]
    return [as_text(Row(row.where, {column: text}), column) for text in texts]


def _shown(value: Json) -> str:
    return "missing" if value is None else repr(value)[:60]
