"""A served model that is asked in batches: the live client with another way to its endpoint."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from msgspec import structs

from holoscope.core import Completion, Request, StoreError, UsageError
from holoscope.models.batches.api import BatchApi
from holoscope.models.batches.batcher import Batcher
from holoscope.models.batches.journal import Journal
from holoscope.models.batches.purse import Purse
from holoscope.models.batches.trying import Timing
from holoscope.models.endpoint import Endpoint
from holoscope.models.hosts import HOSTS
from holoscope.models.model import Model, ModelCard, Wire
from holoscope.models.providers.client import Client
from holoscope.models.tokenizers import Window

FOLDER = "batches"
"""Of the journal, beside the ledger."""
_LOOKED_UP = 10_000
"""Keys looked up in the ledger at once."""
_APIS: Mapping[tuple[Wire, str], str] = {
    ("openai", "openai"): "openai",
    ("openai", "azure"): "openai",
    ("openai", "groq"): "openai",
    ("openai", "cerebras"): "openai",
    ("responses", "openai"): "responses",
    ("responses", "azure"): "responses",
    ("openai", "together"): "together",
    ("openai", "mistralai"): "mistral",
    ("anthropic", "anthropic"): "anthropic",
    ("gemini", "google"): "gemini",
}
"""Wire formats and hosts that have a batch API, and the module here that speaks it."""
_BY_WIRE: Mapping[Wire, str] = {"openai": "openai", "responses": "responses", "anthropic": "anthropic"}
"""The same for hosts that we know nothing of: they are taken to have what the format's own host has."""


class BatchModel:
    """A model asked in batches."""

    def __init__(self, client: Client, api: BatchApi, journal: Journal, timing: Timing) -> None:
        price = client.card.price
        self.card: ModelCard = structs.replace(client.card, is_batch=True)
        self.identity = client.identity
        self._client = client
        self._batcher = Batcher(api, journal, timing, Purse(price.in_batches if price else None, client.window()))
        client.way = self._batcher.ask

    async def generate(self, request: Request) -> Completion:
        """Wait for the batch that has the answer."""
        completion = await self._client.generate(request)
        return structs.replace(completion, is_batched=True, request_time=None, time_to_first_token=None)

    def window(self) -> Window:
        return self._client.window()

    def listen(self, listener: Callable[[str], None]) -> None:
        """Have `listener` told in a few words what is waited for, whenever that changes."""
        self._batcher.listener = listener

    def limit(self, left: Callable[[], float]) -> None:
        """Send no more than what `left` says may be spent, USD."""
        self._batcher.purse.left = left

    async def tidy(self, known: Callable[[Sequence[bytes]], Awaitable[Mapping[bytes, object]]]) -> None:
        """Forget the batches all of whose answers the ledger, which `known` looks into, has."""
        try:
            needed = self._batcher.needed()
        except StoreError:
            return  # whoever asked has been told
        for entry, rows in needed:
            keys = [bytes.fromhex(row) for row in rows if len(row) == 64]
            kept = 0
            for first in range(0, len(keys), _LOOKED_UP):
                kept += len(await known(keys[first : first + _LOOKED_UP]))
            if kept == len(rows):
                self._batcher.drop(entry)

    async def aclose(self) -> None:
        await self._batcher.aclose()
        await self._client.aclose()


def in_batches(model: Model, out: Path, poll_s: float | None = None) -> BatchModel:
    """The same model, asked through its provider's batch API. Raises UsageError where it has none."""
    card = model.card
    if not isinstance(model, Client) or not (module := _module(card.provider, model.endpoint.wire)):
        wire = f" for wire {model.endpoint.wire!r}" if isinstance(model, Client) and _is_served(card.provider) else ""
        raise UsageError(f"--batch: no batch API at host {card.provider!r}{wire}; drop --batch")
    api = cast(BatchApi, import_module(f"holoscope.models.batches.{module}").open_api(model))
    return BatchModel(model, api, _journal(model.endpoint, card, out), Timing.polling_every(poll_s))


def _journal(endpoint: Endpoint, card: ModelCard, out: Path) -> Journal:
    parts = urlsplit(endpoint.url)  # without the query, where a key may be
    return Journal(out / FOLDER, f"{parts.scheme}://{parts.netloc}{parts.path}", card.served_name)


def _module(host: str, wire: Wire) -> str:
    """The module that speaks a host's batch API; empty where there is none."""
    return _APIS.get((wire, host), "" if host in HOSTS else _BY_WIRE.get(wire, ""))


def _is_served(host: str) -> bool:
    """True if the host has a batch API for some wire format."""
    return any(name == host for _, name in _APIS)
