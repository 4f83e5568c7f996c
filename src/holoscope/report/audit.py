"""A suite as one document for a reader who must answer for a model: what was tested, how well, how sure, what not.

The file needs nothing but itself, holds no script, prints, and follows the reader's light or dark setting. Every number
in it is a cell of the grid or a measure beside one; the sentences are made from those numbers (`audit_words.py`). It
has no date of its own, so that the same runs give the same file. Benchmark texts are shown only where their licence
allows passing them on.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from holoscope import __version__
from holoscope.core import Registry, counted
from holoscope.report.audit_limits import NotTested, empty_cells, limits, outcomes, unfinished
from holoscope.report.audit_reproduce import commands
from holoscope.report.audit_results import axis_section
from holoscope.report.audit_tested import models_tested, scenarios_tested
from holoscope.report.audit_words import INTERVALS
from holoscope.report.blocks import blocks
from holoscope.report.grid import Grid, Row
from holoscope.report.html import document
from holoscope.report.html_matrix import matrix
from holoscope.report.html_runs import run_details
from holoscope.report.html_sources import sources, table
from holoscope.report.markup import Markup, element, join
from holoscope.store import StoredRun, replacing


class _Chapter(NamedTuple):
    """A part of the report."""

    title: str
    anchor: str
    content: Markup


def write_audit(
    path: Path, grid: Grid, runs: Sequence[StoredRun], registry: Registry, absent: Sequence[NotTested] = ()
) -> None:
    """Write the report of `grid` to `path`, whole or not at all; `absent` is what else should have been tested."""
    with replacing(path) as temporary:
        temporary.write_text(audit_page(grid, runs, registry, absent), encoding="utf-8")


def audit_page(grid: Grid, runs: Sequence[StoredRun], registry: Registry, absent: Sequence[NotTested] = ()) -> str:
    """The report of `grid`, with instances of those of its runs that are given."""
    suites = ", ".join(dict.fromkeys(row.suite for row in grid.rows))
    chapters = [*_chapters(grid, runs, registry, absent)]
    parts = (element("section", element("h2", c.title), c.content, id=c.anchor) for c in chapters)
    foot = element("footer", f"holoscope {__version__}")
    return document(f"Audit report · {suites}", [_head(grid, suites), _contents(chapters), *parts, foot], "audit.css")


def _chapters(
    grid: Grid, runs: Sequence[StoredRun], registry: Registry, absent: Sequence[NotTested]
) -> Iterator[_Chapter]:
    anchors = {_key(row): f"run-{number}" for number, row in enumerate(grid.rows, 1)}
    stored = {(run.manifest.suite, run.name): run for run in runs}
    tested = join([scenarios_tested(grid.rows, registry), models_tested(grid.rows)])
    yield _Chapter("What was tested", "tested", tested)
    yield _Chapter("All results at a glance", "glance", _glance(grid, anchors))
    for axis in grid.axes:
        yield _Chapter(axis.title, f"axis-{axis.name}", axis_section(grid, axis, registry))
    yield _Chapter("Limits of these measurements", "limits", _listed(limits(grid)))
    yield _Chapter("What was not tested, and why", "not-tested", _not_tested(grid, absent))
    yield _Chapter("How to repeat this", "repeat", _repeat(grid))
    details = (run_details(row, anchors[_key(row)], grid.axes, stored.get(_key(row))) for row in grid.rows)
    yield _Chapter("Each run", "runs", element("div", *details, class_="runs"))
    yield _Chapter("Sources and versions", "sources", join([_methods(grid), sources(grid.rows)]))


def _key(row: Row) -> tuple[str, str]:
    return row.suite, row.manifest.spec.name


def _head(grid: Grid, suites: str) -> Markup:
    models = list(dict.fromkeys(row.model for row in grid.rows))
    return element(
        "header",
        element("p", "Audit report", class_="kind"),
        element("h1", suites or "No runs"),
        element("p", ", ".join(models), class_="facts"),
        _listed(_in_short(grid, models)),
        element("p", _READING, class_="reading"),
    )


_READING = (
    "How to read it. Each number stands with the range in which the true value lies in 95 of 100 such tests, and with "
    "n, the number of instances behind it. A difference that a range leaves open is open, not absent. Where something "
    "was not measured, the reason stands in the place of a number. The report states what these tests found: it is no "
    "certificate, and says nothing of other uses, languages or versions of a model."
)


def _in_short(grid: Grid, models: Sequence[str]) -> Iterator[str]:
    rows = grid.rows
    scenarios = counted(len({row.label for row in rows}), "scenario")
    requests = counted(sum(row.manifest.requests for row in rows), "request")
    yield f"{counted(len(models), 'model')} on {scenarios}: {requests}{_when(rows)}."
    complete = sum(row.manifest.status == "complete" for row in rows)
    yield f"{complete:,} of {counted(len(rows), 'run')} {'is' if complete == 1 else 'are'} complete."
    cells = [row.headlines[axis.name] for row in rows for axis in grid.axes]
    empty = sum(cell.value is None for cell in cells)
    told = f"; the other {empty:,} say why not" if empty else ""
    yield f"{len(cells) - empty:,} of {len(cells):,} cells (a scenario on an axis) hold a number{told}."
    never = [axis.title.lower() for axis in grid.axes if all(row.headlines[axis.name].value is None for row in rows)]
    if never:
        yield f"Not measured on any scenario: {', '.join(never)}."


def _when(rows: Sequence[Row]) -> str:
    times = [
        time for row in rows for time in (row.manifest.started, row.manifest.finished) if time and time.year > 1970
    ]
    if not times:
        return ""
    first, last = f"{min(times):%Y-%m-%d}", f"{max(times):%Y-%m-%d}"
    return f", on {first}" if first == last else f", from {first} to {last}"


def _contents(chapters: Iterable[_Chapter]) -> Markup:
    entries = [element("li", element("a", chapter.title, href=f"#{chapter.anchor}")) for chapter in chapters]
    return element("nav", element("h2", "Contents"), element("ol", *entries), class_="contents")


def _glance(grid: Grid, anchors: dict[tuple[str, str], str]) -> Markup:
    """A matrix for each model, with the reasons of its empty cells below."""
    parts: list[Markup] = []
    for number, block in enumerate(blocks(grid), 1):
        parts += [
            element("h3", block.title, id=f"model-{number}"),
            matrix(block, grid, f"model-{number}", lambda row: anchors[_key(row)]),
        ]
    return join(parts)


def _not_tested(grid: Grid, absent: Sequence[NotTested]) -> Markup:
    heads = ("what", "why")
    parts = [
        table("Runs that are not complete", ("run", "why"), unfinished(grid)),
        table("Belongs to what this suite set out to test, and was not run", heads, absent),
        table("Cells without a number", ("axes and scenarios", "why"), empty_cells(grid)),
        table("Answers that did not end as they should", ("scenario", "how many, and how"), outcomes(grid)),
    ]
    found = [part for part in parts if part]
    return join(found) if found else element("p", "Every cell has a number, and every answer ended as it should.")


def _methods(grid: Grid) -> Markup:
    """The kinds of interval that the axes show, in words."""
    cells = (cell for row in grid.rows for cell in row.headlines.values() if cell.low is not None)
    used = dict.fromkeys(cell.method.partition("; ")[0] for cell in cells)
    return table(
        "How intervals are made", ("called", "is"), [(name, INTERVALS[name]) for name in used if name in INTERVALS]
    )


def _repeat(grid: Grid) -> Markup:
    manifests = [row.manifest for row in grid.rows]
    suites = list(dict.fromkeys(row.suite for row in grid.rows))
    typed = [line for suite in suites for line in commands([m for m in manifests if m.suite == suite], suite)]
    typed += [f"holoscope export --format audit --suite {suite} --to audit.html" for suite in suites]
    words = (
        "With the same ledger these commands ask nothing again and give the same numbers. Without it they ask the "
        "model anew: the versions, data files and hashes below say whether that is the same test."
    )
    return join([element("p", words), element("pre", "\n".join(typed), class_="commands")])


def _listed(sentences: Iterable[str]) -> Markup:
    return element("ul", *(element("li", sentence) for sentence in sentences), class_="sentences")
