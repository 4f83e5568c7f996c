"""An answer as it grows: tokens into text, and where to stop.

Invariant: the tokens' texts joined are the text, also where a character spans two tokens (it belongs to the one that
completes it) and where a stop sequence cuts within a token (which then keeps its log-probability and loses the rest).
"""

import codecs

from holoscope.core import Token
from holoscope.models.answer import Written
from holoscope.models.thinking import TAGS


class Writing:
    """One answer under way."""

    def __init__(self, stops: tuple[str, ...], *, reasons: bool = False) -> None:
        """`reasons`: the prompt has opened the model's reasoning, as some chat templates do."""
        self._stops = tuple(filter(None, stops))
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = TAGS.start if reasons else ""
        self._tokens = [Token(TAGS.start)] if reasons else []
        self.made = 0
        """Tokens added."""
        self.stopped = False
        """True once a stop sequence was written; it is no part of the text."""

    def add(self, piece: bytes, logprob: float) -> None:
        """Append a token."""
        text, known = self._decoder.decode(piece), len(self._text)
        self._text += text
        self._tokens.append(Token(text, logprob))
        self.made += 1
        begin = self._answer_begin()
        if begin is None:
            return
        found = [self._text.find(stop, max(begin, known - len(stop) + 1)) for stop in self._stops]
        ends = [at for at in found if at >= 0]
        if ends:
            self.stopped = True
            self._cut(min(ends))

    def _answer_begin(self) -> int | None:
        """Where stop sequences begin to count: after the reasoning; None within it."""
        if not self._text.lstrip().startswith(TAGS.start):
            return 0
        end = self._text.find(TAGS.end)
        return None if end < 0 else end + len(TAGS.end)

    def _cut(self, end: int) -> None:
        kept, at = [], 0
        for token in self._tokens:
            if at >= end:
                break
            kept.append(Token(token.text[: end - at], token.logprob))
            at += len(token.text)
        self._text, self._tokens = self._text[:end], kept

    def end(self, finish_reason: str) -> Written:
        """The finished answer."""
        rest = "" if self.stopped else self._decoder.decode(b"", True)
        if rest:
            last = self._tokens.pop()
            self._tokens.append(Token(last.text + rest, last.logprob))
        return Written(self._text + rest, finish_reason, tuple(self._tokens))
