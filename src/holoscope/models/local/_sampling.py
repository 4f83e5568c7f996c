"""From logits to a token: greedy, or a draw at a temperature within the most probable part.

Log-probabilities are the model's own, before temperature and top-p: what it thinks, not how it was sampled. They are
rounded to a millionth of a nat, below which processors differ.
"""

import random
from dataclasses import dataclass

import numpy as np

from holoscope.models.local._sequence import Logits

_DIGITS = 6


def logprob(logits: Logits, token: int) -> float:
    """Log-probability of a token, in nats."""
    top = logits.max()
    total = np.exp(logits - top).sum(dtype=np.float64)
    return round(float(logits[token]) - float(top) - float(np.log(total)), _DIGITS)


@dataclass(frozen=True)
class Sampler:
    """Picks the next token; draws come from `rng` and nowhere else."""

    temperature: float
    top_p: float
    rng: random.Random

    def pick(self, logits: Logits) -> int:
        """The most probable token at temperature 0 (of equals the first), else a draw."""
        if self.temperature <= 0:
            return int(logits.argmax())
        scaled = (logits.astype(np.float64) - float(logits.max())) / self.temperature
        weights = np.exp(scaled)
        order = np.argsort(-weights, kind="stable") if self.top_p < 1 else np.arange(len(weights))
        sums = np.cumsum(weights[order])
        if self.top_p < 1:
            sums = sums[: int(np.searchsorted(sums, self.top_p * sums[-1])) + 1]
        return int(order[np.searchsorted(sums, self.rng.random() * sums[-1], side="right")])
