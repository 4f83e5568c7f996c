"""Anthropic's Message Batches: rows go with the submission, and results come as a file once all have ended.

A batch carries no label, and its rows' ids are seen only in its results. So a lost one is looked for by what is known:
submitted about when ours was, of as many rows, and nobody else's. If that was a mistake it costs time and no more,
since results with other ids are passed over.
"""

from collections.abc import AsyncIterator, Collection, Sequence
from datetime import datetime
from typing import Any

import anthropic
import httpx2
import msgspec

from holoscope.core import FatalModelError, Json, ModelError, TransportError
from holoscope.models.batches.api import BatchLimits, Phase, Result, Row, State, refusal
from holoscope.models.batches.batch import cancelled, expired
from holoscope.models.batches.journal import Entry
from holoscope.models.model import Api
from holoscope.models.providers.anthropic import Anthropic
from holoscope.models.providers.anthropic_wire import error_of, message_decoder, messages_body, reply_of
from holoscope.models.providers.bodies import Body, encode
from holoscope.models.providers.client import Client
from holoscope.models.providers.faults import Fault, read_fault
from holoscope.models.providers.replies import Received
from holoscope.models.providers.sdk import unreached
from holoscope.models.providers.wire import decode

_PATH = "/v1/messages/batches"
_HEADERS = {"Content-Type": "application/json"}
_PAGES = 20
_EARLIER_S = 600.0
"""By how much the host's clock may be behind ours."""


class _Counts(msgspec.Struct):
    processing: int = 0
    succeeded: int = 0
    errored: int = 0
    canceled: int = 0
    expired: int = 0

    @property
    def total(self) -> int:
        return self.processing + self.succeeded + self.errored + self.canceled + self.expired


class _Batch(msgspec.Struct):
    id: str = ""
    processing_status: str = ""
    created_at: datetime | None = None
    cancel_initiated_at: Json = None
    request_counts: _Counts = msgspec.field(default_factory=_Counts)

    @property
    def phase(self) -> Phase:
        if self.processing_status != "ended":
            return "running"
        if self.cancel_initiated_at is not None:
            return "cancelled"
        return "expired" if self.request_counts.expired else "ended"


class _Page(msgspec.Struct):
    data: list[_Batch] = []
    has_more: bool = False
    last_id: str | None = None


class _Outcome(msgspec.Struct):
    type: str = ""
    message: msgspec.Raw = msgspec.Raw(b"")
    error: Json = None


class _Line(msgspec.Struct):
    custom_id: str
    result: _Outcome


_batch = msgspec.json.Decoder(_Batch)
_page = msgspec.json.Decoder(_Page)
_line = msgspec.json.Decoder(_Line)


class AnthropicBatches:
    """The batch API, over the client's own SDK connection."""

    limits = BatchLimits(100_000, 250_000_000)

    def __init__(self, client: Anthropic) -> None:
        self._client = client

    def row(self, custom_id: str, api: Api, body: Body) -> Row:
        return Row(custom_id, encode({"custom_id": custom_id, "params": messages_body(body)}))

    async def upload(self, entry: Entry, rows: Sequence[Row]) -> str:
        return ""

    async def submit(self, entry: Entry, rows: Sequence[Row]) -> str:
        content = b'{"requests":[' + b",".join(row.content for row in rows) + b"]}"
        if not (found := decode(_batch, await self._call("post", _PATH, content)).id):
            raise TransportError("the reply names no batch")
        return found

    async def find(self, entry: Entry, others: Collection[str]) -> str:
        found: list[_Batch] = []
        query = "?limit=100"
        for _ in range(_PAGES):
            page = decode(_page, await self._call("get", _PATH + query))
            found += (batch for batch in page.data if batch.id not in others and _may_be(batch, entry))
            is_older = bool(page.data) and _seconds_after(page.data[-1], entry) < -_EARLIER_S
            if not page.has_more or is_older:
                break
            query = f"?limit=100&after_id={page.last_id}"
        return min(found, key=lambda batch: abs(_seconds_after(batch, entry)), default=_Batch()).id

    async def state(self, entry: Entry) -> State:
        batch = decode(_batch, await self._call("get", f"{_PATH}/{entry.id}"))
        counts = batch.request_counts  # all are said to be processing until the last one has ended
        answered = None if batch.phase == "running" else counts.succeeded + counts.errored
        return State(batch.phase, answered)

    async def results(self, entry: Entry, state: State) -> AsyncIterator[Result]:
        raw = await self._call("get", f"{_PATH}/{entry.id}/results")
        for line in raw.split(b"\n"):
            if (result := self._result(line, entry)) is not None:
                yield result

    async def cancel(self, entry: Entry) -> None:
        await self._call("post", f"{_PATH}/{entry.id}/cancel", b"{}")

    async def aclose(self) -> None:
        """The connections are the client's."""

    def _result(self, line: bytes, entry: Entry) -> Result | None:
        """A line of results; None where it can't be read."""
        try:
            read = _line.decode(line)
            return Result(read.custom_id, self._reply(read.result, entry))
        except (msgspec.DecodeError, UnicodeDecodeError, TransportError):
            return None

    def _reply(self, outcome: _Outcome, entry: Entry) -> Received | Fault | ModelError:
        match outcome.type:
            case "succeeded":
                return Received(reply_of(message_decoder.decode(outcome.message)), None)
            case "expired":
                return expired(entry)
            case "canceled":
                return cancelled(entry)
        error = outcome.error.get("error", outcome.error) if isinstance(outcome.error, dict) else outcome.error
        return error_of(error)

    async def _call(self, method: str, path: str, content: bytes | None = None) -> bytes:
        """The body of a reply. Raises what the error in it means."""
        sdk, endpoint = self._client._opened(), self._client.endpoint
        options: Any = {"headers": _HEADERS}
        try:
            if method == "post":
                response = await sdk.post(path, content=content, cast_to=httpx2.Response, options=options)
            else:
                response = await sdk.get(path, cast_to=httpx2.Response, options=options)
            return bytes(response.content)
        except anthropic.APIStatusError as error:
            raw = endpoint.hidden_in(error.response.content)
            fault = read_fault(error.status_code, error.response.headers, raw)
        except (anthropic.APIConnectionError, httpx2.HTTPError, OSError) as error:
            raise unreached(endpoint.url, error) from None
        raise refusal("Anthropic", fault)  # out here, where the SDK's error, which may quote the key, is no context


def _may_be(batch: _Batch, entry: Entry) -> bool:
    return batch.request_counts.total == len(entry.rows) and _seconds_after(batch, entry) > -_EARLIER_S


def _seconds_after(batch: _Batch, entry: Entry) -> float:
    """How long after the entry was made the batch was."""
    return batch.created_at.timestamp() - entry.created if batch.created_at is not None else 0.0


def open_api(client: Client) -> AnthropicBatches:
    """The batch API of the client's endpoint."""
    if not isinstance(client, Anthropic):
        raise FatalModelError(f"{client.card.name} is not asked in Anthropic's format")
    return AnthropicBatches(client)
