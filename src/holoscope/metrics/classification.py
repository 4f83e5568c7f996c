"""A set of answers as a classifier: precision, recall and F1 by three averages, Matthews' correlation, AUROC.

The labels are the texts of the right references (or those listed), the prediction the option that was chosen or the
label that the answer is or begins with; any other answer is none of the labels. Where the model says how likely its
answer is and there are two labels, the area under the ROC curve is of that probability. Each row of the confusion
matrix is given as shares, with their intervals.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from holoscope.core import Measure, Score, SetMetric, Trial, rng
from holoscope.metrics.answers import answer, chosen_option
from holoscope.metrics.axes import GENERAL
from holoscope.metrics.confidence import NO_LOGPROBS, max_prob
from holoscope.metrics.normalise import normalise
from holoscope.metrics.separate import is_separate, ranking
from holoscope.metrics.sets import Estimate, drawn_together, set_measure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

AVERAGES, SCORES = ("macro", "micro", "weighted"), ("precision", "recall", "f1")

_MOST_LABELS, _MOST_SHOWN = 100, 12
_NAMES = tuple(f"classification_{average}_{score}" for average in AVERAGES for score in SCORES)
_MCC, _AUROC = "classification_mcc", "classification_auroc"


class Row(NamedTuple):
    """One answer: labels by number, -1 for none of them."""

    trial: Trial
    true: int
    predicted: int


def classification(
    trials: Sequence[Trial],
    scores: Sequence[Sequence[Score]],
    labels: Sequence[str] | None = None,
    delimiter: str | None = None,
) -> list[Measure]:
    """Every score of the answers as a classifier, and the confusion matrix of few labels.

    With a `delimiter`, an answer lists any number of labels, and all right references are true.
    """
    if delimiter:
        return _several_labels(trials, labels, delimiter)
    graded = [trial for trial in trials if trial.failure is None and _gold(trial) is not None]
    known = list(dict.fromkeys(map(_bare, labels or sorted(filter(None, map(_gold, graded))))))
    missing = len(trials) - len(graded)
    if not graded or len(known) > _MOST_LABELS:
        few = (
            "no answer has a right reference" if not graded else f"there are {len(known)} labels: these are no classes"
        )
        return [set_measure(name, "accuracy", Estimate(None), 0, missing, few) for name in (*_NAMES, _MCC, _AUROC)]
    rows = [_row(trial, known) for trial in graded]
    rows = [row for row in rows if row.true >= 0]
    return [*_scored(rows, known, len(trials) - len(rows)), *_confusion(rows, known)]


SET_METRICS: dict[str, SetMetric] = {"classification": classification}


def _several_labels(trials: Sequence[Trial], labels: Sequence[str] | None, delimiter: str) -> list[Measure]:
    import numpy as np

    from holoscope import stats

    graded = [trial for trial in trials if trial.failure is None and trial.instance.references]  # none may be right
    golds = [{_bare(r.text) for r in trial.instance.references if r.is_correct} for trial in graded]
    known = list(dict.fromkeys(map(_bare, labels or sorted(set[str]().union(*golds)))))
    missing, reason = len(trials) - len(graded), "no answer has a right reference"
    if not graded:
        return [set_measure(name, "accuracy", Estimate(None), 0, missing, reason) for name in _NAMES]
    answers = [{_bare(part) for part in answer(trial).text.split(delimiter)} for trial in graded]
    true, said = (np.array([[label in own for label in known] for own in sets], float) for sets in (golds, answers))

    def numbers(i: "Ints") -> tuple[float, ...]:
        micro, macro, weighted = stats.averages((true[i] * said[i]).sum(0), true[i].sum(0), said[i].sum(0))
        return (*macro, *micro, *weighted)

    random, clusters = rng(0, "bootstrap", "classification"), drawn_together(graded)
    intervals = stats.bootstrap(numbers, len(graded), random, clusters=clusters)
    values = zip(_NAMES, numbers(np.arange(len(graded))), intervals, strict=True)
    return [set_measure(n, "accuracy", Estimate(v, *(i or ())), len(graded), missing, "") for n, v, i in values]


def predicted(trial: Trial) -> str | None:
    """The text that the answer names: the option's, or the answer itself."""
    if is_separate(trial):
        ranked = ranking(trial)
        return None if isinstance(ranked, str) else trial.instance.references[ranked.top[0]].text
    given, mapping = answer(trial), trial.exchanges[0].planned.output_mapping
    if not mapping:
        return given.text
    found = chosen_option(given, mapping)
    return None if found.answer is None else mapping[found.answer]


