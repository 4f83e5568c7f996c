"""What a run of the engine has done so far, as plain numbers that a renderer polls. Nothing is drawn here."""

import math
from collections import defaultdict
from dataclasses import dataclass, field

from holoscope.core import Completion
from holoscope.engine.work import Work


@dataclass
class RunCount:
    """Works of one run."""

    total: int | None = None
    """Set by whoever planned the run; None until it is known."""
    done: int = 0
    cached: int = 0
    """Of those done, how many cost no request."""
    failed: int = 0
    """Of those done, how many have no answer of the model that could be kept."""


@dataclass(frozen=True)
class Wait:
    """Why a model is being waited for."""

    reason: str
    until: float
    """Time of the event loop at which it is asked again."""


@dataclass
class Progress:
    """Counts over all runs of a suite."""

    runs: defaultdict[int, RunCount] = field(default_factory=lambda: defaultdict(RunCount))
    """By `Work.run`."""
    in_flight: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    """Of fresh completions, as far as the models tell; the same holds of `completion_tokens`."""
    completion_tokens: int = 0
    cost: float = 0.0
    """US dollars for the fresh completions whose price is known."""
    unpriced: int = 0
    """Fresh completions whose price is unknown."""
    waits: dict[str, Wait] = field(default_factory=dict)
    """The latest wait of each model, by its name; it may be over."""
    stopped: str = ""
    """Why works were left undone; empty while none was."""

    def waiting(self, now: float) -> dict[str, Wait]:
        """The waits that are not over at `now`, a time of the event loop."""
        return {name: wait for name, wait in self.waits.items() if wait.until > now}

    def wait(self, name: str, reason: str, until: float) -> None:
        """Note that the model `name` is asked again at `until`, unless a longer wait is known."""
        known = self.waits.get(name)
        if known is None or known.until < until:
            self.waits[name] = Wait(reason, until)

    def note(self, name: str, what: str) -> None:
        """Note what the model `name` is being waited for, with no end in sight; empty: nothing more."""
        if what:
            self.waits[name] = Wait(what, math.inf)
        else:
            self.waits.pop(name, None)

    def delivered(self, work: Work, completion: Completion, cached: bool) -> None:
        """Count a work as done."""
        run = self.runs[work.run]
        run.done += 1
        run.cached += cached
        run.failed += not completion.outcome.is_final

    def paid(self, completion: Completion, cost: float | None) -> None:
        """Count what a fresh completion cost."""
        if cost is None:
            self.unpriced += 1
        else:
            self.cost += cost
        if completion.usage is not None:
            self.prompt_tokens += completion.usage.prompt_tokens or 0
            self.completion_tokens += completion.usage.completion_tokens or 0
