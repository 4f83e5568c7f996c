"""HELM's comparisons as per-instance metrics of a trial.

The completions are ordered by log-probability (a missing one counts as 0, as HELM stores it), stripped, cut down by the
adapter's expression if it has one, and mapped from letters to option texts.
"""

import math
import re
from collections.abc import Callable, Sequence

from holoscope.core import Choice, Completion, Outcome, Score, Trial
from holoscope.metrics.helm.strings import FUNCTIONS, StringFunction
from holoscope.metrics.separate import is_separate, separate_score

VERSION = "helm-0.5.16"

EMPTY = (Choice(text="", logprob=0.0),)
"""What HELM puts in place of a reply that a content filter withheld."""

__all__ = ["EMPTY", "FUNCTIONS", "VERSION", "best", "helm_max_prob", "helm_score", "predictions", "sorted_choices"]


def helm_score(name: str, compare: StringFunction) -> Callable[..., Score]:
    """HELM's metric `name`: the best over right references of the first completion, or of the first `k`."""

    def score(trial: Trial, pattern: str | None = None, k: int = 1) -> Score:
        if is_separate(trial):
            return separate_score(trial)
        golds = [r.text for r in trial.instance.references if r.is_correct]
        if not golds:
            return Score(name, None, Outcome.NOT_SUPPORTED, "no reference of the instance is marked as right")
        said = predictions(trial, pattern)
        return Score(name, best(compare, golds, said[:k]), rule="whole_text", answer=said[0])

    return score


def helm_max_prob(trial: Trial) -> Score:
    """Probability of the most likely completion; 1 where the model gives no log-probabilities."""
    from holoscope.metrics.confidence import max_prob

    if is_separate(trial):
        return max_prob(trial)
    return Score("max_prob", math.exp(sorted_choices(trial.exchanges[0].completion)[0].logprob or 0.0))


def best(compare: StringFunction, golds: Sequence[str], said: Sequence[str | None]) -> float:
    """The best of all pairs."""
    return max(compare(gold, one) for gold in golds for one in said)


def predictions(trial: Trial, pattern: str | None = None) -> list[str | None]:
    """What each completion answers, in HELM's order; None for a letter that the question does not have."""
    exchange = trial.exchanges[0]
    texts = [choice.text.strip() for choice in sorted_choices(exchange.completion)]
    if pattern:
        texts = [_cut_down(text, pattern) for text in texts]
    mapping = exchange.planned.output_mapping
    return list(texts) if mapping is None else [mapping.get(text) for text in texts]


def sorted_choices(completion: Completion) -> Sequence[Choice]:
    """The completion's choices by log-probability, the highest first."""
    choices = completion.choices or EMPTY
    return choices if len(choices) == 1 else sorted(choices, key=lambda c: -(c.logprob or 0.0))


def _cut_down(text: str, pattern: str) -> str:
    match = re.search(pattern, text)
    if match is None:
        return ""
    return match.group(1 if match.re.groups else 0)
