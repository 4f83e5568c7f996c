"""Robustness as slopes: each instance as it is, perturbed, and at its worst over its forms.

All three values of a line are of the same instances, those that the perturbation changed, so a slope is a change and
not a difference between two sets. A steep end says that the perturbation moves many answers both ways: the mean of the
perturbed forms hides what the worst case shows.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holoscope.core import counted
from holoscope.report.figures.look import GREY, Mark, Theme, marked, see_through
from holoscope.report.figures.sheet import Figure, Frame, Panel, Trace, sheet
from holoscope.report.figures.text import cut, lines, listed, plain
from holoscope.report.figures.values import Value, errors
from holoscope.report.printable import number

_MOST, _STEEPEST = 8, 5
"""Lines told apart; of more, those with the largest change to the worst case."""
_AT = ("as it is", "perturbed", "worst case")


class Slope(NamedTuple):
    """One line: a model on a scenario under a perturbation."""

    name: str
    """The model, or the scenario where lines compare those."""
    original: Value
    """On the instances that the perturbation changed."""
    perturbed: Value
    worst: Value
    """The worse of the two, instance by instance."""

    @property
    def fall(self) -> float:
        """How far the worst case is from the original; 0 where that is not known."""
        start, end = self.original.value, self.worst.value
        return 0.0 if start is None or end is None else abs(end - start)

    @property
    def points(self) -> tuple[Value, Value, Value]:
        return self.original, self.perturbed, self.worst


def robustness_slopes(
    panels: Mapping[str, Sequence[Slope]],
    *,
    metric: str = "accuracy",
    theme: Theme = "light",
    known: Mapping[str, Mark] | None = None,
    columns: int = 3,
) -> Figure:
    """A panel for each scenario and perturbation (or each model), a line for each model (or each scenario)."""
    names = list(dict.fromkeys(slope.name for slopes in panels.values() for slope in slopes))
    known = marked(names, known)
    low, high = _range(panels)
    told_apart = names if len(names) <= _MOST else _steepest(panels)
    shown: set[str] = set()
    drawn = []
    for index, (title, slopes) in enumerate(panels.items()):
        traces = [_faint(slope, title) for slope in slopes if slope.name not in told_apart]
        clear = [slope for slope in slopes if slope.name in told_apart]
        traces += [_line(slope, told_apart, known[slope.name], slope.name not in shown, title) for slope in clear]
        shown |= {slope.name for slope in clear}
        drawn.append(
            Panel(
                traces,
                cut(title, 36),
                {"tickvals": [0, 1, 2], "ticktext": [*_AT], "range": [-0.3, 2.3], "zeroline": False},
                {
                    "range": [low, high],
                    "zeroline": False,
                    "title": {"text": plain(metric)} if index % columns == 0 else {},
                },
            )
        )
    falls = sorted(((slope.fall, title, slope) for title, slopes in panels.items() for slope in slopes), key=_by_fall)
    said = (
        f"{plain(slope.name)} in {plain(title)} from {number(slope.original.value)} to {number(slope.worst.value)}"
        for fall, title, slope in falls[:3]
        if fall
    )
    text = (
        f"Slopes of {plain(metric)} as it is, perturbed and at worst, of {listed(map(plain, names))} in "
        f"{counted(len(panels), 'panel')}; largest changes to the worst case: {listed(said, 3) or 'none'}."
    )
    frame = Frame(between=60, width=280 * min(columns, max(1, len(panels))) + 60)
    return sheet(drawn, text, theme=theme, columns=columns, height=210, frame=frame)


def _range(panels: Mapping[str, Sequence[Slope]]) -> tuple[float, float]:
    """From 0 to 1, and as far beyond as values of other scales need."""
    points = [p for slopes in panels.values() for slope in slopes for p in slope.points]
    ends = [end for p in points for end in (p.value, p.low, p.high) if end is not None]
    low, high = min([0.0, *ends]), max([1.0, *ends])
    return low - 0.03 * (high - low), high + 0.03 * (high - low)


def _by_fall(found: tuple[float, str, Slope]) -> float:
    return -found[0]


def _steepest(panels: Mapping[str, Sequence[Slope]]) -> list[str]:
    """Those of many lines that are worth a colour."""
    falls: dict[str, float] = {}
    for slope in (slope for slopes in panels.values() for slope in slopes):
        falls[slope.name] = max(falls.get(slope.name, 0.0), slope.fall)
    return sorted(falls, key=lambda name: -falls[name])[:_STEEPEST]


def _faint(slope: Slope, title: str) -> Trace:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [0, 1, 2],
        "y": [point.value for point in slope.points],
        "line": {"color": see_through(GREY, 0.45), "width": 1},
        "hovertext": [
            lines(f"<b>{plain(slope.name)}</b>", plain(title), f"{at}: {plain(point.shown)}")
            for at, point in zip(_AT, slope.points, strict=True)
        ],
        "hoverinfo": "text",
    }


def _line(slope: Slope, names: Sequence[str], mark: Mark, is_first: bool, title: str) -> Trace:
    """Lines stand a little apart, so that their intervals don't hide one another."""
    aside = 0.3 * (names.index(slope.name) - (len(names) - 1) / 2) / max(1, len(names))
    found = [(x, at, point) for x, (at, point) in enumerate(zip(_AT, slope.points, strict=True))]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": cut(slope.name, 34),
        "showlegend": is_first,
        "legendgroup": slope.name,
        "x": [x + aside for x, *_ in found],
        "y": [point.value for *_, point in found],
        "error_y": {**errors([point for *_, point in found]), "color": mark.colour},
        "line": {"color": mark.colour, "width": 1.6, "dash": mark.dash},
        "marker": {"color": mark.colour, "symbol": mark.sign, "size": 8},
        "hovertext": [
            lines(f"<b>{plain(slope.name)}</b>", plain(title), f"{at}: {plain(point.shown)}") for _, at, point in found
        ],
        "hoverinfo": "text",
    }
