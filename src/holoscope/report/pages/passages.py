"""Texts of any length as a page shows them: cut where they are long, with the place of an answer marked.

A completion may be a megabyte. What is shown at once is short, what is folded below it is bounded, and how many
characters are left out is said; the whole stands in the JSON of the instance. A mark is never cut off: where the answer
lies far inside, the text around it is shown.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from holoscope.core import Token

AT_ONCE = 1_600
"""Characters that are shown before anything is folded."""
FOLDED = 30_000
"""Characters that may be folded below."""
_AROUND = 400
"""Characters shown before and after a mark that lies far inside."""
_MOST_TOKENS = 400


class Mark(NamedTuple):
    """A stretch of a text, and what it is."""

    start: int
    end: int
    what: str


class Segment(NamedTuple):
    """A part of a text; marked if `mark` says what it is."""

    text: str
    mark: str = ""


class Passage(NamedTuple):
    """A text, ready to be shown."""

    shown: tuple[Segment, ...]
    folded: tuple[Segment, ...]
    """What follows; or, where only the surroundings of a mark are shown, the text from its start."""
    is_excerpt: bool
    """True if `shown` is not the beginning."""
    left_out: int
    """Characters that are neither shown nor folded."""
    length: int


def passage(text: str, marks: Iterable[Mark] = ()) -> Passage:
    """`text` with its marks; of overlapping ones the first given counts."""
    kept = _apart(marks, len(text))
    if len(text) <= AT_ONCE + _AROUND:
        return Passage(_segments(text, kept, 0, len(text)), (), False, 0, len(text))
    end = min(len(text), FOLDED)
    if kept and kept[0].end > AT_ONCE:
        first, last = max(0, kept[0].start - _AROUND), min(len(text), min(kept[0].end, kept[0].start + 2_000) + _AROUND)
        shown, folded = _segments(text, kept, first, last), _segments(text, kept, 0, end)
        return Passage(shown, folded, True, len(text) - end, len(text))
    shown, folded = _segments(text, kept, 0, AT_ONCE), _segments(text, kept, AT_ONCE, end)
    return Passage(shown, folded, False, len(text) - end, len(text))


def _apart(marks: Iterable[Mark], length: int) -> list[Mark]:
    """Marks that don't overlap and lie within the text, in order."""
    kept: list[Mark] = []
    for mark in marks:
        inside = 0 <= mark.start < mark.end <= length
        if inside and all(mark.end <= other.start or mark.start >= other.end for other in kept):
            kept.append(mark)
    return sorted(kept)


def _segments(text: str, marks: Sequence[Mark], start: int, end: int) -> tuple[Segment, ...]:
    found: list[Segment] = []
    at = start
    for mark in marks:
        first, last = max(mark.start, start), min(mark.end, end)
        if first < last:
            found += [Segment(text[at:first]), Segment(text[first:last], mark.what)]
            at = last
    found.append(Segment(text[at:end]))
    return tuple(segment for segment in found if segment.text)


class ShownToken(NamedTuple):
    """A token with its log-probability."""

    text: str
    logprob: float | None
    probability: float | None
    """For its colour: 0 to 1."""


class Tokens(NamedTuple):
    """The tokens of a completion."""

    shown: tuple[ShownToken, ...]
    left_out: int
    total: float | None
    """Sum of the log-probabilities there are; None if there are none."""


def tokens(given: Sequence[Token]) -> Tokens:
    """The first of the tokens, as many as a page can hold."""
    from math import exp

    shown = tuple(
        ShownToken(token.text, token.logprob, None if token.logprob is None else exp(min(0.0, token.logprob)))
        for token in given[:_MOST_TOKENS]
    )
    known = [token.logprob for token in given if token.logprob is not None]
    return Tokens(shown, len(given) - len(shown), sum(known) if known else None)
