"""How hard, how long and for how much money models are asked: one frozen value, printed in the log of a run."""

from dataclasses import dataclass, replace

from holoscope.core import UsageError


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of one run of the engine. Times are in seconds."""

    max_connections: int = 64
    """Most requests at once to one model; also the most that a kill -9 can make to be asked again."""
    attempts: int = 6
    """Tries of one request. One put off by Retry-After counts a quarter, a probe in an outage nothing."""
    attempt_s: float = 120.0
    """How long one attempt may take; `SECONDS_PER_TOKEN` more for each token asked for."""
    familiar_s: float = 15.0
    """How long one attempt may take, likewise, once the model's speed is known (`patience.py`)."""
    deadline_s: float = 600.0
    """From a request's first attempt until it is given up, waits included."""
    outage_s: float = 60.0
    """How long a model may give no answer at all before its remaining works are given up."""
    grace_s: float = 2.0
    """After an interruption, how long answers under way may still arrive and be kept."""
    max_cost: float | None = None
    """US dollars; once reached nothing more is sent."""
    max_time_s: float | None = None
    """Once over nothing more is sent; what is under way is waited for, unless it is a batch."""
    batch: bool = False
    """True: the models answer in batches. An attempt then takes minutes or a day, all that are allowed start at once,
    and what is under way when the time is up is not waited for: it is not lost, as the same command picks it up."""

    def __post_init__(self) -> None:
        if self.max_connections < 1 or self.attempts < 1:
            raise UsageError(f"at least one connection and one attempt are needed, not {self}")


def in_batches(limits: Limits, at_once: int | None) -> Limits:
    """The limits where models answer in batches; `at_once` requests, by default `BATCH_ROWS`, wait at a time."""
    return replace(
        limits,
        batch=True,
        max_connections=at_once or BATCH_ROWS,
        attempt_s=_BATCH_S,
        familiar_s=_BATCH_S,
        deadline_s=limits.attempts * _BATCH_S,
    )


BATCH_ROWS = 20_000
"""Requests that wait for batches at once, to one model: each is a prompt in memory."""
_BATCH_S = 3 * 24 * 3600.0
"""Providers promise a day, and expire what took longer."""
SECONDS_PER_TOKEN = 0.1
"""A model slower than ten tokens a second lives on the fixed part."""
