"""What one wire format looks like on the wire, so that one list of tests can be run over all of them.

A dialect knows nothing of our client: it says, as the provider's documentation has it, what an endpoint sends.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from models.stub import Asked, Say

KEY = "sk-a-key-that-nobody-may-see-0123456789"

Finish = Literal["stop", "length", "filter", "refusal"]
Refusal = Literal["overflow", "policy", "rate", "overloaded", "broken", "bad key", "no model", "bad request"]
STATUS: dict[Refusal, int] = {
    "overflow": 400,
    "policy": 400,
    "rate": 429,
    "overloaded": 503,
    "broken": 500,
    "bad key": 401,
    "no model": 404,
    "bad request": 400,
}
"""The usual codes; a dialect uses its own where they differ."""


@dataclass(frozen=True)
class Said:
    """What an endpoint means to say."""

    text: str = "Paris"
    finish: Finish = "stop"
    thinking: str = ""
    prompt_tokens: int = 11
    """All of the prompt, the cached part too."""
    completion_tokens: int = 7
    """All that was generated, reasoning too."""
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None


class Dialect(ABC):
    """One wire format, in the provider's own words."""

    name: ClassVar[str]
    model: ClassVar[str]
    """As a user types it."""
    finishes: ClassVar[frozenset[Finish]] = frozenset(("stop", "length", "filter", "refusal"))
    """What the format can say of how an answer ended."""
    refusals: ClassVar[frozenset[Refusal]] = frozenset(STATUS)
    """What the format can refuse a request for."""
    thinks: ClassVar[bool] = True
    """True if reasoning comes apart from the answer."""
    counts_reasoning: ClassVar[bool] = True
    """True if reasoning tokens are reported apart."""
    counts_cached: ClassVar[bool] = True
    streams: ClassVar[bool] = True

    @abstractmethod
    def environ(self, url: str) -> dict[str, str]:
        """The environment of a user with the key `KEY` whose endpoint is at `url` (scheme, host, port)."""

    @abstractmethod
    def says(self, said: Said) -> Say:
        """A whole reply."""

    @abstractmethod
    def streamed(self, said: Said) -> Say:
        """The same, in pieces."""

    @abstractmethod
    def refuses(self, why: Refusal, headers: dict[str, str] | None = None, message: str = "") -> Say:
        """An error, with the provider's status and shape; `message` instead of its usual words."""

    @abstractmethod
    def prompt(self, asked: Asked) -> str:
        """What a user's one question was, as it came in."""

    @abstractmethod
    def max_tokens(self, asked: Asked) -> int:
        """The limit on new tokens as it came in."""


EVENTS = {"Content-Type": "text/event-stream; charset=utf-8"}


def events(pieces: Sequence[dict[str, Any]], *, named: bool = False, done: bool = False) -> bytes:
    """Server-sent events; `named` puts each piece's `type` before it."""
    lines = "".join(
        (f"event: {piece['type']}\n" if named else "") + f"data: {json.dumps(piece)}\n\n" for piece in pieces
    )
    return (lines + ("data: [DONE]\n\n" if done else "")).encode()


@dataclass(frozen=True)
class OpenAI(Dialect):
    """OpenAI's chat format, as a server of one's own speaks it."""

    name: ClassVar[str] = "openai"
    model: ClassVar[str] = "openai/gpt-x"
    words: dict[Refusal, tuple[str, str]] = field(
        default_factory=lambda: {
            "overflow": (
                "context_length_exceeded",
                "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
            ),
            "policy": ("content_policy_violation", "Your request was rejected as a result of our safety system."),
            "rate": ("rate_limit_exceeded", "Rate limit reached for gpt-x on tokens per min (TPM): Limit 30000."),
            "overloaded": ("server_error", "The engine is currently overloaded, please try again later."),
            "broken": ("server_error", "The server had an error while processing your request."),
            "bad key": ("invalid_api_key", "Incorrect API key provided."),
            "no model": ("model_not_found", "The model `gpt-x` does not exist or you do not have access to it."),
            "bad request": ("invalid_value", "Invalid value: 'wrong'."),
        }
    )

    def environ(self, url: str) -> dict[str, str]:
        return {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{url}/v1"}

    def says(self, said: Said) -> Say:
        message: dict[str, Any] = {"role": "assistant", "content": said.text}
        if said.finish == "refusal":
            message |= {"content": None, "refusal": said.text}
        if said.thinking:
            message["reasoning_content"] = said.thinking
        choice = {"index": 0, "message": message, "finish_reason": _FINISH[said.finish]}
        return Say({"model": "gpt-x-1", "choices": [choice], "usage": _usage(said)})

    def streamed(self, said: Said) -> Say:
        deltas: list[dict[str, Any]] = [{"role": "assistant"}]
        if said.thinking:
            deltas.append({"reasoning_content": said.thinking})
        deltas += [{"refusal" if said.finish == "refusal" else "content": piece} for piece in halves(said.text)]
        pieces: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
        pieces.append({"choices": [{"index": 0, "delta": {}, "finish_reason": _FINISH[said.finish]}]})
        pieces.append({"choices": [], "usage": _usage(said), "model": "gpt-x-1"})
        return Say(events(pieces, done=True), headers=EVENTS)

    def refuses(self, why: Refusal, headers: dict[str, str] | None = None, message: str = "") -> Say:
        code, words = self.words[why]
        error = {"message": message or words, "type": "invalid_request_error", "code": code, "param": None}
        return Say({"error": error}, STATUS[why], headers or {})

    def prompt(self, asked: Asked) -> str:
        return str(asked.body["messages"][-1]["content"])

    def max_tokens(self, asked: Asked) -> int:
        return int(asked.body.get("max_completion_tokens") or asked.body["max_tokens"])


_FINISH: dict[Finish, str] = {"stop": "stop", "length": "length", "filter": "content_filter", "refusal": "stop"}


def halves(text: str) -> list[str]:
    """A text in two pieces, or fewer where it is short."""
    middle = len(text) // 2
    return [piece for piece in (text[:middle], text[middle:]) if piece]


def _usage(said: Said) -> dict[str, Any]:
    usage: dict[str, Any] = {"prompt_tokens": said.prompt_tokens, "completion_tokens": said.completion_tokens}
    if said.reasoning_tokens is not None:
        usage["completion_tokens_details"] = {"reasoning_tokens": said.reasoning_tokens}
    if said.cached_tokens is not None:
        usage["prompt_tokens_details"] = {"cached_tokens": said.cached_tokens}
    return usage


DIALECT = OpenAI()
