"""Anthropic's Messages API, over the official SDK.

The SDK identifies, connects and names errors; bodies and replies are ours (`anthropic_wire`), through its documented
door for raw posts, so that no reply is lost to a field it doesn't know. The API gives one answer per request and no
log-probabilities, and takes no seed.
"""

import asyncio
import time
from typing import cast

import msgspec

from holoscope.core import Json, MissingExtraError, Request, TransportError
from holoscope.models.endpoint import Endpoint
from holoscope.models.model import Api, ModelCard
from holoscope.models.providers.anthropic_wire import (
    Message,
    Streamed,
    error_of,
    event_decoder,
    fitted,
    message_decoder,
    messages_body,
    reply_of,
)
from holoscope.models.providers.bodies import Body, encode
from holoscope.models.providers.client import Client
from holoscope.models.providers.faults import Fault, read_fault
from holoscope.models.providers.replies import Received
from holoscope.models.providers.sdk import narrowed, unreached
from holoscope.models.providers.sse import Events, stream_headers
from holoscope.models.providers.wire import decode
from holoscope.models.tokenizers import Window

try:
    import anthropic
    import httpx2
except ModuleNotFoundError as error:
    raise MissingExtraError("Anthropic's models", "anthropic") from error

_CONNECT_S = 30.0
_JSON = {"Content-Type": "application/json"}
_PATH = "/v1/messages"
_VERSION = "2023-06-01"
"""Of the API. The SDK's own, 2026-10-21, refuses a temperature for every model, also for those that take one."""


class Anthropic(Client):
    """A model behind the Messages API."""

    def __init__(self, card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> None:
        card, endpoint = narrowed(card, endpoint, n=False, echo=False, completions=False, logprobs=False)
        super().__init__(card, identity, endpoint, window)
        self._lessons["chat"].drop("seed")
        self._sdk: anthropic.AsyncAnthropic | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def aclose(self) -> None:
        """Close the connections."""
        if self._sdk is not None:
            await self._sdk.close()
            self._sdk = None

    def _body(self, request: Request, api: Api) -> tuple[Body, tuple[str, ...]]:
        body, dropped = super()._body(request, api)
        taken = fitted(body)
        return taken.body, (*dropped, *taken.changes)

    async def _send(self, body: Body, api: Api) -> Received | Fault:
        sent, sdk = messages_body(body), self._opened()
        started = time.perf_counter()
        try:
            if sent.get("stream"):
                return await self._streamed(sdk, sent, started)
            response = await sdk.post(_PATH, content=encode(sent), cast_to=httpx2.Response, options={"headers": _JSON})
            return self._received(decode(message_decoder, response.content), time.perf_counter() - started)
        except anthropic.APIStatusError as error:
            return read_fault(error.status_code, error.response.headers, self._hidden(error.response.content))
        except (anthropic.APIConnectionError, httpx2.HTTPError, OSError) as error:
            raise unreached(self._host, error) from None

    async def _streamed(self, sdk: anthropic.AsyncAnthropic, sent: Body, started: float) -> Received | Fault:
        first, events, stream = None, Events(), Streamed()
        raw = sdk.messages.with_streaming_response.create(
            stream=True,
            model=str(sent["model"]),
            max_tokens=0,
            messages=[],
            extra_body=sent,
            extra_headers=stream_headers(self._endpoint.url),
        )
        async with raw as response:
            if "event-stream" not in response.headers.get("content-type", ""):
                return self._received(decode(message_decoder, await response.read()), time.perf_counter() - started)
            async for chunk in response.iter_bytes():
                for data in events.feed(chunk):
                    event = decode(event_decoder, data)
                    if event.type == "error":
                        return error_of(self._clean(event.error))
                    stream.add(event)
                    if first is None and stream.has_text:
                        first = time.perf_counter() - started
        if not stream.is_whole:
            raise TransportError("the streamed reply broke off before its end")
        return self._received(stream.message, time.perf_counter() - started, first)

    def _received(self, message: Message, took: float, first: float | None = None) -> Received | Fault:
        if message.error is not None:
            return error_of(self._clean(message.error))
        return Received(reply_of(message), took, first)

    def _clean(self, error: Json) -> Json:
        """What is said of an error, without the key."""
        return cast(Json, msgspec.json.decode(self._hidden(msgspec.json.encode(error))))

    def _opened(self) -> anthropic.AsyncAnthropic:
        """The SDK's client for the running event loop. Timeouts and retries are the engine's."""
        if self._sdk is not None and self._loop is asyncio.get_running_loop():
            return self._sdk
        endpoint = self._endpoint
        timeout = httpx2.Timeout(None, connect=_CONNECT_S)
        headers = {"anthropic-version": endpoint.places.get("api_version", _VERSION)}
        self._loop = asyncio.get_running_loop()
        self._sdk = anthropic.AsyncAnthropic(
            api_key=endpoint.key.reveal() if endpoint.key else "none",
            base_url=endpoint.url.removesuffix("/v1"),  # which other servers' addresses end in
            max_retries=0,
            timeout=timeout,
            default_headers=headers,
            http_client=anthropic.DefaultAioHttpClient(
                timeout=timeout, limits=httpx2.Limits(max_connections=None), proxy=endpoint.proxy, trust_env=False
            ),
        )
        self._sdk._custom_headers = headers  # it adds ANTHROPIC_CUSTOM_HEADERS, whoever's server this is
        return self._sdk


def open_model(card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> Anthropic:
    """The client of an endpoint that speaks Anthropic's Messages API."""
    return Anthropic(card, identity, endpoint, window)
