"""A figure in a notebook: one line, `show(figure)`."""

from typing import TYPE_CHECKING

from holoscope.core import MissingExtraError
from holoscope.report.figures.sheet import Figure

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as PlotlyFigure


def show(figure: Figure) -> "PlotlyFigure":
    """The figure as plotly's own object, which a notebook draws; checked in full on the way."""
    try:
        from plotly.graph_objects import Figure as PlotlyFigure
    except ImportError as error:
        raise MissingExtraError("a figure in a notebook", "figures") from error
    return PlotlyFigure(figure)
