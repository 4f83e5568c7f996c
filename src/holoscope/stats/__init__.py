"""Uncertainty, comparison and calibration: pure functions on arrays.

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
from holoscope.stats.classification import Averages, Classification, auroc, averages, classification, confusion_matrix
from holoscope.stats.equivalence import Equivalence, tost
from holoscope.stats.interval import Interval, mean_interval, proportion_interval, quantile_interval, wilson
from holoscope.stats.miscalibration import (
    ece_interval,
    gap_interval,
    l2_interval,
    selective_interval,
    smooth_interval,
    top_interval,
)
from holoscope.stats.multiplicity import holm
from holoscope.stats.pairs import Counts, PairedDifference, mcnemar, paired_difference, tango
from holoscope.stats.pareto import Dominance, Point, pareto
from holoscope.stats.passing import pass_at_k
from holoscope.stats.permutation import Gap, gap_test, paired_test
from holoscope.stats.power import detectable, mcnemar_power, paired_detectable, unpaired_detectable
from holoscope.stats.ranks import PairMoments, Ranks, one_sided, pair_moments, rank_intervals
from holoscope.stats.recalibration import cross_fitted
from holoscope.stats.reliability import Bin, Brier, Null, brier, consistency_null, debiased_l2_ece, reliability_curve
from holoscope.stats.selective import RiskCoverage, risk_coverage
from holoscope.stats.shrinkage import Shrunken, shrunken
from holoscope.stats.smooth import smooth_ece, smooth_ece_at
from holoscope.stats.unpaired import Estimate, mean_of, unpaired_difference
from holoscope.stats.weightings import Weighted, share_ahead, weighted
from holoscope.stats.win_rates import mean_win_rates, win_rates

__all__ = [
    "Averages",
    "Bin",
    "Brier",
    "Calibration",
    "Classification",
    "Counts",
    "Dominance",
    "Equivalence",
    "Estimate",
    "Gap",
    "Interval",
    "Null",
    "PairMoments",
    "PairedDifference",
    "Platt",
    "Point",
    "Ranks",
    "RiskCoverage",
    "Shrunken",
    "Weighted",
    "auroc",
    "averages",
    "bootstrap",
    "brier",
    "calibration",
    "classification",
    "confusion_matrix",
    "consistency_null",
    "cross_fitted",
    "debiased_l2_ece",
    "detectable",
    "ece_interval",
    "equal_mass_ece",
    "equal_width_ece",
    "gap_interval",
    "gap_test",
    "holm",
    "l2_interval",
    "mcnemar",
    "mcnemar_power",
    "mean_interval",
    "mean_of",
    "mean_win_rates",
    "one_sided",
    "pair_moments",
    "paired_detectable",
    "paired_difference",
    "paired_test",
    "pareto",
    "pass_at_k",
    "platt",
    "proportion_interval",
    "quantile_interval",
    "rank_intervals",
    "reliability_curve",
    "risk_coverage",
    "selective_accuracy",
    "selective_interval",
    "share_ahead",
    "shrunken",
    "smooth_ece",
    "smooth_ece_at",
    "smooth_interval",
    "tango",
    "top_interval",
    "tost",
    "unpaired_detectable",
    "unpaired_difference",
    "weighted",
    "wilson",
    "win_rates",
]
