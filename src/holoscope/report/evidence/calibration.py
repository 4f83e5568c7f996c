"""Calibration: reliability curves from confidence and correctness by instance, and the errors beside chance's own.

The errors and what chance alone would show are measures of the run and are read from there; only a curve needs the
answers one by one, and of them three columns.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from holoscope.core import rng
from holoscope.report.evidence.measured import stored_values, whole
from holoscope.report.figures import Reliability, Value
from holoscope.report.grid import Row
from holoscope.store import SCORES, StoredRun

CONFIDENCE, CORRECT = "max_prob", "exact_match"
_ERROR, _CHANCE, _P_VALUE = "ece_10_bin", "ece_of_calibrated", "calibration_p_value"
_COUNTS = 20
"""Bars of the histogram of confidences."""
_RESAMPLES = 400
"""Draws behind the band of a curve: its ends move by about a hundredth with more."""


class Miscalibration(NamedTuple):
    """A run's calibration error and what calibrated answers of the same confidences would show."""

    model: str
    scenario: str
    error: Value
    chance: Value
    p_value: float | None


def miscalibrations(rows: Iterable[Row]) -> list[Miscalibration]:
    """The errors of all rows, from their measures."""
    found = []
    for row in rows:
        p = whole(row, _P_VALUE)
        headline = row.headlines.get("calibration")
        error = whole(row, _ERROR)
        value = Value.of(error) if error else Value(None, reason=headline.reason if headline else "not measured")
        chance = Value.of(whole(row, _CHANCE))
        found.append(Miscalibration(row.model, str(row.label), value, chance, p.value if p else None))
    return found


def reliability(row: Row, run: StoredRun, *, name: str = "") -> Reliability | str:
    """The reliability curve of a run, called `name` (its model), or why there is none."""
    error = whole(row, _ERROR)
    if error is None or error.value is None:
        headline = row.headlines.get("calibration")
        return error.reason if error else headline.reason if headline else "not measured"
    pairs = _pairs(row, run)
    if isinstance(pairs, str):
        return pairs
    if not pairs:
        return "no instance has both a confidence and a grade"
    return _curve(name or row.model, pairs, error.value, row)


def reliabilities(pairs: Iterable[tuple[Row, StoredRun]]) -> Mapping[str, list[Reliability | str]]:
    """Curves by scenario, for as many runs as are handed in: a file is opened for each."""
    found: dict[str, list[Reliability | str]] = {}
    for row, run in pairs:
        found.setdefault(str(row.label), []).append(reliability(row, run))
    return found


def _pairs(row: Row, run: StoredRun) -> list[tuple[float, float]] | str:
    """Confidence and correctness of each answer, in plan order."""
    names = ("metric", "instance_id", "train_trial_index", "trial", "value")
    found = stored_values(row, run, SCORES, names, {"metric": (CONFIDENCE, CORRECT)})
    if isinstance(found, str):
        return found
    own: dict[tuple[str, int, int], dict[str, float | None]] = {}
    for metric, identity, train_trial, trial, value in found:
        own.setdefault((identity, train_trial, trial), {})[metric] = value
    return list(_complete(own.values()))


def _complete(answers: Iterable[Mapping[str, float | None]]) -> Iterator[tuple[float, float]]:
    for answer in answers:
        sure, right = answer.get(CONFIDENCE), answer.get(CORRECT)
        if sure is not None and right is not None:
            yield sure, right


def _curve(name: str, pairs: list[tuple[float, float]], error: float, row: Row) -> Reliability:
    import numpy as np

    from holoscope.stats import Null, consistency_null, reliability_curve

    p, y = np.array(pairs, dtype=np.float64).T
    key = f"{row.manifest.spec.name}"
    bins = reliability_curve(p, y, rng(0, "reliability", key), resamples=_RESAMPLES)
    chance, p_value = whole(row, _CHANCE), whole(row, _P_VALUE)
    if chance and p_value and None not in (chance.value, chance.low, chance.high, p_value.value):
        null = Null(error, chance.value or 0.0, chance.low or 0.0, chance.high or 0.0, p_value.value or 0.0)
    else:
        null = consistency_null(p, y, rng(0, "null", key), resamples=_RESAMPLES)
    counts = np.histogram(np.clip(p, 0.0, 1.0), _COUNTS, (0.0, 1.0))[0]
    return Reliability(name, tuple(bins), tuple(map(int, counts)), len(pairs), error, null)
