"""The window of a model on a server of one's own: the server counts, and says how long its window is.

It is asked only for what may not fit. A text has at most as many tokens as bytes, and one for the space that some
tokenizers put before it; what they normalise first may grow by what Unicode allows. What surely fits is estimated, and
`estimates` says so. Where the server gives no answer, all is estimated from then on.
"""

from dataclasses import dataclass, field

from holoscope.models.counting import Counter
from holoscope.models.tokenizers import NO_LIMITS, EstimateWindow, Limits, Window

_GROWTH = 11
"""Most bytes that compatibility composition (NFKC) makes of one byte."""


class _Given:
    """Whether any estimate was given."""

    def __init__(self) -> None:
        self.any = False


@dataclass(frozen=True, kw_only=True, eq=False)
class ServedWindow(Window):
    """Counts with what is at hand, or has the server count."""

    counter: Counter = field(repr=False)
    own: Window | None = None
    """The model's tokenizer, where it is at hand."""
    given: _Given = field(default_factory=_Given, repr=False)

    @property
    def exact(self) -> bool:
        """What decides is exact as long as the server counts; it is asked to, where it never was."""
        return self.own is not None or self.counter.count("a") is not None

    @property
    def estimates(self) -> bool:
        return self.own is None and (self.given.any or bool(self.counter.failure))

    @property
    def source(self) -> str:
        if self.own is not None:
            return self.own.source
        if self.counter.failure:
            return f"{EstimateWindow().source} ({self.counter.failure})"
        if not self.counter.source:
            return f"{EstimateWindow().source}; all of it surely fits"
        return f"{self.counter.source}; what surely fits is estimated"

    @property
    def max_sequence_length(self) -> int | None:
        return self._known.sequence

    @property
    def max_request_length(self) -> int | None:
        return self._known.sequence if self._known.request is None else self._known.request

    @property
    def max_sequence_and_generated(self) -> int | None:
        return self._known.sequence_and_generated

    @property
    def _known(self) -> Limits:
        """The limits known beforehand, or else the server's."""
        return self.limits if self.limits != NO_LIMITS else self.counter.limits

    def count(self, text: str) -> int:
        if self.own is not None:
            return self.own.count(text)
        counted = self.counter.count(text) if text else 0
        return self._estimate(text) if counted is None else counted

    def count_within(self, text: str, room: int | None) -> int:
        if self.own is None and (room is None or _most_tokens(text) <= room):
            return self._estimate(text)
        return self.count(text)

    def pieces(self, text: str) -> list[str]:
        if self.own is not None:
            return self.own.pieces(text)
        pieces = self.counter.pieces(text) if text else []
        return EstimateWindow().pieces(text) if pieces is None else pieces

    def truncate_right(self, text: str, limit: int) -> str:
        if self.own is not None:
            return self.own.truncate_right(text, limit)
        if limit <= 0 or not text:
            return ""
        cut = text if self.count(text) <= limit else self._bisected(text, limit)
        return EstimateWindow().truncate_right(text, limit) if self.counter.failure else cut

    def _bisected(self, text: str, limit: int) -> str:
        """A beginning that was counted and fits; the longest, where longer ones have more tokens."""
        fits, too_long = 0, len(text)
        while too_long - fits > 1 and not self.counter.failure:
            middle = (fits + too_long) // 2
            if self.count(text[:middle]) <= limit:
                fits = middle
            else:
                too_long = middle
        return text[:fits]

    def _estimate(self, text: str) -> int:
        self.given.any = True
        return EstimateWindow().count(text)


def _most_tokens(text: str) -> int:
    """More tokens than a text can have."""
    return 1 + (len(text) if text.isascii() else _GROWTH * len(text.encode(errors="surrogatepass")))
