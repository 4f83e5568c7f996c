"""Google's Gemini models, of the Developer API and of Vertex AI, over the official SDK.

The SDK knows the addresses, identifies (an API key, a service account, the machine's default credentials) and names
errors; bodies and replies are ours (`gemini_wire`). Its own reply models would cost four times the client's CPU and
stumble over values they don't know, so requests go through the raw door below them. For streams there is no public one
that leaves a reply as it came, hence the one use of a private attribute here (`_door`).
"""

import asyncio
import time
from contextlib import aclosing
from pathlib import Path

import aiohttp
import msgspec

from holoscope.core import ConfigError, FatalModelError, Json, MissingExtraError, TransportError
from holoscope.models.endpoint import Endpoint
from holoscope.models.hosts import VERTEX_URL
from holoscope.models.model import Api, ModelCard
from holoscope.models.providers.bodies import Body
from holoscope.models.providers.client import Client
from holoscope.models.providers.faults import Fault
from holoscope.models.providers.gemini_wire import (
    Content,
    gemini_body,
    google_fault,
    has_text,
    is_whole,
    merged,
    reply_of,
)
from holoscope.models.providers.replies import Received
from holoscope.models.providers.sdk import narrowed, unreached
from holoscope.models.providers.wire import decode
from holoscope.models.tokenizers import Window

try:
    from google import genai
    from google.auth import exceptions as auth_errors
    from google.auth.credentials import Credentials
    from google.genai import errors, types
    from google.genai._api_client import BaseApiClient
    from google.oauth2.credentials import Credentials as Token
    from google.oauth2.service_account import Credentials as ServiceAccount
except ImportError as error:
    raise MissingExtraError("Google's Gemini models", "google") from error

_CONNECT_S, _IDLE_S = 30.0, 4.0
_SCOPES = ("https://www.googleapis.com/auth/cloud-platform",)
_GLOBAL = "global"
_NO_KEY = "none"
_content = msgspec.json.Decoder(Content)


class Gemini(Client):
    """A Gemini model."""

    def __init__(self, card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> None:
        card, endpoint = narrowed(card, endpoint, echo=False, completions=False)
        super().__init__(card, identity, endpoint, window)
        self._is_vertex = card.provider == "vertex"
        self._path = model_path(endpoint.served_name, self._is_vertex)
        self._credentials = _credentials(endpoint) if self._is_vertex and endpoint.key is None else None
        self._session: aiohttp.ClientSession | None = None
        self._sdk: genai.Client | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def aclose(self) -> None:
        """Close the connections."""
        if self._sdk is not None:
            await self._sdk.aio.aclose()
            self._sdk.close()
            self._sdk = None
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _send(self, body: Body, api: Api) -> Received | Fault:
        sent: dict[str, object] = {**gemini_body(body)}
        started = time.perf_counter()
        try:
            if body.get("stream"):
                return await self._streamed(sent, started)
            response = await self._door().async_request("post", f"{self._path}:generateContent", sent)
            raw = (response.body or "").encode()
            return self._received(decode(_content, raw), time.perf_counter() - started)
        except errors.APIError as error:
            raw = self._hidden(msgspec.json.encode(error.details))
            return google_fault(error.code, getattr(error.response, "headers", None) or {}, raw)
        except (aiohttp.ClientError, OSError) as error:
            raise unreached(self._host, error) from None
        except auth_errors.TransportError as error:
            raise TransportError(f"cannot identify with Google: {_line(error)}") from None
        except auth_errors.GoogleAuthError as error:
            raise FatalModelError(f"cannot identify with Google: {_line(error)}") from None
        except ValueError as error:
            raise TransportError(f"the reply is not readable: {type(error).__name__}") from None

    async def _streamed(self, sent: dict[str, object], started: float) -> Received | Fault:
        stream = await self._door().async_request_streamed("post", f"{self._path}:streamGenerateContent?alt=sse", sent)
        events: list[Content] = []
        first = None
        async with aclosing(stream):
            async for event in stream:
                events.append(decode(_content, event.body.encode()))
                if first is None and has_text(events[-1]):
                    first = time.perf_counter() - started
        whole = merged(events)
        if whole.error is None and not is_whole(whole):
            raise TransportError("the streamed reply broke off before its end")
        return self._received(whole, time.perf_counter() - started, first)

    def _received(self, content: Content, took: float, first: float | None = None) -> Received | Fault:
        if content.error is not None:
            said: dict[str, Json] = {"error": content.error}
            return google_fault(200, {}, self._hidden(msgspec.json.encode(said)))
        return Received(reply_of(content), took, first)

    def _door(self) -> BaseApiClient:
        """The SDK below its reply models, for the running event loop."""
        if self._sdk is None or self._loop is not asyncio.get_running_loop():
            self._loop = asyncio.get_running_loop()
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_S, ttl_dns_cache=300),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_S),
                proxy=self._endpoint.proxy,
            )
            self._sdk = self._vertex(self._session) if self._is_vertex else self._developer(self._session)
        return self._sdk._api_client

    def _developer(self, session: aiohttp.ClientSession) -> genai.Client:
        endpoint = self._endpoint
        options = _options(session, endpoint.url, endpoint.places.get("api_version", "v1beta"))
        key = endpoint.key.reveal() if endpoint.key else _NO_KEY
        return genai.Client(vertexai=False, api_key=key, http_options=options)

    def _vertex(self, session: aiohttp.ClientSession) -> genai.Client:
        """By a key alone (express mode), or as whoever the machine is within a project."""
        endpoint = self._endpoint
        region = endpoint.places.get("region", _GLOBAL)
        url = None if endpoint.url == VERTEX_URL and region != _GLOBAL else endpoint.url
        options = _options(session, url, endpoint.places.get("api_version", "v1beta1"))
        if endpoint.key is not None:
            return genai.Client(vertexai=True, api_key=endpoint.key.reveal(), http_options=options)
        return genai.Client(
            vertexai=True,
            project=endpoint.places["project"],
            location=region,
            credentials=self._credentials,
            http_options=options,
        )


