"""Models on Amazon Bedrock, through the Converse API that is the same for all of them.

Over aiobotocore, which is Amazon's own botocore on aiohttp: botocore knows the regions' addresses, signs requests and
finds credentials (keys, a bearer token, profiles, roles). Its event loop is ours, where boto3 would need a thread for
each request in flight. Fields that only one maker's models know go in by `body.*` (`additionalModelRequestFields`).
"""

import asyncio
import base64
import time
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from itertools import groupby
from typing import Any, cast

from holoscope.core import FatalModelError, Json, MissingExtraError, Request, TransportError
from holoscope.models.endpoint import Endpoint
from holoscope.models.hosts import BEDROCK_URL
from holoscope.models.model import Api, ModelCard
from holoscope.models.providers.anthropic_wire import unsampled
from holoscope.models.providers.bodies import Body
from holoscope.models.providers.client import Client
from holoscope.models.providers.faults import Fault, clean, retry_after
from holoscope.models.providers.replies import Received
from holoscope.models.providers.sdk import Picture, Turn, narrowed, read_talk, unreached
from holoscope.models.providers.wire import Reply, ReplyChoice, ReplyDetails, ReplyMessage, ReplyUsage
from holoscope.models.tokenizers import Window

try:
    import aiohttp
    from aiobotocore.config import AioConfig
    from aiobotocore.session import get_session
    from botocore.exceptions import BotoCoreError, ClientError, EventStreamError, HTTPClientError
    from botocore.exceptions import ConnectionError as BotoConnectionError
    from botocore.parsers import ResponseParserError
    from botocore.tokens import FrozenAuthToken
except ModuleNotFoundError as error:
    raise MissingExtraError("Amazon Bedrock's models", "bedrock") from error

_CONNECT_S = 30
_MOST_CONNECTIONS = 4096
_FOR_EVER_S = 24 * 3600
"""The SDK must have a limit; how long to wait is the engine's business."""
_REGION = "us-east-1"
_TAKEN = frozenset(("model", "messages", "max_tokens", "temperature", "top_p", "stop", "stream", "stream_options"))
_FINISH = {
    "tool_use": "stop",
    "content_filtered": "content_filter",
    "model_context_window_exceeded": "length",
    "malformed_model_output": "error",
    "malformed_tool_use": "error",
}
_STATUS = {
    "AccessDeniedException": 403,
    "UnrecognizedClientException": 403,
    "ExpiredTokenException": 403,
    "ThrottlingException": 429,
    "ModelNotReadyException": 503,
    "ModelTimeoutException": 504,
    "ModelErrorException": 500,
    "ModelStreamErrorException": 500,
    "InternalServerException": 500,
    "ServiceUnavailableException": 503,
    "ServiceQuotaExceededException": 402,
    "ResourceNotFoundException": 404,
    "ValidationException": 400,
}
"""Codes whose usual status says too little, or that come in the middle of a stream, where there is none."""
_UNREADABLE = (ResponseParserError, ValueError, TypeError, AttributeError)
"""What the SDK's parser raises, on purpose and otherwise, for a reply that is no JSON or not an object."""


