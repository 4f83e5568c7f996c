"""Scores of a classifier from its confusion matrix, and the area under its ROC curve.

An answer that is none of the known labels is an error of recall for the true label and of precision for no label. The
undefined (a label that was never predicted has no precision) counts as 0 where labels are averaged, as in scikit-learn.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Averages(NamedTuple):
    """Precision, recall and F1 in one way of averaging over labels."""

    precision: float
    recall: float
    f1: float


class Classification(NamedTuple):
    """A classifier's scores."""

    micro: Averages
    macro: Averages
    """Labels count alike, however rare."""
    weighted: Averages
    """Labels count as often as they are right."""
    mcc: float | None
    """Matthews' correlation of predicted and true labels; None where either is always the same."""


def confusion_matrix(true: Sequence[int] | Ints, predicted: Sequence[int] | Ints, labels: int) -> Ints:
    """Counts by true (row) and predicted (column) label; the last column is for answers that are no label (-1)."""
    t, p = np.asarray(true, dtype=np.int64), np.asarray(predicted, dtype=np.int64)
    column = np.where(p < 0, labels, p)
    return np.bincount(t * (labels + 1) + column, minlength=labels * (labels + 1)).reshape(labels, labels + 1)


def classification(matrix: Ints) -> Classification:
    """The scores of a confusion matrix of at least one answer."""
    right = np.diagonal(matrix).astype(np.float64)
    true, predicted = matrix.sum(axis=1).astype(np.float64), matrix[:, :-1].sum(axis=0).astype(np.float64)
    return Classification(*averages(right, true, predicted), mcc=_mcc(matrix, right, true))


def averages(right: Floats, true: Floats, predicted: Floats) -> tuple[Averages, Averages, Averages]:
    """Micro, macro and weighted averages, from how often each label was predicted rightly, was true, was predicted."""
    precision, recall, f1 = _ratio(right, predicted), _ratio(right, true), _ratio(2 * right, predicted + true)
    micro = (right.sum(), predicted.sum()), (right.sum(), true.sum()), (2 * right.sum(), predicted.sum() + true.sum())
    share = true / true.sum() if true.sum() else np.zeros_like(true)
    return (
        Averages(*(float(above / below) if below else 0.0 for above, below in micro)),
        Averages(float(precision.mean()), float(recall.mean()), float(f1.mean())),
        Averages(*(float((share * of).sum()) for of in (precision, recall, f1))),
    )


def auroc(scores: Sequence[float] | Floats, positive: Sequence[bool] | NDArray[np.bool_]) -> float | None:
    """Probability that a positive scores above a negative, ties counting half; None without one of each."""
    s, is_positive = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=bool)
    hits = int(is_positive.sum())
    misses = len(s) - hits
    if not hits or not misses:
        return None
    _, levels, counts = np.unique(s, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[levels]
    return float((ranks[is_positive].sum() - hits * (hits + 1) / 2) / (hits * misses))


def _mcc(matrix: Ints, right: Floats, true: Floats) -> float | None:
    """Gorodkin's correlation for any number of labels; answers that are no label count as one of their own."""
    n = float(matrix.sum())
    predicted = matrix.sum(axis=0).astype(np.float64)
    spread = (n * n - (predicted**2).sum()) * (n * n - (true**2).sum())
    if spread <= 0:
        return None
    together = n * right.sum() - (predicted[:-1] * true).sum()
    return float(together / np.sqrt(spread))


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
