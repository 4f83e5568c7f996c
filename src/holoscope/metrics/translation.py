"""BLEU and chrF as `sacrebleu` defines them, between 0 and 1.

A sentence's score is a metric of its trial. The corpus score, which papers report, is not the mean of those: it adds up
the n-grams of all sentences first, so it is a metric of the set, with an interval from resampled sentences. The
tokenizer follows the target language; in scripts without spaces BLEU counts characters.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from holoscope.core import Measure, Metric, MissingExtraError, Outcome, Score, SetMetric, Trial, rng
from holoscope.metrics.answers import answer, correct_texts, shown
from holoscope.metrics.separate import is_separate
from holoscope.metrics.sets import Estimate, drawn_together, set_measure

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as Engine

ScoreFunction = Callable[..., Score]

_TOKENIZERS = {"zh": "zh"} | dict.fromkeys(("ja", "ko", "th", "lo", "km", "my"), "char")
_PER_CENT = 100.0
_WITHOUT_REFERENCE = "no reference of the instance is marked as right"


@cache
def engine(name: str, language: str = "en", *, sentence: bool = False) -> "Engine":
    """`sacrebleu`'s metric: BLEU, chrF (character 6-grams) or chrF++ (and word bigrams)."""
    try:
        from sacrebleu.metrics.bleu import BLEU
        from sacrebleu.metrics.chrf import CHRF
    except ModuleNotFoundError:
        raise MissingExtraError("BLEU and chrF", "text") from None
    if name == "bleu":
        return BLEU(tokenize=_TOKENIZERS.get(language, "13a"), effective_order=sentence)
    return CHRF(word_order=2 if name == "chrf++" else 0)


def sentence(name: str) -> ScoreFunction:
    """The metric of one sentence against all its references."""

    def score(trial: Trial, language: str = "en") -> Score:
        golds = _references(trial)
        if not golds:
            return Score(name, None, Outcome.NOT_SUPPORTED, _WITHOUT_REFERENCE)
        said = answer(trial).text.strip()
        if not said:
            return Score(name, 0.0, reason="the answer is empty", rule="empty_answer", answer="")
        found = engine(name, language, sentence=True).sentence_score(said, golds).score
        return Score(name, _share(found), rule="whole_text", answer=shown(said))

    return score


def corpus(name: str) -> SetMetric:
    """The metric of all sentences together."""

    def measured(trials: Sequence[Trial], scores: Sequence[Sequence[Score]], language: str = "en") -> list[Measure]:
        asked = [t for t in trials if t.failure is None and _references(t)]
        missing = len(trials) - len(asked)
        if not asked:
            return [set_measure(f"corpus_{name}", "accuracy", Estimate(None), 0, missing, _WITHOUT_REFERENCE)]
        try:
            estimate = _estimate(name, asked, language)
        except MissingExtraError as error:
            return [set_measure(f"corpus_{name}", "accuracy", Estimate(None), 0, len(trials), str(error))]
        return [set_measure(f"corpus_{name}", "accuracy", estimate, len(asked), missing, "")]

    return measured


_TITLES = {"bleu": "Sentence BLEU", "chrf": "chrF", "chrf++": "chrF++"}

SET_METRICS: dict[str, SetMetric] = {f"corpus_{name}": corpus(name) for name in _TITLES}


def cards() -> Sequence[Metric]:
    return [
        Metric(name=name, version="1", axis="accuracy", title=title, score=sentence(name), needs=("references",))
        for name, title in _TITLES.items()
    ]


def _references(trial: Trial) -> list[str]:
    return [] if is_separate(trial) else [gold for gold in correct_texts(trial) if gold.strip()]


def _estimate(name: str, trials: Sequence[Trial], language: str) -> Estimate:
    """Value and interval from the counts of each sentence, which `sacrebleu` keeps to itself."""
    import numpy as np

    from holoscope import stats

    metric = engine(name, language)
    counts = np.array([_counts(metric, answer(t).text.strip(), _references(t)) for t in trials])

    def value(indices: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> tuple[float]:
        return (_share(metric._compute_score_from_stats(counts[indices].sum(axis=0).tolist()).score),)

    random, clusters = rng(0, "bootstrap", f"corpus_{name}"), drawn_together(trials)
    interval = stats.bootstrap(value, len(trials), random, clusters=clusters)[0]
    estimate = Estimate(value(np.arange(len(trials)))[0], *(interval or ()))
    signature = metric.get_signature().format(short=True)
    return estimate._replace(method="; ".join(part for part in (estimate.method, signature) if part))


def _counts(metric: "Engine", said: str, golds: Sequence[str]) -> list[int]:
    return list(metric._extract_corpus_statistics([said], [[gold] for gold in golds])[0])


def _share(per_cent: float) -> float:
    return min(1.0, max(0.0, per_cent / _PER_CENT))
