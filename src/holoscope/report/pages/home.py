"""The first page: what there is to look at, and where there is nothing, what to type."""

from collections.abc import Collection

from holoscope.report.library import Library, SuiteSummary
from holoscope.report.pages.links import Links
from holoscope.report.pages.render import render
from holoscope.store import Difference


def home(library: Library, links: Links, only: Collection[str] | None = None) -> str:
    """The page of all suites and releases (or of those in `only`) of an output folder, and of tracks to run."""
    suites = [suite for suite in library.suites() if only is None or suite.name in only]
    releases = [each for each in library.releases() if only is None or each.name in only]
    return render(
        "home.html",
        links=links,
        title="Suites",
        suites=suites,
        releases=releases,
        since=_since,
        tracks=library.tracks,
        out=library.out.resolve().name if links.is_served else "",
        requests=sum(suite.requests for suite in suites),
        status=_status,
    )


def _status(suite: SuiteSummary) -> str:
    """What is not done in a suite; empty if all is."""
    open_ = suite.runs - suite.complete - suite.failed
    parts = [(suite.failed, "failed"), (open_, "incomplete"), (len(suite.warnings), "unreadable or interrupted")]
    return ", ".join(f"{count} {what}" for count, what in parts if count)


def _since(found: Difference | None) -> str:
    """What changed from one release to the next, in a line."""
    if found is None:
        return "the first"
    counts = [
        (len(found.added_models), "+", "model"),
        (len(found.removed_models), "\u2212", "model"),
        (len(found.added_scenarios), "+", "scenario"),
        (len(found.removed_scenarios), "\u2212", "scenario"),
        (len(found.changed), "", "changed value"),
    ]
    said = [f"{sign}{count:,} {noun}{'' if count == 1 else 's'}" for count, sign, noun in counts if count]
    return f"since {found.before}: {', '.join(said) or 'nothing changed'}"
