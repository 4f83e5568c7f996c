"""Every page of a library as (name, HTML), and a page's elements."""

from collections.abc import Iterator

from html5lib import HTMLParser
from html5lib.treebuilders import getTreeBuilder

from holoscope.report.library import Library
from holoscope.report.pages import Links, ServerLinks
from holoscope.report.pages.home import home
from holoscope.report.pages.leaderboard import leaderboard
from holoscope.report.pages.model import model
from holoscope.report.pages.overview import overview
from holoscope.report.pages.profiles import profiles
from holoscope.report.site_pages import EVIDENCE


def every_page(library: Library, links: Links | None = None) -> Iterator[tuple[str, str]]:
    """The pages of this folder for all suites."""
    links = links or ServerLinks()
    yield "home", home(library, links)
    for suite in library.suites():
        found = library.suite(suite.name)
        yield f"{suite.name} overview", overview(library, links, suite.name)
        for axis in found.grid.axes:
            yield f"{suite.name} {axis.name}", overview(library, links, suite.name, axis.name)
        yield f"{suite.name} profiles", profiles(library, links, suite.name)
        yield f"{suite.name} leaderboard", leaderboard(library, links, suite.name)
        for name in suite.models:
            yield f"{suite.name} {name}", model(library, links, suite.name, name)
        for page, make, _ in EVIDENCE:
            yield f"{suite.name} {page}", make(library, links, suite.name, "")


def faults(page: str) -> list[str]:
    """What a browser would have to guess in a page's HTML."""
    parser = HTMLParser(tree=getTreeBuilder("etree"), strict=False)
    parser.parse(page)
    return [f"{position}: {code} {given}" for position, code, given in parser.errors]
