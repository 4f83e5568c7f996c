"""Any endpoint that speaks OpenAI's chat or completions API: OpenAI's own, hosts like it, vLLM, SGLang and others.

A thin client on one connection pool. What it costs per request is most of what the whole tool costs, so the way of a
plain reply is short: encode, post, decode the fields that are read, and no more.
"""

import asyncio
import os
import time
from urllib.parse import urlsplit, urlunsplit

import aiohttp
from yarl import URL

from holoscope.core import FatalModelError, TransportError
from holoscope.models.endpoint import Endpoint
from holoscope.models.model import Api, ModelCard
from holoscope.models.providers.bodies import Body, encode
from holoscope.models.providers.client import Client
from holoscope.models.providers.faults import Fault, read_fault
from holoscope.models.providers.replies import Received
from holoscope.models.providers.sse import Stream, stream_headers
from holoscope.models.providers.wire import Reply, decode, reply_decoder
from holoscope.models.tokenizers import Window

_CONNECT_S = 30.0
_IDLE_S = 4.0
"""Shorter than any common server keeps an idle connection, so that none is used as it is being closed."""
_PATHS: dict[Api, str] = {"chat": "/chat/completions", "completions": "/completions"}


class OpenAICompatible(Client):
    """A served model."""

    def __init__(self, card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> None:
        super().__init__(card, identity, endpoint, window)
        self._urls = {api: _join(endpoint.url, path) for api, path in _PATHS.items()}
        self._stream_headers = stream_headers(endpoint.url)
        self._session: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def aclose(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _send(self, body: Body, api: Api) -> Received | Fault:
        session = self._session
        if session is None or self._loop is not asyncio.get_running_loop():
            session = self._open_session()
        data = self._written(body)
        started = time.perf_counter()
        try:
            async with session.post(
                self._urls[api],
                data=data,
                headers=self._stream_headers if "stream" in body else None,
                proxy=self._endpoint.proxy,
                allow_redirects=False,
            ) as response:
                if response.status == 200 and "event-stream" in response.content_type:
                    return await self._streamed(response, started)
                raw = await response.read()
                took = time.perf_counter() - started
                if response.status != 200:
                    return self._fault(response, raw)
                reply = self._reply(response, raw)
                return Received(reply, took) if reply.error is None else self._fault(response, raw)
        except (aiohttp.ClientConnectorCertificateError, aiohttp.ClientSSLError) as error:
            raise FatalModelError(f"no secure connection to {self._host}: {_first_line(error)}") from None
        except aiohttp.ClientConnectorError as error:
            raise TransportError(f"cannot connect to {self._host}: {_os_reason(error.os_error)}") from None
        except (aiohttp.ClientError, OSError) as error:
            raise TransportError(f"the connection to {self._host} broke: {_first_line(error)}") from None

    async def _streamed(self, response: aiohttp.ClientResponse, started: float) -> Received | Fault:
        stream, first = self._stream(), None
        async for chunk in response.content.iter_any():
            stream.feed(chunk)
            if first is None and stream.has_text:
                first = time.perf_counter() - started
        reply = stream.finish()
        if stream.error:
            return self._fault(response, stream.error)
        return Received(reply, time.perf_counter() - started, first)

    def _written(self, body: Body) -> bytes:
        return encode(body)

    def _reply(self, response: aiohttp.ClientResponse, raw: bytes) -> Reply:
        return decode(reply_decoder, raw)

    def _stream(self) -> Stream:
        return Stream()

    def _fault(self, response: aiohttp.ClientResponse, raw: bytes) -> Fault:
        """The error in a reply, without what we identify with, should the server repeat it."""
        fault = read_fault(response.status, response.headers, self._hidden(raw))
        if 300 <= response.status < 400:
            where = response.headers.get("Location", "elsewhere")
            fault = fault._replace(message=f"the address redirects to {where}: give that one")
        return fault

    def _open_session(self) -> aiohttp.ClientSession:
        endpoint = self._endpoint
        headers = {"Content-Type": "application/json", "User-Agent": "holoscope"}
        if endpoint.key_header and endpoint.key is not None:
            headers[endpoint.key_header] = endpoint.key.reveal()
        elif endpoint.authorization is not None:
            headers["Authorization"] = endpoint.authorization.reveal()
        if endpoint.organization:
            headers["OpenAI-Organization"] = endpoint.organization
        self._loop = asyncio.get_running_loop()
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_S, ttl_dns_cache=300),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_S),
        )
        return self._session


def _join(base: str, path: str) -> URL:
    parts = urlsplit(base)
    return URL(urlunsplit((parts.scheme, parts.netloc, parts.path + path, parts.query, "")))


def _os_reason(error: OSError) -> str:
    """What the system says, such as `Connection refused`; event loops put it in other words."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else _first_line(error)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def open_model(card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> OpenAICompatible:
    """The client of an endpoint that speaks OpenAI's format."""
    return OpenAICompatible(card, identity, endpoint, window)
