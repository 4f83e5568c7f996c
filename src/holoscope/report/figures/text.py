"""Text inside a figure.

Plotly reads tags, entities and formulas in the text it is given, so names and reasons, which a model or a server may
have written, are escaped before they get there. Labels have little room: a long name is cut in its middle, because its
two ends are what tells it from its neighbours, and stands in full where the reader points at it.
"""

from collections.abc import Iterable, Sequence

from holoscope.report.printable import folded, printable

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"}


def plain(text: str) -> str:
    """One line that plotly shows as it is.

    >>> plain("<b>$x$ & co")
    '&lt;b&gt;&#36;x&#36; &amp; co'
    """
    return "".join(_ESCAPES.get(character, character) for character in printable(text))


def cut(name: str, width: int) -> str:
    """A name in `width` characters, escaped."""
    return plain(shortened_inside(name, width))


def shortened_inside(name: str, width: int) -> str:
    """A name in `width` characters, with both of its ends.

    >>> shortened_inside("mmlu subject=college_computer_science", 20)
    'mmlu subj…er_science'
    """
    whole = printable(name)
    if len(whole) <= width:
        return whole
    head = (width - 1) // 2
    return f"{whole[:head]}…{whole[head + 1 - width :]}"


def cut_apart(names: Sequence[str], width: int) -> list[str]:
    """The names cut to `width`, and in full where two would then be the same."""
    short = [cut(name, width) for name in names]
    return [plain(name) if short.count(cut_one) > 1 else cut_one for name, cut_one in zip(names, short, strict=True)]


def wrapped(name: str, width: int = 15, most: int = 3) -> str:
    """A name in up to `most` short lines, escaped.

    >>> wrapped("natural_qa mode=openbook_longans")
    'natural_qa<br>mode=openbook_<br>longans'
    """
    parts = [part.strip() for part in folded(shortened_inside(name, most * width - width // 2), width)]
    return "<br>".join(map(plain, [*parts[: most - 1], *filter(None, ["".join(parts[most - 1 :])])]))


def lines(*parts: str) -> str:
    """Escaped parts as lines of a label that opens on pointing; empty ones are left out."""
    return "<br>".join(filter(None, parts))


def listed(parts: Iterable[str], most: int = 6) -> str:
    """A list for a sentence, of which the first few are named.

    >>> listed("abcdefgh", 3)
    'a, b, c and 5 more'
    """
    found = list(parts)
    more = len(found) - most
    if more <= 1:
        return ", ".join(found)
    return f"{', '.join(found[:most])} and {more} more"
