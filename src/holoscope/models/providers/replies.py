"""From a reply to a completion."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from holoscope.core import Choice, Completion, NotSupportedError, Outcome, Request, TransportError
from holoscope.models.answer import Written, combine, read_answer
from holoscope.models.endpoint import Endpoint
from holoscope.models.providers.faults import Withheld, clean
from holoscope.models.providers.scored import scored_prompt
from holoscope.models.providers.wire import Reply, ReplyChoice

_BROKEN = frozenset(("error", "abort", "network_error", "insufficient_system_resource"))
"""Finish reasons of answers that are not whole through the endpoint's fault."""


class Received(NamedTuple):
    """A reply and how long it took."""

    reply: Reply
    request_time: float | None
    time_to_first_token: float | None = None


def completion_of(received: Received, request: Request, endpoint: Endpoint, dropped: Sequence[str]) -> Completion:
    """The completion in a reply. Raises where the reply is none, or not to what was asked."""
    reply = received.reply
    if not reply.choices:
        return _without_choices(received, dropped)
    if broken := next((c.finish_reason for c in reply.choices if c.finish_reason in _BROKEN), None):
        raise TransportError(f"the endpoint broke off its answer (finish_reason {broken})")
    if request.params.echo_prompt:
        return _completion(received, dropped, Outcome.OK, (scored_prompt(reply, request),))
    if len(reply.choices) < request.params.num_completions:
        raise NotSupportedError(
            f"asked for {request.params.num_completions} completions at once, the endpoint gave {len(reply.choices)}"
        )
    choices = sorted(reply.choices, key=lambda c: c.index) if len(reply.choices) > 1 else reply.choices
    details = reply.usage.completion_tokens_details if reply.usage else None
    reasoned = bool(details and details.reasoning_tokens)
    stops = request.params.stop_sequences
    answers = combine([read_answer(_written(c, reasoned), think=endpoint.think, stops=stops) for c in choices])
    return _completion(received, dropped, answers.outcome, answers.choices, answers.reason)


def withheld_completion(withheld: Withheld, dropped: Sequence[str]) -> Completion:
    """The completion that says why there is no answer."""
    choices = (Choice("", finish_reason="length"),) if withheld.outcome.has_text else ()
    return Completion(withheld.outcome, choices, withheld.reason, created=time.time(), dropped_params=tuple(dropped))


def lost_to_stop(completion: Completion) -> bool:
    """True if the reply ended within the reasoning, though not at the limit: a stop sequence struck there."""
    return any(
        choice.thinking is not None and not choice.text and choice.finish_reason == "stop"
        for choice in completion.choices
    )


def _without_choices(received: Received, dropped: Sequence[str]) -> Completion:
    feedback = received.reply.prompt_feedback
    if isinstance(feedback, dict) and (why := feedback.get("blockReason")):
        return _completion(received, dropped, Outcome.CONTENT_FILTER, (), f"the prompt was blocked: {clean(str(why))}")
    raise TransportError("the reply has no choices")


def _completion(
    received: Received, dropped: Sequence[str], outcome: Outcome, choices: tuple[Choice, ...], reason: str = ""
) -> Completion:
    usage = received.reply.usage
    return Completion(
        outcome=outcome,
        choices=choices,
        reason=reason,
        usage=usage.read() if usage else None,
        request_time=received.request_time,
        time_to_first_token=received.time_to_first_token,
        created=time.time(),
        served_model=received.reply.model,
        dropped_params=tuple(dropped),
    )


def _written(choice: ReplyChoice, reasoned: bool) -> Written:
    tokens = choice.logprobs.read() if choice.logprobs is not None else ()
    message, reasoned = choice.message, choice.reasoned or reasoned
    if message is None:
        return Written(choice.text or "", choice.finish_reason, tokens, reasoned=reasoned)
    return Written(
        message.text, choice.finish_reason, tokens, message.thinking, message.refusal or None, reasoned=reasoned
    )