def _scored(rows: Sequence[Row], labels: Sequence[str], missing: int) -> Iterator[Measure]:
    import numpy as np

    from holoscope import stats

    true, said = np.array([row.true for row in rows]), np.array([row.predicted for row in rows])
    positive = _probabilities(rows) if len(labels) == 2 else None

    def numbers(indices: "Ints") -> tuple[float, ...]:
        found = stats.classification(stats.confusion_matrix(true[indices], said[indices], len(labels)))
        averages = (getattr(getattr(found, average), score) for average in AVERAGES for score in SCORES)
        area = None if positive is None else stats.auroc(positive[indices], true[indices] == 1)
        return (*averages, *(np.nan if value is None else value for value in (found.mcc, area)))

    random, clusters = rng(0, "bootstrap", "classification"), drawn_together([row.trial for row in rows])
    values = numbers(np.arange(len(rows)))
    intervals = stats.bootstrap(numbers, len(rows), random, clusters=clusters)
    reasons = [""] * len(_NAMES) + ["all answers or all references are of one label", _no_area(labels, positive)]
    for name, value, interval, reason in zip((*_NAMES, _MCC, _AUROC), values, intervals, reasons, strict=True):
        estimate = Estimate(None) if np.isnan(value) else Estimate(value, *(interval or ()))
        yield set_measure(name, "accuracy", estimate, len(rows), missing, reason)


def _confusion(rows: Sequence[Row], labels: Sequence[str]) -> Iterator[Measure]:
    from holoscope import stats

    if len(labels) > _MOST_SHOWN:
        return
    matrix = stats.confusion_matrix([r.true for r in rows], [r.predicted for r in rows], len(labels))
    for gold, counts in zip(labels, matrix.tolist(), strict=True):
        total = sum(counts)
        for said, count in zip((*labels, "(none of them)"), counts, strict=True):
            if not count:
                continue
            ends = stats.wilson(count, total)
            estimate = Estimate(count / total, *((ends.low, ends.high, ends.method) if ends else (None, None, "")))
            yield set_measure(f"confusion:gold={gold},answer={said}", GENERAL, estimate, total, 0, "")


def _row(trial: Trial, labels: Sequence[str]) -> Row:
    gold, said = _bare(_gold(trial) or ""), _bare(predicted(trial) or "")
    return Row(trial, labels.index(gold) if gold in labels else -1, _label(said, labels))


def _label(said: str, labels: Sequence[str]) -> int:
    """The label that the answer is or else begins with, the longest of several."""
    if said in labels:
        return labels.index(said)
    begun = [label for label in labels if label and f"{said} ".startswith(f"{label} ")]
    return labels.index(max(begun, key=len)) if begun else -1


def _probabilities(rows: Sequence[Row]) -> "Floats | None":
    """How likely each answer makes the second of two labels; None where one has no probability or names neither."""
    import numpy as np

    if any(row.predicted < 0 for row in rows):
        return None
    sure = [max_prob(row.trial).value for row in rows]
    if any(p is None for p in sure):
        return None
    return np.array([p if row.predicted else 1 - p for p, row in zip(sure, rows, strict=True) if p is not None])


def _no_area(labels: Sequence[str], positive: object) -> str:
    if len(labels) != 2:
        return "the area under the ROC curve is of two labels"
    return f"{NO_LOGPROBS}, or an answer is none of the labels" if positive is None else "there is only one label"


def _gold(trial: Trial) -> str | None:
    return next((r.text for r in trial.instance.references if r.is_correct), None)


def _bare(text: str) -> str:
    return normalise(text, "")
