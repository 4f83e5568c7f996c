"""A model's profile as a picture: one spoke for each axis, one mark on it for each scenario.

Drawn as SVG here, without a library, so that a report of one file needs nothing but itself; pages, notebooks and papers
have `figures/`. Inner and outer ring are the fixed ends of each axis (`scale.py`), so pictures made at different times
can be compared. What was not measured is a gap, never the inner ring; every mark states its raw value and interval; and
nothing is averaged over scenarios or axes.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from holoscope.core import Axis
from holoscope.report.blocks import arrow
from holoscope.report.grid import Grid, Row
from holoscope.report.markup import Markup, element, join
from holoscope.report.printable import DASH, number, printable
from holoscope.report.profiles import Trace, traces

_INNER, _OUTER = 18.0, 150.0
"""Radii of the two rings; lengths are in the picture's own units, about a pixel each on a page."""
_LINE, _GAP, _SIDE = 16.0, 24.0, 190.0
"""Height of a line of text, distance of labels from the outer ring, room for them on either side."""
_FAN = 26.0
"""Most that the marks on one spoke are moved apart, so that their intervals don't hide one another."""
_SIGNS = "●■▲◆▼✚"
_SHAPES = (
    "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
    "M-3.6,-3.6h7.2v7.2h-7.2z",
    "M0,-4.6L4.4,3.4H-4.4z",
    "M0,-5L4.4,0L0,5L-4.4,0z",
    "M0,4.6L4.4,-3.4H-4.4z",
    "M-1.5,-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
)
"""The same signs as outlines. With more scenarios than signs all marks are alike, and the labels give a range."""
_LIGHT = ("#0b63a5", "#b84300", "#00785a", "#a3417e", "#7a5a00", "#5046b8")
_DARK = ("#6db8ee", "#ff9d5c", "#3fcf9b", "#ee9fd0", "#e9c14a", "#b3a9ff")
"""A colour for each sign, told apart by lightness or sign where not by hue."""


class _Label(NamedTuple):
    """Lines of text beside the end of a spoke."""

    anchor: str
    x: float
    top: float
    lines: tuple[Markup, ...]

    @property
    def bottom(self) -> float:
        return self.top + _LINE * len(self.lines)


class _Point(NamedTuple):
    x: float
    y: float

    def __str__(self) -> str:
        return f"{self.x:.1f},{self.y:.1f}"


def profile(grid: Grid, rows: Sequence[Row]) -> Markup:
    """The picture of one model's rows, as SVG that shows in light and dark."""
    return radar(grid.axes, traces(grid, rows), rows[0].model)


def radar(axes: Sequence[Axis], traces: Sequence[Trace], title: str) -> Markup:
    """An SVG of `traces`."""
    labels, legend = _labels(axes, traces), _legend(traces)
    top = min([-_OUTER, *(label.top for label in labels)]) - 6
    base = max([_OUTER, *(label.bottom for label in labels)]) + 12
    left, width = -(_OUTER + _SIDE), 2 * (_OUTER + _SIDE)
    height = base - top + _LINE * len(legend) + 10
    return element(
        "svg",
        element("title", f"Profile of {printable(title)}"),
        element("desc", " ".join(_described(axes, traces))),
        element("style", Markup(_style())),
        *_web(axes, traces),
        *(drawn for index in range(len(traces)) for drawn in _drawn(axes, traces, index)),
        *(_text(label.x, label.top, label.anchor, label.lines) for label in labels),
        _text(left + 8, base, "start", legend),
        xmlns="http://www.w3.org/2000/svg",
        class_="holoscope-profile",
        role="img",
        viewBox=f"{left:g} {top:g} {width:g} {height:g}",
        width=width,
        height=height,
    )


def _at(angle: float, radius: float, aside: float = 0.0) -> _Point:
    """The point on a spoke, moved at right angles to it; 0 is up, angles go clockwise."""
    return _Point(
        radius * math.sin(angle) + aside * math.cos(angle), aside * math.sin(angle) - radius * math.cos(angle)
    )


def _angle(index: int, count: int) -> float:
    return 2 * math.pi * index / count


def _radius(place: float) -> float:
    return _INNER + place * (_OUTER - _INNER)


def _web(axes: Sequence[Axis], traces: Sequence[Trace]) -> Iterator[Markup]:
    """Rings and spokes; a spoke without any value is dashed."""
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield element("circle", r=_radius(share), class_="ring end" if share in (0.0, 1.0) else "ring")
    for index, axis in enumerate(axes):
        angle = _angle(index, len(axes))
        is_empty = not any(axis.name in trace.spots for trace in traces)
        line = f"M{_at(angle, _INNER)}L{_at(angle, _OUTER)}"
        yield element("path", d=line, class_="spoke empty" if is_empty else "spoke")


def _drawn(axes: Sequence[Axis], traces: Sequence[Trace], index: int) -> Iterator[Markup]:
    """One scenario's marks and, where scenarios are told apart, its intervals and lines."""
    trace, kind, aside = traces[index], _kind(index, traces), _aside(index, len(traces))
    angles = {axis.name: _angle(position, len(axes)) for position, axis in enumerate(axes)}
    points = {
        name: _at(angle, _radius(spot.place), aside)
        for name, angle in angles.items()
        if (spot := trace.spots.get(name)) and spot.place is not None
    }
    if _are_told_apart(traces):
        for line in _lines(list(angles), points):
            yield element("path", d=line, class_=f"line {kind}")
        for name in points:
            if span := trace.spots[name].span:
                low, high = (_at(angles[name], _radius(place), aside) for place in span)
                yield element("path", d=f"M{low}L{high}", class_=f"span {kind}")
    for name, point in points.items():
        says = element("title", f"{trace.name}, {name}: {trace.spots[name].label}")
        yield element("path", says, d=_shape(index, traces), transform=f"translate({point})", class_=f"mark {kind}")


