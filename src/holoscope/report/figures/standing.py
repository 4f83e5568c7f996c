"""How models stand: ranks with their intervals axis by axis, and what an axis costs.

A rank is drawn from the best to the worst that the data leave open, so a leaderboard shows first how much of its order
is not known. No axis is added to another. The front of a cost picture joins the models that no other beats on both
counts; error bars go both ways, because a place on the front may be luck too.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from holoscope.core import counted
from holoscope.report.figures.look import GREY, PALETTE, Mark, Settings, Theme, marked, see_through
from holoscope.report.figures.sheet import Figure, Frame, Panel, Trace, rows_axis, ruler, sheet
from holoscope.report.figures.text import cut, cut_apart, lines, listed, plain
from holoscope.report.figures.values import Value, errors

_MOST_NAMED = 12
"""Models named beside their points; of more, those on the front."""


class Rank(NamedTuple):
    """A model's place on one axis."""

    model: str
    value: Value
    """What is ranked."""
    rank: float | None
    """1 is best; None: not ranked, for the value's reason."""
    best: int | None = None
    """1 + how many are surely better."""
    worst: int | None = None


class Point(NamedTuple):
    """A model in a cost picture."""

    model: str
    x: Value
    y: Value
    is_on_front: bool = False


def leaderboard(
    axes: Mapping[str, Sequence[Rank]],
    *,
    order: Sequence[str] = (),
    theme: Theme = "light",
    known: Mapping[str, Mark] | None = None,
) -> Figure:
    """The axes side by side, a row for each model (in this `order`), a dot at its rank, a line over its interval."""
    models = [*order] or list(dict.fromkeys(rank.model for ranks in axes.values() for rank in ranks))
    known = marked(models, known)
    labels = cut_apart(models, 34)
    panels = []
    for index, (title, ranks) in enumerate(axes.items()):
        own = {rank.model: rank for rank in ranks}
        count = max([1, *(rank.worst or int(rank.rank or 1) for rank in ranks)])
        x: Settings = {
            "range": [0.5, count + 0.5],
            "zeroline": False,
            "nticks": 4,
            "tick0": 1,
        }
        first = _ticks(count)
        traces = [*_ranks(own, models, known)]
        panels.append(Panel(traces, plain(title), {**x, **first}, rows_axis(labels, shown=index == 0)))
    tops = (
        f"{plain(title)} {plain(best.model)} (rank {best.best or best.rank:g} to {best.worst or best.rank:g})"
        for title, ranks in axes.items()
        if (best := min((r for r in ranks if r.rank is not None), key=lambda r: r.rank or 0, default=None))
        and best.rank is not None
    )
    ranked = f"{counted(len(models), 'model')} on {len(axes)} axes"
    text = f"Ranks of {ranked}, each with its interval; first: {listed(tops, 8)}."
    frame = Frame(left=120, bottom=30, aside=0.02, width=220 + 110 * len(axes))
    high = max(60, len(models) * (24 if len(models) <= 20 else 17))
    return sheet(panels, text, theme=theme, columns=len(axes), height=high, frame=frame)


