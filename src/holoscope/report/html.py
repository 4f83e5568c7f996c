"""A suite as one HTML file: the grid, a picture of each model, and where every number comes from.

The file needs nothing but itself: no script, no font, no address, and a policy in its head that lets a browser load
none. Everything on it is made of the cells that the terminal shows, so the two cannot disagree; everything that a model
or a person wrote is text (`markup.py`). It follows the reader's light or dark setting, prints, and can be read aloud.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from importlib.resources import files
from pathlib import Path

from holoscope import __version__
from holoscope.core import counted
from holoscope.report.blocks import blocks
from holoscope.report.grid import Grid, Row
from holoscope.report.html_matrix import matrix
from holoscope.report.html_runs import run_details
from holoscope.report.html_sources import sources
from holoscope.report.markup import Markup, element
from holoscope.report.profiles import scales
from holoscope.report.radar import profile
from holoscope.store import StoredRun, replacing

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def write_html(path: Path, grid: Grid, runs: Sequence[StoredRun] = ()) -> None:
    """Write the page of `grid` to `path`, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(html_page(grid, runs), encoding="utf-8")


def html_page(grid: Grid, runs: Sequence[StoredRun] = ()) -> str:
    """The page of `grid`, with instances of those of its runs that are given."""
    suites = ", ".join(dict.fromkeys(row.suite for row in grid.rows))
    title = f"{suites} · holoscope" if suites else "holoscope"
    return document(title, _sections(grid, runs, suites or "No runs"))


def document(title: str, sections: Iterable[Markup], *styles: str) -> str:
    """A page that needs nothing but itself; `styles` are files beside this one, after the report's own."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Markup("".join(map(_stylesheet, ("report.css", *styles))))),
    )
    body = element("body", element("main", *sections))
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def _sections(grid: Grid, runs: Sequence[StoredRun], title: str) -> Iterator[Markup]:
    anchors = {_key(row): f"run-{number}" for number, row in enumerate(grid.rows, 1)}
    stored = {(run.manifest.suite, run.name): run for run in runs}
    yield _header(grid.rows, title)
    for number, block in enumerate(blocks(grid), 1):
        rows = [line.row for line in block.lines if line.row is not None]
        heading = element("h2", block.title, id=f"model-{number}")
        table = matrix(block, grid, f"model-{number}", lambda row: anchors[_key(row)])
        yield element("section", heading, table, _picture(grid, rows))
    if grid.rows:
        details = (run_details(row, anchors[_key(row)], grid.axes, stored.get(_key(row))) for row in grid.rows)
        yield element("section", element("h2", "Behind the numbers"), *details, class_="runs")
        yield sources(grid.rows)
    yield element("footer", f"holoscope {__version__}")


def _key(row: Row) -> tuple[str, str]:
    return row.suite, row.manifest.spec.name


def _header(rows: Sequence[Row], title: str) -> Markup:
    complete = sum(row.manifest.status == "complete" for row in rows)
    requests = sum(row.manifest.requests for row in rows)
    models = len({row.model for row in rows})
    facts = [
        counted(len({row.label for row in rows}), "scenario"),
        counted(models, "model"),
        f"{requests:,} requests",
        f"{complete} of {counted(len(rows), 'run')} complete",
        *filter(None, [_finished(rows)]),
    ]
    return element(
        "header",
        element("h1", title),
        element("p", " · ".join(facts), class_="facts"),
        element(
            "p",
            "Each cell is a value, its 95 % interval in brackets, and n, the number of instances behind it. An arrow "
            "says which direction is better. An empty cell has a number: the reason stands below the table.",
        ),
    )


def _finished(rows: Sequence[Row]) -> str:
    times = [row.manifest.finished for row in rows if row.manifest.finished]
    return _minute(max(times)) if times else ""


def _minute(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M} {time.tzname() or ''}".strip()


def _picture(grid: Grid, rows: Sequence[Row]) -> Markup:
    words = (
        "One mark for each scenario, with its interval. Inner and outer ring are fixed values, so that pictures can be "
        f"compared: {scales(grid, rows)}. An axis without a mark was not measured."
    )
    figure = element("div", profile(grid, rows), class_="scroll")
    return element("figure", figure, element("figcaption", words))


def _stylesheet(name: str) -> str:
    return (files("holoscope.report") / name).read_text(encoding="utf-8")
