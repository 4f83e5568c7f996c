"""Similarity by a language model: BERTScore (Zhang et al. 2020).

It needs torch and the weights of an encoder, so it comes with an extra and fetches its weights when first used. Its
values depend on the encoder, whose name is each score's rule.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from holoscope.core import Metric, MissingExtraError, Outcome, Score, Trial
from holoscope.metrics.answers import answer, correct_texts, shown
from holoscope.metrics.separate import is_separate

ScoreFunction = Callable[..., Score]

_ENCODER = "microsoft/deberta-large-mnli"
_PARTS = {"BERTScore-P": "precision", "BERTScore-R": "recall", "BERTScore-F": "F1"}


@cache
def scorer(encoder: str) -> Any:
    """`bert-score`'s scorer, rescaled with its baseline as HELM's is."""
    try:
        from bert_score import BERTScorer
    except ModuleNotFoundError:
        raise MissingExtraError("BERTScore", "neural") from None
    return BERTScorer(model_type=encoder, lang="en", rescale_with_baseline=True)


def bert_score(name: str) -> ScoreFunction:
    """The best over right references of the precision, recall or F1 of contextual embeddings."""
    part = list(_PARTS).index(name)

    def score(trial: Trial, encoder: str = _ENCODER) -> Score:
        golds = [] if is_separate(trial) else [gold for gold in correct_texts(trial) if gold.strip()]
        if not golds:
            return Score(name, None, Outcome.NOT_SUPPORTED, "no reference marked as right holds text")
        said = answer(trial).text.strip()
        if not said:
            return Score(name, None, Outcome.UNGRADABLE, "the answer is empty")
        values = scorer(encoder).score([said] * len(golds), golds)[part]
        return Score(name, max(float(value) for value in values), rule=encoder, answer=shown(said))

    return score


def cards() -> Sequence[Metric]:
    return [
        Metric(
            name=name,
            version="1",
            axis="accuracy",
            title=f"BERTScore {part}",
            score=bert_score(name),
            needs=("references",),
            note=f"BERTScore by {_ENCODER} unless another encoder is named",
        )
        for name, part in _PARTS.items()
    ]
