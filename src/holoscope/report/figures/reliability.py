"""The reliability diagram: how often answers are right against how sure the model was of them.

A calibrated model lies on the diagonal only up to chance. The band behind each curve is where 95 % of its points would
lie if the confidences were right, so what is inside it is no evidence against the model. The histogram below counts the
answers, because a point far off that rests on three of them says little.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from holoscope.core import counted
from holoscope.report.figures.look import GREY, Mark, Theme, marked, see_through
from holoscope.report.figures.sheet import Figure, Frame, Panel, Trace, sheet
from holoscope.report.figures.text import cut, lines, listed, plain
from holoscope.report.figures.values import Value, errors

if TYPE_CHECKING:
    from holoscope.stats import Bin, Null

_BELOW = 120
"""Height of the histogram, in pixels."""


class Reliability(NamedTuple):
    """One curve of the diagram."""

    name: str
    """The model, or the scenario where a diagram compares those."""
    bins: "tuple[Bin, ...]"
    counts: tuple[int, ...]
    """Answers by confidence, in bins of equal width from 0 to 1."""
    n: int
    error: float
    """Expected calibration error over ten equal-mass bins."""
    null: "Null"
    """What that error would be by chance alone."""

    @property
    def verdict(self) -> str:
        """The error beside what chance alone would show."""
        null = self.null
        return (
            f"calibration error {self.error:.3f}; calibrated answers would show {null.mean:.3f} "
            f"[{null.low:.3f}, {null.high:.3f}], p = {null.p_value:.2g}"
        )


def reliability(
    curves: Sequence[Reliability], *, theme: Theme = "light", known: Mapping[str, Mark] | None = None
) -> Figure:
    """Curves over their bands of chance, and below them a histogram of the answers."""
    known = marked((curve.name for curve in curves), known)
    bands = [_band(curve, known[curve.name]) for curve in curves]
    points = [trace for curve in curves for trace in _points(curve, known[curve.name])]
    diagonal: Trace = {
        "type": "scatter",
        "mode": "lines",
        "x": [0, 1],
        "y": [0, 1],
        "line": {"color": GREY, "width": 1, "dash": "dash"},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    shared = {"range": [-0.02, 1.02], "zeroline": False}
    above = Panel(
        [*bands, diagonal, *points], x={**shared, "showticklabels": False}, y={**shared, "title": {"text": "accuracy"}}
    )
    below = Panel(
        [_histogram(curve, known[curve.name]) for curve in curves],
        x={**shared, "title": {"text": "confidence"}},
        y={"title": {"text": "answers"}, "zeroline": False, "rangemode": "tozero", "nticks": 4},
    )
    said = (f"{plain(curve.name)} ({curve.n:,} answers) has a {curve.verdict}" for curve in curves)
    text = f"Reliability diagram: {'; '.join(said) or 'no answers with a confidence'}."
    frame = Frame(left=56, between=16, width=420)
    layout = {"barmode": "group", "bargap": 0.12}
    return sheet([above, below], text, theme=theme, heights=(340, _BELOW), frame=frame, layout=layout)


def reliability_panels(
    panels: Mapping[str, Sequence[Reliability]],
    *,
    theme: Theme = "light",
    known: Mapping[str, Mark] | None = None,
    columns: int = 3,
) -> Figure:
    """Small diagrams without histograms, a panel for each scenario; the counts show on pointing at a point."""
    names = list(dict.fromkeys(curve.name for curves in panels.values() for curve in curves))
    known = marked(names, known)
    shared = {"range": [-0.03, 1.03], "tickvals": [0, 0.5, 1], "zeroline": False}
    diagonal = {"type": "line", "x0": 0, "y0": 0, "x1": 1, "y1": 1, "line": {"color": GREY, "width": 1, "dash": "dash"}}
    drawn, shown = [], set[str]()
    for title, curves in panels.items():
        traces = [_band(curve, known[curve.name]) for curve in curves]
        for curve in curves:
            legend = len(names) > 1 and curve.name not in shown
            traces += [{**trace, "showlegend": legend} for trace in _points(curve, known[curve.name])]
            shown.add(curve.name)
        drawn.append(Panel(traces, cut(title, 34), shared, shared, [diagonal]))
    beyond = [
        f"{plain(curve.name)} on {plain(title)}"
        for title, curves in panels.items()
        for curve in curves
        if curve.error > curve.null.high
    ]
    text = (
        f"Reliability diagrams of {listed(map(plain, names))} on {counted(len(panels), 'scenario')}; "
        f"beyond chance miscalibrated: {listed(beyond) or 'none'}."
    )
    return sheet(drawn, text, theme=theme, columns=columns, height=190, frame=Frame(left=44, between=56, width=620))


def _band(curve: Reliability, mark: Mark) -> Trace:
    """Where the points would lie if the confidences were right."""
    bins = curve.bins
    forward = [b.confidence for b in bins]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [*forward, *reversed(forward)],
        "y": [*(b.null_high for b in bins), *(b.null_low for b in reversed(bins))],
        "fill": "toself",
        "fillcolor": see_through(mark.colour, 0.13),
        "line": {"color": see_through(mark.colour, 0.3), "width": 1, "dash": "dot"},
        "hoverinfo": "skip",
        "legendgroup": curve.name,
        "showlegend": False,
    }


def _points(curve: Reliability, mark: Mark) -> Iterator[Trace]:
    values = [Value(b.accuracy, b.accuracy_low, b.accuracy_high, b.n) for b in curve.bins]
    name = cut(curve.name, 34)
    yield {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "showlegend": True,
        "legendgroup": curve.name,
        "x": [b.confidence for b in curve.bins],
        "y": [b.accuracy for b in curve.bins],
        "error_y": {**errors(values), "color": see_through(mark.colour, 0.6)},
        "line": {"color": mark.colour, "width": 1.4, "dash": mark.dash},
        "marker": {"color": mark.colour, "symbol": mark.sign, "size": 8},
        "hovertext": [
            lines(
                f"<b>{plain(curve.name)}</b>",
                f"confidence {b.low:.2f} to {b.high:.2f}, mean {b.confidence:.2f}",
                f"accuracy {plain(value.shown)}",
                f"by chance {b.null_low:.2f} to {b.null_high:.2f}",
            )
            for b, value in zip(curve.bins, values, strict=True)
        ],
        "hoverinfo": "text",
    }


def _histogram(curve: Reliability, mark: Mark) -> Trace:
    wide = 1 / max(1, len(curve.counts))
    starts = [wide * i for i in range(len(curve.counts))]
    return {
        "type": "bar",
        "x": [start + wide / 2 for start in starts],
        "y": [*curve.counts],
        "marker": {"color": see_through(mark.colour, 0.75), "line": {"width": 0}},
        "hovertext": [
            lines(f"<b>{plain(curve.name)}</b>", f"confidence {start:.2f} to {start + wide:.2f}: {count:,} answers")
            for start, count in zip(starts, curve.counts, strict=True)
        ],
        "hoverinfo": "text",
        "legendgroup": curve.name,
        "showlegend": False,
    }
