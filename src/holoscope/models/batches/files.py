"""Batch APIs that take a file of requests and give files of results, as OpenAI's does: what they have in common.

A row is a JSON line with the request's id and body; a result is a line with the id and a reply, or an error. A line
that can't be read is passed over: its row counts as missing, and the file is read again.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Collection, Sequence

import aiohttp
import msgspec
from yarl import URL

from holoscope.core import FatalModelError, Json, TransportError
from holoscope.models.batches.api import BatchLimits, Result, Row, State, refusal
from holoscope.models.batches.batch import cancelled, expired
from holoscope.models.batches.journal import Entry
from holoscope.models.endpoint import Endpoint
from holoscope.models.model import Api
from holoscope.models.providers.bodies import Body, encode
from holoscope.models.providers.client import Client
from holoscope.models.providers.faults import Fault, fault_of, read_fault
from holoscope.models.providers.replies import Received
from holoscope.models.providers.sdk import unreached
from holoscope.models.providers.wire import decode, reply_decoder

_CONNECT_S = 30.0
_SILENT_S = 120.0
"""Longest time without a byte; a file may take longer as a whole."""
PATHS: dict[Api, str] = {"chat": "/v1/chat/completions", "completions": "/v1/completions"}
_LOST = frozenset(("batch_expired", "expired", "request_expired"))
_CANCELLED = frozenset(("batch_cancelled", "batch_canceled", "cancelled", "canceled"))
_REFUSED = ("invalid", "bad_request", "unsupported")
"""What the code of an error that has no status begins with, where the request is at fault."""


class _LineReply(msgspec.Struct):
    status_code: int = 200
    body: msgspec.Raw = msgspec.Raw(b"null")


class _Line(msgspec.Struct):
    custom_id: str
    response: _LineReply | None = None
    error: Json = None


_line_decoder = msgspec.json.Decoder(_Line)


class FileBatches(ABC):
    """A batch API of files."""

    limits = BatchLimits(50_000, 200_000_000)
    purpose = "batch"
    """What an uploaded file is said to be for."""
    batches = "/batches"

    def __init__(self, client: Client) -> None:
        self._endpoint: Endpoint = client.endpoint
        self._hidden = client.endpoint.hidden_in
        self._base = URL(self._endpoint.url)
        self._session: aiohttp.ClientSession | None = None

    def row(self, custom_id: str, api: Api, body: Body) -> Row:
        line: Body = {"custom_id": custom_id, "method": "POST", "url": PATHS[api], "body": body}
        return Row(custom_id, encode(line) + b"\n")

    async def upload(self, entry: Entry, rows: Sequence[Row]) -> str:
        form = aiohttp.FormData()
        form.add_field("purpose", self.purpose)
        lines = b"".join(row.content for row in rows)
        form.add_field("file", lines, filename=f"{entry.label}.jsonl", content_type="application/jsonl")
        return _id_of(await self._call("POST", "/files", data=form))

    async def submit(self, entry: Entry, rows: Sequence[Row]) -> str:
        return _id_of(await self._call("POST", self.batches, json=self._order(entry)))

    async def cancel(self, entry: Entry) -> None:
        await self._call("POST", f"{self.batches}/{entry.id}/cancel")

    async def state(self, entry: Entry) -> State:
        return self._state(await self._call("GET", f"{self.batches}/{entry.id}"))

    async def results(self, entry: Entry, state: State) -> AsyncIterator[Result]:
        for source in state.sources:
            async for line in self._lines(f"/files/{source}/content"):
                if (result := self._result(line, entry)) is not None:
                    yield result

    async def aclose(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    @abstractmethod
    async def find(self, entry: Entry, others: Collection[str]) -> str:
        """The id of a batch that was submitted for this entry; empty if there is none."""

    @abstractmethod
    def _order(self, entry: Entry) -> dict[str, Json]:
        """What is said to start a batch."""

    @abstractmethod
    def _state(self, raw: bytes) -> State:
        """How a batch is going, as the provider says it."""

    async def _call(
        self,
        method: str,
        path: str,
        *,
        data: aiohttp.FormData | None = None,
        json: dict[str, Json] | None = None,
        query: dict[str, str] | None = None,
    ) -> bytes:
        """The body of a reply. Raises what the error in it means."""
        try:
            async with self._opened().request(
                method, self._url(path, query), data=data, json=json, proxy=self._endpoint.proxy, allow_redirects=False
            ) as response:
                raw = await response.read()
                if response.status >= 300:
                    fault = read_fault(response.status, response.headers, self._hidden(raw))
                    raise refusal(self._base.authority, fault)
                return raw
        except (aiohttp.ClientError, OSError) as error:
            raise unreached(self._base.authority, error) from None

    async def _lines(self, path: str) -> AsyncIterator[bytes]:
        """The lines of a file, which may be large. A host may send us elsewhere for it; the key stays here."""
        rest = b""
        try:
            async with self._opened().get(self._url(path), proxy=self._endpoint.proxy) as response:
                if response.status != 200:
                    raw = self._hidden(await response.read())
                    raise refusal(self._base.authority, read_fault(response.status, response.headers, raw))
                async for chunk in response.content.iter_any():
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in lines:
                        yield line
        except (aiohttp.ClientError, OSError) as error:
            raise unreached(self._base.authority, error) from None
        yield rest

    def _result(self, line: bytes, entry: Entry) -> Result | None:
        try:
            read = _line_decoder.decode(line)
            return Result(read.custom_id, self._reply(read, entry))
        except (msgspec.DecodeError, UnicodeDecodeError, TransportError):
            return None

    def _reply(self, line: _Line, entry: Entry) -> Received | Fault | TransportError | FatalModelError:
        if line.response is not None and (line.error is None or line.response.status_code >= 400):
            raw = bytes(line.response.body)
            if line.response.status_code != 200:
                return read_fault(line.response.status_code, {}, self._hidden(raw))
            return self._read(raw)
        return _without_reply(line.error, entry)

    def _read(self, raw: bytes) -> Received | Fault:
        """The reply in a row's body."""
        reply = reply_decoder.decode(raw)
        return Received(reply, None) if reply.error is None else fault_of(msgspec.json.decode(self._hidden(raw)), 200)

    def _url(self, path: str, query: dict[str, str] | None = None) -> URL:
        url = self._base.with_path(self._base.path.rstrip("/") + path, keep_query=True)
        return url.update_query(query) if query else url

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                headers=self._headers(),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_S, sock_read=_SILENT_S),
            )
        return self._session

    def _headers(self) -> dict[str, str]:
        endpoint, headers = self._endpoint, {"User-Agent": "holoscope"}
        if endpoint.key_header and endpoint.key is not None:
            headers[endpoint.key_header] = endpoint.key.reveal()
        elif endpoint.authorization is not None:
            headers["Authorization"] = endpoint.authorization.reveal()
        if endpoint.organization:
            headers["OpenAI-Organization"] = endpoint.organization
        return headers


def _without_reply(error: Json, entry: Entry) -> Fault | TransportError | FatalModelError:
    """What an error means that comes instead of a reply."""
    fault = fault_of({"error": error}, 500)
    codes = set(fault.code.split())
    if codes & _LOST:
        return expired(entry)
    if codes & _CANCELLED:
        return cancelled(entry)
    is_refused = any(code.startswith(_REFUSED) for code in codes)
    return fault._replace(status=400) if is_refused else fault


class _Named(msgspec.Struct):
    id: str = ""
    job: "_Named | None" = None


_named_decoder = msgspec.json.Decoder(_Named)


def _id_of(raw: bytes) -> str:
    named = decode(_named_decoder, raw)
    found = named.id or (named.job.id if named.job else "")
    if not found:
        raise TransportError("the reply names no id")
    return found
