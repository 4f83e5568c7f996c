"""Fairness as forest plots: a line for each group, or for each change of who is named, with value, interval and n.

What is tested stands in the picture: the mean of all groups, zero change, and the margin within which a change counts
as none. A group's value drawn towards the common mean stands beside the raw one, because the highest and the lowest of
many small groups are mostly luck.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from holoscope.report.figures.look import GREY, Mark, Theme, marked, see_through
from holoscope.report.figures.sheet import Figure, Frame, Panel, Trace, counts, rows_axis, ruler, sheet
from holoscope.report.figures.text import cut, cut_apart, lines, listed, plain
from holoscope.report.figures.values import Value, around_zero, errors, span
from holoscope.report.printable import number

_LINE = 24
"""Height of a row, in pixels."""


class Group(NamedTuple):
    """A group of instances, and how a model does on it."""

    name: str
    """`gender=female`."""
    model: str
    value: Value
    shrunken: Value | None = None
    """Drawn towards the common mean, as much as the group's size deserves."""


class Change(NamedTuple):
    """What naming somebody else does to the same instances."""

    name: str
    """Perturbation, with the scenario where there are several."""
    model: str
    original: Value
    changed: Value
    difference: Value
    """Mean change, paired by instance."""
    p_value: float | None = None
    """Of the change being as large as the margin, in either direction (two one-sided tests)."""


def group_forest(
    tables: Mapping[str, Sequence[Group]],
    *,
    means: Mapping[str, float] | None = None,
    metric: str = "accuracy",
    theme: Theme = "light",
    known: Mapping[str, Mark] | None = None,
) -> Figure:
    """A panel for each attribute (`means`: its mean over all instances), a line for each group, a mark per model."""
    groups = [group for table in tables.values() for group in table]
    models = list(dict.fromkeys(group.model for group in groups))
    known = marked(models, known)
    reach = span([g.value for g in groups], (0.0, 1.0))
    drawn, heights, shown, pulled = [], [], set[str](), False
    for title, table in tables.items():
        names = list(dict.fromkeys(group.name for group in table))
        traces = []
        for model in models:
            own = [group for group in table if group.model == model]
            legend = len(models) > 1 and bool(own) and model not in shown
            traces += [*_of_groups(own, names, model, models, known[model], legend=legend, legend_of_pulled=not pulled)]
            pulled |= any(group.shrunken for group in own)
            shown |= {model} if own else set()
        mean = (means or {}).get(title)
        shapes = [] if mean is None else [ruler(mean)]
        notes = counts(names, {g.name: g.value.n for g in reversed(table)}) if len(models) == 1 else []
        labels = rows_axis(cut_apart([_unprefixed(name, title) for name in names], 34))
        drawn.append(Panel(traces, cut(title, 60), {"range": reach, "zeroline": False}, labels, shapes, notes))
        heights.append(max(30, len(names) * max(_LINE, 11 * len(models))))
    if drawn:
        drawn[-1] = drawn[-1]._replace(x={**drawn[-1].x, "title": {"text": plain(metric)}})
    text = f"Forest plot of {plain(metric)} by group for {listed(map(plain, models))}: {listed(_extremes(tables))}."
    frame = Frame(left=120, right=70, between=58, width=520)
    return sheet(drawn, text, theme=theme, heights=heights, frame=frame)


def gaps(
    changes: Sequence[Change],
    *,
    margin: float = 0.05,
    metric: str = "accuracy",
    theme: Theme = "light",
    known: Mapping[str, Mark] | None = None,
) -> Figure:
    """Left the value before and after, right the paired change with the margin inside which it counts as none."""
    models = list(dict.fromkeys(change.model for change in changes))
    known = marked(models, known)
    names = [change.name if len(models) == 1 else f"{change.name} · {change.model}" for change in changes]
    values = [value for change in changes for value in (change.original, change.changed)]
    left = Panel(
        [*_dumbbells(changes, known)],
        f"{plain(metric)}: hollow as it is, full changed",
        {"range": span(values, (0.0, 1.0)), "zeroline": False},
        rows_axis(cut_apart(names, 38)),
    )
    band = {
        **{"type": "rect", "x0": -margin, "x1": margin, "y0": 0, "y1": 1, "yref": "y domain"},
        **{"fillcolor": see_through(GREY, 0.18), "line": {"width": 0}, "layer": "below"},
    }
    differences = [change.difference for change in changes]
    right = Panel(
        [_differences(changes, known)],
        f"change, paired (band ±{margin:g})",
        {"range": around_zero(differences, 2 * margin), "zeroline": False},
        rows_axis(cut_apart(names, 38), shown=False),
        [band, ruler(0, dash="solid")],
        counts(names, {name: d.n for name, d in zip(names, differences, strict=True)}),
    )
    said = (
        f"{plain(name)} {number(c.original.value)} to {number(c.changed.value)}, change {plain(c.difference.shown)}"
        for name, c in zip(names, changes, strict=True)
    )
    text = f"Change of {plain(metric)} when somebody else is named: {listed(said, 3) or 'nothing was changed'}."
    frame = Frame(left=120, right=70, aside=0.04, width=760)
    return sheet([left, right], text, theme=theme, columns=2, height=max(40, _LINE * len(changes)), frame=frame)


