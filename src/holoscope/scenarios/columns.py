"""Which column of somebody's data file is what, guessed from names where only one guess is possible.

A guess that could be wrong is refused: the error lists the columns and says what to type. What is decided here goes
into the scenario spec, so that a later run reads the same columns in the same way.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from holoscope.core import TEST, TRAIN, VALID, DataError, Json
from holoscope.core.labels import position_of_letters
from holoscope.scenarios.readings import READINGS, AnswerAs, right_choices
from holoscope.scenarios.rows import Row

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
_NUMBERED = re.compile(r"(?P<stem>option|choice|ending|opt|sol)?[ _-]?(?P<mark>[a-z]{1,2}|\d{1,2})", re.IGNORECASE)


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
    groups: tuple[str, ...] = ()
    """Attributes, such as `gender`, by whose values scores are compared."""
    cluster: str = ""
    """What rows share whose scores are not independent, such as a passage."""


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """What the user named; empty is to be guessed."""

    input: str = ""
    answers: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    answer_as: AnswerAs | None = None
    id: str = ""
    split: str = ""
    groups: tuple[str, ...] = ()
    cluster: str = ""


def arrange(path: Path, rows: Sequence[Row], named: Named) -> Layout:
    """The layout of `rows`: what is named, and guesses for the rest."""
    finder = _Finder(path, _columns(rows))
    for column in (named.input, *named.answers, *named.choices, named.id, named.split, *named.groups, named.cluster):
        finder.require(column)
    if named.id:
        _refuse_twins(rows, named.id)
    answers = named.answers or (finder.only("answer", _ANSWERS),)
    choices = named.choices or finder.choices()
    layout = Layout(
        input=named.input or finder.only("input", _INPUTS, but=(*answers, *choices)),
        answers=answers,
        choices=choices,
        id=named.id or finder.guess("id", lambda column: _all_differ(rows, column)),
        split=named.split or finder.guess("split", lambda column: all(split_of(row, column) for row in rows)),
        groups=named.groups,
        cluster=named.cluster,
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
    return all(_is_id(value) for value in values) and len(set(map(str, values))) == len(values)


def _is_id(value: Json) -> bool:
    """True for what can identify a row."""
    return isinstance(value, str | int) and value != ""


def _refuse_twins(rows: Sequence[Row], column: str) -> None:
    """Ids that the user named must differ; a column that is only called `id` is then not taken for one."""
    seen: dict[str, str] = {}
    for row in rows:
        identifier = as_text(row, column)
        if identifier in seen:
            raise DataError(
                f"{seen[identifier]} and {row.where} both have {column} {identifier!r}; "
                "ids must differ (leave out the line `id:` to count rows instead)"
            )
        seen[identifier] = row.where


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


def _answer_as(path: Path, rows: Sequence[Row], layout: Layout) -> AnswerAs:
    """The one reading under which every row's answer names a choice."""
    possible = list(READINGS)
    read: list[tuple[Row, dict[AnswerAs, set[int]]]] = []
    for row in rows:
        found = _readings(row, layout)
        shared = [reading for reading in possible if reading in found]
        if not shared:
            raise _no_reading(path, row, layout, possible, list(found))
        possible = shared
        read.append((row, found))
    first, *others = possible
    for row, found in read:
        if any(found[other] != found[first] for other in others):
            raise DataError(
                f"{_shown_answer(row, layout)} can be read as {' or as '.join(sorted(possible))}; "
                f"say which, for example: {path}:answer_as={first} (index counts from 0, number from 1)"
            )
    return first


def _readings(row: Row, layout: Layout) -> dict[AnswerAs, set[int]]:
    """The right choices under each reading that names any."""
    answers, choices = answer_texts(row, layout.answers), choice_texts(row, layout.choices)
    found = {reading: right_choices(answers, choices, reading) for reading in READINGS}
    return {reading: right for reading, right in found.items() if right is not None}


def _no_reading(
    path: Path, row: Row, layout: Layout, before: Sequence[AnswerAs], here: Sequence[AnswerAs]
) -> DataError:
    """The error of a row that cannot be read `before`, as the rows before it can; it can be read `here`."""
    if not here:
        return DataError(
            f"{row.where}: {', '.join(layout.answers)} names none of the choices by text, letter or number"
        )
    return DataError(
        f"{_shown_answer(row, layout)} can be read as {' or as '.join(here)}, and the rows before it only as "
        f"{' or as '.join(before)}; write every answer in one way, then say which: {path}:answer_as={before[0]} "
        "(answer_as is letter, index, number or text)"
    )


def _shown_answer(row: Row, layout: Layout) -> str:
    answers = ", ".join(map(repr, answer_texts(row, layout.answers)))
    return f"{row.where}: {', '.join(layout.answers)} {answers[:60]}"


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
                run = series.setdefault((match["stem"] or "").lower(), [])
                mark = match["mark"].lower()
                if len(mark) == 1 or (run and _follows(run[-1][0], mark)):  # else a word, such as `id`
                    run.append((mark, column))
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
    return len(marks) > 1 and marks[0] in "a01" and all(_follows(a, b) for a, b in pairwise(marks))


def _follows(mark: str, after: str) -> bool:
    """True for a number and the next one, and for a label and the next one, such as z and aa."""
    if mark.isdigit() or after.isdigit():
        return mark.isdigit() and after.isdigit() and int(after) == int(mark) + 1
    first, second = position_of_letters(mark), position_of_letters(after)
    return first is not None and second == first + 1


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
