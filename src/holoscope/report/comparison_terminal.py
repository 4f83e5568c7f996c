"""A comparison in a terminal: a row per scenario, its difference drawn as an interval about no difference.

The drawing takes what the numbers leave of the width; on a narrower terminal it goes first, then the p-values, then the
interval. What is sure is bold. Nothing shown can be markup or move the cursor; without colour and without a terminal
the text is the same.
"""

from typing import TYPE_CHECKING, NamedTuple

from holoscope.report.comparison import Comparison
from holoscope.report.comparison_lines import LEGEND, Block, Entry, Span, blocks, notes
from holoscope.report.printable import folded, number, printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_PLAIN_SIGNS = str.maketrans({"–": "-", "·": "-", "─": "-", "│": "|", "●": "o"})
"""For terminals that have no others."""
_LEAST_BAR, _MOST_BAR = 15, 41
_LABEL = 16
"""Characters that the label keeps, if need be on several lines."""
_GAP = 2


class _Column(NamedTuple):
    """Numbers below a head."""

    head: str
    field: str


_COLUMNS = (
    _Column("A", "a"),
    _Column("B", "b"),
    _Column("A - B", "difference"),
    _Column("95 % interval", "interval"),
    _Column("p", "p"),
    _Column("Holm", "holm"),
)


class _Layout(NamedTuple):
    """How wide the parts of a block are."""

    label: int
    columns: tuple[tuple[_Column, int], ...]
    bar: int
    """0: none."""


def render_comparison(comparison: Comparison, console: "Console") -> None:
    """Print the comparison."""
    with console.capture() as captured:
        _print(comparison, console)
    text, encoding = "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()), console.encoding
    if not encoding.lower().startswith("utf"):
        text = text.translate(_PLAIN_SIGNS).encode(encoding, "replace").decode(encoding)
    console.file.write(text)


def _print(comparison: Comparison, console: "Console") -> None:
    from rich.padding import Padding
    from rich.text import Text

    for side, name in (("A", comparison.a), ("B", comparison.b)):
        console.print(Text.assemble((side, "bold"), f"  {printable(name)}"), soft_wrap=True)
    console.print()
    for block in blocks(comparison):
        layout = _layout(block, console.width)
        console.print(Text(printable(block.title), style="bold"))
        console.print(_head(block, layout), no_wrap=True)
        for entry in block.entries:
            for line in _lines(entry, block, layout):
                console.print(line, no_wrap=True)
            for detail in _details(entry, layout):
                console.print(Padding(Text(detail, style="dim", overflow="fold"), (0, 0, 0, 2), expand=False))
        console.print()
    for note in notes(comparison):
        console.print(Text(f"note: {note}", overflow="fold"))
    console.print(Text(LEGEND, style="dim"))


def _layout(block: Block, width: int) -> _Layout:
    """As many columns as fit beside the label, and a drawing where there is room."""
    from rich.cells import cell_len

    longest = max(cell_len(entry.label) for entry in block.entries)
    label = min(longest, max(_LABEL, width // 3))
    columns: list[tuple[_Column, int]] = []
    used = label
    for column in _COLUMNS:
        texts = [getattr(entry, column.field) for entry in block.entries]
        own = max(map(len, [column.head, *texts]))
        if not any(texts):
            continue
        if used + _GAP + own > width:
            break
        columns.append((column, own))
        used += _GAP + own
    room = min(_MOST_BAR, width - used - _GAP)
    return _Layout(label, tuple(columns), room - 1 + room % 2 if room >= _LEAST_BAR and _reach(block) else 0)


def _details(entry: Entry, layout: _Layout) -> list[str]:
    """What stands below the row, with the interval where there was no room for it."""
    has_room = any(column.field == "interval" for column, _ in layout.columns)
    return [*([entry.interval] if entry.interval and not has_room else []), *entry.details]


def _reach(block: Block) -> float:
    """How far from no difference the drawing goes."""
    spans = [entry.span for entry in block.entries if entry.span is not None]
    return max((abs(end) for span in spans for end in span), default=0.0)


def _head(block: Block, layout: _Layout) -> "Text":
    from rich.text import Text

    line = " " * layout.label
    for column, width in layout.columns:
        line += f"{'':{_GAP}}{column.head:>{width}}"
    if layout.bar:
        reach = number(_reach(block))
        half = layout.bar // 2
        line += f"{'':{_GAP}}{'-' + reach:<{half}}0{'+' + reach:>{half}}"
    return Text(line.rstrip(), style="dim")


def _lines(entry: Entry, block: Block, layout: _Layout) -> list["Text"]:
    """The row; a label that is too long goes on below it."""
    from rich.cells import cell_len
    from rich.text import Text

    first, *rest = folded(entry.label, layout.label)
    weight = "bold" if entry.better else ""
    text = Text(first + " " * (layout.label - cell_len(first)))
    for column, width in layout.columns:
        style = weight if column.field == "difference" else "dim" if column.field in ("interval", "p", "holm") else ""
        text.append(f"{'':{_GAP}}{getattr(entry, column.field):>{width}}", style=style)
    if layout.bar:
        text.append(" " * _GAP)
        text.append(_bar(entry.span, _reach(block), layout.bar), style=weight or "dim")
    text.rstrip()
    return [text, *map(Text, rest)]


def _bar(span: Span | None, reach: float, width: int) -> str:
    """`   ──●──  │`: the interval, the difference within it, and where none would be."""
    marks = [" "] * width
    if span is not None:
        low, value, high = (round((end / reach + 1) / 2 * (width - 1)) for end in span)
        marks[low : high + 1] = "─" * (high + 1 - low)
        marks[width // 2] = "│"
        marks[value] = "●"
    else:
        marks[width // 2] = "│"
    return "".join(marks)
