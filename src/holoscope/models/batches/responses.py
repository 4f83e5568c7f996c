"""OpenAI's batch API for rows of the Responses API: its files and words, with other bodies and replies."""

from holoscope.core import FatalModelError, Json
from holoscope.models.batches.api import Row
from holoscope.models.batches.journal import Entry
from holoscope.models.batches.openai import OpenAIBatches
from holoscope.models.model import Api
from holoscope.models.providers.bodies import Body, encode
from holoscope.models.providers.client import Client
from holoscope.models.providers.faults import Fault
from holoscope.models.providers.replies import Received
from holoscope.models.providers.responses import Responses, responses_body

_PATH = "/v1/responses"


class ResponsesBatches(OpenAIBatches):
    """OpenAI's format with the Responses API in its rows."""

    def __init__(self, client: Responses) -> None:
        super().__init__(client)
        self._client = client

    def row(self, custom_id: str, api: Api, body: Body) -> Row:
        line: Body = {"custom_id": custom_id, "method": "POST", "url": _PATH, "body": responses_body(body)}
        return Row(custom_id, encode(line) + b"\n")

    def _order(self, entry: Entry) -> dict[str, Json]:
        return {**super()._order(entry), "endpoint": _PATH}

    def _read(self, raw: bytes) -> Received | Fault:
        return self._client._read(raw, {}, 0.0)


def open_api(client: Client) -> ResponsesBatches:
    """The batch API of the client's endpoint."""
    if not isinstance(client, Responses):
        raise FatalModelError(f"{client.card.name} is not asked in the Responses format")
    return ResponsesBatches(client)
