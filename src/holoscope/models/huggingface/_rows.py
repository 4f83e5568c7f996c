"""One answer as it is written."""

import random
from typing import Any

from holoscope.models.answer import Written
from holoscope.models.huggingface._tasks import Task
from holoscope.models.huggingface._weights import Weights
from holoscope.models.local._sampling import Sampler, logprob
from holoscope.models.local._writing import Writing

_UNFINISHED = "\ufffd"
"""What a tokenizer gives for a character of which there are not all bytes yet."""


class Row:
    """One sequence of a batch."""

    def __init__(self, task: Task, draw: random.Random, weights: Weights) -> None:
        self.task = task
        params = task.request.params
        self._weights = weights
        self._sampler = Sampler(params.temperature, params.top_p, draw)
        self._writing = Writing(params.stop_sequences, reasons=task.reasons)
        self.room = min(params.max_tokens, weights.window - len(task.ids))
        self._ids = task.ids[-1:]  # the last of the prompt, as tokenizers drop a space that begins a text
        self._from, self._said = 0, 1
        self._finish = "length"

    @property
    def made(self) -> int:
        return self._writing.made

    @property
    def last(self) -> int:
        return self._ids[-1]

    @property
    def length(self) -> int:
        """Tokens of prompt and answer."""
        return len(self.task.ids) + self.made

    def add(self, logits: Any) -> bool:
        """Write the next token; False if the answer has ended."""
        if self.made >= self.room:
            return False
        token = self._sampler.pick(logits)
        if token in self._weights.ends:
            self._finish = "stop"
            return False
        self._ids.append(token)
        self._writing.add(self._piece().encode(errors="replace"), logprob(logits, token))
        if self._writing.stopped:
            self._finish = "stop"
            return False
        return self.made < self.room

    def choose(self, logits: Any) -> int | None:
        """Write the next token and say which it is; None if the answer has ended."""
        return self.last if self.add(logits) else None

    def _piece(self) -> str:
        """What the last token adds to the text: nothing as long as a character is not whole."""
        decode = self._weights.tokenizer.decode
        known = decode(self._ids[self._from : self._said], clean_up_tokenization_spaces=False)
        text = decode(self._ids[self._from :], clean_up_tokenization_spaces=False)
        if text.endswith(_UNFINISHED) and self.made + 1 < self.room:
            return ""
        self._from, self._said = self._said, len(self._ids)
        return str(text[len(known) :])

    def end(self) -> Written:
        """The finished answer."""
        return self._writing.end(self._finish)
