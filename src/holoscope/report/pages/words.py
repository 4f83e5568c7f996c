"""The difference of two texts, word by word.

Words and what stands between them are compared, so that a perturbation of spaces or capitals is seen too. Long texts
are not compared as a whole: what both begin and end with is taken off first, and where much is left the two middles
stand as replaced, because a page must not wait for a model that wrote a novel.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_MOST_WORDS = 3_000
"""Of both middles together; comparing them costs by the square."""

Kind = Literal["same", "gone", "new"]


class Piece(NamedTuple):
    """A part of a difference."""

    kind: Kind
    text: str


def difference(old: str, new: str) -> list[Piece]:
    """What became of `old` in `new`; the pieces that are not new make up `old`, those not gone make up `new`.

    >>> [tuple(piece) for piece in difference("the cat sat", "the dog sat")]
    [('same', 'the '), ('gone', 'cat'), ('new', 'dog'), ('same', ' sat')]
    """
    before, after = _WORD.findall(old), _WORD.findall(new)
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[start:][::-1])
    middles = before[start : len(before) - end], after[start : len(after) - end]
    pieces = [Piece("same", "".join(before[:start])), *_middle(*middles)]
    pieces.append(Piece("same", "".join(before[len(before) - end :])))
    return [piece for piece in pieces if piece.text]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words both begin with."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _middle(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    if len(old) + len(new) > _MOST_WORDS:
        yield Piece("gone", "".join(old))
        yield Piece("new", "".join(new))
        return
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield Piece("same", "".join(old[a:b]))
            continue
        yield Piece("gone", "".join(old[a:b]))
        yield Piece("new", "".join(new[c:d]))
