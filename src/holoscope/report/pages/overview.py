"""A suite on one axis, models x scenarios: the table that every question starts from."""

from typing import NamedTuple

from holoscope.report.blocks import arrow
from holoscope.report.headline import ACCURACY
from holoscope.report.library import Library, Suite
from holoscope.report.pages.links import Links
from holoscope.report.pages.matrix import axis_named, models_by_scenarios, scenarios_by_axes
from holoscope.report.pages.render import called, render
from holoscope.report.released import difference_lines
from holoscope.store import run_folders, under_way


class Running(NamedTuple):
    """A run under way."""

    name: str
    progress: str
    href: str
    told: str
    """How the warning begins that such a run has no result yet."""


def overview(library: Library, links: Links, suite: str, axis: str = "") -> str:
    """The page of `suite`, on accuracy where no axis is named."""
    found = library.suite(suite)
    here = links("axis", suite=suite, axis=axis) if axis else links("overview", suite=suite)
    chosen = axis_named(found, axis or ACCURACY)
    models = list(dict.fromkeys(row.model for row in found.grid.rows))
    running = _running(library, links, found) if links.is_served else []
    return render(
        "overview.html",
        links=links,
        title=f"{chosen.title} · {called(suite)}",
        suite=suite,
        here="overview",
        axis=chosen,
        better=f"{'lower' if chosen.lower_is_better else 'higher'} is better {arrow(chosen)}",
        axes=found.grid.axes,
        matrix=models_by_scenarios(found, chosen, links, here, library.display),
        only=scenarios_by_axes(found, models[0], links, here)._replace(name="profile") if len(models) == 1 else None,
        models=models,
        facts=_facts(found),
        warnings=[line for line in found.warnings if not line.startswith(tuple(each.told for each in running))],
        running=running,
        release=found.release,
        changes=_changes(library, suite) if found.release else [],
    )


def _running(library: Library, links: Links, suite: Suite) -> list[Running]:
    """The runs that are being made, for a reader who may follow them."""
    if suite.release is not None:
        return []
    return [
        Running(told.run, str(told), links("run", suite=suite.name, folder=folder), f"{told.run} is under way")
        for folder, told in under_way(run_folders(library.out, suite.name)).items()
    ]


def _changes(library: Library, suite: str) -> list[str]:
    """What changed from the release before."""
    since = next((each.since for each in library.releases() if each.name == suite), None)
    return [f"since {since.before}", *difference_lines(since)] if since else []


def _facts(suite: Suite) -> dict[str, int | str]:
    rows = suite.grid.rows
    complete = sum(row.manifest.status == "complete" for row in rows)
    times = [row.manifest.finished for row in rows if row.manifest.finished]
    return {
        "models": len({row.model for row in rows}),
        "scenarios": len({row.label for row in rows}),
        "requests": sum(row.manifest.requests for row in rows),
        "runs complete:": f"{complete:,} of {len(rows):,}",
        **({"last ended": f"{max(times):%Y-%m-%d %H:%M} UTC"} if times else {}),
    }
