"""Profiles: a radar of a few models over the axes, the same numbers scenario by scenario, and all models at a glance.

The rings are fixed values (`scale.py`), never the models' own range, so two radars can be laid over each other. What
was not measured is a gap in the line and in the band.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from holoscope.core import Axis, counted
from holoscope.report.blocks import arrow
from holoscope.report.figures.look import GREY, Mark, Theme, marked, see_through
from holoscope.report.figures.sheet import Figure, Frame, Panel, Trace, lean, legend_lines, rows_axis, ruler, sheet
from holoscope.report.figures.text import cut, cut_apart, lines, listed, plain
from holoscope.report.figures.values import Value, errors
from holoscope.report.printable import number
from holoscope.report.profiles import Spot
from holoscope.report.profiles import Trace as Profile

_HOLE = 0.1
"""Radius of the inner ring: a value at chance is on it, and not in one point with all others."""


class Dot(NamedTuple):
    """A value in a panel of small multiples."""

    row: str
    """The axis, or the model."""
    place: float | None
    """Where it stands between the ends of the panel."""
    span: tuple[float, float] | None
    """Places of the interval's ends."""
    label: str
    """Raw value and interval, or why there is none."""
    model: str


def radar(
    axes: Sequence[Axis],
    profiles: Sequence[Profile],
    *,
    theme: Theme = "light",
    known: Mapping[str, Mark] | None = None,
) -> Figure:
    """Profiles (`profiles.traces`, `profiles.overall`) over the axes, with bands; up to four stay readable."""
    known = marked((profile.name for profile in profiles), known)
    traces = [trace for profile in profiles for trace in _around(axes, profile, known[profile.name])]
    step = 360 / max(1, len(axes))
    heads = [_head(axis, profiles) for axis in axes]
    said = "; ".join(f"{plain(axis.name)} {_said(axis, profiles)}" for axis in axes)
    text = f"Radar of {listed(plain(p.name) for p in profiles)} over {len(axes)} axes; in this order: {said}."
    below = 22 * legend_lines(traces, Frame(width=520))
    frame = Frame(left=96, right=96, top=56, bottom=60 + below, width=520)
    made = sheet([], text, theme=theme, height=340, frame=frame)
    circle = {
        "hole": _HOLE,
        "gridshape": "linear",
        "radialaxis": {
            **{"range": [0, 1], "tickvals": [0, 0.25, 0.5, 0.75, 1], "showticklabels": False, "ticks": ""},
            "showline": False,
        },
        "angularaxis": {
            **{"tickvals": [step * i for i in range(len(axes))], "ticktext": heads, "direction": "clockwise"},
            **{"rotation": 90, "showline": True},
        },
    }
    legend = {"orientation": "h", "x": 0.5, "xanchor": "center", "y": -0.16, "yanchor": "top"}
    layout = {k: v for k, v in made["layout"].items() if k not in ("xaxis", "yaxis")}
    return {"data": [lean(trace) for trace in traces], "layout": {**layout, "polar": circle, "legend": legend}}


def small_multiples(
    panels: Mapping[str, Sequence[Dot]],
    *,
    ends: tuple[str, str] = ("chance", "best"),
    theme: Theme = "light",
    known: Mapping[str, Mark] | None = None,
    columns: int = 3,
) -> Figure:
    """A panel for each scenario, a row for each axis (or model), a dot with its interval for each model."""
    dots = [dot for own in panels.values() for dot in own]
    rows, models = list(dict.fromkeys(d.row for d in dots)), list(dict.fromkeys(d.model for d in dots))
    known = marked(models, known)
    labels = cut_apart(rows, 26)
    drawn = []
    for index, (title, own) in enumerate(panels.items()):
        first = index == 0
        drawn.append(
            Panel(
                [t for m in models for t in _dots(own, rows, m, models, known[m], legend=first and len(models) > 1)],
                cut(title, 36),
                {"range": [-0.04, 1.04], "tickvals": [0, 1], "ticktext": [*ends], "zeroline": False},
                rows_axis(labels, shown=index % columns == 0),
                [ruler(0, dash="solid"), ruler(1, dash="solid")],
            )
        )
    measured = sum(dot.place is not None for dot in dots)
    text = (
        f"Small multiples: {counted(len(panels), 'scenario')}, in each {listed(map(plain, rows))} of "
        f"{listed(map(plain, models))}; {measured} of {len(dots)} values have a place between {ends[0]} and {ends[1]}."
    )
    high = max(60, len(rows) * max(20, 9 * len(models)))
    frame = Frame(left=90, between=64, aside=0.04, width=300 * min(columns, max(1, len(panels))) + 60)
    return sheet(drawn, text, theme=theme, columns=columns, height=high, frame=frame)


