"""The grid in a terminal.

On a wide terminal each cell is one line, `0.62 [0.51, 0.72]`; on a narrow one its interval stands below it, so that
seven axes fit into 80 columns. More columns than fit go into a further table below. Nothing shown can be markup or move
the cursor; without colour and without a terminal the text is the same.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from holoscope.report.blocks import Block, By, Column, Entry, Line, blocks
from holoscope.report.grid import Grid
from holoscope.report.printable import folded, shortened

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

_LABEL = 17
"""Characters that the first column keeps on a narrow terminal."""
_PLAIN_SIGNS = str.maketrans({"–": "-", "·": "-", "↑": "^", "↓": "v"})
"""For terminals that have no others."""
_NAMES = (20, 11, 8)
"""Lengths to which the names of axes are cut, tried in this order."""


class _Layout(NamedTuple):
    """How cells are set."""

    one_line: bool
    """Value and interval side by side; else one below the other."""
    name: int
    """Most characters of an axis' name."""

    @property
    def gap(self) -> int:
        return 2 if self.one_line else 1

    def head(self, column: Column) -> list[str]:
        name = shortened(column.name, self.name) if column.arrow else column.name
        return [f"{name} {column.arrow}".rstrip()] if self.one_line else [name, column.arrow]

    def entry(self, entry: Entry) -> list[str]:
        if self.one_line:
            return [" ".join(part for part in (entry.value, entry.interval, entry.n) if part)]
        return [part for part in (entry.value, entry.short, entry.n) if part]

    def width(self, block: Block, columns: Sequence[int]) -> int:
        """Characters that `columns` take, with the gaps before them."""
        from rich.cells import cell_len

        total = 0
        for position in columns:
            texts = self.head(block.columns[position])
            texts += [text for line in block.lines for text in self.entry(line.entries[position])]
            total += self.gap + max(map(cell_len, texts))
        return total

    def label_width(self, block: Block) -> int:
        """Characters that the first column needs."""
        from rich.cells import cell_len

        if not self.one_line:
            return _LABEL
        return max(map(cell_len, [block.corner, *(_one_line_label(line).plain for line in block.lines)]))


def render(grid: Grid, console: "Console", by: By = "model") -> None:
    """Print the tables of `grid`, one for each model (or scenario, or axis)."""
    with console.capture() as captured:
        for block in blocks(grid, by):
            _print_block(block, console)
    text, encoding = captured.get(), console.encoding
    if not encoding.lower().startswith("utf"):
        text = text.translate(_PLAIN_SIGNS).encode(encoding, "replace").decode(encoding)
    console.file.write(text)


def _print_block(block: Block, console: "Console") -> None:
    from rich.text import Text

    console.print(Text(block.title, style="bold"))
    layout = _layout(block, console.width)
    for part in _parts(block, console.width, layout):
        console.print(_table(block, part, layout, console.width))
    for note in block.notes:
        console.print(Text(note, style="dim"))
    if block.reasons:
        console.print(_reasons(block.reasons))
    console.print()


def _reasons(reasons: Sequence[str]) -> "Table":
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column()
    table.add_column(overflow="fold")
    for position, reason in enumerate(reasons, 1):
        table.add_row(Text(f"({position})", style="dim"), Text(reason, style="dim"))
    return table


def _layout(block: Block, width: int) -> _Layout:
    """The roomiest layout in which all columns fit; the tightest if none does."""
    everything = range(len(block.columns))
    layouts = [_Layout(True, _NAMES[0]), *(_Layout(False, name) for name in _NAMES)]
    fitting = (each for each in layouts if each.label_width(block) + each.width(block, everything) <= width)
    return next(fitting, layouts[-1])


def _parts(block: Block, width: int, layout: _Layout) -> Iterator[list[int]]:
    """Columns that fit beside the label, at least one at a time."""
    room = width - layout.label_width(block)
    part: list[int] = []
    for column in range(len(block.columns)):
        if part and layout.width(block, [*part, column]) > room:
            yield part
            part = []
        part.append(column)
    if part:
        yield part


def _table(block: Block, columns: Sequence[int], layout: _Layout, width: int) -> "Table":
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, layout.gap, 0, 0), pad_edge=False, header_style="")
    table.add_column(Text(block.corner, style="dim"), overflow="fold")
    for position in columns:
        head = "\n".join(layout.head(block.columns[position])).rstrip()
        table.add_column(Text(head, style="bold"), justify="right", no_wrap=True)
    room = max(_LABEL, width - layout.width(block, columns))
    for line in block.lines:
        label = _one_line_label(line) if layout.one_line else _stacked_label(line, room)
        table.add_row(label, *(_cell(line.entries[position], layout) for position in columns))
    return table


def _one_line_label(line: Line) -> "Text":
    from rich.text import Text

    text = Text(line.name, style="bold")
    parts = [(" ", line.arguments, ""), ("  ", line.measured, "dim"), *(("  ", flag, "yellow") for flag in line.flags)]
    for gap, part, style in parts:
        if part:
            text.append(gap)
            text.append(part, style=f"not bold {style}")
    return text


def _stacked_label(line: Line, width: int) -> "Text":
    """The name, and what else there is to say indented below it."""
    from rich.text import Text

    text = Text("\n".join(folded(line.name, width)), style="bold")
    below = [(line.arguments, ""), (line.measured, "dim"), *((flag, "yellow") for flag in line.flags)]
    for part, style in below:
        for piece in folded(part, width - 1) if part else ():
            text.append(f"\n {piece}", style=f"not bold {style}")
    return text


def _cell(entry: Entry, layout: _Layout) -> "Text":
    from rich.text import Text

    text = Text(entry.value, justify="right")
    for part in (entry.interval if layout.one_line else entry.short, entry.n):
        if part:
            text.append(" " if layout.one_line else "\n")
            text.append(part, style="dim")
    return text
