"""Keeps what we identify with out of completions, should an endpoint repeat it in an answer.

A proxy that echoes the headers of a request, or a model that was shown them, must not put a key into the ledger. The
tokens that would spell it go too; every other answer is left as it is.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from holoscope.core import Choice, Completion
from holoscope.models.credentials import Secret


def without_secrets(completion: Completion, secrets: Sequence[Secret]) -> Completion:
    """The completion with stars for each of the secrets in it."""
    for secret in secrets:
        if any(map(secret.is_told_by, _texts(completion))):
            completion = _hidden(completion, secret)
    return completion


def _texts(completion: Completion) -> list[str]:
    texts = [completion.reason, completion.served_model or "", *completion.dropped_params]
    for choice in completion.choices:
        texts += (choice.text, choice.thinking or "", choice.finish_reason or "")
    return texts


def _hidden(completion: Completion, secret: Secret) -> Completion:
    served = completion.served_model
    return replace(
        completion,
        choices=tuple(_hidden_choice(choice, secret) for choice in completion.choices),
        reason=secret.hidden_in(completion.reason),
        served_model=None if served is None else secret.hidden_in(served),
        dropped_params=tuple(map(secret.hidden_in, completion.dropped_params)),
    )


def _hidden_choice(choice: Choice, secret: Secret) -> Choice:
    thinking, finish = choice.thinking, choice.finish_reason
    return replace(
        choice,
        text=secret.hidden_in(choice.text),
        thinking=None if thinking is None else secret.hidden_in(thinking),
        finish_reason=None if finish is None else secret.hidden_in(finish),
        tokens=(),
    )