def model_path(name: str, is_vertex: bool) -> str:
    """The path of a model, for names with and without the folder they are in.

    >>> model_path("gemini-2.5-pro", False), model_path("google/gemini-2.5-pro", True)
    ('models/gemini-2.5-pro', 'publishers/google/models/gemini-2.5-pro')
    """
    if not is_vertex:
        return name if "/" in name else f"models/{name}"
    if name.startswith(("projects/", "publishers/")):
        return name
    publisher, _, model = name.rpartition("/")
    return f"publishers/{publisher or 'google'}/models/{model}"


def _options(session: aiohttp.ClientSession, url: str | None, version: str) -> types.HttpOptions:
    """One attempt, since retries are the engine's, on a connection pool without a limit."""
    once = types.HttpRetryOptions(attempts=1)
    return types.HttpOptions(base_url=url, api_version=version, aiohttp_client=session, retry_options=once)


def _credentials(endpoint: Endpoint) -> Credentials | None:
    """Who asks: the service account of the environment, or None for what the machine knows. Nobody, elsewhere."""
    if endpoint.url != VERTEX_URL:
        return Token(token=_NO_KEY)  # type: ignore[no-untyped-call]
    file = endpoint.environ.get("GOOGLE_APPLICATION_CREDENTIALS", "")
    account = read_account(file) if file else {}
    if account.get("type") != "service_account":
        return None
    found: Credentials = ServiceAccount.from_service_account_info(account, scopes=_SCOPES)  # type: ignore[no-untyped-call]
    return found


def read_account(file: str) -> dict[str, Json]:
    """A file of Google credentials; ConfigError, which never quotes it, where it is none."""
    try:
        account: dict[str, Json] = msgspec.json.decode(Path(file).read_bytes(), type=dict[str, Json])
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"cannot read GOOGLE_APPLICATION_CREDENTIALS {file}: {type(error).__name__}") from None
    return account


def _line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def open_model(card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> Gemini:
    """The client of a Gemini model. Raises ConfigError where a file of credentials can't be read."""
    return Gemini(card, identity, endpoint, window)