def _lines(names: Sequence[str], points: Mapping[str, _Point]) -> Iterator[str]:
    """Between neighbouring axes that both have a point."""
    for one, other in zip(names, [*names[1:], *names[:1]], strict=True):
        if one in points and other in points and one != other:
            yield f"M{points[one]}L{points[other]}"


def _aside(index: int, count: int) -> float:
    step = min(7.0, _FAN / max(1, count - 1))
    return step * (index - (count - 1) / 2)


def _are_told_apart(traces: Sequence[Trace]) -> bool:
    return len(traces) <= len(_SIGNS)


def _kind(index: int, traces: Sequence[Trace]) -> str:
    return f"s{index}" if _are_told_apart(traces) else "many"


def _shape(index: int, traces: Sequence[Trace]) -> str:
    return _SHAPES[index] if _are_told_apart(traces) else _SHAPES[0]


def _sign(index: int, traces: Sequence[Trace]) -> Markup:
    return element("tspan", f"{_SIGNS[index]} ", class_=f"sign {_kind(index, traces)}")


def _labels(axes: Sequence[Axis], traces: Sequence[Trace]) -> list[_Label]:
    """One for each axis, none over another or over the outer ring."""
    labels = [_label(axis, _angle(index, len(axes)), traces) for index, axis in enumerate(axes)]
    below: dict[str, float] = {}
    for index in sorted(range(len(labels)), key=lambda i: labels[i].top):
        label = labels[index]
        lower = label._replace(top=max(label.top, below.get(label.anchor, label.top)))
        labels[index] = lower._replace(x=_clear(lower))
        below[label.anchor] = lower.bottom + _LINE / 2
    return labels


def _clear(label: _Label) -> float:
    """Far enough to the side for every line of the label."""
    if label.anchor == "middle":
        return label.x
    nearest = min(max(0.0, label.top), label.bottom)
    edge = math.sqrt(max(0.0, (_OUTER + _GAP) ** 2 - nearest**2))
    return math.copysign(max(abs(label.x), edge), label.x)


def _label(axis: Axis, angle: float, traces: Sequence[Trace]) -> _Label:
    head = element("tspan", f"{printable(axis.name)} {arrow(axis)}", class_="axis")
    lines = (head, *_values(axis.name, traces))
    at, height = _at(angle, _OUTER + _GAP), _LINE * (1 + len(_values(axis.name, traces)))
    if abs(at.x) < _GAP:
        return _Label("middle", 0.0, at.y - height if at.y < 0 else at.y - _GAP / 2, lines)
    return _Label("start" if at.x > 0 else "end", at.x, at.y - height / 2, lines)


def _values(axis: str, traces: Sequence[Trace]) -> list[Markup]:
    """The raw values on an axis, or where there are many, how many and from where to where."""
    found = [(index, trace.spots[axis]) for index, trace in enumerate(traces) if axis in trace.spots]
    if not found:
        return [element("tspan", f"{DASH} no value", class_="faint")]
    if _are_told_apart(traces):
        return [join([_sign(index, traces), element("tspan", spot.label)]) for index, spot in found]
    values = [spot.value for _, spot in found]
    return [element("tspan", f"{len(values)} from {number(min(values))} to {number(max(values))}")]


def _legend(traces: Sequence[Trace]) -> tuple[Markup, ...]:
    if not _are_told_apart(traces):
        return (element("tspan", f"Each dot is one of {len(traces)} scenarios.", class_="faint"),)
    return tuple(join([_sign(index, traces), element("tspan", trace.name)]) for index, trace in enumerate(traces))


def _text(x: float, top: float, anchor: str, lines: Sequence[Markup]) -> Markup:
    rows = (element("tspan", line, x=x, y=top + _LINE * (i + 0.75)) for i, line in enumerate(lines))
    return element("text", *rows, text_anchor=anchor)


def _described(axes: Sequence[Axis], traces: Sequence[Trace]) -> Iterator[str]:
    """The picture in words, for who cannot see it."""
    for axis in axes:
        values = [f"{trace.name} {trace.spots[axis.name].label}" for trace in traces if axis.name in trace.spots]
        yield printable(f"{axis.name}: {', '.join(values) or 'no value'}.")


def _style() -> str:
    """Colours within the picture, so that it needs no page around it."""
    own = ".holoscope-profile"

    def colours(of: Sequence[str], ink: str, faint: str) -> str:
        kinds = "".join(f"{own} .s{index}{{--c:{colour}}}" for index, colour in enumerate(of))
        return f"{own}{{--ink:{ink};--faint:{faint}}}{own} .many{{--c:{of[0]}}}{kinds}"

    return (
        f"{own}{{font:12.5px system-ui,sans-serif}}{own} text{{fill:var(--ink)}}"
        f"{own} .axis{{font-weight:600}}{own} .faint{{fill-opacity:.65}}{own} .sign{{fill:var(--c)}}"
        f"{own} .ring,{own} .spoke{{fill:none;stroke:var(--faint)}}{own} .ring.end{{stroke-width:1.6}}"
        f"{own} .empty{{stroke-dasharray:2 5}}{own} .line{{stroke:var(--c);stroke-width:1.2;opacity:.55}}"
        f"{own} .span{{stroke:var(--c);stroke-width:3;opacity:.4}}{own} .mark{{fill:var(--c)}}"
        f"{own} .many{{opacity:.45}}"
        + colours(_LIGHT, "#1c1f24", "#d4d8de")
        + f"@media (prefers-color-scheme:dark){{{colours(_DARK, '#e8eaed', '#41464f')}}}"
        + f"@media print{{{colours(_LIGHT, '#000', '#bbb')}}}"
    )
