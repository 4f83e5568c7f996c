"""What may follow the `?` in a local model's name."""

import os

import msgspec


class LocalOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a local model."""

    window: int = 2048
    """Tokens of prompt and answer together; memory grows with it."""
    workers: int | None = None
    """Requests computed at once, a thread each; None: two, or one where there is one processor."""
    threads: int = 1
    """Threads for one request, for models too large to wait for. Other than 1 it may change the last digits."""
    seed: int | None = None
    """Makes draws at a temperature repeatable; equal requests then get equal answers."""

    def __post_init__(self) -> None:
        for name in ("window", "workers", "threads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} is at least 1, found {value}")

    @property
    def sequences(self) -> int:
        """How many requests are computed at once."""
        return self.workers or (1 if self.threads > 1 else min(2, os.cpu_count() or 1))
