"""OpenAI's batch API: `/files` and `/batches`, as OpenAI, Azure, Groq and others serve it.

A lost batch is found in the list by our label in its metadata, or by the file it was made of, since not every host
keeps metadata.
"""

from collections.abc import Collection

import msgspec

from holoscope.core import Json
from holoscope.models.batches.api import Phase, State
from holoscope.models.batches.files import PATHS, FileBatches
from holoscope.models.batches.journal import Entry
from holoscope.models.providers.client import Client
from holoscope.models.providers.faults import Fault, clean
from holoscope.models.providers.wire import decode

_ENDED: dict[str, Phase] = {
    "completed": "ended",
    "expired": "expired",
    "cancelled": "cancelled",
    "failed": "failed",
}
_TOO_MUCH = frozenset(("token_limit_exceeded", "batch_limit_exceeded", "rate_limit_exceeded"))
_PAGES = 20
"""Of a hundred batches, looked through for a lost one."""
_EARLIER_S = 600.0
"""By how much the host's clock may be behind ours."""


class _Counts(msgspec.Struct):
    completed: int = 0
    failed: int = 0


class _Error(msgspec.Struct):
    code: str | None = None
    message: str | None = None
    param: str | None = None
    line: int | None = None


class _Errors(msgspec.Struct):
    data: list[_Error] | None = None


class Listed(msgspec.Struct):
    """A batch as the host describes it."""

    id: str = ""
    status: str = ""
    created_at: Json = None
    input_file_id: str | None = None
    output_file_id: str | None = None
    error_file_id: str | None = None
    request_counts: _Counts | None = None
    errors: _Errors | None = None
    metadata: Json = None

    def is_of(self, entry: Entry) -> bool:
        """True if it was submitted for this entry."""
        labelled = isinstance(self.metadata, dict) and self.metadata.get("holoscope") == entry.label
        return labelled or bool(entry.source and self.input_file_id == entry.source)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(file for file in (self.output_file_id, self.error_file_id) if file)


class _List(msgspec.Struct):
    data: list[Listed] = []
    has_more: bool = False


_listed = msgspec.json.Decoder(Listed)
_list = msgspec.json.Decoder(_List)


class OpenAIBatches(FileBatches):
    """OpenAI's format."""

    async def find(self, entry: Entry, others: Collection[str]) -> str:
        query = {"limit": "100"}
        for _ in range(_PAGES):
            page = decode(_list, await self._call("GET", self.batches, query=query))
            if found := next((batch.id for batch in page.data if batch.is_of(entry)), ""):
                return found
            last = page.data[-1] if page.data else Listed()
            is_older = isinstance(last.created_at, int | float) and last.created_at < entry.created - _EARLIER_S
            if not page.has_more or is_older:
                return ""
            query["after"] = last.id
        return ""

    def _order(self, entry: Entry) -> dict[str, Json]:
        return {
            "input_file_id": entry.source,
            "endpoint": PATHS[entry.api],
            "completion_window": "24h",
            "metadata": {"holoscope": entry.label},
        }

    def _state(self, raw: bytes) -> State:
        batch = decode(_listed, raw)
        counts = batch.request_counts or _Counts()
        phase = _ENDED.get(batch.status, "running")
        errors = (batch.errors.data if batch.errors else None) or []
        return State(
            phase,
            counts.completed + counts.failed,
            batch.files,
            clean("; ".join(error.message or error.code or "" for error in errors)),
            any(error.code in _TOO_MUCH for error in errors),
            {error.line - 1: _fault(error) for error in errors if error.line},
        )


def _fault(error: _Error) -> Fault:
    return Fault(400, clean(error.message or ""), (error.code or "").lower(), error.param or "")


def open_api(client: Client) -> OpenAIBatches:
    """The batch API of the client's endpoint."""
    return OpenAIBatches(client)
