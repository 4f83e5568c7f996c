"""From a request to a task: tokens, the part that is scored, and the draws.

A prompt is tokenized once, whole, and divided at token ends: the parts tokenized apart would be other tokens, and a
model finds those improbable.
"""

import random
from bisect import bisect_right
from typing import NamedTuple

from holoscope.core import Completion, NotSupportedError, Outcome, Request, digest, rng
from holoscope.models.local._chat import render_chat
from holoscope.models.local._sequence import split
from holoscope.models.local._tasks import Answering, Scoring, Task
from holoscope.models.local._weights import Weights, encoded
from holoscope.models.thinking import TAGS


def task_of(request: Request, weights: Weights, window: int, seed: int | None) -> Task | Completion:
    """What has to be computed for a request; a completion where that is clear without. Raises NotSupportedError."""
    if request.params.echo_prompt:
        return _scoring(request, weights, window)
    prompt = _read(request, weights)
    if len(prompt.tokens) >= window:
        return overflow(len(prompt.tokens), window)
    return Answering(
        weights=weights,
        chunks=split(prompt.tokens, weights.piece),
        params=request.params,
        room=window - len(prompt.tokens),
        draws=draws_of(request, seed),
        reasons=prompt.reasons,
    )


class _Prompt(NamedTuple):
    """A request as the model reads it."""

    tokens: list[int]
    reasons: bool = False
    """True if it ends by opening the model's reasoning."""


def _read(request: Request, weights: Weights) -> _Prompt:
    if request.messages is None:
        return _Prompt([*weights.start, *weights.tokenize(request.prompt or "")] or [weights.blank])
    template = weights.chat_template
    if template is None:
        raise NotSupportedError("the model has no chat template (a base model): give it prompts, not messages")
    special = weights.special_texts()
    text = render_chat(template, request.messages, special)
    begins = bool(special["bos_token"]) and text.startswith(special["bos_token"])
    tokens = [*(() if begins else weights.start), *weights.tokenize(text, special=True)]
    return _Prompt(tokens, text.rstrip().endswith(TAGS.start))


def overflow(length: int, window: int) -> Completion:
    return Completion(
        Outcome.CONTEXT_OVERFLOW, reason=f"the prompt has {length} tokens; the window holds {window} (?window=N)"
    )


def draws_of(request: Request, seed: int | None) -> tuple[random.Random, ...]:
    """A generator for each answer: of the request itself where it names a draw or the user a seed, else a fresh one.

    Repetitions of a request are equal to each other, so without a name they must not share their draws.
    """
    count = request.params.num_completions
    if seed is None and request.params.random is None and request.params.temperature > 0:
        return tuple(random.Random() for _ in range(count))
    key = digest([request.params, request.prompt, request.messages])
    return tuple(rng(seed or 0, "sampling", f"{key}/{number}") for number in range(count))


def _scoring(request: Request, weights: Weights, window: int) -> Task | Completion:
    if request.prompt is None:
        raise NotSupportedError("a local model scores prompts, not messages")
    prompt, continuation = request.prompt, request.continuation
    if not prompt.endswith(continuation):
        raise NotSupportedError(f"the prompt does not end with what is to be scored: {continuation!r}")
    tokens = weights.tokenize(prompt)
    spelling = weights.spell(prompt, tokens)
    if spelling is None:
        raise NotSupportedError("this model's tokenizer changes the text, so its end cannot be scored")
    whole = len(weights.start) + len(tokens)
    if whole > window:
        return overflow(whole, window)
    boundary = len(encoded(prompt)) - len(encoded(continuation)) if continuation else 0
    first = bisect_right(spelling.ends, boundary)
    before = [*weights.start, *tokens[:first]]
    given = max(first, 1 - len(weights.start))  # something has to be read before anything can be expected
    return Scoring(
        chunks=split(before or tokens[:1] or [weights.blank], weights.piece),
        scored=tuple(tokens[given:]),
        texts=spelling.texts[given:],
        unscored=spelling.texts[first:given],
        text=continuation or prompt,
        prompt_tokens=whole,
    )
