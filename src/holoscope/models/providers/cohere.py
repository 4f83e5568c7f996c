"""Cohere's chat API, version 2, over the official SDK.

The SDK knows addresses and headers and sends; bodies and replies are ours, by the door below its reply models: those
cost as much again as the sending, and in a stream it passes over events that it can't read, so that a broken answer
would look whole. `p` is 0.75 at Cohere unless it is given, so for a sampled answer the most that it takes is sent.
"""

import asyncio
import time
from typing import cast

import aiohttp
import msgspec

from holoscope.core import Json, MissingExtraError, Token, TransportError, covering
from holoscope.models.endpoint import Endpoint
from holoscope.models.model import Api, ModelCard
from holoscope.models.providers.bodies import Body, encode
from holoscope.models.providers.client import Client
from holoscope.models.providers.faults import Fault, fault_of, read_fault
from holoscope.models.providers.replies import Received
from holoscope.models.providers.sdk import narrowed, unreached
from holoscope.models.providers.sse import Events
from holoscope.models.providers.wire import (
    Logprobs,
    Reply,
    ReplyChoice,
    ReplyDetails,
    ReplyMessage,
    ReplyUsage,
    TokenLogprob,
    decode,
)
from holoscope.models.tokenizers import Window

try:
    import httpx
    from cohere import AsyncClientV2
    from cohere.core.http_client import AsyncHttpClient

    from holoscope.models.providers.httpx_transport import AiohttpTransport
except ImportError as error:
    raise MissingExtraError("Cohere's models", "cohere") from error

_NO_KEY = "none"
_JSON = {"Content-Type": "application/json"}
_MOST_P = 0.99
_RENAMED = {"stop": "stop_sequences", "top_p": "p", "safety": "safety_mode"}
_LEFT_OUT = frozenset(("stream_options", "thinking"))
_FINISH = {
    "COMPLETE": "stop",
    "STOP_SEQUENCE": "stop",
    "MAX_TOKENS": "length",
    "ERROR_LIMIT": "length",
    "ERROR_TOXIC": "content_filter",
    "TIMEOUT": "error",
    "USER_CANCEL": "error",
    "ERROR": "error",
}


class Part(msgspec.Struct, gc=False):
    """A piece of a message."""

    text: str | None = None
    thinking: str | None = None


class Message(msgspec.Struct, gc=False):
    content: list[Part] | Part | None = None
    """A list in a whole reply, one piece in an event."""

    @property
    def parts(self) -> list[Part]:
        return [self.content] if isinstance(self.content, Part) else self.content or []


class Chunk(msgspec.Struct, gc=False):
    """The log-probabilities of a piece of text, which may be several tokens."""

    text: str | None = None
    logprobs: list[float] | None = None


class Units(msgspec.Struct, gc=False):
    input_tokens: float | None = None
    output_tokens: float | None = None


class Spent(msgspec.Struct, gc=False):
    """What is billed, and what went through the model: more by what Cohere adds to a prompt."""

    billed_units: Units | None = None
    tokens: Units | None = None
    cached_tokens: float | None = None


class Delta(msgspec.Struct, gc=False):
    """What an event adds."""

    message: Message | None = None
    finish_reason: str | None = None
    usage: Spent | None = None
    error: str | None = None


class Chat(msgspec.Struct):
    """A whole reply, or one event of a stream."""

    type: str = ""
    message: Message | str | None = None
    """In words, where an event reports an error."""
    finish_reason: str | None = None
    usage: Spent | None = None
    logprobs: list[Chunk] | Chunk | None = None
    delta: Delta | None = None

    @property
    def chunks(self) -> list[Chunk]:
        return [self.logprobs] if isinstance(self.logprobs, Chunk) else self.logprobs or []


_chat = msgspec.json.Decoder(Chat)


