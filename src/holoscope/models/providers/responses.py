"""OpenAI's Responses API (`?wire=responses`), over the official SDK.

The SDK identifies, connects and names errors; bodies and replies are ours, through its documented door for raw posts,
so that no reply is lost to a field it doesn't know and no time goes into models nobody reads. The API has no stop
sequences, no seed and one answer per request: stops are applied to the finished answer, and what is left out is said.
Nothing is stored at the provider unless the user asks for it.
"""

import asyncio
import time
from typing import cast

import msgspec

from holoscope.core import Json, MissingExtraError, TransportError
from holoscope.models.endpoint import Endpoint
from holoscope.models.model import Api, ModelCard
from holoscope.models.providers.bodies import Body, encode
from holoscope.models.providers.client import Client
from holoscope.models.providers.faults import Fault, fault_of, read_fault
from holoscope.models.providers.replies import Received
from holoscope.models.providers.sdk import Picture, Turn, narrowed, read_talk, unreached
from holoscope.models.providers.sse import Events, stream_headers
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
    import httpx2
    import openai
except ImportError as error:
    raise MissingExtraError("the Responses API", "openai") from error

_CONNECT_S = 30.0
_JSON = {"Content-Type": "application/json"}
_RENAMED = frozenset(
    ("messages", "max_tokens", "max_completion_tokens", "logprobs", "reasoning_effort", "stream_options")
)
_ENDS = ("response.completed", "response.incomplete", "response.failed")
_TEXT = ("response.output_text.delta", "response.refusal.delta")
_THOUGHT = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_STATUS = {"rate_limit_exceeded": 429, "insufficient_quota": 429, "server_error": 500, "server_is_overloaded": 503}
"""Status codes of errors that come within a reply of status 200; others say what the request did wrong."""
_POLICIES = ("bio_policy", "misalignment_policy_violation", "image_content_policy_violation")


class Part(msgspec.Struct, gc=False):
    """A piece of an item: text, a refusal, or a summary."""

    type: str = ""
    text: str | None = None
    refusal: str | None = None
    logprobs: list[TokenLogprob] | None = None


class Item(msgspec.Struct, gc=False):
    """What the model put out: a message, or its reasoning."""

    type: str = ""
    content: list[Part] | None = None
    summary: list[Part] | None = None
    phase: str | None = None


class Incomplete(msgspec.Struct, gc=False):
    reason: str | None = None


class Spent(msgspec.Struct, gc=False):
    """Usage under this API's names."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    input_tokens_details: ReplyDetails | None = None
    output_tokens_details: ReplyDetails | None = None


class Response(msgspec.Struct):
    """A whole reply."""

    status: str | None = None
    output: list[Item] | None = None
    incomplete_details: Incomplete | msgspec.UnsetType | None = msgspec.UNSET
    """Left out by servers that call an answer complete that the limit cut off."""
    usage: Spent | None = None
    model: str | None = None
    error: Json = None


class Event(msgspec.Struct):
    """One event of a stream. The last one holds the whole reply."""

    type: str = ""
    response: Response | None = None


_responses = msgspec.json.Decoder(Response)
_events = msgspec.json.Decoder(Event)


class Responses(Client):
    """A model behind the Responses API."""

    def __init__(self, card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> None:
        card, endpoint = narrowed(card, endpoint, stop=False, n=False, echo=False, completions=False)
        super().__init__(card, identity, endpoint, window)
        self._lessons["chat"].drop("seed")
        self._sdk: openai.AsyncOpenAI | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def aclose(self) -> None:
        """Close the connections."""
        if self._sdk is not None:
            await self._sdk.close()
            self._sdk = None

    async def _send(self, body: Body, api: Api) -> Received | Fault:
        sent, sdk = responses_body(body), self._opened()
        started = time.perf_counter()
        try:
            if sent.get("stream"):
                return await self._streamed(sdk, sent, started)
            response = await sdk.post(
                "/responses", content=encode(sent), cast_to=httpx2.Response, options={"headers": _JSON}
            )
            return self._read(response.content, sent, time.perf_counter() - started)
        except openai.APIStatusError as error:
            return read_fault(error.status_code, error.response.headers, self._hidden(error.response.content))
        except (openai.APIConnectionError, httpx2.HTTPError, OSError) as error:
            raise unreached(self._host, error) from None

    async def _streamed(self, sdk: openai.AsyncOpenAI, sent: Body, started: float) -> Received | Fault:
        first, events = None, Events()
        raw = sdk.responses.with_streaming_response.create(
            stream=True, extra_body=sent, extra_headers=stream_headers(self._endpoint.url)
        )
        async with raw as response:
            if "event-stream" not in response.headers.get("content-type", ""):
                return self._read(await response.read(), sent, time.perf_counter() - started)
            async for chunk in response.iter_bytes():
                for data in events.feed(chunk):
                    event = decode(_events, data)
                    if first is None and event.type in (*_TEXT, *_THOUGHT):
                        first = time.perf_counter() - started
                    if event.type == "error":
                        return _fault(cast(Json, msgspec.json.decode(self._hidden(data))))
                    if event.type in _ENDS and event.response is not None:
                        return self._received(event.response, sent, time.perf_counter() - started, first)
        raise TransportError("the streamed reply broke off before its end")

    def _read(self, raw: bytes, sent: Body, took: float) -> Received | Fault:
        return self._received(decode(_responses, raw), sent, took)

    def _received(self, response: Response, sent: Body, took: float, first: float | None = None) -> Received | Fault:
        if response.error is not None:
            return _fault(cast(Json, msgspec.json.decode(self._hidden(msgspec.json.encode(response.error)))))
        if response.output is None:
            raise TransportError("the reply holds no output: the endpoint doesn't speak the Responses API")
        choice = _choice(response, _finish(response, sent.get("max_output_tokens")))
        return Received(Reply([choice], _usage(response.usage), response.model), took, first)

    def _opened(self) -> openai.AsyncOpenAI:
        """The SDK's client for the running event loop. Timeouts and retries are the engine's."""
        if self._sdk is not None and self._loop is asyncio.get_running_loop():
            return self._sdk
        endpoint = self._endpoint
        key = endpoint.key.reveal() if endpoint.key else "none"
        transport = openai.DefaultAioHttpClient(
            timeout=httpx2.Timeout(None, connect=_CONNECT_S),
            limits=httpx2.Limits(max_connections=None),
            proxy=endpoint.proxy,
            trust_env=False,
        )
        headers = {endpoint.key_header: key} if endpoint.key_header else {}
        self._loop = asyncio.get_running_loop()
        self._sdk = openai.AsyncOpenAI(
            api_key=key,
            base_url=endpoint.url,
            organization=endpoint.organization or None,
            max_retries=0,
            timeout=httpx2.Timeout(None, connect=_CONNECT_S),
            http_client=transport,
            default_headers=headers,
        )
        # the SDK adds OPENAI_CUSTOM_HEADERS, OPENAI_ORG_ID and OPENAI_PROJECT_ID, whoever's server this is
        self._sdk._custom_headers = headers
        self._sdk.organization, self._sdk.project = endpoint.organization or None, None
        return self._sdk


def responses_body(body: Body) -> Body:
    """A canonical body as this API takes it; what it names alike, and the user's own fields, go as they are."""
    talk = read_talk(body)
    sent = {name: value for name, value in body.items() if name not in _RENAMED}
    sent["input"] = [_turn(turn) for turn in talk.turns]
    if talk.system:
        sent.setdefault("instructions", talk.system)
    for name in ("max_tokens", "max_completion_tokens"):
        if name in body:
            sent["max_output_tokens"] = body[name]
    if "logprobs" in body:
        sent.setdefault("include", ["message.output_text.logprobs"])
    if effort := body.get("reasoning_effort"):
        sent["reasoning"] = {"effort": effort, **cast(dict[str, Json], sent.get("reasoning") or {})}
    sent.setdefault("store", False)
    return sent


