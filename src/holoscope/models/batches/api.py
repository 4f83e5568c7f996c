"""What a provider's batch API is to the rest: six verbs, and the values they take and give.

An API raises what the live clients raise: TransportError where trying again may help, another ModelError where it
does not. It keeps no state of batches; what has to be known of one is in the journal's entry.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from holoscope.core import FatalModelError, ModelError, TransportError
from holoscope.models.batches.journal import Entry
from holoscope.models.model import Api
from holoscope.models.providers.bodies import Body
from holoscope.models.providers.faults import Fault, Withheld, verdict
from holoscope.models.providers.replies import Received

Phase = Literal["running", "ended", "expired", "cancelled", "failed"]


class BatchGoneError(FatalModelError):
    """The provider knows no such batch, or its results, any more."""


class BatchLimits(NamedTuple):
    """Most that one batch may hold."""

    requests: int
    bytes: int


class Row(NamedTuple):
    """One request of a batch, as it is sent."""

    custom_id: str
    content: bytes
    """JSON; its length counts against the limit."""


class State(NamedTuple):
    """How a batch is going."""

    phase: Phase
    """`expired` and `cancelled` batches may hold results too; a `failed` one was not run."""
    answered: int | None = None
    """Of its requests; None: the provider does not say."""
    sources: tuple[str, ...] = ()
    """Where its results are."""
    reason: str = ""
    """Why it failed."""
    is_too_much: bool = False
    """True if it failed for being more than may be under way at once."""
    faults: Mapping[int, Fault] = {}
    """What was wrong with which of its rows, counted from 0, where it failed for that."""


class Result(NamedTuple):
    """What became of one row: a reply, an error reply, or why there is none."""

    custom_id: str
    reply: Received | Fault | ModelError


class BatchApi(Protocol):
    """A provider's batch API."""

    @property
    def limits(self) -> BatchLimits: ...

    def row(self, custom_id: str, api: Api, body: Body) -> Row:
        """A canonical body as a row of a batch."""
        ...

    async def upload(self, entry: Entry, rows: Sequence[Row]) -> str:
        """Put the rows where a batch can be made of them; where that is, or nothing where they go with it."""
        ...

    async def submit(self, entry: Entry, rows: Sequence[Row]) -> str:
        """Start the batch; its id. From here on it is paid for."""
        ...

    async def find(self, entry: Entry, others: Collection[str]) -> str:
        """The id of a batch that was submitted for this entry, which is none of `others`; empty if there is none."""
        ...

    async def state(self, entry: Entry) -> State: ...

    def results(self, entry: Entry, state: State) -> AsyncIterator[Result]:
        """Its results, in any order; what can't be read is left out."""
        ...

    async def cancel(self, entry: Entry) -> None:
        """Have no more of its rows answered."""
        ...

    async def aclose(self) -> None: ...


def refusal(host: str, fault: Fault) -> TransportError | FatalModelError:
    """What it means that a batch as a whole, and not one of its requests, was refused."""
    meaning = verdict(fault)
    if isinstance(meaning, TransportError):
        return meaning
    said = meaning.reason if isinstance(meaning, Withheld) else str(meaning)
    kind = BatchGoneError if fault.status in (404, 410) else FatalModelError
    return kind(f"the batch API of {host}: {said}")
