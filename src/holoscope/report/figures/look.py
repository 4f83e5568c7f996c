"""How figures look: a theme for the page, a colour and a sign for each model.

A theme is a plotly template and holds every colour of the surroundings, so that a page changes from light to dark by
swapping `layout.template` alone. Marks keep their colours on any of them: the palette has a contrast of at least 3 to
white and to near-black, and its colours stay apart for people who see no red, green or blue. A colour never stands
alone: each comes with a sign and a dash of its own, and a model keeps all three from figure to figure.
"""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

Theme = Literal["light", "dark", "paper"]
"""`paper` is light on opaque white, for images."""

Settings = dict[str, object]
"""A part of a plotly figure: a trace, an axis, a shape."""

PALETTE = ("#2f63e1", "#bc3d17", "#9b980b", "#954e9c", "#539fb1", "#f1677f", "#3c7453", "#c46ff3")
SIGNS = ("circle", "square", "diamond", "triangle-up", "cross", "star", "triangle-down", "hexagon", "x")
_GLYPHS = "●■◆▲✚★▼⬢✖"
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
GREY = "#7d848e"
"""For what is no model's: reference lines, bands of chance, dots in the background. Shows on any theme."""

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


class Mark(NamedTuple):
    """How one model is drawn."""

    colour: str
    sign: str
    """Plotly's name of it."""
    dash: str
    glyph: str
    """The sign as a character, for tables and texts beside the figure."""


class _Ink(NamedTuple):
    """The colours of one theme."""

    paper: str
    text: str
    faint: str
    grid: str
    surface: str
    worst: str
    """Shade of a cell at the lower end of its axis."""
    best: str
    against: str
    """Ends and middle of a scale of differences."""
    even: str
    towards: str


_CLEAR = "rgba(0,0,0,0)"
_LIGHT = _Ink(_CLEAR, "#1c1f24", "#565d68", "#e1e4e9", "#ffffff", "#f1f5fb", "#2b5fad", "#a8500f", "#f7f7f5", "#2b5fad")
_INKS: dict[Theme, _Ink] = {
    "light": _LIGHT,
    "paper": _LIGHT._replace(paper="#ffffff", text="#000000", faint="#3d434c"),
    "dark": _Ink(
        _CLEAR, "#e8eaed", "#a3abb6", "#333941", "#16191e", "#20262f", "#8fbcf5", "#f0a060", "#272b31", "#8fbcf5"
    ),
}


def marks(names: Iterable[str]) -> dict[str, Mark]:
    """A mark for each name, by its place among all of them: hand in every model of a suite, always in one order.

    Up to 72 have a combination of colour and sign that no other has.
    """
    return {
        name: Mark(
            PALETTE[index % len(PALETTE)],
            SIGNS[index % len(SIGNS)],
            _DASHES[index % len(_DASHES)],
            _GLYPHS[index % len(_GLYPHS)],
        )
        for index, name in enumerate(dict.fromkeys(names))
    }


def marked(names: Iterable[str], known: Mapping[str, Mark] | None) -> dict[str, Mark]:
    """The marks known for these names, and marks of their own for those that have none."""
    return {**marks(names), **(known or {})}


def see_through(colour: str, share: float) -> str:
    """A colour of the palette, of which only a share is left.

    >>> see_through("#2f63e1", 0.2)
    'rgba(47,99,225,0.2)'
    """
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share:g})"


def hatched(position: int) -> Settings:
    """The pattern of a bar by its place among others, so that bars are told apart without their colours."""
    shapes = ("", "/", ".", "x", "-", "+", "|", "\\")
    white = "rgba(255,255,255,0.8)"
    return {
        "shape": shapes[position % len(shapes)],
        **{"size": 8, "solidity": 0.18, "fillmode": "overlay", "fgcolor": white},
    }


def template(theme: Theme) -> Settings:
    """The plotly template of a theme."""
    ink = _INKS[theme]
    axis: Settings = {
        "gridcolor": ink.grid,
        "linecolor": ink.grid,
        "zerolinecolor": ink.grid,
        "tickcolor": ink.grid,
        "tickfont": {"color": ink.faint, "size": 11},
        "title": {"font": {"color": ink.faint, "size": 12}, "standoff": 8},
    }
    polar_axis = {"gridcolor": ink.grid, "linecolor": ink.grid, "tickfont": {"color": ink.text, "size": 12}}
    layout: Settings = {
        "paper_bgcolor": ink.paper,
        "plot_bgcolor": _CLEAR,
        "font": {"color": ink.text, "family": FONT, "size": 12},
        "colorway": [*PALETTE],
        "xaxis": axis,
        "yaxis": axis,
        "polar": {"bgcolor": _CLEAR, "radialaxis": polar_axis, "angularaxis": polar_axis},
        "hoverlabel": {
            "bgcolor": ink.surface,
            "bordercolor": ink.faint,
            "font": {"color": ink.text, "family": FONT, "size": 12},
            "align": "left",
        },
        "colorscale": {
            "sequential": [[0, ink.worst], [1, ink.best]],
            "diverging": [[0, ink.against], [0.5, ink.even], [1, ink.towards]],
        },
    }
    return {"layout": layout}