def _turn(turn: Turn) -> Json:
    if all(isinstance(part, str) for part in turn.parts):
        return {"role": turn.role, "content": turn.text}
    return {"role": turn.role, "content": [_part(part) for part in turn.parts]}


def _part(part: str | Picture) -> Json:
    if isinstance(part, str):
        return {"type": "input_text", "text": part}
    return {"type": "input_image", "image_url": f"data:{part.media_type};base64,{part.data}"}


def _choice(response: Response, finish: str) -> ReplyChoice:
    """All messages as one answer. What the model says on its way to it counts as reasoning."""
    items = response.output or []
    answers = [item for item in items if item.type == "message" and item.phase != "commentary"]
    thoughts = [item for item in items if item.type == "reasoning" or item.phase == "commentary"]
    parts = [part for item in answers for part in item.content or ()]
    thinking = [part.text for item in thoughts for part in (*(item.summary or ()), *(item.content or ()))]
    refusals = [part.refusal for part in parts if part.refusal]
    message = ReplyMessage(
        content="".join(part.text for part in parts if part.text),
        reasoning_content="\n\n".join(text for text in thinking if text),
        refusal="".join(refusals) or None,
    )
    tokens = [token for part in parts for token in part.logprobs or ()]
    reasoned = any(item.type == "reasoning" for item in items)
    return ReplyChoice(
        message=message,
        logprobs=Logprobs(tokens) if tokens else None,
        finish_reason=finish,
        reasoned=reasoned,
    )


def _finish(response: Response, limit: Json) -> str:
    """How it ended, in words that all wire formats share."""
    details, made = response.incomplete_details, response.usage.output_tokens if response.usage else None
    if response.status in ("completed", None):
        is_cut = details is msgspec.UNSET and isinstance(limit, int) and made is not None and made >= limit
        return "length" if is_cut else "stop"
    if response.status == "incomplete":
        return (isinstance(details, Incomplete) and details.reason) or "length"
    return "error"  # cancelled, or still in progress: no answer


def _usage(spent: Spent | None) -> ReplyUsage | None:
    if spent is None:
        return None
    return ReplyUsage(
        prompt_tokens=spent.input_tokens,
        completion_tokens=spent.output_tokens,
        completion_tokens_details=spent.output_tokens_details,
        prompt_tokens_details=spent.input_tokens_details,
    )


def _fault(error: Json) -> Fault:
    """The fault in a failed reply or an error event."""
    inner = error.get("error") if isinstance(error, dict) else None
    fault = fault_of({"error": inner if isinstance(inner, dict) else error}, 400)
    codes = fault.code.split()
    if any(policy in codes for policy in _POLICIES):
        return fault._replace(code=f"{fault.code} content_policy")
    return fault._replace(status=next((_STATUS[code] for code in codes if code in _STATUS), 400))


def open_model(card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> Responses:
    """The client of an endpoint that speaks OpenAI's Responses API."""
    return Responses(card, identity, endpoint, window)
