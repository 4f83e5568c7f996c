"""What the model's log-probabilities say: confidence in an answer, likelihood of a text.

A model that gives no log-probabilities has an unknown confidence, not a confidence of 1: the score is missing, and
every number made of it is too.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from holoscope.core import Outcome, PlannedRequest, Score, Token, Trial, covering
from holoscope.metrics.answers import best_choices
from holoscope.metrics.separate import is_separate, option_probability, ranking

NO_LOGPROBS = "the model gives no log-probabilities"


def max_prob(trial: Trial) -> Score:
    """Probability of the answer: of the generated text, or of the most likely option among the options."""
    if is_separate(trial):
        ranked = ranking(trial)
        if isinstance(ranked, str):
            return _missing("max_prob", ranked)
        return Score("max_prob", option_probability(ranked))
    choices = best_choices(trial)
    if not choices or choices[0].logprob is None:
        return _missing("max_prob", NO_LOGPROBS)
    return Score("max_prob", min(1.0, math.exp(choices[0].logprob)))


def logprob(trial: Trial) -> Score:
    """Log-probability of the generated text or, for language modelling, of the scored text, in nats."""
    total = 0.0
    for scored in _scored(trial):
        for token in scored.tokens:
            if token.logprob is None:
                return _missing("logprob", NO_LOGPROBS)
            total += token.logprob
    return Score("logprob", total) if _has_tokens(trial) else _missing("logprob", NO_LOGPROBS)


def num_perplexity_tokens(trial: Trial) -> Score:
    """Tokens that `logprob` is the sum over."""
    return _counted("num_perplexity_tokens", trial, lambda scored: len(scored.tokens))


def num_bytes(trial: Trial) -> Score:
    """UTF-8 bytes of what those tokens say."""
    return _counted("num_bytes", trial, lambda scored: scored.size)


def utf8_length(tokens: Sequence[Token]) -> int:
    r"""Bytes of tokens in UTF-8; a token written `bytes:\xe2\x80` counts the bytes it spells.

    >>> utf8_length([Token("é"), Token("한국"), Token(r"bytes:\xe2\x80")])
    10
    """
    return sum(t.text.count("\\x") if t.text.startswith("bytes:") else len(t.text.encode()) for t in tokens)


def conditioned(tokens: Sequence[Token], skipped: int) -> Sequence[Token]:
    """The tokens after those that only condition the model (some tokenizers put an empty one first)."""
    first = 1 if skipped and tokens and tokens[0].text == "" else 0
    return tokens[first + skipped :]


class Scored(NamedTuple):
    """What of a completion counts."""

    tokens: Sequence[Token]
    size: int
    """Bytes."""


def _scored(trial: Trial) -> Iterator[Scored]:
    for exchange in trial.exchanges:
        if exchange.completion.choices:
            yield _of_exchange(exchange.planned, exchange.completion.choices[0].tokens)


def _of_exchange(planned: PlannedRequest, tokens: Sequence[Token]) -> Scored:
    """All tokens of a generation; of a prompt those that were to be scored.

    The first token of a text has no probability where the model put nothing before it, and does not count.
    """
    text = planned.request.continuation
    spelled = covering(tokens, text)
    kept = spelled or conditioned(tokens, planned.num_conditioning_tokens)
    is_scored = planned.request.params.echo_prompt
    given = kept[:1] if is_scored and kept and kept[0] is tokens[0] and kept[0].logprob is None else ()
    kept = kept[len(given) :]
    if spelled or not text:
        return Scored(kept, utf8_length(kept))
    return Scored(kept, max(0, len(text.encode(errors="surrogatepass")) - utf8_length(given)))


def _has_tokens(trial: Trial) -> bool:
    return any(scored.tokens for scored in _scored(trial))


def _counted(name: str, trial: Trial, count: Callable[[Scored], int]) -> Score:
    total = sum(map(count, _scored(trial)))
    return Score(name, float(total)) if _has_tokens(trial) else _missing(name, "the model returns no tokens")


def _missing(name: str, reason: str) -> Score:
    return Score(name, None, Outcome.NOT_SUPPORTED, reason)
