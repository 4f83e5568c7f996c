"""Putting a prompt together and fitting it to the window.

A prompt is what is constant in a train trial (prefix, instructions, in-context examples) and one block for the
evaluation instance. It fits by dropping whole examples from the end, never part of one. Where even the bare question
does not fit, it is not sent: a cut question would be answered, and its score would look like any other. Only under
compat is it cut from the right, as HELM does. The constant part is joined once, since plans are of many thousand
prompts.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from holoscope.core import AdapterSpec
from holoscope.models.tokenizers import Window


class Prompt(NamedTuple):
    """A finished prompt."""

    text: str
    num_tokens: int
    num_train_instances: int
    truncated: bool = False
    overflow: str = ""
    """Why it cannot be sent, in words; empty if it can."""


class Shots:
    """The constant part of a train trial's prompts."""

    def __init__(self, adapter: AdapterSpec, blocks: Sequence[str], window: Window, *, compat: bool) -> None:
        self._adapter = adapter
        self._blocks = tuple(blocks)
        self._window = window
        self._compat = compat
        self._heads: dict[int, str] = {}
        self._substitutions = [(re.compile(s.source), s.target) for s in adapter.substitutions]

    def prompt(self, block: str, max_tokens: int, *, cut: bool = True) -> Prompt:
        """The prompt that ends in `block`, with as many examples as leave room for `max_tokens`.

        Without `cut` it is never cut, nor held back, under compat: what HELM does where a prompt holds images.
        """
        room = self._room(max_tokens)
        full = self._with(len(self._blocks), block, room)
        if room is None or full.num_tokens <= room:
            return full
        fewer = self._fewer(block, room) if room > 0 else None
        return fewer or self._too_long(self._with(0, block, room), room, max_tokens, cut=cut)

    def as_it_is(self, text: str, max_tokens: int) -> Prompt:
        """`text` as a prompt to which nothing is added; HELM sends it however long it is."""
        room = self._room(max_tokens)
        prompt = Prompt(text, self._window.count_within(text, room), 0)
        if room is None or prompt.num_tokens <= room:
            return prompt
        return self._too_long(prompt, room, max_tokens, cut=False)

    def _with(self, shots: int, block: str, room: int | None) -> Prompt:
        text = self._head(shots) + block + self._adapter.global_suffix
        for pattern, target in self._substitutions:
            text = pattern.sub(target, text)
        return Prompt(text, self._window.count_within(text, room), shots)

    def _head(self, shots: int) -> str:
        """Everything before the evaluation block, with the first `shots` examples."""
        if shots not in self._heads:
            instructions = [self._adapter.instructions] if self._adapter.instructions else []
            parts = [*instructions, *self._blocks[:shots], ""]
            self._heads[shots] = self._adapter.global_prefix + self._adapter.instance_prefix.join(parts)
        return self._heads[shots]

    def _fewer(self, block: str, room: int) -> Prompt | None:
        """The prompt with the most examples that fits, by bisection; None if even none is too many."""
        best, low, high = None, 0, len(self._blocks) - 1
        while low <= high:
            middle = (low + high) // 2
            prompt = self._with(middle, block, room)
            if prompt.num_tokens <= room:
                best, low = prompt, middle + 1
            else:
                high = middle - 1
        return best

    def _too_long(self, bare: Prompt, room: int, max_tokens: int, *, cut: bool) -> Prompt:
        if room <= 0 and (cut or not self._compat):
            return bare._replace(overflow=f"max_tokens {max_tokens} leaves no room for a prompt in {self._limits()}")
        if self._compat:
            text = self._cut(bare.text, room) if cut else bare.text
            return Prompt(text, self._window.count(text), 0, truncated=cut)
        about = "" if self._window.exact else "about "
        return bare._replace(
            overflow=f"the prompt without examples has {about}{bare.num_tokens} tokens, and {self._limits()} leaves "
            f"{room} for it beside max_tokens {max_tokens}"
        )

    def _cut(self, text: str, room: int) -> str:
        """The beginning of `text` that still fits when it is tokenized again."""
        text = self._window.truncate_right(text, room)
        while self._window.count(text) > room:
            text = text[:-1]
        return text

    def _room(self, max_tokens: int) -> int | None:
        """Tokens that the prompt may have; None if unknown. HELM looks at the longest request alone."""
        limits = [self._window.max_request_length]
        if not self._compat:
            limits.append(self._window.max_sequence_and_generated)
        return min((limit - max_tokens for limit in limits if limit is not None), default=None)

    def _limits(self) -> str:
        limits = (self._window.max_request_length, self._window.max_sequence_and_generated)
        return f"a window of {min(limit for limit in limits if limit is not None)} tokens"
