"""How well confidence matches correctness: expected calibration error, selective accuracy, Platt scaling.

The definitions are those of the `uncertainty-calibration` package and scikit-learn's logistic regression, which
HELM's published numbers come from, down to the optimiser's tolerances: Platt's fit stops early on data that a
threshold separates, so another optimiser would report another slope.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_EPSILON = 1e-12
_INVERSE_PENALTY = 1e10
"""Platt's C: next to no regularisation."""


class Platt(NamedTuple):
    """`probability = 1 / (1 + exp(-(coef * logit(confidence) + intercept)))`."""

    coef: float
    intercept: float

    def apply(self, confidence: Sequence[float] | Floats) -> Floats:
        """Recalibrated confidences."""
        return 1 / (1 + np.exp(-(_logit(confidence) * self.coef + self.intercept)))


class Selective(NamedTuple):
    """Accuracy on the answers the model is most sure of."""

    area: float
    """Mean over k of the accuracy of the k most confident answers."""
    accuracy_at_10: float
    """Accuracy on the most confident tenth."""


class Calibration(NamedTuple):
    """Every calibration number of one set of answers; `platt` is None where all are right or all wrong."""

    ece_10_bin: float
    ece_1_bin: float
    selective_area: float
    selective_accuracy_at_10: float
    platt: Platt | None
    platt_ece_10_bin: float
    platt_ece_1_bin: float


def calibration(confidence: Sequence[float] | Floats, correct: Sequence[float] | Floats) -> Calibration:
    """All calibration numbers of a non-empty set; `correct` holds 0 and 1, or expectations of them."""
    p, y = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    selective = selective_accuracy(p, y)
    fit = platt(p, y)
    scaled = fit.apply(p) if fit else None
    return Calibration(
        ece_10_bin=equal_mass_ece(p, y),
        ece_1_bin=equal_width_ece(p, y, bins=1),
        selective_area=selective.area,
        selective_accuracy_at_10=selective.accuracy_at_10,
        platt=fit,
        # Where all answers are alike, the best constant forecast is perfect, and HELM reports 0.
        platt_ece_10_bin=0.0 if scaled is None else equal_mass_ece(scaled, y),
        platt_ece_1_bin=0.0 if scaled is None else equal_width_ece(scaled, y, bins=1),
    )


def equal_mass_ece(confidence: Sequence[float] | Floats, correct: Sequence[float] | Floats, *, bins: int = 10) -> float:
    """Expected calibration error over bins that hold about equally many answers; equal confidences share a bin."""
    p, y = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    return _ece(p, y, equal_mass_edges(p, bins=bins))


def equal_mass_edges(p: Floats, *, bins: int = 10) -> Floats:
    """Ends of bins that hold about equally many of the confidences; the last is 1."""
    ordered = np.sort(p)
    starts = np.cumsum([len(part) for part in np.array_split(ordered, min(bins, len(p)))])[:-1]
    return np.unique(np.append((ordered[starts - 1] + ordered[starts]) / 2, 1.0))


def equal_width_ece(confidence: Sequence[float] | Floats, correct: Sequence[float] | Floats, *, bins: int) -> float:
    """Expected calibration error over bins of equal width; with one bin, |mean confidence - accuracy|."""
    p, y = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    return _ece(p, y, np.arange(1, bins + 1) / bins)


def selective_accuracy(confidence: Sequence[float] | Floats, correct: Sequence[float] | Floats) -> Selective:
    """Accuracy by confidence. Equal confidences keep their order, so that the result is the same on any machine."""
    p, y = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    accuracy = np.cumsum(y[np.argsort(-p, kind="stable")]) / np.arange(1, len(y) + 1)
    return Selective(float(accuracy.mean()), float(accuracy[int(0.1 * len(y))]))


def platt(confidence: Sequence[float] | Floats, correct: Sequence[float] | Floats) -> Platt | None:
    """Fit a logistic curve from confidence to correctness; None where all answers are right or all wrong."""
    from scipy.optimize import minimize

    x, y = _logit(confidence), np.asarray(correct, dtype=np.float64)
    if y.sum() in (0, len(y)):
        return None
    penalty = 1 / (_INVERSE_PENALTY * len(y))

    def objective(weights: Floats) -> tuple[float, Floats]:
        points = [
            _loss(raw, label) for raw, label in zip((x * weights[0] + weights[1]).tolist(), y.tolist(), strict=True)
        ]
        loss, slope = np.array(points).T
        slope = slope / len(y)
        value = loss.sum() / len(y) + 0.5 * penalty * weights[0] * weights[0]
        return float(value), np.array([x @ slope + penalty * weights[0], slope.sum()])

    options = {"maxiter": 100, "maxls": 50, "gtol": 1e-4, "ftol": 64 * np.finfo(float).eps}
    found = minimize(objective, np.zeros(2), jac=True, method="L-BFGS-B", options=options)
    return Platt(float(found.x[0]), float(found.x[1]))


def _loss(raw: float, label: float) -> tuple[float, float]:
    """Negative log-likelihood of one answer and its derivative, without overflow, in the C library's arithmetic.

    numpy's vectorised exp differs in the last bit from one processor to the next, and an ill-conditioned fit
    multiplies that.
    """
    if raw <= -2:
        e = math.exp(raw)
        return math.log1p(e) - label * raw, ((1 - label) * e - label) / (1 + e)
    e = math.exp(-raw)
    return math.log1p(e) + (1 - label) * raw, ((1 - label) - label * e) / (1 + e)


def _logit(confidence: Sequence[float] | Floats) -> Floats:
    p = np.clip(np.asarray(confidence, dtype=np.float64), _EPSILON, 1 - _EPSILON)
    return np.log(p / (1 - p))


def _ece(p: Floats, y: Floats, edges: Floats) -> float:
    """Sum over bins of |sum of (confidence - correct)| / n: each bin's gap times its share. Bins include their end."""
    gaps = np.bincount(np.searchsorted(edges, np.minimum(p, 1.0)), weights=p - y, minlength=len(edges))
    return float(np.abs(gaps).sum() / len(p))
