"""What a model is to the rest of the package: a card, an identity, a window, and one verb.

`Model.generate` is the only way an answer comes in. It returns a `Completion` for whatever the model had to say, also
that it would not (filtered, refused, cut off), and raises only where there is no answer: `TransportError` (send it
again), `FatalModelError` (stop asking this model), `NotSupportedError` (not this request). Retries, deadlines and
limits are the engine's. What a model can do and what it costs are data on its card, which a user may override; an
unknown price is None.
"""

from typing import Literal, Protocol

import msgspec

from holoscope.core import Completion, Request, Usage
from holoscope.models.tokenizers import Limits, Window

Api = Literal["chat", "completions"]
Wire = Literal["openai", "responses", "anthropic", "gemini", "cohere", "bedrock", "tgi"]
"""The wire formats: what an endpoint understands and says."""
MaxTokensName = Literal["max_tokens", "max_completion_tokens"]


class Capabilities(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an endpoint takes. Wrong guesses are corrected by its refusals; each field is also an option of a name."""

    chat: bool = True
    completions: bool = True
    prefers: Api = "chat"
    """For a plain prompt, where both are there."""
    logprobs: bool = True
    echo: bool = True
    """Scores a given prompt (`echo` of the completions API)."""
    images: bool = True
    n: bool = True
    """Several completions per request."""
    stop: bool = True
    """False: stop sequences are not sent, only applied to the finished answer. So it must be for a model that thinks in
    its answer, where the server would stop within the reasoning."""
    max_stops: int | None = None
    """Most stop sequences in a request; None: no limit known."""
    temperature: bool = True
    """False: the temperature is fixed by the endpoint, and none is sent."""
    streaming: bool = False
    """True: replies are streamed, so that the time to the first token is known."""
    max_tokens_name: MaxTokensName = "max_tokens"
    max_output: int | None = None
    """Most new tokens a request may ask for; None: no limit known."""


class Price(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """List price in USD per million tokens; None is unknown, not free."""

    input: float | None = None
    output: float | None = None
    cached_input: float | None = None
    batch_input: float | None = None
    """Through the provider's batch API; so is `batch_output`."""
    batch_output: float | None = None
    up_to: int | None = None
    """Longest prompt in tokens that it holds for; None: for all."""
    source: str
    """Page that states it."""
    date: str
    """Day on which the page said so, `2026-11-30`."""

    @property
    def in_batches(self) -> "Price":
        """The price of the same through the batch API, as the price of a model that is asked so."""
        changed = {"input": self.batch_input, "output": self.batch_output, "cached_input": None}
        return msgspec.structs.replace(self, **changed)

    def cost(self, usage: Usage | None, *, is_batched: bool = False) -> float | None:
        """USD for one reply; None if any part of it is unknown."""
        if is_batched:
            return self.in_batches.cost(usage)
        if usage is None or None in (self.input, self.output, usage.prompt_tokens, usage.completion_tokens):
            return None
        if self.up_to is not None and (usage.prompt_tokens or 0) > self.up_to:
            return None
        cached = usage.cached_tokens or 0
        if cached and self.cached_input is None:
            cached = 0
        fresh = (usage.prompt_tokens or 0) - cached
        spent = fresh * (self.input or 0.0) + cached * (self.cached_input or 0.0)
        return (spent + (usage.completion_tokens or 0) * (self.output or 0.0)) / 1e6


class TrainingCost(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What training the model took, as its makers state it; None is unknown."""

    energy_kwh: float | None = None
    co2_kg: float | None = None
    source: str
    date: str


class ModelCard(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a model before it is asked. Holds no secret."""

    name: str
    """As the user typed it."""
    deployment: str
    """Name under which its answers are kept."""
    provider: str
    served_name: str
    """What the endpoint calls it."""
    base_url: str = ""
    limits: Limits = Limits()
    tokenizer: str = ""
    """Name of the tokenizer that counts its tokens; empty: they are estimated."""
    capabilities: Capabilities = Capabilities()
    price: Price | None = None
    training: TrainingCost | None = None
    max_concurrency: int | None = None
    """Most requests at once; None: as many as the engine will."""
    is_recording: bool = False
    """True if its requests must say which instance and trial asks (`Request.place`)."""
    is_batch: bool = False
    """True if it is asked through its provider's batch API; its requests carry their key (`Request.key`)."""


class Model(Protocol):
    """Something that answers requests."""

    @property
    def card(self) -> ModelCard: ...

    @property
    def identity(self) -> dict[str, str]:
        """What of the model goes into the ledger's key: all that decides its answers, beside the request."""
        ...

    async def generate(self, request: Request) -> Completion: ...

    def window(self) -> Window: ...

    async def aclose(self) -> None: ...
