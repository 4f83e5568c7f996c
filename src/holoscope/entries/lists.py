"""Lists on the command line: `a,b`, `a, b`, `a b` and `a,b,` are the same two names.

A shell hands `a, b` over as two arguments, the first of which ends in a comma, so both functions take all arguments of
an option together. A list of run entries is split with more care: a comma also stands between an entry's arguments,
and what follows it is then `key=value`, never a new name.
"""

import re
from collections.abc import Iterable

_ARGUMENT = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"|[^:,\"=]*)\s*=")
_PIECE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|.", re.DOTALL)


def split_names(texts: Iterable[str]) -> list[str]:
    """The names in `texts`, which commas, blanks or both may separate."""
    return [name for text in texts for name in re.split(r"[,\s]+", text) if name]


def split_entries(texts: Iterable[str]) -> list[str]:
    """The run entries in `texts`; a comma or blank starts a new one where no argument follows.

    >>> split_entries(["boolq, mmlu:subject=anatomy,method=multiple_choice_joint", "gsm,"])
    ['boolq', 'mmlu:subject=anatomy,method=multiple_choice_joint', 'gsm']
    """
    entries: list[str] = []
    for text in _glued(texts):
        if not any(mark in text for mark in ':"/.'):
            entries += split_names([text])
        else:
            entries += filter(None, (entry.strip(" \t\r\n,") for entry in _split_at_entries(text)))
    return entries


def _glued(texts: Iterable[str]) -> list[str]:
    """Put together what the shell took apart at a blank after the comma between two arguments."""
    glued: list[str] = []
    for text in texts:
        if glued and glued[-1].rstrip().endswith(",") and _ARGUMENT.match(text):
            glued[-1] += text
        else:
            glued.append(text)
    return glued


def _split_at_entries(text: str) -> Iterable[str]:
    start, open_brackets = 0, 0
    for piece in _PIECE.finditer(text):
        if piece[0] in "[{":
            open_brackets += 1
        elif piece[0] in "]}":
            open_brackets -= 1
        elif piece[0] == "," and open_brackets <= 0 and not _ARGUMENT.match(text, piece.end()):
            yield text[start : piece.start()]
            start = piece.end()
    yield text[start:]
