"""What goes to a model, and what comes back.

A `Request` holds only what the model sees and the parameters: two requests that are equal are asked once. A
`PlannedRequest` adds where it came from in the plan; a `Completion` is the whole reply, of one or more `Choice`s;
an `Exchange` is a planned request with its completion, one row of `requests.parquet`.
"""

from collections.abc import Sequence

import msgspec

from holoscope.core.instance import Instance, Message
from holoscope.core.outcome import Outcome


class Params(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Sampling parameters, under the names HELM gives them."""

    temperature: float = 1.0
    max_tokens: int = 100
    stop_sequences: tuple[str, ...] = ()
    num_completions: int = 1
    top_k_per_token: int = 1
    """How many candidates per position to return log-probabilities for."""
    echo_prompt: bool = False
    """Score the prompt itself: the reply's tokens are the prompt's, with log-probabilities."""
    top_p: float = 1.0
    random: str | None = None
    """A different draw of the same request."""


class Place(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Which instance and which repetition asks."""

    instance_id: str
    trial: int = 0


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question to a model. Exactly one of `prompt` and `messages` is set."""

    params: Params
    prompt: str | None = None
    messages: tuple[Message, ...] | None = None
    continuation: str = ""
    """With `params.echo_prompt`: the end of `prompt` that is to be scored; empty means all of it."""
    wants_logprobs: bool = False
    """True if a metric of the run reads log-probabilities; a model that cannot give them answers without."""
    place: Place | None = None
    """Set only for a model that answers from a recording (its card says so); any other sees the question alone."""
    key: str = ""
    """Hex of the key its answer is kept under. Set only for a model asked in batches (its card says so), which must
    know a request again after a kill; no part of what is asked."""


class PlannedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request and its place in the plan."""

    instance: Instance
    request: Request
    reference_index: int | None = None
    """Which reference this request scores (separate multiple choice, ranking)."""
    request_mode: str | None = None
    """`original` or `calibration`, for separate multiple choice."""
    train_trial_index: int = 0
    """Which draw of in-context examples."""
    trial: int = 0
    """Which repetition of the same request (`--trials`)."""
    output_mapping: dict[str, str] | None = None
    """Joint multiple choice: letter -> option text."""
    num_train_instances: int = 0
    """In-context examples that fitted into the window."""
    prompt_truncated: bool = False
    num_conditioning_tokens: int = 0
    num_prompt_tokens: int = 0
    """By the deployment's tokenizer, or an estimate where it has none."""
    continuation_tokens: int = 0
    """Tokens of " " + the scored reference, by the same tokenizer."""
    unsent: Outcome | None = None
    """Set where the plan already knows the request cannot be sent (`context_overflow`); then it is not."""
    unsent_reason: str = ""


class Token(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A token of a completion. `logprob` is in nats; None where the model gave none (the first of an echo)."""

    text: str
    logprob: float | None = None


def covering(tokens: Sequence[Token], text: str) -> Sequence[Token]:
    """The last tokens that make up `text`, the first of them perhaps with more before it; none if they don't spell it.

    >>> [token.text for token in covering([Token("A "), Token("black"), Token(" cat")], "ack cat")]
    ['black', ' cat']
    """
    first, length = len(tokens), 0
    while first > 0 and length < len(text):
        first -= 1
        length += len(tokens[first].text)
    found = tokens[first:]
    return found if text and "".join(token.text for token in found).endswith(text) else ()


class Usage(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Token counts as the provider reports them; None is unknown, not zero."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One generated text."""

    text: str
    logprob: float | None = None
    """Sum over `tokens`, in nats; None where the model gives no log-probabilities."""
    tokens: tuple[Token, ...] = ()
    finish_reason: str | None = None
    """`stop`, `length`, `endoftext`, or the provider's own word."""
    thinking: str | None = None


class Completion(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came back for one request."""

    outcome: Outcome
    choices: tuple[Choice, ...] = ()
    """Non-empty exactly where `outcome.has_text`."""
    reason: str = ""
    """Why, where `outcome` is not ok."""
    usage: Usage | None = None
    request_time: float | None = None
    """Seconds from sending to the last byte of the attempt that succeeded."""
    time_to_first_token: float | None = None
    """Seconds; None where the reply was not streamed."""
    created: float = 0.0
    """Unix time of the reply."""
    served_model: str | None = None
    """The model as the endpoint names it."""
    dropped_params: tuple[str, ...] = ()
    """Parameters the endpoint does not take and that were left out or renamed, in words."""
    attempts: int = 1
    is_batched: bool = False
    """True if it came through a provider's batch API: at another price, and after a time that says nothing."""

    @property
    def text(self) -> str:
        """The first choice's text; empty where there is none."""
        return self.choices[0].text if self.choices else ""


class Exchange(msgspec.Struct, frozen=True):
    """A planned request and its completion."""

    planned: PlannedRequest
    completion: Completion
