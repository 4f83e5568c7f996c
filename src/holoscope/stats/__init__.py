"""Uncertainty and calibration: pure functions on arrays.

A number never leaves here without the means to say how sure it is. An interval that the data cannot support (fewer
than two independent observations, a bootstrap that never varies) is None, never NaN and never a width of zero passed
off as certainty. Nothing is drawn but from a generator handed in, so equal input gives equal output.
"""

from holoscope.stats.bootstrap import bootstrap
from holoscope.stats.calibration import (
    Calibration,
    Platt,
    calibration,
    equal_mass_ece,
    equal_width_ece,
    platt,
    selective_accuracy,
)
from holoscope.stats.interval import Interval, mean_interval, proportion_interval, quantile_interval, wilson

__all__ = [
    "Calibration",
    "Interval",
    "Platt",
    "bootstrap",
    "calibration",
    "equal_mass_ece",
    "equal_width_ece",
    "mean_interval",
    "platt",
    "proportion_interval",
    "quantile_interval",
    "selective_accuracy",
    "wilson",
]
