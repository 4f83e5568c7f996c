"""Scores of trials and measures of sets of them, by axis.

`score` makes a value, or an outcome with a reason, for each trial and metric; `measure` makes the cells of the grid
from them, each with n and an interval. Metrics know no model and draw nothing, so that stored completions can be
scored again at any time. A metric whose HELM definition differs from ours is registered twice, `name` and
`name@helm`, and the second is used under compat; `helm.statistics` gives HELM's own result files for the same trials.
"""

from holoscope.metrics.catalogue import register
from holoscope.metrics.efficiency import TIMED_METRICS
from holoscope.metrics.families import expanded, in_families
from holoscope.metrics.implied import applicable, implied
from holoscope.metrics.measuring import measure
from holoscope.metrics.scoring import score

__all__ = ["TIMED_METRICS", "applicable", "expanded", "implied", "in_families", "measure", "register", "score"]
