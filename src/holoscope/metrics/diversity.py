"""How different the completions of one request are: self-BLEU, and the entropy of what the model would write.

Both need several draws or log-probabilities; without them they are unknown, not 0.
"""

from collections.abc import Sequence
from statistics import fmean

from holoscope.core import Metric, Outcome, Score, Trial
from holoscope.metrics.axes import GENERAL
from holoscope.metrics.confidence import NO_LOGPROBS
from holoscope.metrics.separate import is_separate
from holoscope.metrics.translation import engine
from holoscope.metrics.written import written

SELF_BLEU, ENTROPY = "self_bleu", "monte_carlo_entropy"


def self_bleu(trial: Trial, language: str = "en") -> Score:
    """Mean sentence BLEU of each completion against the others, between 0 and 1: 1 where all are the same."""
    texts = [text for text in written(trial) if text]
    if len(texts) < 2:
        reason = f"{len(texts)} of the request's completions holds text, and two are needed"
        return Score(SELF_BLEU, None, Outcome.NOT_SUPPORTED, reason)
    return Score(SELF_BLEU, min(1.0, mean_bleu(texts, language) / 100))


def entropy(trial: Trial) -> Score:
    """Mean negative log-probability of the completions, in nats: an estimate of the entropy at temperature 1."""
    value = entropy_value(trial)
    if value is None or is_separate(trial):
        return Score(ENTROPY, None, Outcome.NOT_SUPPORTED, NO_LOGPROBS)
    return Score(ENTROPY, value)


def entropy_value(trial: Trial) -> float | None:
    """The mean over completions that have tokens; None where no token has a log-probability."""
    tokens = [choice.tokens for e in trial.exchanges for choice in e.completion.choices if choice.tokens]
    if not tokens or any(token.logprob is None for own in tokens for token in own):
        return None
    return fmean(-sum(token.logprob or 0.0 for token in own) for own in tokens)


def cards() -> Sequence[Metric]:
    return [
        Metric(name=SELF_BLEU, version="1", axis=GENERAL, title="Self-BLEU", lower_is_better=True, score=self_bleu),
        Metric(name=ENTROPY, version="1", axis=GENERAL, title="Entropy of completions (nats)", score=entropy),
    ]


def mean_bleu(texts: Sequence[str], language: str) -> float:
    """Mean sentence BLEU of each text against the others, from 0 to 100."""
    bleu = engine("bleu", language, sentence=True)
    return fmean(
        bleu.sentence_score(text, [*texts[:index], *texts[index + 1 :]]).score for index, text in enumerate(texts)
    )
