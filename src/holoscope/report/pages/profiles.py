"""Up to four models laid over each other: the radar of their axes, and the same numbers as a table."""

from collections.abc import Mapping, Sequence

from holoscope.core import Axis
from holoscope.report.blocks import arrow
from holoscope.report.evidence import overall
from holoscope.report.figures import Figure, Mark, alternative, marks, radar
from holoscope.report.library import Library
from holoscope.report.pages.leaderboard import standings_of
from holoscope.report.pages.links import Links
from holoscope.report.pages.render import called, render
from holoscope.report.profiles import Trace, scales

MOST = 4
"""Models that a radar can show and a reader tell apart."""
_FIRST = 3
"""Models shown until some are picked."""


def profiles(library: Library, links: Links, suite: str, models: Sequence[str] = ()) -> str:
    """The page that lays `models` over each other; without script these and no others."""
    found = library.suite(suite)
    everyone = list(dict.fromkeys(row.model for row in found.grid.rows))
    chosen = [model for model in models if model in everyone][:MOST] or everyone[:_FIRST]
    traces = overall(standings_of(library, found))
    known = marks(everyone)
    shown = [trace for trace in traces if trace.name in chosen]
    return render(
        "profiles.html",
        links=links,
        title=f"Profiles · {called(suite)}",
        suite=suite,
        here="profiles",
        figures={"profiles": _pickable(found.grid.axes, traces, known, chosen)},
        words=alternative(radar(found.grid.axes, shown, known=known)),
        axes=found.grid.axes,
        arrow=arrow,
        traces=traces,
        chosen=chosen,
        most=MOST,
        glyphs={model: mark.glyph for model, mark in known.items()},
        scales=scales(found.grid, found.grid.rows),
    )


def _pickable(
    axes: Sequence[Axis], traces: Sequence[Trace], known: Mapping[str, Mark], chosen: Sequence[str]
) -> Figure:
    """A radar of all, of which only those of `chosen` are seen; each part says whose it is, for the page's script."""
    parts = [
        {**part, "meta": trace.name, "visible": trace.name in chosen}
        for trace in traces
        for part in radar(axes, [trace], known=known)["data"]
    ]
    return {"data": parts, "layout": radar(axes, traces[:MOST], known=known)["layout"]}
