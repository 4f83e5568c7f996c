"""The replies of OpenAI's chat and completions APIs, as far as they are used, and as servers really send them.

Fields that nothing reads are not listed, so decoding passes over them at little cost: a body is mostly alternatives
to each token. A field of another type than expected makes the reply unreadable, hence the unions.
"""

from typing import TypeVar

import msgspec

from holoscope.core import Json, Token, TransportError, Usage

T = TypeVar("T")


class TokenLogprob(msgspec.Struct, gc=False):
    token: str
    logprob: float | None = None


class Logprobs(msgspec.Struct, gc=False):
    """Chat gives `content`; completions, and some servers' chat, give the two lists."""

    content: list[TokenLogprob] | None = None
    tokens: list[str] | None = None
    token_logprobs: list[float | None] | None = None

    def read(self) -> tuple[Token, ...]:
        if self.content is not None:
            return tuple([Token(t.token, t.logprob) for t in self.content])
        if self.tokens is not None and self.token_logprobs is not None:
            return tuple(map(Token, self.tokens, self.token_logprobs))
        return ()


class ReplyMessage(msgspec.Struct, gc=False):
    """A message, or a streamed piece of one."""

    content: str | list[dict[str, Json]] | None = None
    reasoning_content: Json = None
    reasoning: Json = None
    refusal: str | None = None

    @property
    def text(self) -> str:
        content = self.content
        return content if isinstance(content, str) else _parts(content or (), "text")

    @property
    def thinking(self) -> str | None:
        for found in (self.reasoning_content, self.reasoning):
            if isinstance(found, str) and found:
                return found
        return _parts(self.content, "thinking") or None if isinstance(self.content, list) else None


class ReplyChoice(msgspec.Struct, gc=False):
    index: int = 0
    message: ReplyMessage | None = None
    delta: ReplyMessage | None = None
    text: str | None = None
    logprobs: Logprobs | None = None
    finish_reason: str | None = None
    reasoned: bool = False
    """True if the model is known to have reasoned before it, though perhaps not how."""


class ReplyDetails(msgspec.Struct, gc=False):
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None


class ReplyUsage(msgspec.Struct, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    completion_tokens_details: ReplyDetails | None = None
    prompt_tokens_details: ReplyDetails | None = None
    prompt_cache_hit_tokens: int | None = None
    reasoning_tokens: int | None = None

    def read(self) -> Usage:
        made, given = self.completion_tokens_details, self.prompt_tokens_details
        return Usage(
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            reasoning_tokens=made.reasoning_tokens if made else self.reasoning_tokens,
            cached_tokens=given.cached_tokens if given else self.prompt_cache_hit_tokens,
        )


class Reply(msgspec.Struct, rename={"prompt_feedback": "promptFeedback"}):
    """A whole reply, or one event of a stream."""

    choices: list[ReplyChoice] | None = None
    usage: ReplyUsage | None = None
    model: str | None = None
    error: Json = None
    prompt_feedback: Json = None
    """Why a prompt was blocked, in Google's words."""


def _parts(content: "list[dict[str, Json]] | tuple[()]", kind: str) -> str:
    """Text of the parts of one kind; a thinking part holds text parts of its own."""
    found = []
    for part in content:
        value = part.get(kind) if part.get("type") == kind else None
        if isinstance(value, list):
            value = _parts([p for p in value if isinstance(p, dict)], "text")
        if isinstance(value, str):
            found.append(value)
    return "".join(found)


reply_decoder = msgspec.json.Decoder(Reply)


def decode(decoder: msgspec.json.Decoder[T], raw: bytes) -> T:
    """Read a reply's bytes. Raises TransportError where they are something else."""
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        shown = "an HTML page" if raw.lstrip()[:1] == b"<" else str(error)
        raise TransportError(f"the reply is not readable: {shown}") from None
