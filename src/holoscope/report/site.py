"""The pages as files: an exported site that opens from a disk and from any bucket.

What is written is decided first, so that no page links to one that isn't there. Texts are passed on only where the
scenario's licence says so: a run without that has its numbers and the ids of its instances. Of each run a bounded
number of instances gets a page, because a site of a million files serves nobody; the lists say of how many.
"""

from collections.abc import Sequence
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from holoscope.core import MissingExtraError, UsageError
from holoscope.report.library import Library, Suite
from holoscope.report.pages import FileLinks, file_of, static_file, static_names
from holoscope.report.pages.home import home
from holoscope.report.site_pages import Page, Source, pages_of
from holoscope.store import Instances

STATIC = static_names()
ALL = 1_000_000
"""Instances of a run at most, where all are wanted."""


class Written(NamedTuple):
    """What an export wrote."""

    home: Path
    pages: int
    withheld: tuple[str, ...]
    """Scenarios whose texts may not be passed on."""


def write_site(library: Library, suites: Sequence[str], to: Path, *, instances: int | None = 20) -> Written:
    """Write the site of `suites` into `to`, with pages for so many instances of each run (None: all)."""
    if to.exists() and any(to.iterdir()):
        raise UsageError(f"--to {to} is not empty; name a new folder, so that no page of an older site stays in it")
    most = ALL if instances is None else instances
    read = [library.suite(name) for name in suites]
    with closing(Instances(library.out)) as finder:
        pages = [Page(file_of("home"), lambda links: home(library, links, only=suites))]
        pages += [page for suite in read for page in pages_of(Source(library, finder, suite, most))]
        held = frozenset(page.file for page in pages)
        for page in pages:
            _write(to / page.file, page.make(FileLinks(page.file, held)).encode())
    for name in STATIC:
        _write(to / file_of("static", file=name), static_file(name))
    _write(to / file_of("static", file="plotly.min.js"), plotly_script())
    return Written(to / file_of("home"), len(pages), _withheld(read))


def plotly_script() -> bytes:
    """plotly.min.js, as it lies in plotly's wheel."""
    try:
        return (files("plotly") / "package_data" / "plotly.min.js").read_bytes()
    except ModuleNotFoundError as error:
        raise MissingExtraError("a page with figures", "web") from error


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _withheld(suites: Sequence[Suite]) -> tuple[str, ...]:
    cards = (run.manifest.scenario for suite in suites for run in suite.runs.values())
    return tuple(sorted({card.name for card in cards if card.redistribution != "yes"}))
