"""CIDEr-D (Vedantam et al. 2015): what an answer shares with people's, words that few of them use counting most.

How rare a word is follows from the references of all instances, so it is a metric of the set: in HELM, which computes
it on one instance at a time, every word is in every text and each value is 0. From 0 to 10, as its authors' program
has it, which also measures a text's length in pairs of words.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from statistics import fmean
from typing import NamedTuple

from holoscope.core import Measure, Score, SetMetric, Trial
from holoscope.metrics.answers import answer, correct_texts
from holoscope.metrics.normalise import normalise
from holoscope.metrics.sets import Estimate, drawn_together, number_of_instances, set_measure

NAME = "cider"
_ORDERS = (1, 2, 3, 4)
_SIGMA = 6.0
_SCALE = 10.0

Ngram = tuple[str, ...]


class Weighed(NamedTuple):
    """A text's n-grams by how much each tells."""

    weights: Mapping[Ngram, float]
    norms: Mapping[int, float]
    pairs: int
    """Its length in pairs of words."""


def cider(trials: Sequence[Trial], scores: Sequence[Sequence[Score]]) -> list[Measure]:
    """The mean over answers, each against its own references."""
    from holoscope import stats

    asked = [trial for trial in trials if trial.failure is None and correct_texts(trial)]
    instances = number_of_instances(asked)
    missing = number_of_instances(trials) - instances
    if instances < 2:
        reason = "how rare a word is can't be told from fewer than two instances with references"
        return [set_measure(NAME, "accuracy", Estimate(None), 0, missing + instances, reason)]
    values = similarities([answer(t).text for t in asked], [correct_texts(t) for t in asked])
    interval = stats.mean_interval(values, drawn_together(asked), ends=(0.0, _SCALE))
    return [set_measure(NAME, "accuracy", Estimate(fmean(values), *(interval or ())), instances, missing, "")]


def similarities(said: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
    """CIDEr-D of each text against its references."""
    counted = [[_counted(text) for text in own] for own in references]
    texts = Counter(ngram for own in counted for ngram in set(chain.from_iterable(own)))
    rarity = {ngram: math.log(len(references) / count) for ngram, count in texts.items()}
    unseen = math.log(len(references))
    found = []
    for text, own in zip(said, counted, strict=True):
        weighed = _weighed(_counted(text), rarity, unseen)
        found.append(_SCALE * fmean(_similarity(weighed, _weighed(one, rarity, unseen)) for one in own))
    return found


def _counted(text: str) -> Counter[Ngram]:
    words = normalise(text, "").split()
    return Counter(gram for n in _ORDERS for gram in zip(*(words[i:] for i in range(n)), strict=False))


def _weighed(counts: Counter[Ngram], rarity: Mapping[Ngram, float], unseen: float) -> Weighed:
    weights = {ngram: count * rarity.get(ngram, unseen) for ngram, count in counts.items()}
    squares = {n: math.fsum(w * w for ngram, w in weights.items() if len(ngram) == n) for n in _ORDERS}
    pairs = sum(count for ngram, count in counts.items() if len(ngram) == 2)
    return Weighed(weights, {n: math.sqrt(square) for n, square in squares.items()}, pairs)


def _similarity(said: Weighed, reference: Weighed) -> float:
    """Mean over n of the clipped cosine, less the more the lengths differ."""
    shared = dict.fromkeys(_ORDERS, 0.0)
    for ngram, weight in said.weights.items():
        wanted = reference.weights.get(ngram, 0.0)
        shared[len(ngram)] += min(weight, wanted) * wanted
    norms = {n: said.norms[n] * reference.norms[n] for n in _ORDERS}
    cosines = (shared[n] / norms[n] if norms[n] else 0.0 for n in _ORDERS)
    return fmean(cosines) * math.exp(-((said.pairs - reference.pairs) ** 2) / (2 * _SIGMA**2))


SET_METRICS: dict[str, SetMetric] = {NAME: cider}
