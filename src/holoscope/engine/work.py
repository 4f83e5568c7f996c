"""What the engine is given: a work, and the two things it needs of the outside.

A `Work` is one request of one run with the key under which its answer is kept. Two works with equal keys get one
answer, so everything that may change the answer is in the key (`key.py`). The engine sees a model only through
`Endpoint` and a ledger only through `LedgerProtocol` (`ledger.py`): a test, or a team's database, can stand in.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

import msgspec

from holoscope.core import Completion, Request


class Endpoint(Protocol):
    """The part of a model that the engine uses; every model of `holoscope.models` is one."""

    @property
    def card(self) -> object:
        """Described by the models; `max_concurrency`, where there is one, caps the requests at once."""
        ...

    @property
    def identity(self) -> Mapping[str, str]:
        """What tells this model's answers from any other's; part of the key."""
        ...

    async def generate(self, request: Request) -> Completion:
        """Ask once. Raises TransportError, FatalModelError or NotSupportedError where there is no completion."""
        ...


class Work(msgspec.Struct, frozen=True):
    """One request of one run."""

    model: Endpoint
    """Works share connections, pace and health with all others of the same model object."""
    request: Request
    key: bytes
    """Of `request_key`."""
    run: int
    """Which run of the suite, for the progress counts."""
    position: int
    """Place in the run's plan; the engine only hands it back."""


OnDone = Callable[[Work, Completion, bool], None]
"""Called on the loop's thread, once for each work, after the commit; True means that it cost no request."""

Price = Callable[[Work, Completion], float | None]
"""What a fresh completion cost, in US dollars; None where that is unknown."""
