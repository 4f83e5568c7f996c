"""What a sequence is put to: answering a prompt, or scoring a text that is given.

A task holds its prompt as batches, so that the scheduler can tell which sequence has read most of it. What it returns
depends on the request and the weights alone; only times differ.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from holoscope.core import Choice, Completion, Outcome, Params, Token, Usage
from holoscope.models.answer import combine, read_answer, sum_logprobs
from holoscope.models.local._sampling import Sampler, logprob
from holoscope.models.local._sequence import BATCH, Chunk, Logits, Sequence
from holoscope.models.local._weights import Weights
from holoscope.models.local._writing import Writing

Proceed = Callable[[], None]
"""Raises where the asker has gone; called between batches."""


class Task(Protocol):
    """Something to be computed on one sequence."""

    @property
    def chunks(self) -> list[Chunk]:
        """What is read first."""
        ...

    def run(self, sequence: Sequence, proceed: Proceed) -> Completion: ...


@dataclass(frozen=True, kw_only=True)
class Answering:
    """Write answers to a prompt, one for each generator of `draws`."""

    weights: Weights
    chunks: list[Chunk]
    params: Params
    room: int
    """How many tokens the window leaves."""
    draws: tuple[random.Random, ...]
    reasons: bool
    """True if the prompt has opened the model's reasoning."""

    def run(self, sequence: Sequence, proceed: Proceed) -> Completion:
        started, first_token = time.perf_counter(), 0.0
        answers, made = [], 0
        for draw in self.draws:
            logits = sequence.read(self.chunks, proceed)
            first_token = first_token or time.perf_counter()
            writing = Writing(self.params.stop_sequences, reasons=self.reasons)
            finish = self._write(writing, sequence, logits, proceed, draw)
            answers.append(read_answer(writing.end(finish)))
            made += writing.made
        choices, outcome, reason = combine(answers)
        return Completion(
            outcome,
            choices,
            reason=reason,
            usage=Usage(sum(map(len, self.chunks)), made),
            request_time=time.perf_counter() - started,
            time_to_first_token=first_token - started,
            created=time.time(),
        )

    def _write(
        self, writing: Writing, sequence: Sequence, logits: Logits, proceed: Proceed, draw: random.Random
    ) -> str:
        """Write until something ends it; returns what did."""
        sampler = Sampler(self.params.temperature, self.params.top_p, draw)
        token: int | None = None
        for _ in range(min(self.params.max_tokens, self.room)):
            if token is not None:
                proceed()
                logits = sequence.extend([token])[0]
            token = sampler.pick(logits)
            if self.weights.is_end(token):
                return "stop"
            writing.add(self.weights.piece(token), logprob(logits, token))
            if writing.stopped:
                return "stop"
        return "length"


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """Give the log-probability of each token of a text's end."""

    chunks: list[Chunk]
    """What stands before; never empty."""
    scored: tuple[int, ...]
    texts: tuple[str, ...]
    """Of the tokens scored."""
    unscored: tuple[str, ...]
    """The prompt's first token, where nothing stands before it that could give it a probability."""
    text: str
    """What was to be scored."""
    prompt_tokens: int

    def run(self, sequence: Sequence, proceed: Proceed) -> Completion:
        started = time.perf_counter()
        logprobs = self._logprobs(sequence, proceed)
        tokens = [Token(text) for text in self.unscored]
        tokens += [Token(text, value) for text, value in zip(self.texts, logprobs, strict=True)]
        return Completion(
            Outcome.OK,
            (Choice(self.text, sum_logprobs(tokens), tuple(tokens), "length"),),
            usage=Usage(self.prompt_tokens, 0),
            request_time=time.perf_counter() - started,
            created=time.time(),
        )

    def _logprobs(self, sequence: Sequence, proceed: Proceed) -> list[float]:
        logits = sequence.read(self.chunks, proceed)
        found = [logprob(logits, token) for token in self.scored[:1]]
        read = self.scored[:-1]  # nothing is expected after the last
        for at in range(0, len(read), BATCH):
            proceed()
            rows = sequence.extend(read[at : at + BATCH])
            found += [logprob(row, self.scored[at + 1 + i]) for i, row in enumerate(rows)]
        return found
