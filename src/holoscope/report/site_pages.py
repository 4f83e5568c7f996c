"""Which pages an exported site of a suite holds, each with what makes it.

The list is made before any page, so that every page knows which others there are. Instances have a page of their own
where their texts may be passed on, the first of each run and as they are: their perturbed forms stand on it. Models are
compared two by two where they are few.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

from holoscope.core import UsageError
from holoscope.report.comparison import compare as compared
from holoscope.report.grid import Row
from holoscope.report.library import Library, Suite
from holoscope.report.pages import Links, file_of
from holoscope.report.pages import calibration as calibrating
from holoscope.report.pages import fairness as being_fair
from holoscope.report.pages import harms as harming
from holoscope.report.pages import robustness as being_robust
from holoscope.report.pages.choice import scenarios
from holoscope.report.pages.compare import Side, compare, side
from holoscope.report.pages.instance import instance
from holoscope.report.pages.instances import Listing, instances
from holoscope.report.pages.leaderboard import leaderboard
from holoscope.report.pages.model import model
from holoscope.report.pages.overview import overview
from holoscope.report.pages.profiles import profiles
from holoscope.report.pages.run import run
from holoscope.report.standing import models_of
from holoscope.store import InstanceFilter, Instances, StoredRun

_COMPARED = 4
"""Up to so many models, each is compared with each other."""
_ORIGINALS = Listing(wanted=InstanceFilter(perturbation=""))

Make = Callable[[Links], str]
MakeOne = Callable[[Library, Links, str, str], str]
"""Makes a page of one scenario, axis, model or run of a suite."""

EVIDENCE: tuple[tuple[str, MakeOne, Callable[[Row], bool]], ...] = (
    ("calibration", calibrating.calibration, calibrating.HAS),
    ("robustness", being_robust.robustness, being_robust.has),
    ("fairness", being_fair.fairness, being_fair.has),
    ("harms", harming.harms, harming.has),
)
"""Pages that show one scenario at a time: their name, what makes them, and which runs have something to show."""


class Page(NamedTuple):
    """A file of the site, not yet made."""

    file: str
    make: Make


class Source(NamedTuple):
    """What the pages of a suite are made from."""

    library: Library
    finder: Instances
    suite: Suite
    most: int
    """Instances of each run that get a page."""


def pages_of(source: Source) -> Iterator[Page]:
    """Every page of a suite."""
    name = source.suite.name
    yield Page(file_of("overview", suite=name), lambda links: overview(source.library, links, name))
    yield Page(file_of("profiles", suite=name), lambda links: profiles(source.library, links, name))
    yield Page(file_of("leaderboard", suite=name), lambda links: leaderboard(source.library, links, name))
    for axis in source.suite.grid.axes:
        yield _one(source, overview, "axis", axis=axis.name)
        yield _one(source, leaderboard, "leaderboard", axis=axis.name)
    for page, make, has in EVIDENCE:
        yield _one(source, make, page, scenario="")
        for scenario in scenarios(source.suite, has):
            yield _one(source, make, page, scenario=scenario)
    for each in models_of(source.suite.grid):
        yield _one(source, model, "model", model=each)
    yield from _comparisons(source)
    for folder, stored in source.suite.runs.items():
        yield from _of_run(source, folder, stored)


def _one(source: Source, make: MakeOne, page: str, **part: str) -> Page:
    """A page of one part of the suite."""
    name, (value,) = source.suite.name, part.values()
    return Page(file_of(page, suite=name, **part), lambda links: make(source.library, links, name, value))


def _comparisons(source: Source) -> Iterator[Page]:
    suite, models = source.suite, models_of(source.suite.grid)
    if len(models) > _COMPARED:
        return
    for one, other in combinations(models, 2):
        first, second = side(suite, one), side(suite, other)
        page = _comparison(source, first, second)
        if page is not None:
            yield page


def _comparison(source: Source, a: Side, b: Side) -> Page | None:
    """The comparison of two models; None where they share nothing."""
    try:
        found = compared(a.runs, b.runs, source.library.registry, names=(a.title, b.title))
    except UsageError:
        return None
    name = source.suite.name
    file = file_of("compare", suite=name, a=a.name, b=b.name)
    return Page(file, lambda links: compare(source.library, links, name, a, b, found))


def _of_run(source: Source, folder: str, stored: StoredRun) -> Iterator[Page]:
    """The run, the list of its first instances, and a page for each of them where its texts may be passed on."""
    name = source.suite.name
    yield _one(source, run, "run", folder=folder)
    if stored.manifest.status == "failed" or source.most == 0:
        return
    yield Page(
        file_of("instances", suite=name, folder=folder),
        lambda links: instances(source.library, source.finder, links, name, folder, _ORIGINALS, limit=source.most),
    )
    if stored.manifest.scenario.redistribution == "yes":
        listed = source.finder.page([stored], _ORIGINALS.wanted, limit=source.most, width=0)
        for identity in dict.fromkeys(row.instance_id for row in listed.rows):
            yield _instance(source, folder, identity)


def _instance(source: Source, folder: str, identity: str) -> Page:
    name = source.suite.name
    return Page(
        file_of("instance", suite=name, folder=folder, instance_id=identity),
        lambda links: instance(source.library, source.finder, links, name, folder, identity),
    )