class Bedrock(Client):
    """A model on Bedrock."""

    def __init__(self, card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> None:
        card, endpoint = narrowed(card, endpoint, n=False, echo=False, completions=False, logprobs=False)
        super().__init__(card, identity, endpoint, window)
        self._lessons["chat"].drop("seed")
        self._open = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._sdk: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def aclose(self) -> None:
        """Close the connections."""
        self._sdk = None
        await self._open.aclose()

    def _body(self, request: Request, api: Api) -> tuple[Body, tuple[str, ...]]:
        body, dropped = super()._body(request, api)
        taken = unsampled(body)
        return taken.body, (*dropped, *taken.changes)

    async def _send(self, body: Body, api: Api) -> Received | Fault:
        started = time.perf_counter()
        try:
            sdk = await self._opened()
            if body.get("stream"):
                return await self._streamed(sdk, body, started)
            reply = await sdk.converse(**converse_arguments(body))
            return Received(reply_of(reply), time.perf_counter() - started)
        except (ClientError, EventStreamError) as error:
            return self._fault(error)
        except (BotoConnectionError, HTTPClientError, aiohttp.ClientError, OSError) as error:
            raise unreached(self._host, error) from None
        except BotoCoreError as error:
            raise FatalModelError(f"{self.card.name}: {clean(str(error))}") from None
        except _UNREADABLE as error:
            raise TransportError(f"the reply is not readable: {clean(str(error))}") from None

    async def _streamed(self, sdk: Any, body: Body, started: float) -> Received | Fault:
        first, pieces, whole = None, _Pieces(), False
        reply = await sdk.converse_stream(**converse_arguments(body))
        if "stream" not in reply:
            raise TransportError("the reply is no stream of events")
        async for event in reply["stream"]:
            pieces.add(event)
            if first is None and pieces.has_text:
                first = time.perf_counter() - started
            whole = whole or "messageStop" in event
        if not whole:
            raise TransportError("the streamed reply broke off before its end")
        return Received(reply_of(pieces.reply), time.perf_counter() - started, first)

    def _fault(self, error: "ClientError | EventStreamError") -> Fault:
        said = cast(Mapping[str, Any], error.response)
        details, about = said.get("Error") or {}, said.get("ResponseMetadata") or {}
        code = str(details.get("Code") or "")
        named = next((status for name, status in _STATUS.items() if name.lower() == code.lower()), None)
        status = named or int(about.get("HTTPStatusCode") or 500)
        message = self._hidden(str(details.get("Message") or code).encode()).decode()
        return Fault(status, clean(message), code.lower(), retry_after=retry_after(about.get("HTTPHeaders") or {}))

    async def _opened(self) -> Any:
        """The SDK's client for the running event loop. Timeouts and retries are the engine's."""
        async with self._opening:
            if self._sdk is None or self._loop is not asyncio.get_running_loop():
                self._loop = asyncio.get_running_loop()
                self._sdk = await self._open.enter_async_context(self._client())
            return self._sdk

    def _client(self) -> Any:
        endpoint, environ = self._endpoint, self._endpoint.environ
        session = get_session()
        config: dict[str, Any] = {
            "retries": {"total_max_attempts": 1},
            "connect_timeout": _CONNECT_S,
            "read_timeout": _FOR_EVER_S,
            "max_pool_connections": _MOST_CONNECTIONS,
            "proxies": {"https": endpoint.proxy, "http": endpoint.proxy} if endpoint.proxy else {},
        }
        if endpoint.key is not None:
            session.register_component("token_provider", _Bearer(endpoint.key.reveal()))
            config["signature_version"] = "bearer"
        return session.create_client(
            "bedrock-runtime",
            region_name=self._region(session),
            endpoint_url=None if endpoint.url == BEDROCK_URL else endpoint.url,
            aws_access_key_id=environ.get("AWS_ACCESS_KEY_ID") or None,
            aws_secret_access_key=environ.get("AWS_SECRET_ACCESS_KEY") or None,
            aws_session_token=environ.get("AWS_SESSION_TOKEN") or None,
            config=AioConfig(**config),
        )

    def _region(self, session: Any) -> str:
        """Where the model is: a resource's name says it, else the user, else the user's profile."""
        own, given = self._endpoint.served_name.split(":"), self._endpoint.places.get("region")
        named = own[3] if own[0] == "arn" and len(own) > 3 else ""
        return str(named or given or session.get_config_variable("region") or _REGION)


class _Bearer:
    """The user's token, where the SDK looks for one."""

    def __init__(self, token: str) -> None:
        self._token = token

    def load_token(self, **_: object) -> "_Bearer":
        return self

    async def get_frozen_token(self) -> FrozenAuthToken:
        return FrozenAuthToken(self._token)


class _Pieces:
    """A streamed reply, put together into the one that would have come in one piece."""

    def __init__(self) -> None:
        self._blocks: dict[int, dict[str, Any]] = {}
        self._ending: dict[str, Any] = {}
        self.has_text = False

    def add(self, event: Mapping[str, Any]) -> None:
        if delta := event.get("contentBlockDelta"):
            block = self._blocks.setdefault(delta["contentBlockIndex"], {"text": "", "thought": None})
            piece = delta["delta"]
            block["text"] += piece.get("text") or ""
            if "reasoningContent" in piece:
                block["thought"] = (block["thought"] or "") + (piece["reasoningContent"].get("text") or "")
            self.has_text = self.has_text or bool(block["text"] or block["thought"])
        self._ending |= event.get("messageStop") or {}
        self._ending |= event.get("metadata") or {}

    @property
    def reply(self) -> dict[str, Any]:
        content = [
            {"text": block["text"]}
            if block["thought"] is None
            else {"reasoningContent": {"reasoningText": {"text": block["thought"]}}}
            for _, block in sorted(self._blocks.items())
        ]
        return {**self._ending, "output": {"message": {"content": content}}}


def converse_arguments(body: Body) -> dict[str, Any]:
    """A canonical body as the SDK's arguments; fields of the user's own are the model's."""
    talk = read_talk(body)
    limits = {"max_tokens": "maxTokens", "temperature": "temperature", "top_p": "topP", "stop": "stopSequences"}
    arguments: dict[str, Any] = {
        "modelId": body["model"],
        "messages": _messages(talk.turns),
        "inferenceConfig": {theirs: body[ours] for ours, theirs in limits.items() if ours in body},
    }
    if talk.system:
        arguments["system"] = [{"text": talk.system}]
    if own := {name: value for name, value in body.items() if name not in _TAKEN}:
        arguments["additionalModelRequestFields"] = _with_thinking(
            own, arguments["inferenceConfig"], str(body["model"])
        )
    return arguments


def _messages(turns: Iterable[Turn]) -> list[dict[str, Any]]:
    """Messages whose roles alternate, as the API wants them."""
    return [
        {"role": role, "content": [piece for turn in same for piece in _content(turn)]}
        for role, same in groupby(turns, key=lambda turn: turn.role)
    ]


def _with_thinking(own: dict[str, Json], limits: dict[str, Any], model: str) -> dict[str, Json]:
    """Reasoning as Anthropic's models on Bedrock are asked for it: a budget comes on top of the limit."""
    own, wanted = dict(own), own.get("thinking")
    effort = own.pop("reasoning_effort", None)
    if isinstance(wanted, str):
        if wanted.isdigit() and wanted != "0":
            own["thinking"] = {"type": "enabled", "budget_tokens": int(wanted)}
            limits["maxTokens"] += int(wanted)
        else:
            own["thinking"] = {"type": "disabled" if wanted in ("none", "0") else wanted}
    return own if effort is None else {**_effort(effort, model), **own}


def _effort(effort: Json, model: str) -> dict[str, Json]:
    """How hard to think, in the words of the model's maker."""
    if "anthropic." in model:
        return {"output_config": {"effort": effort}}
    if "amazon.nova" in model:
        return {"reasoningConfig": {"type": "enabled", "maxReasoningEffort": effort}}
    return {"reasoning_effort": effort}


def _content(turn: Turn) -> list[dict[str, Any]]:
    return [{"text": part} if isinstance(part, str) else {"image": _image(part)} for part in turn.parts]


def _image(picture: Picture) -> dict[str, Any]:
    kind = picture.media_type.rpartition("/")[2]
    return {"format": "jpeg" if kind == "jpg" else kind, "source": {"bytes": base64.b64decode(picture.data)}}


def reply_of(reply: Mapping[str, Any]) -> Reply:
    """The reply in the shape that all wire formats share."""
    message = (reply.get("output") or {}).get("message")
    if message is None or "stopReason" not in reply:
        raise TransportError("the reply holds no message: the endpoint doesn't speak the Converse API")
    blocks: list[Mapping[str, Any]] = message.get("content") or []
    thoughts = [block["reasoningContent"] for block in blocks if "reasoningContent" in block]
    thinking = [(thought.get("reasoningText") or {}).get("text") for thought in thoughts]
    reason = str(reply["stopReason"])
    choice = ReplyChoice(
        message=ReplyMessage(
            "".join(block.get("text") or "" for block in blocks), "\n\n".join(text for text in thinking if text)
        ),
        finish_reason=_FINISH.get(reason, reason),
        reasoned=bool(thoughts),
    )
    return Reply([choice], _usage(reply.get("usage")))


def _usage(spent: Mapping[str, int] | None) -> ReplyUsage | None:
    if not spent:
        return None
    given = spent.get("inputTokens")
    cached = (spent.get("cacheReadInputTokens") or 0) + (spent.get("cacheWriteInputTokens") or 0)
    return ReplyUsage(
        prompt_tokens=None if given is None else given + cached,
        completion_tokens=spent.get("outputTokens"),
        prompt_tokens_details=ReplyDetails(cached_tokens=spent.get("cacheReadInputTokens")),
    )


def open_model(card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> Bedrock:
    """The client of a model on Bedrock."""
    return Bedrock(card, identity, endpoint, window)
