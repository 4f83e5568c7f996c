"""Together's batch API: OpenAI's paths, with words and a list of its own, a share for progress, and no metadata."""

from collections.abc import Collection

import msgspec

from holoscope.core import Json
from holoscope.models.batches.api import BatchLimits, Phase, State
from holoscope.models.batches.files import PATHS, FileBatches
from holoscope.models.batches.journal import Entry
from holoscope.models.providers.client import Client
from holoscope.models.providers.faults import clean
from holoscope.models.providers.wire import decode

_ENDED: dict[str, Phase] = {
    "COMPLETED": "ended",
    "EXPIRED": "expired",
    "CANCELLED": "cancelled",
    "FAILED": "failed",
}


class _Job(msgspec.Struct):
    id: str = ""
    status: str = ""
    input_file_id: str | None = None
    output_file_id: str | None = None
    error_file_id: str | None = None
    error: str | None = None
    job: "_Job | None" = None
    """The batch itself, where a reply wraps it."""


class _Data(msgspec.Struct):
    data: list[_Job] = []


_job = msgspec.json.Decoder(_Job)
_jobs = msgspec.json.Decoder(list[_Job] | _Data)


class TogetherBatches(FileBatches):
    """Together's format."""

    limits = BatchLimits(50_000, 100_000_000)
    purpose = "batch-api"

    async def find(self, entry: Entry, others: Collection[str]) -> str:
        found = decode(_jobs, await self._call("GET", self.batches))
        jobs = found.data if isinstance(found, _Data) else found
        return next((job.id for job in jobs if entry.source and job.input_file_id == entry.source), "")

    def _order(self, entry: Entry) -> dict[str, Json]:
        return {"input_file_id": entry.source, "endpoint": PATHS[entry.api], "completion_window": "24h"}

    def _state(self, raw: bytes) -> State:
        batch = decode(_job, raw)
        batch = batch.job or batch
        files = tuple(file for file in (batch.output_file_id, batch.error_file_id) if file)
        return State(_ENDED.get(batch.status.upper(), "running"), None, files, clean(batch.error or ""))


def open_api(client: Client) -> TogetherBatches:
    """The batch API of the client's endpoint."""
    return TogetherBatches(client)
