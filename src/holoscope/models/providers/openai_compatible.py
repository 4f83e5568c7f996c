"""Any endpoint that speaks OpenAI's chat or completions API: OpenAI's own, hosts like it, vLLM, SGLang and others.

A thin client on one connection pool. It sends once per call (retries, deadlines and pace are the engine's), except
where a refusal names a parameter the endpoint doesn't take: that one is dropped, remembered, said in the completion,
and the request goes out again. What it costs per request is most of what the whole tool costs, so the way of a plain
reply is short: encode, post, decode the fields that are read, and no more.
"""

import asyncio
import os
import time
from urllib.parse import urlsplit, urlunsplit

import aiohttp
import msgspec
from yarl import URL

from holoscope.core import Completion, FatalModelError, NotSupportedError, Request, TransportError
from holoscope.models.endpoint import Endpoint
from holoscope.models.model import Api, ModelCard, unable
from holoscope.models.providers.bodies import Body, chat_body, completions_body, encode
from holoscope.models.providers.faults import Fault, Withheld, read_fault, verdict
from holoscope.models.providers.lessons import Lessons
from holoscope.models.providers.replies import Received, completion_of, lost_to_stop, withheld_completion
from holoscope.models.providers.sse import Stream
from holoscope.models.providers.wire import Reply, reply_decoder
from holoscope.models.tokenizers import Window

_MOST_LESSONS = 12
"""More than there are to learn: what can be dropped, renamed and put otherwise."""
_CONNECT_S = 30.0
_IDLE_S = 4.0
"""Shorter than any common server keeps an idle connection, so that none is used as it is being closed."""
_PATHS: dict[Api, str] = {"chat": "/chat/completions", "completions": "/completions"}


class OpenAICompatible:
    """A served model."""

    def __init__(self, card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> None:
        self.card, self.identity = card, identity
        self._endpoint, self._window = endpoint, window
        self._urls = {api: _join(endpoint.url, path) for api, path in _PATHS.items()}
        self._lessons = {api: Lessons(endpoint.capabilities) for api in _PATHS}
        self._session: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def window(self) -> Window:
        return self._window

    async def generate(self, request: Request) -> Completion:
        api = self._api(request)
        lessons = self._lessons[api]
        for _ in range(_MOST_LESSONS):
            body, dropped = self._body(request, api)
            received = await self._post(self._urls[api], body)
            if isinstance(received, Fault):
                meaning = verdict(received)
                if isinstance(meaning, Withheld):
                    return withheld_completion(meaning, dropped)
                if not lessons.learn(received, body):
                    raise self._remembered(meaning, request, api)
                continue
            try:
                completion = completion_of(received, request, self._endpoint, dropped)
            except NotSupportedError as error:
                raise self._remembered(error, request, api) from None
            if "stop" in body and lost_to_stop(completion):
                lessons.drop("stop")
                continue
            return completion
        raise FatalModelError(f"{self.card.name}: the endpoint refuses one parameter after another")

    async def aclose(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _api(self, request: Request) -> Api:
        """Which API serves a request. Raises NotSupportedError where none does."""
        can = self._endpoint.capabilities
        if not can.n and request.params.num_completions > 1:
            raise NotSupportedError(f"{self.card.name} gives one completion per request; use --trials")
        if reason := unable(self.card, request):
            raise NotSupportedError(reason)
        if request.messages is not None:
            return "chat"
        if request.params.echo_prompt:
            return "completions"
        if can.chat and can.completions:
            return can.prefers
        return "chat" if can.chat else "completions"

    def _body(self, request: Request, api: Api) -> tuple[Body, tuple[str, ...]]:
        """The body as the endpoint takes it, and what had to be left out."""
        lessons = self._lessons[api]
        make = chat_body if api == "chat" else completions_body
        body = make(request, self._endpoint)
        for name in ("echo", "n"):
            if name in body and name in lessons.refusals:
                raise NotSupportedError(lessons.refusals[name])
        dropped = lessons.apply(body)
        if "echo" in body and "logprobs" not in body:
            raise NotSupportedError(f"{self.card.name} gives no log-probabilities, so it can't score given text")
        return body, dropped

    def _remembered(self, error: Exception, request: Request, api: Api) -> Exception:
        """The same error; where it means that all such requests fail, they are not sent again."""
        if isinstance(error, NotSupportedError):
            if request.params.echo_prompt and "echo" in str(error):
                self._lessons[api].refusals["echo"] = str(error)
            elif request.params.num_completions > 1 and "completions at once" in str(error):
                self._lessons[api].refusals["n"] = str(error)
        return error

    async def _post(self, url: URL, body: Body) -> Received | Fault:
        """Send once."""
        session = self._session
        if session is None or self._loop is not asyncio.get_running_loop():
            session = self._open_session()
        data = encode(body)
        started = time.perf_counter()
        try:
            async with session.post(url, data=data, proxy=self._endpoint.proxy, allow_redirects=False) as response:
                if response.status == 200 and "event-stream" in response.content_type:
                    return await self._streamed(response, started)
                raw = await response.read()
                took = time.perf_counter() - started
                if response.status != 200:
                    return self._fault(response, raw)
                reply = _decode(raw)
                return Received(reply, took) if reply.error is None else self._fault(response, raw)
        except (aiohttp.ClientConnectorCertificateError, aiohttp.ClientSSLError) as error:
            raise FatalModelError(f"no secure connection to {self._host}: {_first_line(error)}") from None
        except aiohttp.ClientConnectorError as error:
            raise TransportError(f"cannot connect to {self._host}: {_os_reason(error.os_error)}") from None
        except (aiohttp.ClientError, OSError) as error:
            raise TransportError(f"the connection to {self._host} broke: {_first_line(error)}") from None

    async def _streamed(self, response: aiohttp.ClientResponse, started: float) -> Received | Fault:
        stream, first = Stream(), None
        async for chunk in response.content.iter_any():
            stream.feed(chunk)
            if first is None and stream.has_text:
                first = time.perf_counter() - started
        reply = stream.finish()
        if stream.error:
            return self._fault(response, stream.error)
        return Received(reply, time.perf_counter() - started, first)

    def _fault(self, response: aiohttp.ClientResponse, raw: bytes) -> Fault:
        """The error in a reply, without what we identify with, should the server repeat it."""
        for secret in (self._endpoint.key, self._endpoint.authorization):
            if secret is not None:
                raw = secret.hidden_in(raw)
        fault = read_fault(response.status, response.headers, raw)
        if 300 <= response.status < 400:
            where = response.headers.get("Location", "elsewhere")
            fault = fault._replace(message=f"the address redirects to {where}: give that one")
        return fault

    def _open_session(self) -> aiohttp.ClientSession:
        endpoint = self._endpoint
        headers = {"Content-Type": "application/json", "User-Agent": "holoscope"}
        if endpoint.authorization is not None:
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

    @property
    def _host(self) -> str:
        return urlsplit(self._endpoint.url).netloc


def _decode(raw: bytes) -> Reply:
    try:
        return reply_decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        shown = "an HTML page" if raw.lstrip()[:1] == b"<" else str(error)
        raise TransportError(f"the reply is not readable: {shown}") from None


def _join(base: str, path: str) -> URL:
    parts = urlsplit(base)
    return URL(urlunsplit((parts.scheme, parts.netloc, parts.path + path, parts.query, "")))


def _os_reason(error: OSError) -> str:
    """What the system says, such as `Connection refused`; event loops put it in other words."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else _first_line(error)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__