def strips(
    rows: Mapping[str, Mapping[str, Value]],
    *,
    title: str,
    chosen: Sequence[str] = (),
    theme: Theme = "light",
    known: Mapping[str, Mark] | None = None,
) -> Figure:
    """A line for each scenario with all models as dots on it, those `chosen` in colour with their intervals."""
    models = list(dict.fromkeys(model for values in rows.values() for model in values))
    chosen = chosen or (models if len(models) <= 4 else ())
    known = marked(models, known)
    faint = [m for m in models if m not in chosen]
    others = "other models" if chosen else "each dot is a model"
    traces = [_strip(rows, faint, {"color": see_through(GREY, 0.55), "size": 6}, others)] if faint else []
    for model in chosen:
        mark = known[model]
        look = {"color": mark.colour, "symbol": mark.sign, "size": 9}
        traces.append(_strip(rows, [model], look, cut(model, 30), intervals=True))
    panel = Panel(traces, x={"title": {"text": plain(title)}, "zeroline": False}, y=rows_axis(cut_apart([*rows], 34)))
    best = [f"{plain(name)} {_reach(values)}" for name, values in rows.items()]
    text = f"{plain(title)} of {counted(len(models), 'model')} on {counted(len(rows), 'scenario')}: {listed(best)}."
    return sheet([panel], text, theme=theme, height=max(90, 22 * len(rows)), frame=Frame(left=120, width=560))


def _head(axis: Axis, profiles: Sequence[Profile]) -> str:
    spots = [profile.spots[axis.name] for profile in profiles if axis.name in profile.spots]
    scales = {spot.scale for spot in spots}
    rings = [f"{scale[0]:g} to {scale[1]:g}" for scale in scales if scale is not None and len(scales) == 1]
    below = rings or ["worst to best" if spots else "<i>not measured</i>"]
    return f"<b>{plain(axis.name)}</b> {arrow(axis)}<br>{below[0]}"


def _said(axis: Axis, profiles: Sequence[Profile]) -> str:
    spots = [profile.spots.get(axis.name) for profile in profiles]
    if not any(spots):
        return "not measured"
    if len(spots) == 1:
        return plain(spots[0].label) if spots[0] else "not measured"
    return ", ".join(number(spot.value) if spot else "not measured" for spot in spots)


def _around(axes: Sequence[Axis], profile: Profile, mark: Mark) -> Iterator[Trace]:
    """The band, the line and the marks of one profile."""
    step = 360 / max(1, len(axes))
    spots = [profile.spots.get(axis.name) for axis in axes]
    name = cut(profile.name, 40)
    for stretch in _stretches([bool(s and s.place is not None and s.span) for s in spots]):
        yield _band(stretch, spots, step, mark, name)
    found = [(i, s) for i, s in enumerate(spots) if s is not None and s.place is not None]
    line: Trace = {
        "type": "scatterpolar",
        "mode": "lines",
        "line": {"color": mark.colour, "width": 1.6, "dash": mark.dash},
        "hoverinfo": "skip",
        "legendgroup": name,
        "showlegend": False,
    }
    places = [s.place if s else None for s in spots]
    yield {**line, "theta": [step * i for i in range(len(axes) + 1)], "r": [*places, *places[:1]], "connectgaps": False}
    yield {
        "type": "scatterpolar",
        "mode": "markers",
        "name": name,
        "showlegend": True,
        "legendgroup": name,
        "theta": [step * i for i, _ in found],
        "r": [s.place for _, s in found],
        "marker": {"color": mark.colour, "symbol": mark.sign, "size": 9},
        "hovertext": [lines(f"<b>{name}</b>", plain(axes[i].name), plain(s.label)) for i, s in found],
        "hoverinfo": "text",
    }


