"""How well named phrases were found: F1 over the words of each kind, averaged over the kinds (KPI-EDGAR).

An answer lists phrases with their kind in brackets, `total revenue [kpi], 12 [cy]`. Words are counted over all
instances before a kind's F1 is taken; the adjusted F1 is that of shares, as KPI-EDGAR's authors define it.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from holoscope.core import Measure, Score, SetMetric, Trial, rng
from holoscope.metrics.answers import answer, correct_texts
from holoscope.metrics.separate import is_separate
from holoscope.metrics.sets import Estimate, drawn_together, set_measure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

NAMES = ("word_macro_f1_score", "adjusted_macro_f1_score")
KINDS = ("kpi", "cy", "py", "py1")
_PHRASE = re.compile(r"(?:^|(?<=\],))([^\[\]]+)\[([0-9a-z]+)\](?:$|(?=,))")


def words_by_kind(text: str) -> dict[str, set[str]]:
    """The words of each kind of phrase.

    >>> words_by_kind("net income [kpi], 7 [cy]")["kpi"] == {"net", "income"}
    True
    """
    found: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for phrase, kind in _PHRASE.findall(text.strip()):
        found.get(kind, set()).update(phrase.split())
    return found


def f1_scores(counts: "Floats") -> tuple[float, float]:
    """Both scores of counts by kind: words shared, said, and wanted."""
    shared, said, wanted = counts.T
    plain = [_ratio(2 * s, a + w) for s, a, w in zip(shared, said, wanted, strict=True)]
    shares = [(_ratio(s, w), _ratio(a - s, a), float(w > 0)) for s, a, w in zip(shared, said, wanted, strict=True)]
    adjusted = [_ratio(2 * true, 2 * true + untrue + (any_wanted - true)) for true, untrue, any_wanted in shares]
    return sum(plain) / len(KINDS), sum(adjusted) / len(KINDS)


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0


def macro_f1(trials: Sequence[Trial], scores: Sequence[Sequence[Score]]) -> list[Measure]:
    """Both scores of a set of answers."""
    import numpy as np

    from holoscope import stats

    graded = [t for t in trials if t.failure is None and not is_separate(t) and correct_texts(t)]
    missing = len(trials) - len(graded)
    if not graded:
        return [set_measure(name, "accuracy", Estimate(None), 0, missing, "no answer lists phrases") for name in NAMES]
    counts = np.array([_counts(trial) for trial in graded], float)

    def both(i: "Ints") -> tuple[float, float]:
        return f1_scores(counts[i].sum(axis=0))

    clusters = drawn_together(graded)
    intervals = stats.bootstrap(both, len(graded), rng(0, "bootstrap", "entities"), clusters=clusters)
    values = zip(NAMES, both(np.arange(len(graded))), intervals, strict=True)
    return [set_measure(n, "accuracy", Estimate(v, *(i or ())), len(graded), missing, "") for n, v, i in values]


def _counts(trial: Trial) -> list[tuple[int, int, int]]:
    said, wanted = words_by_kind(answer(trial).text), words_by_kind(correct_texts(trial)[0])
    return [(len(said[kind] & wanted[kind]), len(said[kind]), len(wanted[kind])) for kind in KINDS]


SET_METRICS: dict[str, SetMetric] = {"kpi_edgar": macro_f1}