def pareto(
    points: Sequence[Point],
    *,
    x_title: str,
    y_title: str,
    logarithmic: bool = False,
    theme: Theme = "light",
    known: Mapping[str, Mark] | None = None,
) -> Figure:
    """Cost against what it buys, with intervals both ways and the front; titles say which direction is better."""
    found = [point for point in points if point.x.value is not None and point.y.value is not None]
    if logarithmic:
        found = [point for point in found if (point.x.value or 0) > 0]
    known = marked((point.model for point in points), known)
    front = sorted((p for p in found if p.is_on_front), key=lambda p: p.x.value or 0.0)
    line: Trace = {
        "type": "scatter",
        "mode": "lines",
        "name": "front",
        "showlegend": bool(front),
        "x": [point.x.value for point in front],
        "y": [point.y.value for point in front],
        "line": {"color": GREY, "width": 1.5, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
    }
    is_crowd = len(found) > _MOST_NAMED
    dots = [_crowd(found, known)] if is_crowd else [t for point in found for t in _point(point, known[point.model])]
    traces = [line, *dots]
    named = front if is_crowd else found
    x: Settings = {
        "title": {"text": plain(x_title)},
        "type": "log" if logarithmic else "linear",
        **({"exponentformat": "none", "minexponent": 9} if logarithmic else _around(found)),
        "zeroline": False,
    }
    notes = [_name(point, logarithmic=logarithmic) for point in named]
    panel = Panel(traces, "", x, {"title": {"text": plain(y_title)}, "zeroline": False}, notes=notes)
    missing = len(points) - len(found)
    text = (
        f"{plain(y_title)} against {plain(x_title)} for {counted(len(found), 'model')}; on the front: "
        f"{listed(plain(p.model) for p in front) or 'none'}{f'; {missing} have no place' if missing else ''}."
    )
    return sheet([panel], text, theme=theme, height=400, frame=Frame(width=460))


def ranked_bars(
    panels: Mapping[str, Mapping[str, Value]],
    *,
    title: str,
    limits: tuple[float, float] = (0.0, 1.0),
    even: float | None = None,
    lowest_first: bool = False,
    theme: Theme = "light",
    columns: int = 3,
) -> Figure:
    """In each panel a bar for each model, sorted, with its interval; a line where nobody is ahead (`even`)."""
    drawn, most, firsts = [], 1, []
    for head, shares in panels.items():
        known = [(model, value, value.value) for model, value in shares.items() if value.value is not None]
        ordered = sorted(known, key=lambda found: found[2] if lowest_first else -found[2])
        most = max(most, len(ordered))
        firsts += [f"{plain(head)} {plain(model)} {plain(value.shown)}" for model, value, _ in ordered[:1]]
        bar: Trace = {
            "type": "bar",
            "orientation": "h",
            "y": [*range(len(ordered))],
            "x": [at for *_, at in ordered],
            "error_x": {**errors([value for _, value, _ in ordered]), "color": GREY},
            "marker": {"color": see_through(PALETTE[0], 0.6), "line": {"width": 0}},
            "hovertext": [lines(f"<b>{plain(model)}</b>", plain(value.shown)) for model, value, _ in ordered],
            "hoverinfo": "text",
        }
        names = rows_axis(cut_apart([model for model, *_ in ordered], 26))
        x: Settings = {"range": [*limits], "nticks": 5, "zeroline": limits[0] < 0}
        drawn.append(Panel([bar], plain(head), x, names, [] if even is None else [ruler(even)]))
    text = f"{plain(title)}, sorted, in {counted(len(panels), 'panel')}; first: {listed(firsts, 8) or 'nobody'}."
    wide = min(columns, max(1, len(drawn)))
    frame = Frame(left=150, between=70, aside=0.2 if wide > 1 else 0, width=340 * wide)
    high = max(60, most * (20 if most <= 24 else 15))
    return sheet(drawn, text, theme=theme, columns=columns, height=high, frame=frame)


def _ticks(count: int) -> Settings:
    """A few whole ranks, the first and the last among them."""
    middle = [(1 + count) // 2] if count > 4 else []
    return {"tickvals": sorted({1, *middle, count}), "tickformat": "d"}


def _ranks(own: Mapping[str, Rank], models: Sequence[str], known: Mapping[str, Mark]) -> Iterator[Trace]:
    spans = [(row, own[m]) for row, m in enumerate(models) if m in own and own[m].best is not None]
    xs = [end for _, rank in spans for end in (rank.best, rank.worst, None)]
    ys = [at for row, _ in spans for at in (row, row, None)]
    line = {"color": see_through(GREY, 0.6), "width": 4}
    yield {
        **{"type": "scatter", "mode": "lines", "x": xs, "y": ys, "line": line, "hoverinfo": "skip"},
        "showlegend": False,
    }
    ranked = [(row, own[m]) for row, m in enumerate(models) if m in own and own[m].rank is not None]
    yield {
        "type": "scatter",
        "mode": "markers",
        "x": [rank.rank for _, rank in ranked],
        "y": [row for row, _ in ranked],
        "marker": {
            "color": [known[rank.model].colour for _, rank in ranked],
            "symbol": [known[rank.model].sign for _, rank in ranked],
            "size": 9,
        },
        "cliponaxis": False,
        "hovertext": [
            lines(f"<b>{plain(r.model)}</b>", f"rank {r.rank:g}{_reach(r)}", *_value(r, models)) for _, r in ranked
        ],
        "hoverinfo": "text",
        "showlegend": False,
    }
    missing = [(row, own.get(m)) for row, m in enumerate(models) if m not in own or own[m].rank is None]
    yield {
        "type": "scatter",
        "mode": "text",
        "x": [(1 + len(models)) / 2 for _ in missing],
        "y": [row for row, _ in missing],
        "text": ["–" for _ in missing],
        "textfont": {"color": GREY},
        "hovertext": [plain(rank.value.shown if rank else "not run") for _, rank in missing],
        "hoverinfo": "text",
        "showlegend": False,
    }


def _value(rank: Rank, models: Sequence[str]) -> list[str]:
    """Its value, where the figure is not of so many that a page would carry the table twice."""
    return [plain(rank.value.shown)] if len(models) <= _MOST_NAMED else []


def _reach(rank: Rank) -> str:
    return "" if rank.best is None or rank.worst is None else f", between {rank.best} and {rank.worst}"


def _around(points: Sequence[Point]) -> Settings:
    """Where all stand at one small place: from zero to its double, which plotly would draw from -1 to 1."""
    ends = {at for point in points for at in (point.x.value, point.x.low, point.x.high) if at is not None}
    most = max(ends, default=0.0)
    return {"range": [0, 2 * most]} if most > 0 and most - min(ends) < 1e-3 * most else {}


def _crowd(points: Sequence[Point], known: Mapping[str, Mark]) -> Trace:
    """Many models as one trace, with error bars of one colour: a third of what a trace each would weigh."""
    faint = see_through(GREY, 0.45)
    return {
        "type": "scatter",
        "mode": "markers",
        "showlegend": False,
        "x": [point.x.value for point in points],
        "y": [point.y.value for point in points],
        "error_x": {**errors([point.x for point in points]), "color": faint},
        "error_y": {**errors([point.y for point in points]), "color": faint},
        "marker": {
            "color": [known[point.model].colour for point in points],
            "symbol": [known[point.model].sign for point in points],
            "size": 9,
        },
        "hovertext": [lines(f"<b>{plain(p.model)}</b>", plain(p.x.shown), plain(p.y.shown)) for p in points],
        "hoverinfo": "text",
    }


def _point(point: Point, mark: Mark) -> Iterator[Trace]:
    faint = see_through(mark.colour, 0.45)
    yield {
        "type": "scatter",
        "mode": "markers",
        "name": cut(point.model, 34),
        "showlegend": False,
        "x": [point.x.value],
        "y": [point.y.value],
        "error_x": {**errors([point.x]), "color": faint},
        "error_y": {**errors([point.y]), "color": faint},
        "marker": {"color": mark.colour, "symbol": mark.sign, "size": 10},
        "hovertext": [lines(f"<b>{plain(point.model)}</b>", plain(point.x.shown), plain(point.y.shown))],
        "hoverinfo": "text",
    }


def _name(point: Point, *, logarithmic: bool) -> Settings:
    from math import log10

    x = point.x.value or 0.0
    return {
        **{"x": log10(x) if logarithmic else x, "y": point.y.value, "text": cut(point.model, 30)},
        **{"showarrow": False, "xanchor": "left", "yanchor": "bottom", "xshift": 6, "yshift": 3, "font": {"size": 11}},
    }