def _of_groups(
    own: Sequence[Group],
    names: Sequence[str],
    model: str,
    models: Sequence[str],
    mark: Mark,
    *,
    legend: bool,
    legend_of_pulled: bool,
) -> Iterator[Trace]:
    aside = 0.6 * (models.index(model) - (len(models) - 1) / 2) / len(models)
    found = [group for group in own if group.value.value is not None]
    pulled = [group for group in found if group.shrunken and group.shrunken.value is not None]
    if pulled:
        yield {
            "type": "scatter",
            "mode": "markers",
            "x": [g.shrunken.value for g in pulled if g.shrunken],
            "y": [names.index(g.name) + aside for g in pulled],
            "marker": {"color": mark.colour, "symbol": "line-ns-open", "size": 11, "line": {"width": 2}},
            "hovertext": [
                lines(f"<b>{plain(g.name)}</b>", plain(model), f"drawn to the mean: {plain(g.shrunken.shown)}")
                for g in pulled
                if g.shrunken
            ],
            "hoverinfo": "text",
            "name": "drawn to the common mean",
            "showlegend": legend_of_pulled,
        }
    yield {
        "type": "scatter",
        "mode": "markers",
        "name": cut(model, 34),
        "showlegend": legend,
        "legendgroup": model,
        "x": [g.value.value for g in found],
        "y": [names.index(g.name) + aside for g in found],
        "error_x": {**errors([g.value for g in found]), "color": mark.colour},
        "marker": {"color": mark.colour, "symbol": mark.sign, "size": 9},
        "hovertext": [lines(f"<b>{plain(g.name)}</b>", plain(model), plain(g.value.shown)) for g in found],
        "hoverinfo": "text",
    }


def _dumbbells(changes: Sequence[Change], known: Mapping[str, Mark]) -> Iterator[Trace]:
    for row, change in enumerate(changes):
        mark = known[change.model]
        x = [change.original.value, change.changed.value]
        yield {
            "type": "scatter",
            "mode": "lines+markers",
            "x": x,
            "y": [row, row],
            "line": {"color": see_through(mark.colour, 0.5), "width": 3},
            "marker": {
                "color": mark.colour,
                "symbol": [f"{mark.sign}-open", mark.sign],
                "size": 9,
                "line": {"width": 2, "color": mark.colour},
            },
            "hovertext": [
                lines(f"<b>{plain(change.name)}</b>", plain(change.model), f"{when}: {plain(value.shown)}")
                for when, value in (("as it is", change.original), ("changed", change.changed))
            ],
            "hoverinfo": "text",
            "showlegend": False,
        }


def _differences(changes: Sequence[Change], known: Mapping[str, Mark]) -> Trace:
    found = [(row, change) for row, change in enumerate(changes) if change.difference.value is not None]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [c.difference.value for _, c in found],
        "y": [row for row, _ in found],
        "error_x": {**errors([c.difference for _, c in found]), "color": GREY},
        "marker": {
            "color": [known[c.model].colour for _, c in found],
            "symbol": [known[c.model].sign for _, c in found],
            "size": 9,
        },
        "hovertext": [
            lines(
                f"<b>{plain(c.name)}</b>",
                plain(c.model),
                plain(c.difference.shown),
                "" if c.p_value is None else f"p of a change beyond the margin: {c.p_value:.2g}",
            )
            for _, c in found
        ],
        "hoverinfo": "text",
        "showlegend": False,
    }


def _unprefixed(name: str, title: str) -> str:
    """`female` below a heading `gender`."""
    return name.removeprefix(f"{title}=") if "&" not in title else name


def _extremes(tables: Mapping[str, Sequence[Group]]) -> Iterator[str]:
    for title, table in tables.items():
        known = [(g.value.value, g) for g in table if g.value.value is not None]
        if known:
            low, high = min(known, key=lambda pair: pair[0])[1], max(known, key=lambda pair: pair[0])[1]
            yield (
                f"{plain(title)} from {plain(low.name)} {plain(low.value.shown)} "
                f"to {plain(high.name)} {plain(high.value.shown)}"
            )
