"""What figures need, gathered from stored runs: calibration, robustness, fairness, harms, efficiency, the grid itself,
and what `standing.py` and `comparison.py` found.

Measures are read first, because a row of the grid has them at hand; a run's scores or texts are opened only where a
figure shows instances, and then only the columns it needs. What can't be had is a reason in words in the place of the
value, and the pages show it. `figures/` draws what these functions return.
"""

from holoscope.report.evidence.calibration import Miscalibration, miscalibrations, reliabilities, reliability
from holoscope.report.evidence.comparisons import differences, four_ways
from holoscope.report.evidence.efficiency import costs, latencies
from holoscope.report.evidence.fairness import GroupTable, changes, group_tables
from holoscope.report.evidence.grids import Table, axis_values, by_axis, by_model, multiples
from holoscope.report.evidence.harms import Bias, bias_title, biases, named, toxicity
from holoscope.report.evidence.robustness import Perturbed, perturbed, slopes
from holoscope.report.evidence.standings import overall, points, ranks

__all__ = [
    "Bias",
    "GroupTable",
    "Miscalibration",
    "Perturbed",
    "Table",
    "axis_values",
    "bias_title",
    "biases",
    "by_axis",
    "by_model",
    "changes",
    "costs",
    "differences",
    "four_ways",
    "group_tables",
    "latencies",
    "miscalibrations",
    "multiples",
    "named",
    "overall",
    "perturbed",
    "points",
    "ranks",
    "reliabilities",
    "reliability",
    "slopes",
    "toxicity",
]
