"""The grid as files that other programs read: CSV with every cell, Markdown with the tables people look at."""

import csv
import io
from collections.abc import Sequence

import msgspec

from holoscope.report.blocks import Block, By, Entry, Line, blocks
from holoscope.report.grid import Cell, Grid


def to_csv(grid: Grid) -> str:
    """A line per cell, its columns those of `show --json`; no value is an empty field, `outcomes` is JSON."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(Cell.__struct_fields__)
    for cell in grid.cells:
        writer.writerow(_field(getattr(cell, name)) for name in Cell.__struct_fields__)
    return stream.getvalue()


def to_markdown(grid: Grid, by: By = "model") -> str:
    """The tables that `render` prints, as Markdown."""
    return "\n".join(line for block in blocks(grid, by) for line in _markdown(block))


def _field(value: object) -> object:
    return msgspec.json.encode(value).decode() if isinstance(value, dict) else value


def _markdown(block: Block) -> list[str]:
    heads = [block.corner, *(f"{column.name} {column.arrow}".strip() for column in block.columns)]
    return [
        f"### {escaped(block.title)}",
        "",
        markdown_row([escaped(head) for head in heads]),
        markdown_row(["---", *["---:"] * len(block.columns)]),
        *(markdown_row([_label(line), *map(_cell, line.entries)]) for line in block.lines),
        "",
        *(f"- {escaped(note)}" for note in block.notes),
        *(f"- ({position}) {escaped(reason)}" for position, reason in enumerate(block.reasons, 1)),
        "",
    ]


def _cell(entry: Entry) -> str:
    return " ".join(part for part in (entry.value, entry.interval, entry.n) if part)


def _label(line: Line) -> str:
    rest = [line.arguments, line.measured, *line.flags]
    return " · ".join([f"**{escaped(line.name)}**", *(escaped(part) for part in rest if part)])


def markdown_row(cells: Sequence[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """`text` with what Markdown and HTML would read as a sign made harmless."""
    for sign in "\\`*_{}[]<>|#!~":
        text = text.replace(sign, f"\\{sign}")
    return text
