"""Mistral's batch API: `/files` and `/batch/jobs`. A job names one model and one endpoint for all its rows."""

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
    "SUCCESS": "ended",
    "TIMEOUT_EXCEEDED": "expired",
    "CANCELLED": "cancelled",
    "FAILED": "failed",
}


class _Error(msgspec.Struct):
    message: str = ""


class _Job(msgspec.Struct):
    id: str = ""
    status: str = ""
    metadata: Json = None
    output_file: str | None = None
    error_file: str | None = None
    errors: list[_Error] = []
    completed_requests: int = 0


class _Jobs(msgspec.Struct):
    data: list[_Job] | None = None


_job = msgspec.json.Decoder(_Job)
_jobs = msgspec.json.Decoder(_Jobs)


class MistralBatches(FileBatches):
    """Mistral's format."""

    limits = BatchLimits(1_000_000, 500_000_000)
    batches = "/batch/jobs"

    async def find(self, entry: Entry, others: Collection[str]) -> str:
        found = decode(_jobs, await self._call("GET", self.batches, query={"page_size": "100"}))
        named = ((job.id, job.metadata) for job in found.data or ())
        return next((id for id, data in named if isinstance(data, dict) and data.get("holoscope") == entry.label), "")

    def _order(self, entry: Entry) -> dict[str, Json]:
        return {
            "input_files": [entry.source],
            "endpoint": PATHS[entry.api],
            "model": entry.model,
            "metadata": {"holoscope": entry.label},
            "timeout_hours": 24,
        }

    def _state(self, raw: bytes) -> State:
        job = decode(_job, raw)
        files = tuple(file for file in (job.output_file, job.error_file) if file)
        reason = clean("; ".join(error.message for error in job.errors))
        return State(_ENDED.get(job.status, "running"), job.completed_requests, files, reason)


def open_api(client: Client) -> MistralBatches:
    """The batch API of the client's endpoint."""
    return MistralBatches(client)
