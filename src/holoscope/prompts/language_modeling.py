"""Language modelling: a text is scored token by token, one window after the other where it is longer than the model's.

The first window begins the text, after the tokenizer's prefix token if it has one. Every later window holds as many
new tokens as fit beside one token of what came before, and only the last one, which has room left, more of it: HELM's
windows, so that numbers can be compared. Each token is scored once, in one window.

That is where HELM's own arithmetic differs, which is followed under compat alone: there a window that is too long is
shortened and what was cut off is never scored, and the prefix counts as one token, however many it has. Here the end
of the prompt that is scored is named by its text (`Request.continuation`), which holds also where the count of tokens
is an estimate. Windows are then half as long as they might be, since one that overflows costs its whole text.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from holoscope.core import AdapterSpec, Instance, Outcome, Params, PlannedRequest
from holoscope.models.tokenizers import Window
from holoscope.prompts.assembly import Prompt
from holoscope.prompts.methods import Method, TrainTrial


class Span(NamedTuple):
    """A window on a text's tokens, as indices."""

    start: int
    """The first token that is only read."""
    scored: int
    """The first token that is scored."""
    end: int


def example(adapter: AdapterSpec, instance: Instance, compat: bool) -> str:
    return ""


def requests(trial: TrainTrial, instance: Instance) -> Iterator[PlannedRequest]:
    adapter = trial.adapter
    params = Params(
        temperature=0.0,
        max_tokens=adapter.max_tokens,
        stop_sequences=adapter.stop_sequences,
        echo_prompt=True,
        random=adapter.random,
    )
    return (_helms_windows if trial.compat else _windows)(trial, instance, params)


def _windows(trial: TrainTrial, instance: Instance, params: Params) -> Iterator[PlannedRequest]:
    window, prefix = trial.window, trial.window.prefix_token
    pieces = window.pieces(instance.input)
    before = window.count(prefix) if prefix else 0
    limit = _limit(window, params.max_tokens)
    room = before + len(pieces) if limit is None else limit if window.exact else limit // 2
    if not pieces or (limit is not None and room < before + 2):
        overflow = f"a window of {limit} tokens leaves no room for a text to score" if pieces else ""
        yield _unsent(trial, instance, params, overflow)
        return
    for start, scored, end in _spans(window, pieces, room, before):
        text = "".join(pieces[scored:end])
        read = "".join(pieces[start:scored]) if scored else prefix
        prompt = Prompt(read + text, window.count(read + text), 0)
        conditioning = scored - start if scored else before
        yield trial.request(instance, prompt, params, continuation=text, num_conditioning_tokens=conditioning)


def _spans(window: Window, pieces: Sequence[str], room: int, before: int) -> Iterator[Span]:
    """Windows that score every token once; `before` tokens stand in front of the first."""
    scored = 0
    while scored < len(pieces):
        allowed = room if scored else room - before
        end = min(len(pieces), scored + allowed - bool(scored))
        start = max(0, end - room) if scored else 0
        while start and not "".join(pieces[start:scored]):  # a part of a character conditions nothing
            start -= 1
        while end > scored + 1 and (over := window.count("".join(pieces[start:end])) - allowed) > 0:
            end = max(scored + 1, end - over)
        yield Span(start, scored, end)
        scored = end


def _unsent(trial: TrainTrial, instance: Instance, params: Params, overflow: str) -> PlannedRequest:
    """A text that can't be scored, because of `overflow` or because it is empty."""
    planned = trial.request(instance, Prompt(instance.input, trial.window.count(instance.input), 0), params)
    outcome = Outcome.CONTEXT_OVERFLOW if overflow else Outcome.UNGRADABLE
    return replace(planned, unsent=outcome, unsent_reason=overflow or "the text is empty")


def _helms_windows(trial: TrainTrial, instance: Instance, params: Params) -> Iterator[PlannedRequest]:
    window, prefix = trial.window, trial.window.prefix_token
    pieces = window.pieces(instance.input)
    limit = _limit(window, params.max_tokens)
    limit = len(pieces) + window.count(prefix) if limit is None else max(limit, 2)
    done = min(window.max_sequence_length or len(pieces), len(pieces))
    text = _shortened(window, window.pieces(prefix), pieces[:done], limit)
    yield _request(trial, instance, params, text, 1 if prefix else 0)
    while done < len(pieces):
        end = done + min(len(pieces) - done, limit - 1)
        read = pieces[end - limit : done]
        text = _shortened(window, read, pieces[done:end], limit)
        yield _request(trial, instance, params, text, len(read))
        done = end


def _shortened(window: Window, read: Sequence[str], scored: Sequence[str], limit: int) -> str:
    """The window's text without the tokens at its end that are too many, as HELM drops them."""
    text = "".join((*read, *scored))
    while scored and (over := window.count(text) - limit) > 0:
        scored = scored[:-over]
        text = "".join((*read, *scored))
    return text


def _request(
    trial: TrainTrial, instance: Instance, params: Params, text: str, num_conditioning_tokens: int
) -> PlannedRequest:
    prompt = Prompt(text, trial.window.count(text), trial.adapter.max_train_instances)
    return trial.request(instance, prompt, params, num_conditioning_tokens=num_conditioning_tokens)


def _limit(window: Window, max_tokens: int) -> int | None:
    """Tokens that a prompt may have; None if unknown."""
    with_answer = window.max_sequence_and_generated
    limits = (window.max_request_length, None if with_answer is None else with_answer - max_tokens)
    return min((limit for limit in limits if limit is not None), default=None)


LANGUAGE_MODELING = Method(example, requests)
