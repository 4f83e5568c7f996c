"""Two models (or two runs) on the same instances: differences with what could have been seen, and who is right where.

A paired difference is drawn over the smallest one that its number of instances could show: inside that, no difference
found means nothing, and it is drawn faint and hollow. The four outcomes add up to the shared instances; each part of a
bar carries the address of its instances, so that a number leads to the texts behind it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holoscope.core import counted
from holoscope.report.figures.look import GREY, PALETTE, Settings, Theme, see_through
from holoscope.report.figures.sheet import Figure, Frame, Panel, Trace, counts, rows_axis, ruler, sheet
from holoscope.report.figures.text import cut, cut_apart, lines, listed, plain
from holoscope.report.figures.values import Value, around_zero, errors

_LINE = 24
"""Height of a row, in pixels."""


class Difference(NamedTuple):
    """A paired difference between two models (or two runs) on one scenario."""

    name: str
    value: Value
    """`n` is the instances both have."""
    detectable: float | None = None
    """The smallest difference that would be seen with a power of 80 %."""
    link: str = ""
    """Where a click leads; handed on as `customdata`."""

    @property
    def is_resolved(self) -> bool:
        """True if the interval leaves out zero."""
        low, high = self.value.low, self.value.high
        return low is not None and high is not None and (low > 0 or high < 0)


class FourWay(NamedTuple):
    """How two models did on the instances they share, on one scenario."""

    name: str
    both_right: int
    only_one: int
    """Right for the first model alone."""
    only_other: int
    both_wrong: int
    links: tuple[str, str, str, str] = ("", "", "", "")
    """Where a click on each part leads, in this order; handed on as `customdata`."""

    @property
    def counts(self) -> tuple[int, int, int, int]:
        return self.both_right, self.only_one, self.only_other, self.both_wrong


def paired_forest(
    differences: Sequence[Difference],
    one: str,
    other: str,
    *,
    metric: str = "accuracy",
    lower_is_better: bool = False,
    theme: Theme = "light",
) -> Figure:
    """Differences `one` minus `other`, scenario by scenario, each over the smallest effect its n could show."""
    names = [difference.name for difference in differences]
    reach = around_zero([d.value for d in differences], max((d.detectable or 0.0 for d in differences), default=0.0))
    notes = [*counts(names, {d.name: d.value.n for d in differences})]
    left, right = (one, other) if lower_is_better else (other, one)
    notes += [_side(f"◀ {cut(left, 22)} better", "left"), _side(f"{cut(right, 22)} better ▶", "right")]
    panel = Panel(
        [*_detectable(differences), *_paired(differences)],
        "",
        {"range": reach, "zeroline": False, "title": {"text": f"difference in {plain(metric)}", "standoff": 26}},
        rows_axis(cut_apart(names, 38)),
        [ruler(0, dash="solid")],
        notes,
    )
    resolved = [f"{plain(d.name)} {plain(d.value.shown)}" for d in differences if d.is_resolved]
    text = (
        f"Paired differences in {plain(metric)}, {plain(one)} minus {plain(other)}, on "
        f"{counted(len(differences), 'scenario')}; resolved: {listed(resolved) or 'none'}."
    )
    frame = Frame(left=120, right=70, bottom=76, width=640)
    return sheet([panel], text, theme=theme, height=max(60, _LINE * len(differences)), frame=frame)


def outcome_bars(rows: Sequence[FourWay], one: str, other: str, *, theme: Theme = "light") -> Figure:
    """A bar for each scenario: both right, only `one`, only `other`, both wrong, as shares of what they share."""
    kinds = ("both right", f"only {one}", f"only {other}", "both wrong")
    totals = [max(1, sum(row.counts)) for row in rows]
    traces = []
    for index, kind in enumerate(kinds):
        found = [row.counts[index] for row in rows]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": cut(kind, 40),
                "showlegend": True,
                "y": [*range(len(rows))],
                "x": [count / total for count, total in zip(found, totals, strict=True)],
                "text": [
                    f"{count:,}" if count / total > 0.04 else "" for count, total in zip(found, totals, strict=True)
                ],
                "textposition": "inside",
                "insidetextanchor": "middle",
                "constraintext": "none",
                "marker": _PARTS[index],
                "customdata": [row.links[index] for row in rows],
                "hovertext": [
                    lines(f"<b>{plain(row.name)}</b>", f"{plain(kind)}: {count:,} of {total:,} ({count / total:.0%})")
                    for row, count, total in zip(rows, found, totals, strict=True)
                ],
                "hoverinfo": "text",
            }
        )
    names = [row.name for row in rows]
    panel = Panel(
        traces,
        "",
        {"range": [0, 1], "tickformat": ".0%", "zeroline": False, "title": {"text": "share of shared instances"}},
        rows_axis(cut_apart(names, 38)),
        notes=counts(names, {row.name: sum(row.counts) for row in rows}),
    )
    sums = [sum(row.counts[index] for row in rows) for index in range(len(kinds))]
    a, b = plain(one), plain(other)
    text = (
        f"Of {sum(sums):,} shared instances on {counted(len(rows), 'scenario')} both {a} and {b} are right on "
        f"{sums[0]:,}, only {a} on {sums[1]:,}, only {b} on {sums[2]:,}, neither on {sums[3]:,}."
    )
    frame = Frame(left=120, right=76, width=560)
    layout: Settings = {"barmode": "stack", "bargap": 0.25}
    return sheet([panel], text, theme=theme, height=max(50, 28 * len(rows)), frame=frame, layout=layout)


_HATCH: Settings = {
    **{"shape": "/", "size": 8, "solidity": 0.15, "fillmode": "overlay"},
    "fgcolor": "rgba(255,255,255,0.8)",
}
_PARTS: tuple[Settings, ...] = (
    {"color": GREY, "line": {"width": 0}},
    {"color": PALETTE[0], "line": {"width": 0}},
    {"color": PALETTE[1], "line": {"width": 0}, "pattern": _HATCH},
    {"color": "#b4bac3", "line": {"width": 0}, "pattern": {**_HATCH, "shape": ".", "fgcolor": GREY}},
)
"""The two sides have the colours and signs of the pair; agreement is grey."""


def _detectable(differences: Sequence[Difference]) -> Iterator[Trace]:
    found = [(row, d) for row, d in enumerate(differences) if d.detectable is not None]
    if found:
        yield {
            "type": "bar",
            "orientation": "h",
            "y": [row for row, _ in found],
            "base": [-(d.detectable or 0.0) for _, d in found],
            "x": [2 * (d.detectable or 0.0) for _, d in found],
            "width": 0.7,
            "marker": {"color": see_through(GREY, 0.2), "line": {"width": 0}},
            "name": "not detectable with this n",
            "showlegend": True,
            "hovertext": [f"smallest detectable difference ±{d.detectable:.3f}" for _, d in found],
            "hoverinfo": "text",
        }


def _paired(differences: Sequence[Difference]) -> Iterator[Trace]:
    """Resolved differences strong and full, others faint and hollow."""
    for is_resolved, name, look in (
        (True, "resolved", {"color": PALETTE[0], "symbol": "diamond", "size": 10}),
        (
            False,
            "not resolved",
            {"color": see_through(GREY, 0.9), "symbol": "circle-open", "size": 9, "line": {"width": 2}},
        ),
    ):
        found = [
            (row, d) for row, d in enumerate(differences) if d.is_resolved == is_resolved and d.value.value is not None
        ]
        if found:
            yield {
                "type": "scatter",
                "mode": "markers",
                "name": name,
                "showlegend": True,
                "x": [d.value.value for _, d in found],
                "y": [row for row, _ in found],
                "error_x": {**errors([d.value for _, d in found]), "color": look["color"]},
                "marker": look,
                "customdata": [d.link for _, d in found],
                "hovertext": [lines(f"<b>{plain(d.name)}</b>", plain(d.value.shown)) for _, d in found],
                "hoverinfo": "text",
            }


def _side(text: str, side: str) -> Settings:
    """Whose side this is, below the axis."""
    return {
        "text": text,
        **{"xref": "x domain", "x": 0 if side == "left" else 1, "xanchor": side},
        **{"yref": "y domain", "y": 0, "yanchor": "top", "yshift": -20, "showarrow": False, "font": {"size": 11}},
    }
