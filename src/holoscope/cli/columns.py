"""Rows in aligned columns, as wide as the terminal: what does not fit beside the others goes below, indented.

A pipe gets one line a row whatever its length, so that it can be searched line by line.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_GAP = "  "
_LEAST = 24
"""Characters that the last column needs to be worth a place beside the others."""


def print_columns(rows: Sequence[Sequence[str]], to: "Console", heads: Sequence[str] = (), indent: str = "") -> None:
    """Print `rows`; the last column takes what the others leave, or a line of its own."""
    from holoscope.report.printable import printable

    shown = [[printable(cell) for cell in row] for row in rows]
    width = to.width - len(indent) if to.is_terminal else 0
    for line in _lines(shown, heads, width):
        to.print(f"{indent}{line}".rstrip(), soft_wrap=True)


def _lines(rows: Sequence[Sequence[str]], heads: Sequence[str], width: int) -> Iterator[str]:
    table = [heads, *rows] if heads else list(rows)
    widths = [max(map(_cells, column)) for column in zip(*table, strict=True)]
    beside = _fitting(widths, width)
    for row in table:
        first = _GAP.join(_padded(cell, own) for cell, own in zip(row[:beside], widths, strict=False))
        rest = row[beside:]
        if not rest or not width:
            yield _GAP.join((first, *rest)) if rest else first
        elif beside == len(row) - 1:
            yield from _beside(first, rest[0], width)
        else:
            yield first
            yield from _below(rest, width)


def _fitting(widths: Sequence[int], width: int) -> int:
    """How many columns are padded; the last one never is, but wraps beside the others where there is room."""
    last = len(widths) - 1
    if not width:
        return last
    count, used = 1, widths[0]
    while count < last and used + len(_GAP) + widths[count] + len(_GAP) + _LEAST <= width:
        used += len(_GAP) + widths[count]
        count += 1
    return count


def _beside(first: str, text: str, width: int) -> Iterator[str]:
    start = _cells(first) + len(_GAP)
    pieces = wrap(text, max(_LEAST, width - start), break_long_words=False, break_on_hyphens=False) or [""]
    yield f"{first}{_GAP}{pieces[0]}"
    yield from (f"{'':{start}}{piece}" for piece in pieces[1:])


def _below(cells: Sequence[str], width: int) -> Iterator[str]:
    text = " · ".join(cell for cell in cells if cell)
    yield from (f"    {piece}" for piece in wrap(text, max(_LEAST, width - 4), break_on_hyphens=False))


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _cells(text))


def _cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    from rich.cells import cell_len

    return cell_len(text)