class Cohere(Client):
    """A model of Cohere's."""

    def __init__(self, card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> None:
        card, endpoint = narrowed(card, endpoint, echo=False, completions=False, n=False)
        super().__init__(card, identity, endpoint, window)
        self._http: httpx.AsyncClient | None = None
        self._sdk: AsyncHttpClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def aclose(self) -> None:
        """Close the connections."""
        if self._http is not None:
            await self._http.aclose()
            self._http = self._sdk = None

    async def _send(self, body: Body, api: Api) -> Received | Fault:
        data, started = encode(cohere_body(body)), time.perf_counter()
        try:
            if body.get("stream"):
                return await self._streamed(data, started)
            response = await self._door().request("v2/chat", method="POST", content=data, headers=_JSON)
        except (aiohttp.ClientError, httpx.HTTPError, OSError) as error:
            raise unreached(self._host, error) from None
        took = time.perf_counter() - started
        if response.status_code != 200:
            return self._fault(response.status_code, response.headers, response.content)
        chat = decode(_chat, response.content)
        if chat.finish_reason is None:
            return self._fault(200, response.headers, response.content)
        return Received(reply_of([chat], self._endpoint.served_name), took)

    async def _streamed(self, data: bytes, started: float) -> Received | Fault:
        pieces, first, events = list[Chat](), None, Events()
        async with self._door().stream("v2/chat", method="POST", content=data, headers=_JSON) as response:
            if response.status_code != 200:
                return self._fault(response.status_code, response.headers, await response.aread())
            async for chunk in response.aiter_bytes():
                pieces += [decode(_chat, event) for event in events.feed(chunk) if event.strip() != b"[DONE]"]
                if first is None and any(_says(piece) for piece in pieces):
                    first = time.perf_counter() - started
        pieces += [decode(_chat, event) for event in events.finish() if event.strip() != b"[DONE]"]
        took = time.perf_counter() - started
        if not pieces or pieces[-1].delta is None or pieces[-1].delta.finish_reason is None:
            raise TransportError("the streamed reply broke off before its end")
        if pieces[-1].delta.error:
            return fault_of({"error": self._hidden(pieces[-1].delta.error.encode()).decode()}, 200)
        return Received(reply_of(pieces, self._endpoint.served_name), took, first)

    def _fault(self, status: int, headers: httpx.Headers, raw: bytes) -> Fault:
        return read_fault(status, headers, self._hidden(raw))

    def _door(self) -> AsyncHttpClient:
        """What the SDK sends with, for the running event loop."""
        if self._sdk is None or self._loop is not asyncio.get_running_loop():
            self._loop, endpoint = asyncio.get_running_loop(), self._endpoint
            self._http = httpx.AsyncClient(transport=AiohttpTransport(endpoint.proxy), timeout=None, trust_env=False)
            key = endpoint.key.reveal() if endpoint.key else _NO_KEY
            sdk = AsyncClientV2(key, base_url=endpoint.url, httpx_client=self._http, max_retries=0)
            self._sdk = sdk._client_wrapper.httpx_client
        return self._sdk


def cohere_body(body: Body) -> Body:
    """A canonical body in Cohere's names. Its messages are written as OpenAI's are."""
    sent = {_RENAMED.get(name, name): value for name, value in body.items() if name not in _LEFT_OUT}
    if "temperature" in sent and sent["temperature"] != 0:
        sent["p"] = min(cast(float, sent.get("p", 1.0)), _MOST_P)
    if (thinking := body.get("thinking")) is not None:
        sent["thinking"] = _thinking(thinking)
    return sent


def _thinking(asked: Json) -> Json:
    """`none`, a number of tokens, or what the user wrote in Cohere's own form."""
    if isinstance(asked, str) and asked.isdecimal():
        return {"type": "enabled", "token_budget": int(asked)}
    return {"type": "disabled"} if asked == "none" else asked


def reply_of(pieces: list[Chat], model: str) -> Reply:
    """The reply in one piece, or put together from a stream's events."""
    parts = [part for piece in pieces for part in _parts(piece)]
    text = "".join(part.text or "" for part in parts)
    thinking = "".join(part.thinking or "" for part in parts)
    last = pieces[-1]
    finish = last.finish_reason or (last.delta.finish_reason if last.delta else None) or ""
    tokens = [
        Token(chunk.text, sum(chunk.logprobs or ()) if chunk.logprobs else None)
        for piece in pieces
        for chunk in piece.chunks
        if chunk.text
    ]
    kept = covering(tokens, text) or tokens
    logprobs = Logprobs([TokenLogprob(token.text, token.logprob) for token in kept]) if kept else None
    message = ReplyMessage(text, reasoning_content=thinking or None)
    choice = ReplyChoice(message=message, logprobs=logprobs, finish_reason=_FINISH.get(finish, finish.lower()))
    return Reply([choice], _usage(last.usage or (last.delta.usage if last.delta else None)), model)


def _parts(piece: Chat) -> list[Part]:
    message = piece.delta.message if piece.delta else piece.message
    return message.parts if isinstance(message, Message) else []


def _says(piece: Chat) -> bool:
    return any(part.text or part.thinking for part in _parts(piece))


def _usage(spent: Spent | None) -> ReplyUsage | None:
    units = spent and (spent.billed_units or spent.tokens)
    if not spent or not units:
        return None
    cached = None if spent.cached_tokens is None else ReplyDetails(cached_tokens=int(spent.cached_tokens))
    return ReplyUsage(_count(units.input_tokens), _count(units.output_tokens), prompt_tokens_details=cached)


def _count(number: float | None) -> int | None:
    return None if number is None else int(number)


def open_model(card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> Cohere:
    """The client of a model of Cohere's."""
    return Cohere(card, identity, endpoint, window)
