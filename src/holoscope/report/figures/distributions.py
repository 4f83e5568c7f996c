"""Distributions: what a mean hides about toxicity, times and costs, and who is named how often.

Every instance counts. A box shows quartiles, a violin the shape, a curve every value: the share of instances at or
above each level, which for toxicity is what a reader asks.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from holoscope.report.figures.look import GREY, Mark, Settings, Theme, hatched, marked, see_through
from holoscope.report.figures.sheet import Figure, Frame, Panel, Trace, rows_axis, ruler, sheet
from holoscope.report.figures.text import cut, cut_apart, lines, listed, plain
from holoscope.report.printable import number

Kind = Literal["box", "violin", "curve"]

_MOST_POINTS = 1500
"""Points of a curve; beyond them every so many-th value, and both ends, are drawn."""
_MOST_VALUES = 4000
"""Values handed to a box or violin; beyond them evenly spaced ranks stand for all."""


class Sample(NamedTuple):
    """The values of one model (on one scenario)."""

    name: str
    values: tuple[float, ...]


class Shares(NamedTuple):
    """How often each group is named in what a model wrote."""

    name: str
    """The model, with the scenario where there are several."""
    counts: Mapping[str, int]
    """Words counted by group."""
    expected: Mapping[str, float]
    """The share that each group would have if all were named alike."""


def distribution(
    samples: Sequence[Sample],
    *,
    title: str,
    kind: Kind = "box",
    threshold: float | None = None,
    logarithmic: bool = False,
    theme: Theme = "light",
    known: Mapping[str, Mark] | None = None,
) -> Figure:
    """Values of each sample, with a line at `threshold`; a logarithmic scale leaves values up to 0 out, and says so."""
    known = marked((sample.name for sample in samples), known)
    left_out = sum(value <= 0 for sample in samples for value in sample.values) if logarithmic else 0
    kept = [s._replace(values=tuple(sorted(v for v in s.values if v > 0 or not logarithmic))) for s in samples]
    x: Settings = {"title": {"text": plain(title)}, "zeroline": False, "type": "log" if logarithmic else "linear"}
    x |= {"exponentformat": "none", "minexponent": 9} if logarithmic else {}
    shapes, notes = ([], []) if threshold is None else ([ruler(threshold)], [_named_line(threshold)])
    text = f"{plain(title)}: {listed((_summary(s, threshold) for s in kept), 4)}{_left_out(left_out)}."
    if kind == "curve":
        y: Settings = {"title": {"text": "share at or above"}, "tickformat": ".0%", "range": [-0.02, 1.02]}
        panel = Panel([_curve(s, known[s.name]) for s in kept if s.values], x=x, y=y, shapes=shapes, notes=notes)
        return sheet([panel], text, theme=theme, height=320, frame=Frame(top=26, width=440))
    labels = cut_apart([f"{sample.name}" for sample in kept], 36)
    drawn = [trace for row, s in enumerate(kept) if s.values for trace in _spread(s, row, known[s.name], kind)]
    panel = Panel(drawn, x=x, y=rows_axis(labels), shapes=shapes, notes=notes)
    high = max(60, len(kept) * (46 if kind == "violin" else 26 if len(kept) <= 20 else 18))
    return sheet([panel], text, theme=theme, height=high, frame=Frame(left=120, top=26, width=480))


def named_shares(
    samples: Sequence[Shares], *, title: str = "words naming each group", theme: Theme = "light"
) -> Figure:
    """A bar for each sample, a part for each group; a mark shows where each part would end if all were named alike."""
    groups = list(dict.fromkeys(group for sample in samples for group in sample.counts))
    known = marked(groups, None)
    totals = [max(1, sum(sample.counts.values())) for sample in samples]
    traces: list[Trace] = []
    for index, group in enumerate(groups):
        found = [sample.counts.get(group, 0) for sample in samples]
        traces.append(
            {
                **{"type": "bar", "orientation": "h", "name": plain(group), "showlegend": True},
                "y": [*range(len(samples))],
                "x": [count / total for count, total in zip(found, totals, strict=True)],
                "marker": {
                    "color": known[group].colour,
                    "line": {"width": 0},
                    "pattern": hatched(index),
                },
                "hovertext": [
                    lines(
                        f"<b>{plain(sample.name)}</b>",
                        f"{plain(group)}: {count:,} of {sum(sample.counts.values()):,} words, {count / total:.0%}",
                        f"alike would be {sample.expected.get(group, 0.0):.0%}",
                    )
                    for sample, count, total in zip(samples, found, totals, strict=True)
                ],
                "hoverinfo": "text",
            }
        )
    names = [f"{s.name} ({sum(s.counts.values()):,} words)" for s in samples]
    panel = Panel(
        traces,
        "",
        {"range": [0, 1], "tickformat": ".0%", "zeroline": False, "title": {"text": plain(title)}},
        rows_axis(cut_apart(names, 44)),
        [line for row, sample in enumerate(samples) for line in _alike(row, sample, groups)],
    )
    said = (f"{plain(s.name)} {', '.join(f'{plain(g)} {n:,}' for g, n in s.counts.items())}" for s in samples)
    text = f"{plain(title).capitalize()}: {listed(said, 5) or 'none'}; lines mark equal naming."
    frame = Frame(left=120, width=480)
    return sheet(
        [panel], text, theme=theme, height=max(50, 30 * len(samples)), frame=frame, layout={"barmode": "stack"}
    )


def _named_line(at: float) -> Settings:
    above: Settings = {"yref": "y domain", "y": 1, "yanchor": "bottom", "showarrow": False}
    return {**above, "x": at, "text": f"{at:g}", "font": {"size": 10, "color": GREY}}


def _curve(sample: Sample, mark: Mark) -> Trace:
    ordered, n = sample.values, len(sample.values)
    step = max(1, n // _MOST_POINTS)
    ranks = sorted({*range(0, n, step), n - 1})
    return {
        "type": "scatter",
        "mode": "lines",
        "name": cut(sample.name, 34),
        "showlegend": True,
        "x": [ordered[rank] for rank in ranks],
        "y": [(n - rank) / n for rank in ranks],
        "line": {"color": mark.colour, "dash": mark.dash, "width": 1.8, "shape": "vh"},
        "hovertext": [
            lines(f"<b>{plain(sample.name)}</b>", f"{(n - rank) / n:.1%} of {n:,} at or above {number(ordered[rank])}")
            for rank in ranks
        ],
        "hoverinfo": "text",
    }


def _spread(sample: Sample, row: int, mark: Mark, kind: Kind) -> Iterator[Trace]:
    n = len(sample.values)
    values = sample.values
    if n > _MOST_VALUES:
        values = tuple(sample.values[round(i * (n - 1) / (_MOST_VALUES - 1))] for i in range(_MOST_VALUES))
    yield {
        "type": kind,
        "orientation": "h",
        "name": cut(sample.name, 34),
        "x": [*values],
        "y0": row,
        "line": {"color": mark.colour, "width": 1.4},
        "fillcolor": see_through(mark.colour, 0.2),
        "marker": {"color": see_through(mark.colour, 0.55), "symbol": mark.sign, "size": 4},
        **({"points": False, "spanmode": "hard", "meanline": {"visible": True}} if kind == "violin" else _BOX),
        "hoverinfo": "x",
        "showlegend": False,
    }


_BOX: Settings = {"boxpoints": "outliers", "boxmean": True, "width": 0.6}


def _alike(row: int, sample: Shares, groups: Sequence[str]) -> Iterator[Settings]:
    """Upright lines where the parts would end."""
    at = 0.0
    for group in groups[:-1]:
        at += sample.expected.get(group, 0.0)
        for line in ({"color": "#ffffff", "width": 4}, {"color": "#000000", "width": 1.5}):  # shows on any colour
            yield {"type": "line", "x0": at, "x1": at, "y0": row - 0.47, "y1": row + 0.47, "line": line}


def _summary(sample: Sample, threshold: float | None) -> str:
    values, n = sample.values, len(sample.values)
    if not n:
        return f"{plain(sample.name)} has no value"
    beyond = "" if threshold is None else f", {sum(v >= threshold for v in values) / n:.1%} at or above {threshold:g}"
    return f"{plain(sample.name)} median {number(values[n // 2])} of {n:,}{beyond}"


def _left_out(count: int) -> str:
    return f"; {count:,} values of 0 have no place on a logarithmic scale" if count else ""
