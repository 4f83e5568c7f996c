"""The grid as a heatmap: each cell shaded by its value, what is missing hatched.

A shade alone is no number: where there is room the value stands in its cell, and pointing at one shows the interval, n
or the reason. A missing cell is hatched with the theme's own grey, so that it can't pass for a low value.
"""

from collections.abc import Sequence
from typing import NamedTuple

from holoscope.core import counted
from holoscope.report.figures.look import GREY, Settings, Theme, see_through
from holoscope.report.figures.sheet import Figure, Frame, Panel, Trace, rows_axis, sheet
from holoscope.report.figures.text import cut_apart, lines, listed, plain, wrapped

_ROOMY, _WIDE = 16, 8
"""Up to so many columns have room for numbers, and for names that are read without turning one's head."""


class Shaded(NamedTuple):
    """A cell of a heatmap."""

    shade: float | None
    """Between 0 and 1, or -1 and 1 for differences; None is missing."""
    text: str
    """What stands in the cell where there is room."""
    label: str
    """Value, interval and n, or the reason why there is none."""
    link: str = ""
    """Where a click leads; handed on as `customdata`."""


def heatmap(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[Shaded]],
    *,
    ends: tuple[str, str] = ("worst", "best"),
    theme: Theme = "light",
    differences: bool = False,
) -> Figure:
    """`cells[r][c]` of row r and column c; `ends` name what the ends of the shading stand for."""
    is_roomy = len(columns) <= _ROOMY
    is_wide = len(columns) <= _WIDE
    across = [wrapped(name) for name in columns] if is_wide else cut_apart(columns, 28)
    down = cut_apart(rows, 34)
    shaded = [[None if cell.shade is None else round(cell.shade, 3) for cell in line] for line in cells]
    trace: Trace = {
        "type": "heatmap",
        "z": shaded,
        "x": [*range(len(columns))],
        "y": [*range(len(rows))],
        **{"zmin": -1 if differences else 0, "zmax": 1, "autocolorscale": True, "xgap": 1, "ygap": 1},
        "hovertext": [[plain(cell.label) for cell in line] for line in cells],
        "hovertemplate": "<b>%{y}</b><br>%{x}<br>%{hovertext}<extra></extra>",
        "colorbar": _scale(ends, differences=differences),
    }
    if any(cell.link for line in cells for cell in line):
        trace["customdata"] = [[cell.link for cell in line] for line in cells]
    if is_roomy:
        trace |= {"text": [[plain(cell.text) for cell in line] for line in cells], "texttemplate": "%{text}"}
    missing = [(r, c, cell) for r, line in enumerate(cells) for c, cell in enumerate(line) if cell.shade is None]
    traces = [trace, *([_hatched(rows, columns, missing)] if missing else [])]
    x: Settings = {
        "tickvals": [*range(len(columns))],
        "ticktext": across,
        **{"range": [-0.5, len(columns) - 0.5], "side": "top", "tickangle": 0 if is_wide else -90, "showgrid": False},
        **{"zeroline": False, "automargin": True, "fixedrange": True},
    }
    y = {**rows_axis(down), "range": [len(rows) - 0.5, -0.5]}
    known = len(rows) * len(columns) - len(missing)
    text = (
        f"Heatmap of {counted(len(rows), 'row')} ({listed(map(plain, rows), 3)}) by {counted(len(columns), 'column')} "
        f"({listed(map(plain, columns), 3)}); {known:,} cells have a value, {len(missing):,} are missing and hatched."
    )
    frame = Frame(
        left=120,
        right=16,
        top=64 if is_wide else 150,
        bottom=56,
        width=200 + max(320, len(columns) * (96 if is_wide else 46 if is_roomy else 18)),
    )
    high = max(80, len(rows) * (26 if len(rows) <= 24 else 17))
    return sheet([Panel(traces, "", x, y)], text, theme=theme, height=high, frame=frame, layout={"barmode": "overlay"})


def _said(row: str, column: str, cell: Shaded) -> str:
    return lines(f"<b>{plain(row)}</b>", plain(column), plain(cell.label))


def _scale(ends: tuple[str, str], *, differences: bool) -> Settings:
    lower, upper = map(plain, ends)
    ticks: Settings = {"tickvals": [0, 1], "ticktext": [lower, upper]}
    if differences:
        ticks = {"tickvals": [-1, 0, 1], "ticktext": [lower, "equal", upper]}
    where: Settings = {"orientation": "h", "y": 0, "yanchor": "top", "ypad": 14, "x": 0, "xanchor": "left"}
    return {**ticks, **where, "thickness": 8, "len": 220, "lenmode": "pixels", "outlinewidth": 0}


def _hatched(rows: Sequence[str], columns: Sequence[str], missing: Sequence[tuple[int, int, Shaded]]) -> Trace:
    """Bars over the missing cells, because a heatmap's own cells can't be hatched."""
    return {
        "type": "bar",
        "x": [c for _, c, _ in missing],
        "base": [r - 0.46 for r, _, _ in missing],
        "y": [0.92 for _ in missing],
        "width": 0.94,
        "marker": {
            "color": see_through(GREY, 0.12),
            "line": {"width": 0},
            "pattern": {"shape": "/", "fgcolor": GREY, "size": 6, "solidity": 0.18, "fillmode": "overlay"},
        },
        "hovertext": [_said(rows[r], columns[c], cell) for r, c, cell in missing],
        "hoverinfo": "text",
        "showlegend": False,
    }
