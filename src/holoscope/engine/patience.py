"""How long an attempt may take before it counts as failed.

A request that hangs must not hold its place for as long as the slowest model in the world may think. At first nothing
is known, and the limits say how long to wait. Once a model has answered often enough, an attempt that takes many times
as long as the slowest of those answers is a hung one, however patient the limits are.
"""

from holoscope.engine.limits import SECONDS_PER_TOKEN, Limits

_ENOUGH = 50
"""Answers after which a model's speed is known."""
_MANY_TIMES = 10.0


class Patience:
    """What one model's answers say about how long to wait for the next."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._answers = 0
        self._slowest = 0.0

    def answered(self, seconds: float) -> bool:
        """An answer came after so long; True if the model's speed is known from now on."""
        self._answers += 1
        self._slowest = max(self._slowest, seconds)
        return self._answers == _ENOUGH

    def seconds(self, max_tokens: int) -> float:
        """For one attempt; a long answer may take longer."""
        limits, tokens = self._limits, SECONDS_PER_TOKEN * max_tokens
        most = min(limits.attempt_s + tokens, limits.deadline_s)
        if self._answers < _ENOUGH:
            return most
        return min(most, max(limits.familiar_s + tokens, _MANY_TIMES * self._slowest))
