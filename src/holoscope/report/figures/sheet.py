"""A figure as a plain dictionary, and the sheet of panels that every figure of this package is.

`{"data": [...], "layout": {...}}` is what plotly's script draws, its Python package takes and an image is made of; none
of them is needed to make one. Lengths that text needs are in pixels, so panels keep their proportions however many
there are. `layout.meta` holds the sentence that says what the figure shows, for readers who don't see it, and the
width below which a page should scroll rather than squeeze it.
"""

from collections.abc import Mapping, Sequence
from html import unescape
from math import ceil
from typing import NamedTuple, TypedDict

from holoscope.report.figures.look import GREY, Settings, Theme, template

Trace = Settings


class Figure(TypedDict):
    """A plotly figure."""

    data: list[Trace]
    layout: Settings


class Panel(NamedTuple):
    """One pair of axes with what is drawn on it."""

    traces: Sequence[Trace]
    title: str = ""
    """Escaped."""
    x: Settings = {}
    y: Settings = {}
    shapes: Sequence[Settings] = ()
    notes: Sequence[Settings] = ()
    """Annotations. Like shapes, they lie on the panel's axes unless they say otherwise."""


class Frame(NamedTuple):
    """The room around and between panels, in pixels."""

    left: int = 56
    right: int = 16
    top: int = 12
    bottom: int = 48
    between: int = 40
    """From one row of panels to the next."""
    aside: float = 0.05
    """From one column to the next, as a share of the width."""
    width: int = 640
    """The least that is readable."""


USUAL = Frame()
_TITLE, _LEGEND_LINE = 24, 22
_CHARACTER, _SIGN = 6.6, 44
"""Widths, about, of a character of a legend and of what stands before it."""


def sheet(
    panels: Sequence[Panel],
    text: str,
    *,
    theme: Theme = "light",
    columns: int = 1,
    height: int = 320,
    heights: Sequence[int] = (),
    frame: Frame = USUAL,
    layout: Settings | None = None,
) -> Figure:
    """Panels row by row, each `height` pixels high, or each row as high as `heights` says; `text` is escaped."""
    columns = max(1, min(columns, len(panels)))
    rows = max(1, ceil(len(panels) / columns))
    high = [*heights] or [height] * rows
    inner = sum(high) + frame.between * (rows - 1)
    titled = _TITLE if any(panel.title for panel in panels[:columns]) else 0
    legend = _LEGEND_LINE * legend_lines([t for panel in panels for t in panel.traces], frame)
    data: list[Trace] = []
    shapes: list[Settings] = []
    notes: list[Settings] = []
    whole: Settings = {
        "template": template(theme),
        "height": inner + frame.top + titled + legend + frame.bottom,
        "margin": {"l": frame.left, "r": frame.right, "t": frame.top + titled + legend, "b": frame.bottom},
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1 + (titled + 4) / inner,
            "yanchor": "bottom",
            "traceorder": "normal",
        },
        "hovermode": "closest",
        "meta": {"text": unescape(text), "width": frame.width},
    }
    for index, panel in enumerate(panels):
        name = "" if index == 0 else str(index + 1)
        row, column = divmod(index, columns)
        top = sum(high[:row]) + frame.between * row
        domain = [1 - (top + high[row]) / inner, 1 - top / inner]
        whole[f"xaxis{name}"] = {"domain": _columns(column, columns, frame), "anchor": f"y{name}", **panel.x}
        whole[f"yaxis{name}"] = {"domain": domain, "anchor": f"x{name}", **panel.y}
        data += [
            {"showlegend": False, **lean(trace), "xaxis": f"x{name}", "yaxis": f"y{name}"} for trace in panel.traces
        ]
        shapes += [_placed(shape, name) for shape in panel.shapes]
        notes += [_placed(note, name) for note in panel.notes]
        if panel.title:
            notes.append(_heading(panel.title, name))
    whole |= {"shapes": shapes, "annotations": notes, **(layout or {})}
    return {"data": data, "layout": whole}


def alternative(figure: Figure) -> str:
    """What a figure shows, in a sentence."""
    meta = figure["layout"]["meta"]
    return str(meta["text"]) if isinstance(meta, dict) else ""


def themed(figure: Figure, theme: Theme) -> Figure:
    """The same figure in another theme."""
    return {"data": figure["data"], "layout": {**figure["layout"], "template": template(theme)}}


def ruler(at: float, *, across: bool = False, dash: str = "dash") -> Settings:
    """A reference line through a whole panel: upright, or `across` it."""
    own, other = ("y", "x") if across else ("x", "y")
    line = {"color": GREY, "width": 1.4, "dash": dash}
    return {
        "type": "line",
        "layer": "below",
        **{f"{own}0": at, f"{own}1": at, f"{other}0": 0, f"{other}1": 1, f"{other}ref": f"{other} domain"},
        "line": line,
    }


def rows_axis(labels: Sequence[str], *, shown: bool = True) -> Settings:
    """A y axis on which each label has a whole number, the first at the top."""
    return {
        "tickvals": [*range(len(labels))],
        "ticktext": [*labels],
        "showticklabels": shown,
        "ticklabelstandoff": 4,
        "range": [len(labels) - 0.4, -0.6],
        "zeroline": False,
        "automargin": shown,
        "fixedrange": True,
    }


def counts(names: Sequence[str], of: Mapping[str, int]) -> list[Settings]:
    """How many instances, at the right end of each row."""
    beside: Settings = {"xref": "x domain", "x": 1, "xanchor": "left", "xshift": 6, "showarrow": False}
    small: Settings = {"font": {"size": 11, "color": GREY}}
    return [
        {**beside, **small, "y": row, "text": f"n = {of[name]:,}"} for row, name in enumerate(names) if of.get(name)
    ]


def lean(trace: Trace) -> Trace:
    """The trace with numbers as exact as an eye can see, which halves what a page has to load."""
    return {key: _rounded(value) for key, value in trace.items()}


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return {key: _rounded(each) for key, each in value.items()} if isinstance(value, dict) else value


def legend_lines(traces: Sequence[Trace], frame: Frame) -> int:
    """How many lines a legend takes at the frame's width; plotly gives every entry the room of the widest."""
    names = [str(trace["name"]) for trace in traces if trace.get("showlegend") and "name" in trace]
    if not names:
        return 0
    widest = max(map(len, names)) * _CHARACTER + _SIGN
    room = max(1, int((frame.width - frame.left - frame.right) / widest))
    return ceil(len(names) / room)


def _columns(column: int, columns: int, frame: Frame) -> list[float]:
    wide = (1 - frame.aside * (columns - 1)) / columns
    start = column * (wide + frame.aside)
    return [start, min(1.0, start + wide)]


def _placed(thing: Settings, name: str) -> Settings:
    """A shape or annotation on the axes of its panel; ` domain` means the panel's whole length."""
    placed = {"xref": "x", "yref": "y", **thing}
    for key in ("x", "y"):
        reference = str(placed[f"{key}ref"])
        if reference != "paper":
            placed[f"{key}ref"] = f"{key}{name}{reference[1:]}"
    return placed


def _heading(title: str, name: str) -> Settings:
    return {
        "text": f"<b>{title}</b>",
        "xref": f"x{name} domain",
        "yref": f"y{name} domain",
        "x": 0,
        "y": 1,
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": 2,
        "showarrow": False,
    }
