"""Risk against coverage: how wrong a model is on the answers it would give if it kept the unsure ones to itself."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class RiskCoverage(NamedTuple):
    """Area under the curve of risk over coverage."""

    area: float
    """Mean over k of the error rate on the k most confident answers; lower is better (AURC)."""
    excess: float
    """What is above the area that a perfect ordering of the same answers would have (E-AURC)."""


def risk_coverage(confidence: Sequence[float] | Floats, correct: Sequence[float] | Floats) -> RiskCoverage:
    """AURC of a non-empty set. Answers of equal confidence count as in random order, whatever order they come in."""
    p, y = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    _, labels, counts = np.unique(p, return_inverse=True, return_counts=True)
    expected = (np.bincount(labels, y) / counts)[labels]
    area = _area(1 - expected[np.argsort(-p, kind="stable")])
    return RiskCoverage(area, area - _area(np.sort(1 - y)))


def _area(errors: Floats) -> float:
    return float((np.cumsum(errors) / np.arange(1, len(errors) + 1)).mean())
