"""The kinds of figure that papers on evaluation use: an axis against another, boxes over models, bars, curves.

`helm-create-plots` draws HELM's plots with these. A point is one model on one scenario; nothing is averaged first.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holoscope.core import counted
from holoscope.report.figures.look import GREY, Mark, Settings, Theme, hatched, marked, see_through
from holoscope.report.figures.sheet import Figure, Frame, Panel, Trace, sheet
from holoscope.report.figures.text import cut, cut_apart, lines, listed, plain, wrapped
from holoscope.report.figures.values import Value, errors

_FEW_NAMES, _WRAPPED = 12, 15
"""Names side by side over all columns that fit in lines below each other, and the characters of such a line."""
_FEW_BOXES, _FEW_POINTS = 14, 30
"""Boxes that fit beside another panel, and values that can be told apart on one."""


class Placed(NamedTuple):
    """One model on one scenario, on two axes."""

    model: str
    scenario: str
    x: Value
    y: Value


class Against(NamedTuple):
    """One panel of `against`."""

    y_title: str
    points: tuple[Placed, ...]
    has_diagonal: bool = False
    """True where both axes have one scale."""


def against(
    panels: Sequence[Against],
    *,
    x_title: str,
    theme: Theme = "light",
    known: Mapping[str, Mark] | None = None,
    columns: int = 3,
) -> Figure:
    """One axis against each of the others; a colour and sign for each scenario, a point for each model on it."""
    scenarios = list(dict.fromkeys(point.scenario for panel in panels for point in panel.points))
    known = marked(scenarios, known)
    shown: set[str] = set()
    drawn = []
    for panel in panels:
        traces = []
        for scenario in scenarios:
            own = [p for p in panel.points if p.scenario == scenario and None not in (p.x.value, p.y.value)]
            if own:
                traces.append(_cloud(own, scenario, known[scenario], legend=scenario not in shown))
                shown.add(scenario)
        line = {"type": "line", "x0": 0, "y0": 0, "x1": 1, "y1": 1, "line": {"color": GREY, "width": 1, "dash": "dash"}}
        x: Settings = {"range": [-0.05, 1.05], "title": {"text": plain(x_title)}, "zeroline": False}
        y: Settings = {"title": {"text": plain(panel.y_title)}, "zeroline": False}
        drawn.append(Panel(traces, "", x, y, [line] if panel.has_diagonal else []))
    measured = (f"{plain(p.y_title)} ({len(p.points)} points)" for p in panels)
    text = f"{plain(x_title)} of models on {counted(len(scenarios), 'scenario')} against {listed(measured, 8)}."
    frame = Frame(left=60, between=64, aside=0.09, width=max(320, 290 * min(columns, len(panels))))
    return sheet(drawn, text, theme=theme, columns=columns, height=220, frame=frame)


def boxes(
    panels: Mapping[str, Mapping[str, Mapping[str, float]]],
    *,
    y_title: str,
    theme: Theme = "light",
    columns: int = 2,
    limits: tuple[float, float] | None = None,
) -> Figure:
    """In each panel a box for each category over its named values, and each value as a dot."""
    widest = max((len(categories) for categories in panels.values()), default=0)
    columns = columns if widest <= _FEW_BOXES else 1
    drawn = []
    for index, (title, categories) in enumerate(panels.items()):
        x = _categories([*categories], crowd=widest * columns)
        y: Settings = {"zeroline": False, "title": {"text": plain(y_title)} if index % columns == 0 else {}}
        y |= {"range": [*(limits or _limits(categories))]}
        traces = [_box(name, values, at) for at, (name, values) in enumerate(categories.items()) if values]
        drawn.append(Panel(traces, plain(title), x, y))
    count = sum(len(values) for categories in panels.values() for values in categories.values())
    text = f"Boxes of {plain(y_title)}: {listed(map(plain, panels), 8)}; {count:,} values."
    below = _room_below([name for categories in panels.values() for name in categories], crowd=widest * columns)
    wide = max(420 * min(columns, max(1, len(panels))), 22 * widest * columns)
    frame = Frame(left=60, bottom=below, between=below + 34, aside=0.08, width=wide)
    return sheet(drawn, text, theme=theme, columns=columns, height=200, frame=frame)


def bars(
    panels: Mapping[str, Mapping[str, Mapping[str, Value]]],
    *,
    y_title: str,
    theme: Theme = "light",
    columns: int = 3,
) -> Figure:
    """In each panel a group of bars for each first name, a bar with its interval for each second name in it."""
    kinds = list(dict.fromkeys(kind for groups in panels.values() for bars in groups.values() for kind in bars))
    known = marked(kinds, None)
    widest = max((len(groups) for groups in panels.values()), default=0)
    drawn = []
    for index, (title, groups) in enumerate(panels.items()):
        x = _categories([*groups], crowd=widest * columns)
        y: Settings = {"title": {"text": plain(y_title)} if index % columns == 0 else {}}
        is_many = len(kinds) > 1
        traces = [
            _bars(kind, k, groups, known[kind] if is_many else None, legend=is_many and index == 0)
            for k, kind in enumerate(kinds)
        ]
        drawn.append(Panel(traces, cut(title, 40), x, y))
    inside = f"{counted(len(panels), 'panel')} ({listed(map(plain, panels))})"
    text = f"Bars of {plain(y_title)} in {inside}: {listed(map(plain, kinds))}."
    below = _room_below([name for groups in panels.values() for name in groups], crowd=widest * columns)
    frame = Frame(left=60, bottom=below, between=below + 34, aside=0.07, width=320 * min(columns, max(1, len(panels))))
    return sheet(drawn, text, theme=theme, columns=columns, height=190, frame=frame, layout={"barmode": "group"})


def curves(
    panels: Mapping[str, Mapping[str, Sequence[tuple[float, Value]]]],
    *,
    x_title: str,
    y_title: str,
    ticks: Sequence[float] = (),
    theme: Theme = "light",
    known: Mapping[str, Mark] | None = None,
    columns: int = 3,
) -> Figure:
    """In each panel a line with intervals for each model, over numbers such as in-context examples."""
    names = list(dict.fromkeys(name for lines_ in panels.values() for name in lines_))
    known = marked(names, known)
    drawn, shown = [], set[str]()
    for index, (title, own) in enumerate(panels.items()):
        traces = [_line(name, sorted(points), known[name], title, name not in shown) for name, points in own.items()]
        shown |= own.keys()
        x: Settings = {"title": {"text": plain(x_title)}, "zeroline": False}
        x |= {"tickvals": [*ticks]} if ticks else {}
        y: Settings = {"title": {"text": plain(y_title)} if index % columns == 0 else {}, "zeroline": False}
        drawn.append(Panel(traces, cut(title, 40), x, y))
    text = f"{plain(y_title)} over {plain(x_title)}: {listed(map(plain, names))} on {listed(map(plain, panels))}."
    frame = Frame(left=60, between=76, aside=0.07, width=300 * min(columns, max(1, len(panels))))
    return sheet(drawn, text, theme=theme, columns=columns, height=200, frame=frame)


def _categories(names: Sequence[str], *, crowd: int) -> Settings:
    """An x axis with a whole number for each name; `crowd` is how many names stand side by side in all columns."""
    few, many = crowd <= _FEW_NAMES, len(names) > _FEW_BOXES
    return {
        "tickvals": [*range(len(names))],
        "ticktext": [wrapped(name) for name in names] if few else cut_apart(names, 24),
        **{"range": [-0.6, len(names) - 0.4], "tickangle": 0 if few else -90 if many else 30},
        **{"showgrid": False, "zeroline": False},
    }


def _room_below(names: Sequence[str], *, crowd: int) -> int:
    """Pixels for the names below an axis."""
    longest = min(24, max(map(len, names), default=0))
    if crowd <= _FEW_NAMES:
        return 62 if longest > _WRAPPED else 40
    return 24 + round((6.2 if crowd > 2 * _FEW_BOXES else 3.8) * longest)


def _limits(categories: Mapping[str, Mapping[str, float]]) -> tuple[float, float]:
    """From 0 to 1 where all values are shares, else as far as they go."""
    values = [value for own in categories.values() for value in own.values()]
    low, high = min(values, default=0.0), max(values, default=1.0)
    if low >= 0 and high <= 1:
        return -0.05, 1.05
    room = 0.05 * (high - low or 1.0)
    return low - room, high + room


def _cloud(own: Sequence[Placed], scenario: str, mark: Mark, *, legend: bool) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": cut(scenario, 30),
        "showlegend": legend,
        "legendgroup": scenario,
        "x": [point.x.value for point in own],
        "y": [point.y.value for point in own],
        "marker": {"color": see_through(mark.colour, 0.8), "symbol": mark.sign, "size": 7},
        "hovertext": [
            lines(f"<b>{plain(p.model)}</b>", plain(p.scenario), plain(p.x.shown), plain(p.y.shown)) for p in own
        ],
        "hoverinfo": "text",
    }


def _box(name: str, values: Mapping[str, float], at: int) -> Trace:
    return {
        "type": "box",
        "x": [at for _ in values],
        "y": [*values.values()],
        "boxpoints": "all" if len(values) <= _FEW_POINTS else "outliers",
        **{"pointpos": 0, "jitter": 0.3, "width": 0.55, "showlegend": False},
        "line": {"color": GREY, "width": 1.6},
        "fillcolor": see_through(GREY, 0.15),
        "marker": {"color": see_through("#2f63e1", 0.6), "size": 5},
        "hovertext": [lines(f"<b>{plain(each)}</b>", plain(name), f"{value:.3g}") for each, value in values.items()],
        "hoverinfo": "text",
    }


def _bars(
    kind: str, position: int, groups: Mapping[str, Mapping[str, Value]], mark: Mark | None, *, legend: bool
) -> Trace:
    found = [(at, name, bars[kind]) for at, (name, bars) in enumerate(groups.items()) if kind in bars]
    return {
        "type": "bar",
        "name": plain(kind),
        "showlegend": legend,
        "legendgroup": kind,
        "x": [at for at, *_ in found],
        "y": [value.value for *_, value in found],
        "error_y": {**errors([value for *_, value in found]), "color": GREY},
        "marker": {
            "color": mark.colour if mark else see_through(GREY, 0.75),
            "line": {"width": 0},
            "pattern": hatched(position),
        },
        "hovertext": [lines(f"<b>{plain(name)}</b>", plain(kind), plain(value.shown)) for _, name, value in found],
        "hoverinfo": "text",
    }


def _line(name: str, points: Sequence[tuple[float, Value]], mark: Mark, title: str, is_first: bool) -> Trace:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": cut(name, 34),
        "showlegend": is_first,
        "legendgroup": name,
        "x": [x for x, _ in points],
        "y": [value.value for _, value in points],
        "error_y": {**errors([value for _, value in points]), "color": see_through(mark.colour, 0.5)},
        "line": {"color": mark.colour, "dash": mark.dash, "width": 1.6},
        "marker": {"color": mark.colour, "symbol": mark.sign, "size": 8},
        "hovertext": [lines(f"<b>{plain(name)}</b>", plain(title), f"{x:g}: {plain(v.shown)}") for x, v in points],
        "hoverinfo": "text",
    }
