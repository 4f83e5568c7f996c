"""What calibration could be had by rescaling: Platt's curve or an isotonic one, each fitted to other answers.

A curve that is fitted and judged on the same answers looks calibrated whatever they are; here every answer is rescaled
by a curve that has not seen it, nor any answer of its cluster.
"""

import random
from collections.abc import Callable, Hashable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from holoscope.stats.interval import cluster_labels

Floats = NDArray[np.float64]
Curve = Callable[[Floats], Floats]
Recalibration = Literal["platt", "isotonic"]

_EPSILON = 1e-12
_STEPS = 50


def cross_fitted(
    confidence: Sequence[float] | Floats,
    correct: Sequence[float] | Floats,
    rng: random.Random,
    *,
    method: Recalibration,
    clusters: Sequence[Hashable] | None = None,
    folds: int = 5,
) -> Floats | None:
    """Each confidence rescaled by a curve fitted to the other folds; None for fewer than two clusters."""
    p, y = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    labels = cluster_labels(clusters, len(p))
    units = int(labels.max()) + 1 if len(p) else 0
    if units < 2:
        return None
    order = list(range(units))
    rng.shuffle(order)
    fold = np.empty(units, dtype=np.int64)
    fold[order] = np.arange(units) % min(folds, units)
    of = fold[labels]
    fit = _FITS[method]
    scaled = np.empty(len(p))
    for k in range(int(of.max()) + 1):
        scaled[of == k] = fit(p[of != k], y[of != k])(p[of == k])
    return scaled


def _platt(p: Floats, y: Floats) -> Curve:
    """A logistic curve by Newton's method, with Platt's targets, which keep it finite where a threshold separates."""
    x = np.stack([_logit(p), np.ones(len(p))], axis=1)
    right = y.sum()
    high, low = (right + 1) / (right + 2), 1 / (len(y) - right + 2)
    target = low + (high - low) * y
    weights = np.zeros(2)
    for _ in range(_STEPS):
        q = _sigmoid(x @ weights)
        gradient = x.T @ (q - target)
        curvature = (x * (q * (1 - q))[:, None]).T @ x + _EPSILON * np.eye(2)
        step = np.linalg.lstsq(curvature, gradient, rcond=None)[0]
        weights = weights - step * min(1.0, 5 / max(float(np.abs(step).max()), _EPSILON))
        if np.abs(step).max() < 1e-8:
            break
    return lambda new: _sigmoid(_logit(new) * weights[0] + weights[1])


def _isotonic(p: Floats, y: Floats) -> Curve:
    """The rising step function nearest to the answers, read between them by straight lines."""
    from scipy.optimize import isotonic_regression

    levels, labels, counts = np.unique(p, return_inverse=True, return_counts=True)
    means = np.bincount(labels, y) / counts
    fitted = isotonic_regression(means, weights=counts).x
    return lambda new: np.interp(new, levels, fitted)


_FITS: dict[str, Callable[[Floats, Floats], Curve]] = {"platt": _platt, "isotonic": _isotonic}


def _sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(x, -500, 500)))


def _logit(p: Floats) -> Floats:
    clipped = np.clip(p, _EPSILON, 1 - _EPSILON)
    return np.log(clipped / (1 - clipped))
