"""The matrix that most pages show: value over interval in each cell, which leads to the run behind it.

Two cuts of the grid: models x scenarios for one axis, and scenarios x axes for one model. A cell holds its number, what
leads to its evidence, and nothing that the page could work out, because there may be thousands. An empty cell has the
number of its reason, and all reasons stand below the table.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from holoscope.core import NO_LAYOUT, Axis, Display, UnknownNameError
from holoscope.report.blocks import arrow, unit
from holoscope.report.grid import Cell, Row, status_reason
from holoscope.report.labels import natural
from holoscope.report.library import Suite
from holoscope.report.pages.digits import Reading, decimals, shown, span
from holoscope.report.pages.links import Links, relative
from holoscope.report.scale import ends
from holoscope.report.standing import by_scenario, models_of

_FEW_TITLES = 12_000
"""Characters of reasons that are repeated on hover; where there are more, the script takes them from the list."""
NOT_RUN = "not run"


class Spot(NamedTuple):
    """A cell as it is shown."""

    value: str
    """A dash where there is none."""
    interval: str
    href: str
    """Its run's page; empty where there is no run."""
    reason: int = 0
    """Number of the reason why it is empty, from 1; 0: it has a value."""
    title: str = ""
    """The reason, where it is written out."""
    ends: str = ""
    """Its scale, where it isn't the column's: `0.25 1`."""
    n: str = ""
    """`n=18`, where it isn't the column's."""
    rank: str = ""
    """`2 5 9`: from second to fifth of nine models; empty where the table holds all models itself."""


class Head(NamedTuple):
    """A column's head."""

    key: str
    """Names the column in the address of the page."""
    name: str
    detail: str
    note: str
    """Metric, n and direction."""
    ends: str
    """Its scale, from knowing nothing to the best: `0 1`; empty: it has none."""
    is_low: bool
    """True where lower is better."""
    href: str = ""
    spread: str = ""
    """Highest less lowest; empty where a column's values are of different things."""


class Line(NamedTuple):
    """A row."""

    name: str
    detail: str
    note: str
    flags: tuple[str, ...]
    href: str
    spots: tuple[Spot, ...]


