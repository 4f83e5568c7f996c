"""Every figure of the pages, of notebooks and of papers, as pure functions from plain values.

A figure is a plotly figure as a plain dictionary, so making one needs neither plotly nor a browser: a page draws it
with plotly's script, `show` hands it to a notebook, `report/images.py` makes a picture of it. It carries a sentence for
who can't see it (`alternative`). The functions know no runs and no files: they take frozen values with their intervals
and reasons, and `report/evidence` gathers those. Colours of the surroundings are one template (`template`), so a page
changes theme by swapping it; a model has one colour, sign and dash everywhere (`marks`), and no colour stands alone.
"""

from holoscope.report.figures.distributions import Sample, Shares, distribution, named_shares
from holoscope.report.figures.forest import Change, Group, gaps, group_forest
from holoscope.report.figures.heatmap import Shaded, heatmap
from holoscope.report.figures.look import Mark, Theme, marks, template
from holoscope.report.figures.notebook import show
from holoscope.report.figures.paired import Difference, FourWay, outcome_bars, paired_forest
from holoscope.report.figures.paper import Against, Placed, against, bars, boxes, curves
from holoscope.report.figures.profile import Dot, radar, small_multiples, strips
from holoscope.report.figures.reliability import Reliability, reliability, reliability_panels
from holoscope.report.figures.sheet import Figure, alternative, themed
from holoscope.report.figures.slopes import Slope, robustness_slopes
from holoscope.report.figures.standing import Point, Rank, leaderboard, pareto, ranked_bars
from holoscope.report.figures.values import Value

__all__ = [
    "Against",
    "Change",
    "Difference",
    "Dot",
    "Figure",
    "FourWay",
    "Group",
    "Mark",
    "Placed",
    "Point",
    "Rank",
    "Reliability",
    "Sample",
    "Shaded",
    "Shares",
    "Slope",
    "Theme",
    "Value",
    "against",
    "alternative",
    "bars",
    "boxes",
    "curves",
    "distribution",
    "gaps",
    "group_forest",
    "heatmap",
    "leaderboard",
    "marks",
    "named_shares",
    "outcome_bars",
    "paired_forest",
    "pareto",
    "radar",
    "ranked_bars",
    "reliability",
    "reliability_panels",
    "robustness_slopes",
    "show",
    "small_multiples",
    "strips",
    "template",
    "themed",
]
