"""Separate multiple choice: the option that the model itself finds most likely.

Each option was sent as the end of its own prompt, and the model returned the log-probability of every token of it.
An option's score is the mean over its own tokens or, calibrated, how much likelier the question makes it. Options
that tie share the credit: the score is the expected accuracy of picking one of them at random.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from holoscope.core import Exchange, Outcome, Score, Token, Trial

CALIBRATION = "calibration"


class Ranking(NamedTuple):
    """The options' scores, and which of them are on top."""

    scores: tuple[float, ...]
    top: tuple[int, ...]


def is_separate(trial: Trial) -> bool:
    """True if the trial's requests score its references one by one."""
    return trial.exchanges[0].planned.reference_index is not None


def separate_score(trial: Trial) -> Score:
    """Expected accuracy of picking one of the most likely options."""
    ranked = ranking(trial)
    if isinstance(ranked, str):
        return Score("exact_match", None, Outcome.UNGRADABLE, ranked)
    references = trial.instance.references
    value = sum(references[i].is_correct for i in ranked.top) / len(ranked.top)
    return Score("exact_match", value, rule="most_likely_option", answer=references[ranked.top[0]].text)


def predicted_index(trial: Trial) -> Score:
    """Index of the most likely option, the first of those that tie."""
    ranked = ranking(trial) if is_separate(trial) else "the options were not scored one by one"
    if isinstance(ranked, str):
        return Score("predicted_index", None, Outcome.UNGRADABLE, ranked)
    return Score("predicted_index", float(ranked.top[0]), rule="most_likely_option")


def option_probability(ranked: Ranking) -> float:
    """Softmax of the options' scores, at the top."""
    highest = max(ranked.scores)
    return 1 / math.fsum(math.exp(score - highest) for score in ranked.scores)


def option_logprobs(trial: Trial) -> list[float | None]:
    """Summed log-probability of each reference's own tokens, uncalibrated, in nats; None where it is not known."""
    sums: list[float | None] = [None] * len(trial.instance.references)
    for exchange in trial.exchanges:
        index = exchange.planned.reference_index
        found = None if exchange.planned.request_mode == CALIBRATION else _continuation_logprob(exchange)
        if index is not None and found is not None:
            sums[index] = found[0]
    return sums


def ranking(trial: Trial) -> Ranking | str:
    """The options by likelihood, or why they can't be ranked."""
    scores = []
    for index in range(len(trial.instance.references)):
        asked = [e for e in trial.exchanges if e.planned.reference_index == index]
        score = _option_score(asked)
        if score is None or math.isnan(score):
            return f"option {index + 1} has no log-probability"
        scores.append(score)
    if not scores:
        return "the instance has no options"
    highest = max(scores)
    return Ranking(tuple(scores), tuple(i for i, score in enumerate(scores) if score >= highest))


def _option_score(asked: Sequence[Exchange]) -> float | None:
    """Mean log-probability per token or, with a calibration request, the gain over it."""
    sums = {e.planned.request_mode == CALIBRATION: _continuation_logprob(e) for e in asked}
    original = sums.get(False)
    if original is None:
        return None
    if True not in sums:
        return original[0] / original[1]
    calibration = sums[True]
    return None if calibration is None else original[0] - calibration[0]


def _continuation_logprob(exchange: Exchange) -> tuple[float, int] | None:
    """Sum of log-probabilities over the scored reference's tokens, and their number; None if they are not known."""
    choices = exchange.completion.choices
    tokens = _continuation(exchange, choices[0].tokens) if choices else ()
    known = [t.logprob for t in tokens if t.logprob is not None]
    return (sum(known), len(known)) if known else None


def _continuation(exchange: Exchange, tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens of the reference: found by their text, else counted by the plan's tokenizer."""
    planned = exchange.planned
    reference = planned.instance.references[planned.reference_index or 0].text
    start = _token_before(tokens, reference)
    if start is None:
        return tokens[-planned.continuation_tokens :] if planned.continuation_tokens else ()
    return tokens[start:]


def _token_before(tokens: Sequence[Token], reference: str) -> int | None:
    """Index of the first token of `reference` at the end of `tokens`; a space before it that is a token counts."""
    wanted = reference.strip()
    tail = ""
    for index in range(len(tokens) - 1, -1, -1):
        tail = tokens[index].text + tail
        if len(tail.strip()) >= len(wanted):
            if not wanted or tail.strip() != wanted:
                return None
            own_space = not tail[0].isspace() and index > 0 and tokens[index - 1].text.isspace()
            return index - 1 if own_space else index
    return None
