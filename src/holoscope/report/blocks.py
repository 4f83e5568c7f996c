"""The grid cut into two-dimensional tables, for the terminal and for Markdown alike.

Three names span the grid: scenario, axis, model. The one that is chosen makes a table each, and the other two its rows
and columns. Every empty cell refers to a reason below its table; how requests ended stands beside the values they made.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from holoscope.core import Axis, Outcome
from holoscope.report.grid import Cell, Grid, Row, status_reason
from holoscope.report.headline import ACCURACY
from holoscope.report.printable import DASH, interval, number, percent, printable, short_interval

By = Literal["model", "scenario", "axis"]

_DOWN, _UP = "↓", "↑"
_UNITS = {"request_time": " s", "time_to_first_token": " s", "cost": " USD", "tokens_per_second": "/s"}


class Column(NamedTuple):
    """The head of a column."""

    name: str
    arrow: str
    """Which direction is better; empty where the column is a model."""


class Entry(NamedTuple):
    """A cell as it is shown."""

    value: str
    interval: str
    """`[0.51, 0.72]`; for an empty cell the number of its reason, `(1)`."""
    short: str
    """The same for narrow columns."""
    n: str = ""
    """`n=18`, where it isn't the row's."""
    cell: Cell | None = None
    """What is behind it; None for a run that there isn't."""


class Line(NamedTuple):
    """A row of a table."""

    name: str
    arguments: str
    """What else the row is called; empty where the name is enough."""
    measured: str
    """The metric shown, and of how many trials."""
    flags: tuple[str, ...]
    """What went otherwise than ok: `incomplete (2)`, `10% truncated`."""
    entries: tuple[Entry, ...]
    row: Row | None = None
    """The run; None where a line joins several."""


class Block(NamedTuple):
    """One table with what stands above and below it."""

    title: str
    corner: str
    """What the rows are."""
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    reasons: tuple[str, ...]
    """Why cells are empty and runs not complete, numbered from 1."""


class _Reasons:
    """Reasons in order of appearance, each once."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def mark(self, reason: str) -> str:
        text = printable(reason)
        if text not in self.texts:
            self.texts.append(text)
        return f"({self.texts.index(text) + 1})"


def blocks(grid: Grid, by: By = "model") -> list[Block]:
    """The tables of `grid`, one for each model, scenario or axis of each suite."""
    if by == "axis":
        suites = dict.fromkeys(row.suite for row in grid.rows)
        return [_of_axis(grid, suite, axis) for suite in suites for axis in grid.axes]
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in grid.rows:
        groups.setdefault((row.suite, row.model if by == "model" else str(row.label)), []).append(row)
    return [_of_rows(grid, f"{suite} · {name}", rows, by) for (suite, name), rows in groups.items()]


def _of_rows(grid: Grid, title: str, rows: Sequence[Row], by: By) -> Block:
    """Rows are scenarios or models, columns are the axes."""
    reasons = _Reasons()
    lines = []
    for row in rows:
        name, arguments = row.label if by == "model" else (row.model, "")
        flags = _flags(row, reasons)
        cells = [(row.headlines[axis.name], axis) for axis in grid.axes]
        n = _common_n([cell for cell, _ in cells])
        entries = tuple(_entry(cell, axis, grid, reasons, n) for cell, axis in cells)
        measured = printable(f"{row.main_metric}{_n(n)}".strip())
        lines.append(Line(printable(name), printable(arguments), measured, flags, entries, row))
    return Block(
        title=printable(title),
        corner="scenario" if by == "model" else "model",
        columns=tuple(Column(axis.name, arrow(axis)) for axis in grid.axes),
        lines=tuple(lines),
        notes=_metrics(grid, rows),
        reasons=tuple(reasons.texts),
    )


def _of_axis(grid: Grid, suite: str, axis: Axis) -> Block:
    """Rows are scenarios, columns are models."""
    rows = [row for row in grid.rows if row.suite == suite]
    models = list(dict.fromkeys(row.model for row in rows))
    by_label: dict[str, list[Row]] = {}
    for row in rows:
        by_label.setdefault(str(row.label), []).append(row)
    reasons = _Reasons()
    lines = []
    for same in by_label.values():
        cells = {row.model: row.headlines[axis.name] for row in same}
        n = _common_n([*cells.values()])
        entries = tuple(_entry(cells.get(model), axis, grid, reasons, n) for model in models)
        metrics = ", ".join(dict.fromkeys(cell.metric for cell in cells.values() if cell.metric))
        label = same[0].label
        measured = printable(f"{metrics}{_n(n)}".strip())
        lines.append(Line(printable(label.scenario), printable(label.detail), measured, (), entries))
    notes = [printable(f"{row.label}, {row.model}: {flag}") for row in rows for flag in _flags(row, reasons)]
    return Block(
        title=f"{printable(suite)} · {axis.name} {arrow(axis)}",
        corner="scenario",
        columns=tuple(Column(printable(model), "") for model in models),
        lines=tuple(lines),
        notes=tuple(notes),
        reasons=tuple(reasons.texts),
    )


def arrow(axis: Axis) -> str:
    """Which direction is better."""
    return _DOWN if axis.lower_is_better else _UP


def amount(cell: Cell) -> str:
    """A cell's value with its unit."""
    return f"{number(cell.value)}{unit(cell.metric)}"


def unit(metric: str) -> str:
    """What stands behind a metric's values; empty where they are shares."""
    return _UNITS.get(metric, "")


def _entry(cell: Cell | None, axis: Axis, grid: Grid, reasons: _Reasons, n: int) -> Entry:
    if cell is None or cell.value is None:
        mark = reasons.mark(cell.reason if cell else "not run")
        return Entry(DASH, mark, mark, cell=cell)
    down = cell.metric in grid.lower_is_better
    against = "" if down == axis.lower_is_better else _DOWN if down else _UP
    return Entry(
        f"{amount(cell)}{against}",
        interval(cell.low, cell.high),
        short_interval(cell.low, cell.high),
        "" if cell.n == n else _n(cell.n).strip(),
        cell,
    )


def _common_n(cells: Sequence[Cell]) -> int:
    """The number of trials to name once for a row: that of its first value."""
    return next((cell.n for cell in cells if cell.value is not None), 0)


def _n(n: int) -> str:
    return f" n={n}" if n else ""


def _flags(row: Row, reasons: _Reasons) -> tuple[str, ...]:
    """How the trials behind the main score ended, or where there is none, the requests."""
    manifest = row.manifest
    unfinished = status_reason(manifest)
    outcomes = row.headlines[ACCURACY].outcomes if ACCURACY in row.headlines else {}
    outcomes = outcomes or {outcome.value: count for outcome, count in manifest.outcomes.items()}
    total = sum(outcomes.values())
    return (
        *([f"{manifest.status} {reasons.mark(unfinished)}"] if unfinished else []),
        *(f"{percent(n, total)} {name}" for name, n in sorted(outcomes.items()) if name != Outcome.OK and n),
    )


def _metrics(grid: Grid, rows: Iterable[Row]) -> tuple[str, ...]:
    """`calibration: ece (lower is better)`, for each axis but accuracy, whose metric stands in the row."""
    shown = [cell for row in rows for cell in row.headlines.values() if cell.value is not None]
    notes = []
    for axis in grid.axes:
        names = dict.fromkeys(cell.metric for cell in shown if cell.axis == axis.name)
        if names and axis.name != ACCURACY:
            better = "lower" if axis.lower_is_better else "higher"
            notes.append(printable(f"{axis.name}: {', '.join(names)} ({better} is better)"))
    return tuple(notes)