class Matrix(NamedTuple):
    """A table with what stands below it."""

    name: str
    """Its id."""
    caption: str
    corner: str
    heads: tuple[Head, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    reasons: tuple[str, ...]

    @property
    def is_large(self) -> bool:
        """True if it is better scrolled within the page."""
        return len(self.lines) > 24 or len(self.heads) > 14

    @property
    def is_empty(self) -> bool:
        """True if no cell has a value."""
        return all(spot.reason for line in self.lines for spot in line.spots)

    @property
    def has_spread(self) -> bool:
        """True if there is a spread to show."""
        return len(self.lines) > 1 and any(head.spread for head in self.heads)


class _Reasons:
    """Reasons in order of appearance, each once; the first of them are also written out."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._written = 0

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(self._numbers)

    def number(self, reason: str) -> int:
        return self._numbers.setdefault(reason, len(self._numbers) + 1)

    def title(self, reason: str) -> str:
        self._written += len(reason)
        return reason if self._written <= _FEW_TITLES else ""


def axis_named(suite: Suite, name: str) -> Axis:
    """The axis of that name; UnknownNameError if there is none."""
    axes = {axis.name: axis for axis in suite.grid.axes}
    if name not in axes:
        raise UnknownNameError("axis", name, axes)
    return axes[name]


def rows_of(suite: Suite, model: str) -> list[Row]:
    """A model's rows; UnknownNameError if it has none."""
    found = [row for row in suite.grid.rows if row.model == model]
    if not found:
        raise UnknownNameError("model", model, dict.fromkeys(row.model for row in suite.grid.rows))
    return found


def run_links(suite: Suite, links: Links, here: str) -> Callable[[Row], str]:
    """Gives the address of a row's run, as short as it can be on the page `here`."""
    folders = {id(row): folder for row, folder in zip(suite.grid.rows, suite.runs, strict=True)}

    def link(row: Row) -> str:
        return relative(links("run", suite=suite.name, folder=folders[id(row)][-12:]), here)

    return link


def models_by_scenarios(suite: Suite, axis: Axis, links: Links, here: str, display: Display = NO_LAYOUT) -> Matrix:
    """Every model on every scenario, on one axis; the scenarios in the order of the layout, then by name."""
    by_label, models = by_scenario(suite.grid), models_of(suite.grid)
    link, reasons = run_links(suite, links, here), _Reasons()
    places = {label: display.position(next(iter(own.values())).manifest.spec) for label, own in by_label.items()}
    labels = sorted(by_label, key=lambda label: (places[label], natural(label)))
    made = [
        _column(label, [by_label[label].get(model) for model in models], axis, suite, link, reasons) for label in labels
    ]
    lines = [
        Line(
            name=model,
            detail="",
            note="",
            flags=(),
            href=links("model", suite=suite.name, model=model),
            spots=tuple(column.spots[index] for column in made),
        )
        for index, model in enumerate(models)
    ]
    notes = [
        f"{row.label}, {row.model}: {status}" for row in suite.grid.rows if (status := status_reason(row.manifest))
    ]
    caption = f"{axis.title} of {len(lines)} models on {len(made)} scenarios"
    heads = tuple(column.head for column in made)
    return Matrix("grid", caption, "model", heads, tuple(lines), tuple(notes), reasons.texts)


def scenarios_by_axes(suite: Suite, model: str, links: Links, here: str) -> Matrix:
    """Every scenario of one model, on every axis."""
    rows, reasons = rows_of(suite, model), _Reasons()
    link = run_links(suite, links, here)
    columns = [_axis_column(rows, axis, suite, links, link, reasons) for axis in suite.grid.axes]
    lines = [
        Line(
            name=row.label.scenario,
            detail=row.label.detail,
            note=row.main_metric,
            flags=tuple(filter(None, [status_reason(row.manifest)])),
            href=link(row),
            spots=tuple(column.spots[index] for column in columns),
        )
        for index, row in enumerate(rows)
    ]
    caption = f"{model}: {len(lines)} scenarios on {len(columns)} axes"
    heads = tuple(column.head for column in columns)
    return Matrix("grid", caption, "scenario", heads, tuple(lines), _metrics(suite, rows), reasons.texts)


class _Column(NamedTuple):
    head: Head
    spots: list[Spot]


def _column(
    label: str,
    rows: Sequence[Row | None],
    axis: Axis,
    suite: Suite,
    link: Callable[[Row], str],
    reasons: _Reasons,
) -> _Column:
    """One scenario: its cell of each model, None where a model wasn't run."""
    cells = [row.headlines[axis.name] if row else None for row in rows]
    known = [cell for cell in cells if cell is not None and cell.value is not None]
    scale = _scale(axis, next((row for row in rows if row and row.headlines[axis.name].value is not None), None))
    own = next(row.label for row in rows if row)
    places, n = _places(known), _usual_n(known)
    metrics = dict.fromkeys(cell.metric for cell in known)
    values = [cell.value for cell in known if cell.value is not None]
    down = [cell.metric in suite.grid.lower_is_better for cell in known]
    head = Head(
        key=label,
        name=own.scenario if str(own) == label else label,
        detail=own.detail if str(own) == label else "",
        note=" · ".join(filter(None, [", ".join(metrics), f"n={n}" if n else ""])),
        ends=scale,
        is_low=all(down) if down else axis.lower_is_better,
        spread=shown(max(values) - min(values), places) if len(values) > 1 and len(metrics) == 1 else "",
    )
    spots = [_spot(cell, row, places, n, link, reasons) for cell, row in zip(cells, rows, strict=True)]
    return _Column(head, spots)


def _axis_column(
    rows: Sequence[Row],
    axis: Axis,
    suite: Suite,
    links: Links,
    link: Callable[[Row], str],
    reasons: _Reasons,
) -> _Column:
    """One axis: the cell of each of a model's runs."""
    cells = [row.headlines[axis.name] for row in rows]
    known = [cell for cell in cells if cell.value is not None]
    scale = _scale(axis, None) or next((s for row in rows if (s := _scale(axis, row))), "")
    head = Head(
        key=axis.name,
        name=axis.name,
        detail="",
        note=f"{arrow(axis)} {'lower' if axis.lower_is_better else 'higher'}",
        ends=scale,
        is_low=axis.lower_is_better,
        href=links("axis", suite=suite.name, axis=axis.name),
    )
    places = _places(known)
    spots = []
    for cell, row in zip(cells, rows, strict=True):
        own = _scale(axis, row) if cell.value is not None else ""
        spot = _spot(cell, row, places, 0, link, reasons, unit(cell.metric))
        spots.append(spot._replace(ends=own if own != scale else ""))
    return _Column(head, spots)


def _spot(
    cell: Cell | None,
    row: Row | None,
    places: int,
    n: int,
    link: Callable[[Row], str],
    reasons: _Reasons,
    of: str = "",
) -> Spot:
    href = link(row) if row else ""
    if cell is None or cell.value is None:
        reason = cell.reason if cell else NOT_RUN
        return Spot("–", "", href, reasons.number(reason), reasons.title(reason))
    own = f"n={cell.n}" if n and cell.n != n else ""
    return Spot(shown(cell.value, places) + of, span(cell.low, cell.high, places), href, n=own)


def _places(cells: Sequence[Cell]) -> int:
    return decimals([Reading(cell.value, cell.low, cell.high) for cell in cells])


def _usual_n(cells: Sequence[Cell]) -> int:
    counts = [cell.n for cell in cells]
    return max(set(counts), key=counts.count, default=0)


def _scale(axis: Axis, row: Row | None) -> str:
    """The ends of an axis, in a run or in general."""
    if row is None:
        return "" if axis.chance is None or axis.ceiling is None else f"{axis.chance:g} {axis.ceiling:g}"
    found = ends(axis, row.headlines[axis.name].metric, row)
    return f"{found.chance:g} {found.ceiling:g}" if found else ""


def _metrics(suite: Suite, rows: Sequence[Row]) -> tuple[str, ...]:
    """`calibration: ece_10_bin`, for each axis that has a value."""
    return tuple(
        f"{name}: {', '.join(metrics)}"
        for name, metrics in _metrics_by_axis(suite, rows)
        if metrics and name != "accuracy"
    )


def _metrics_by_axis(suite: Suite, rows: Sequence[Row]) -> Iterator[tuple[str, Mapping[str, None]]]:
    for axis in suite.grid.axes:
        cells = (row.headlines[axis.name] for row in rows)
        yield axis.name, dict.fromkeys(cell.metric for cell in cells if cell.value is not None)
