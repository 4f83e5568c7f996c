"""A comparison as files that other programs read: JSON and CSV with everything, Markdown with what people look at."""

import csv
import io

import msgspec

from holoscope.report.comparison import Comparison, RunPair
from holoscope.report.comparison_lines import LEGEND, Block, Entry, blocks, notes
from holoscope.report.differences import Difference, FourWays
from holoscope.report.printable import printable
from holoscope.report.tables import escaped, markdown_row

_WAYS = FourWays.__struct_fields__
_NUMBERS = tuple(name for name in Difference.__struct_fields__ if name not in ("counts", "flips"))


def comparison_json(comparison: Comparison) -> bytes:
    """Everything, the same bytes for the same comparison."""
    return msgspec.json.encode(comparison)


def comparison_csv(comparison: Comparison) -> str:
    """A line per difference; no value is an empty field. Flips are in the JSON."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    sides = [f"{name}_{side}" for side in "ab" for name in ("suite", "run", "model")]
    ways = [f"right_{name}" for name in _WAYS]
    writer.writerow(["scenario", *sides, *_NUMBERS, *ways, "warnings"])
    for pair in comparison.pairs:
        for difference in pair.differences:
            writer.writerow(_fields(pair, difference))
    return stream.getvalue()


def comparison_markdown(comparison: Comparison) -> str:
    """A table per axis."""
    head = [f"- {side}: {escaped(printable(name))}" for side, name in (("A", comparison.a), ("B", comparison.b))]
    tables = [line for block in blocks(comparison) for line in _markdown(block)]
    return (
        "\n".join(
            [*head, "", *tables, *(f"- note: {escaped(note)}" for note in notes(comparison)), "", escaped(LEGEND)]
        )
        + "\n"
    )


def _fields(pair: RunPair, difference: Difference) -> list[object]:
    sides = [value for side in (pair.a, pair.b) for value in (side.suite, side.run, side.model)]
    numbers = [getattr(difference, name) for name in _NUMBERS]
    ways = [getattr(difference.counts, name) if difference.counts else None for name in _WAYS]
    return [pair.label, *sides, *numbers, *ways, "; ".join(pair.warnings)]


def _markdown(block: Block) -> list[str]:
    heads = ("scenario", "A", "B", "A - B", "95 % interval", "p", "Holm", "")
    return [
        f"### {escaped(block.title)}",
        "",
        markdown_row(heads),
        markdown_row(["---", *["---:"] * 6, "---"]),
        *(markdown_row(_cells(entry)) for entry in block.entries),
        "",
    ]


def _cells(entry: Entry) -> list[str]:
    numbers = [entry.a, entry.b, entry.difference, entry.interval, entry.p, entry.holm]
    if entry.better:
        numbers[2] = f"**{numbers[2]}**"
    details = "; ".join(escaped(detail) for detail in entry.details)
    return [escaped(entry.label), *(number.replace("<", "&lt;") for number in numbers), details]
