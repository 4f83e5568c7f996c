"""The matrix of one model as an HTML table: rows are scenarios, columns axes.

A cell is tinted by its place between the fixed ends of its axis, and says on hover how its number was made. An empty
cell is hatched, never pale: it refers to its reason below the table and says it on hover too.
"""

from collections.abc import Callable, Sequence

from holoscope.core import Axis
from holoscope.report.blocks import Block, Entry, Line
from holoscope.report.grid import Cell, Grid, Row
from holoscope.report.markup import Markup, breakable, element, join
from holoscope.report.scale import place

_DIRECTIONS = {"↑": "higher is better", "↓": "lower is better"}


def matrix(block: Block, grid: Grid, name: str, anchor: Callable[[Row], str]) -> Markup:
    """The table of `block`, whose columns are the grid's axes, with its notes and reasons; `name` makes its ids."""
    axes = {axis.name: axis for axis in grid.axes}
    heads = (_head(column.name, column.arrow, axes.get(column.name)) for column in block.columns)
    columns = [axes.get(column.name) for column in block.columns]
    table = element(
        "table",
        element("caption", f"{block.corner} × axis, {block.title}", class_="hidden"),
        element("thead", element("tr", element("th", block.corner, scope="col"), *heads)),
        element("tbody", *(_line(line, columns, name, anchor) for line in block.lines)),
        class_="matrix",
    )
    scroll = element("div", table, class_="scroll", role="region", aria_labelledby=name, tabindex="0")
    return join([scroll, *_below(block, name)])


def _head(name: str, arrow: str, axis: Axis | None) -> Markup:
    words = _DIRECTIONS.get(arrow, "")
    sign = element("span", arrow, aria_hidden="true") if arrow else Markup()
    spoken = element("span", f" ({words})", class_="hidden") if words else Markup()
    title = f"{axis.title if axis else name}: {words}" if words else None
    return element("th", name, " ", sign, spoken, scope="col", title=title)


def _line(line: Line, columns: Sequence[Axis | None], name: str, anchor: Callable[[Row], str]) -> Markup:
    name_of_it = breakable(line.name)
    title = element("a", name_of_it, href=f"#{anchor(line.row)}") if line.row else name_of_it
    arguments = [element("span", breakable(line.arguments), class_="arguments")] if line.arguments else []
    flags = [element("span", flag, class_="flag") for flag in line.flags]
    label = element(
        "th", title, *arguments, element("span", breakable(line.measured), class_="note"), *flags, scope="row"
    )
    cells = (_cell(entry, axis, line.row, name) for entry, axis in zip(line.entries, columns, strict=True))
    return element("tr", label, *cells)


def _cell(entry: Entry, axis: Axis | None, row: Row | None, name: str) -> Markup:
    cell = entry.cell
    if cell is None or cell.value is None:
        number = entry.interval.strip("()")
        refer = element("a", entry.interval, href=f"#{name}-reason-{number}", class_="note")
        reason = cell.reason if cell else "not run"
        dash = element("span", entry.value, aria_hidden="true")
        spoken = element("span", "no value", class_="hidden")
        return element("td", dash, spoken, " ", refer, class_="empty", title=reason)
    where = place(cell, axis, row) if axis and row else None
    parts = [element("span", part, class_=kind) for part, kind in zip(entry[:2], ("value", "interval"), strict=True)]
    if entry.n:
        parts.append(element("span", entry.n, class_="note"))
    tint = None if where is None else f"--place:{where:.3f}"
    return element("td", *parts, title=explained(cell), style=tint)


def explained(cell: Cell) -> str:
    """How a cell's number was made, in a line."""
    under = f" under {cell.perturbation}" if cell.perturbation else ""
    interval = "no interval"
    if cell.low is not None and cell.high is not None:
        interval = f"95 % interval {cell.low:.4g} to {cell.high:.4g} ({cell.method})"
    missing = f", {cell.n_missing} without a value" if cell.n_missing else ""
    ended = ", ".join(f"{number} {outcome}" for outcome, number in cell.outcomes.items())
    outcomes = f"; outcomes: {ended}" if ended else ""
    return (
        f"{cell.metric} (version {cell.metric_version}){under}, split {cell.split}: {cell.value:.6g}; {interval}; "
        f"n = {cell.n}{missing}{outcomes}"
    )


def _below(block: Block, name: str) -> Sequence[Markup]:
    """Which metric each axis shows, then why cells are empty."""
    notes = element("ul", *(element("li", note) for note in block.notes), class_="notes")
    reasons = (element("li", reason, id=f"{name}-reason-{number}") for number, reason in enumerate(block.reasons, 1))
    listed = element("ol", *reasons, class_="reasons", aria_label="Why cells are empty")
    return [*([notes] if block.notes else []), *([listed] if block.reasons else [])]
