"""What an extraction rule returns."""

from collections.abc import Callable
from typing import NamedTuple


class Found(NamedTuple):
    """An answer and where it stands, or why there is none."""

    answer: str | None
    rule: str = ""
    span: tuple[int, int] | None = None
    reason: str = ""
    """Why `answer` is None."""


def settled(find: Callable[[str], Found], text: str) -> Found:
    """What `find` finds in what it found, until that is all there is: extracting twice gives the same as once.

    The rule is the first one's, the span is that of the last answer in `text`.
    """
    first = found = find(text)
    start = 0
    while found.answer is not None and found.span is not None and len(found.answer) < len(text):
        start, text = start + found.span[0], found.answer
        found = find(text)
    span = None if found.span is None else (start + found.span[0], start + found.span[1])
    return found._replace(rule=first.rule, span=span) if found.answer is not None else found
