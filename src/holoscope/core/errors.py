"""The error tree. Each error names the boundary that failed and what to do next.

    HoloscopeError
    ├── UsageError              the user typed or configured something we cannot follow (exit code 2)
    │   ├── EntryError          a run entry or .conf file
    │   ├── UnknownNameError    a name that is not registered; suggests the nearest
    │   └── ConfigError         a deployments, credentials or data-description file
    ├── DataError               a benchmark's rows are missing, changed or malformed
    ├── ModelError              a model or its endpoint
    │   ├── TransportError      the request may succeed if sent again (429, 5xx, reset, deadline, garbled body)
    │   ├── FatalModelError     every further request would fail the same way (bad key, no such model)
    │   └── NotSupportedError   the model cannot do what the request needs (echo, logprobs, images)
    ├── LedgerError             the ledger cannot be read or written (disk full, damaged file)
    ├── StoreError              a run folder cannot be read or written
    └── MissingExtraError       an optional dependency is not installed

A message says what was expected, what was found, and what to type. One instance's failure is never raised
past the engine: it becomes an `Outcome` with a reason.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class HoloscopeError(Exception):
    """Base of every error this package raises on purpose; its text is one line for the user."""

    exit_code = 1


class UsageError(HoloscopeError):
    """The user typed or configured something that cannot be followed."""

    exit_code = 2


class EntryError(UsageError):
    """A run entry or a .conf file cannot be read."""


class UnknownNameError(UsageError):
    """A name that nobody registered.

    >>> str(UnknownNameError("scenario", "mmul", ["mmlu", "gsm"]))
    "unknown scenario 'mmul'; did you mean 'mmlu'?"
    """

    def __init__(self, kind: str, found: str, known: Iterable[str], hint: str = "") -> None:
        self.kind, self.found = kind, found
        self.nearest = nearest(found, known)
        tail = f"; did you mean {self.nearest!r}?" if self.nearest else ""
        super().__init__(f"unknown {kind} {found!r}{tail}{' ' + hint if hint else ''}")


class ConfigError(UsageError):
    """A configuration file is malformed."""


class DataError(HoloscopeError):
    """A benchmark's rows are missing, changed or malformed."""


class ModelError(HoloscopeError):
    """A model or its endpoint failed."""


class TransportError(ModelError):
    """The request may succeed if it is sent again."""

    def __init__(self, message: str, *, retry_after: float | None = None, overloaded: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds the server asked us to wait, if it did."""
        self.overloaded = overloaded
        """True for 429 and 503: send fewer requests at once."""


class FatalModelError(ModelError):
    """Every further request to this model would fail in the same way."""


class NotSupportedError(ModelError):
    """The model cannot do what the request needs."""


class LedgerError(HoloscopeError):
    """The ledger cannot be read or written."""


class StoreError(HoloscopeError):
    """A run folder cannot be read or written."""


class MissingExtraError(HoloscopeError):
    """An optional dependency is not installed.

    >>> str(MissingExtraError("ROUGE-L", "text"))
    'ROUGE-L needs an extra: pip install "holoscope[text]"'
    """

    exit_code = 2

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f'{what} needs an extra: pip install "holoscope[{extra}]"')


def nearest(found: str, known: Iterable[str]) -> str | None:
    """The registered name most like `found`, or None if none is close.

    >>> nearest("mmul", ["mmmu", "mmlu"])
    'mmlu'
    """
    names = {name.lower(): name for name in known}
    typed = found.lower()
    close = get_close_matches(typed, names, n=3, cutoff=0.6)
    swapped = (name for name in close if sorted(name) == sorted(typed))  # letters that changed places
    return names[next(swapped, close[0])] if close else None