def _stretches(there: Sequence[bool]) -> list[list[int]]:
    """Runs of neighbours that are there, round the circle; a whole circle is closed.

    >>> _stretches([True, False, True, True]), _stretches([True, True, True])
    ([[2, 3, 0]], [[0, 1, 2, 0]])
    """
    count = len(there)
    if count > 1 and all(there):
        return [[*range(count), 0]]
    starts = [i for i in range(count) if there[i] and not there[i - 1]]
    found = []
    for start in starts:
        stretch = [start]
        while there[(stretch[-1] + 1) % count] and len(stretch) < count:
            stretch.append((stretch[-1] + 1) % count)
        found.append(stretch)
    return found


def _band(stretch: Sequence[int], spots: Sequence[Spot | None], step: float, mark: Mark, name: str) -> Trace:
    spans = [spot.span for i in stretch if (spot := spots[i]) and spot.span]
    there = [step * i for i in stretch]
    return {
        "type": "scatterpolar",
        "mode": "lines",
        "theta": [*there, *reversed(there)],
        "r": [*(high for _, high in spans), *(low for low, _ in reversed(spans))],
        "fill": "toself",
        "fillcolor": see_through(mark.colour, 0.16),
        "line": {"color": see_through(mark.colour, 0.35), "width": 1 if len(stretch) > 1 else 6},
        "hoverinfo": "skip",
        "legendgroup": name,
        "showlegend": False,
    }


def _dots(
    own: Sequence[Dot], rows: Sequence[str], model: str, models: Sequence[str], mark: Mark, *, legend: bool
) -> Iterator[Trace]:
    aside = 0.7 * (models.index(model) - (len(models) - 1) / 2) / len(models)
    mine = [dot for dot in own if dot.model == model]
    placed = [dot for dot in mine if dot.place is not None]
    values = [Value(dot.place, *(dot.span or ())) for dot in placed]
    whose = [plain(model)] if len(models) > 1 else []
    yield {
        "type": "scatter",
        "mode": "markers",
        "name": cut(model, 30),
        "showlegend": legend,
        "legendgroup": model,
        "x": [dot.place for dot in placed],
        "y": [rows.index(dot.row) + aside for dot in placed],
        "error_x": {**errors(values), "color": mark.colour},
        "marker": {"color": mark.colour, "symbol": mark.sign, "size": 8},
        "hovertext": [lines(f"<b>{plain(dot.row)}</b>", *whose, plain(dot.label)) for dot in placed],
        "hoverinfo": "text",
    }
    missing = [dot for dot in mine if dot.place is None]
    if missing:
        yield {
            "type": "scatter",
            "mode": "text",
            "x": [0.5 if len(models) == 1 else 0.02 for _ in missing],
            "y": [rows.index(dot.row) + aside for dot in missing],
            "text": ["– no value" if len(models) == 1 else "–" for _ in missing],
            "textfont": {"color": GREY if len(models) == 1 else mark.colour, "size": 10},
            "hovertext": [lines(f"<b>{plain(dot.row)}</b>", *whose, plain(dot.label)) for dot in missing],
            "hoverinfo": "text",
            "showlegend": False,
        }


def _strip(
    rows: Mapping[str, Mapping[str, Value]],
    models: Sequence[str],
    look: dict[str, object],
    name: str,
    *,
    intervals: bool = False,
) -> Trace:
    found = [
        (position, model, values[model])
        for position, values in enumerate(rows.values())
        for model in models
        if model in values and values[model].value is not None
    ]
    trace: Trace = {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "showlegend": True,
        "x": [value.value for *_, value in found],
        "y": [position for position, *_ in found],
        "marker": look,
        "text": [plain(model) for _, model, _ in found],
        "hovertemplate": "<b>%{text}</b><br>%{y}<br>%{x:.3g}<extra></extra>",
    }
    if intervals:
        values = [value for *_, value in found]
        trace["error_x"] = {**errors(values), "color": look["color"]}
        trace["customdata"] = [plain(value.shown) for value in values]
        trace["hovertemplate"] = "<b>%{text}</b><br>%{y}<br>%{customdata}<extra></extra>"
    return trace


def _reach(values: Mapping[str, Value]) -> str:
    found = [value.value for value in values.values() if value.value is not None]
    if len(found) < 2:
        return number(found[0]) if found else "no value"
    return f"{number(min(found))} to {number(max(found))}"
