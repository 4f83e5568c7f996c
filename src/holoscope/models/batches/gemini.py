"""Gemini's batch API, with the requests and their answers inline: `MODEL:batchGenerateContent`.

A batch is an operation that holds its rows' answers once it has ended, so there is no file at either end. Each row
carries its id as metadata, and a lost batch is found by its display name. Vertex AI's takes files in a bucket and is
not served here.
"""

from collections.abc import AsyncIterator, Collection, Sequence
from typing import cast

import aiohttp
import msgspec
from google.genai import errors

from holoscope.core import FatalModelError, Json, TransportError
from holoscope.models.batches.api import BatchLimits, Phase, Result, Row, State, refusal
from holoscope.models.batches.journal import Entry
from holoscope.models.model import Api
from holoscope.models.providers.bodies import Body, encode
from holoscope.models.providers.client import Client
from holoscope.models.providers.faults import Fault, clean
from holoscope.models.providers.gemini import Gemini
from holoscope.models.providers.gemini_wire import Content, gemini_body, google_fault, reply_of
from holoscope.models.providers.replies import Received
from holoscope.models.providers.sdk import unreached
from holoscope.models.providers.wire import decode

_ENDED: dict[str, Phase] = {
    "SUCCEEDED": "ended",
    "PARTIALLY_SUCCEEDED": "ended",
    "EXPIRED": "expired",
    "CANCELLED": "cancelled",
    "FAILED": "failed",
}
"""The end of the states' names, which begin with `BATCH_STATE_` or `JOB_STATE_`."""
_PAGES = 20


class _Answer(msgspec.Struct):
    response: msgspec.Raw = msgspec.Raw(b"")
    error: Json = None
    metadata: Json = None


class _Answers(msgspec.Struct, rename="camel"):
    inlined_responses: list[_Answer] = []


class _Output(msgspec.Struct, rename="camel"):
    inlined_responses: _Answers | None = None


class _Stats(msgspec.Struct, rename="camel"):
    """Counts, which come as text."""

    successful_request_count: int | str = 0
    failed_request_count: int | str = 0


class _About(msgspec.Struct, rename="camel"):
    display_name: str = ""
    state: str = ""
    batch_stats: _Stats | None = None
    output: _Output | None = None


class _Operation(msgspec.Struct):
    name: str = ""
    metadata: _About | None = None
    error: Json = None
    response: _Output | None = None

    @property
    def answers(self) -> list[_Answer]:
        """What was answered, wherever the operation keeps it."""
        outputs = (self.response, self.metadata.output if self.metadata else None)
        found = (output.inlined_responses for output in outputs if output is not None)
        return next((answers.inlined_responses for answers in found if answers is not None), [])


class _Operations(msgspec.Struct, rename="camel"):
    operations: list[_Operation] = []
    next_page_token: str = ""


_operation = msgspec.json.Decoder(_Operation)
_operations = msgspec.json.Decoder(_Operations)
_content = msgspec.json.Decoder(Content)


class GeminiBatches:
    """The batch API of the Developer API."""

    limits = BatchLimits(50_000, 18_000_000)
    """Inline requests go up to 20 MB."""

    def __init__(self, client: Gemini) -> None:
        self._client = client

    def row(self, custom_id: str, api: Api, body: Body) -> Row:
        return Row(custom_id, encode({"request": gemini_body(body), "metadata": {"key": custom_id}}))

    async def upload(self, entry: Entry, rows: Sequence[Row]) -> str:
        return ""

    async def submit(self, entry: Entry, rows: Sequence[Row]) -> str:
        requests = [msgspec.json.decode(row.content) for row in rows]
        batch = {"displayName": entry.label, "inputConfig": {"requests": {"requests": requests}}}
        raw = await self._call("post", f"{self._client._path}:batchGenerateContent", {"batch": batch})
        if not (name := decode(_operation, raw).name):
            raise TransportError("the reply names no batch")
        return name

    async def find(self, entry: Entry, others: Collection[str]) -> str:
        token = ""
        for _ in range(_PAGES):
            page = decode(_operations, await self._call("get", f"batches?pageSize=100&pageToken={token}"))
            named = ((each.name, each.metadata.display_name) for each in page.operations if each.metadata)
            if found := next((name for name, label in named if label == entry.label), ""):
                return found
            if not (token := page.next_page_token):
                return ""
        return ""

    async def state(self, entry: Entry) -> State:
        found = decode(_operation, await self._call("get", entry.id))
        about = found.metadata or _About()
        stats = about.batch_stats or _Stats()
        answered = int(stats.successful_request_count) + int(stats.failed_request_count)
        phase = _ENDED.get(about.state.partition("_STATE_")[2], "running")
        error = found.error if isinstance(found.error, dict) else {}
        return State(phase, answered, reason=clean(str(error.get("message") or "")))

    async def results(self, entry: Entry, state: State) -> AsyncIterator[Result]:
        for answer in decode(_operation, await self._call("get", entry.id)).answers:
            key = answer.metadata.get("key") if isinstance(answer.metadata, dict) else None
            if isinstance(key, str) and (reply := self._reply(answer)) is not None:
                yield Result(key, reply)

    async def cancel(self, entry: Entry) -> None:
        await self._call("post", f"{entry.id}:cancel", {})

    async def aclose(self) -> None:
        """The connections are the client's."""

    def _reply(self, answer: _Answer) -> Received | Fault | None:
        """What a row was answered; None where that can't be read."""
        if answer.error is not None:
            return _row_fault(answer.error)
        try:
            return Received(reply_of(_content.decode(answer.response)), None)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None

    async def _call(self, method: str, path: str, body: dict[str, object] | None = None) -> bytes:
        """The body of a reply. Raises what the error in it means."""
        client = self._client
        try:
            response = await client._door().async_request(method, path, body or {})
            return (response.body or "").encode()
        except errors.APIError as error:
            raw = client.endpoint.hidden_in(msgspec.json.encode(error.details))
            fault = google_fault(error.code, getattr(error.response, "headers", None) or {}, raw)
        except (aiohttp.ClientError, OSError) as error:
            raise unreached(client.endpoint.url, error) from None
        except ValueError as error:
            raise TransportError(f"the reply is not readable: {type(error).__name__}") from None
        raise refusal("Google", fault)  # out here, where the SDK's error, which may quote the key, is no context of it


_STATUS = {1: 500, 3: 400, 4: 504, 5: 404, 7: 403, 8: 429, 9: 400, 13: 500, 14: 503, 16: 401}
"""HTTP's status for a code of Google's own; an error of a row may come with either."""


def _row_fault(error: Json) -> Fault:
    code = error.get("code") if isinstance(error, dict) else None
    status = _STATUS.get(code, code) if isinstance(code, int) else 500
    return google_fault(status, {}, msgspec.json.encode(cast(dict[str, Json], {"error": error})))


def open_api(client: Client) -> GeminiBatches:
    """The batch API of the client's endpoint."""
    if not isinstance(client, Gemini):
        raise FatalModelError(f"{client.card.name} is not asked in Gemini's format")
    return GeminiBatches(client)
