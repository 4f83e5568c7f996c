"""The leaderboard: the axes side by side, each with the places that a model may hold.

There is no single ranking, and none is shown until somebody weighs the axes: then the weights stand beside it, and for
each pair of models the share of all weightings under which their order would be the other way round. HELM's mean win
rate is there under its name, with the panel it is of, since another panel gives other numbers.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holoscope.report.blocks import arrow
from holoscope.report.evidence import points, ranks
from holoscope.report.figures import Figure, alternative, marks, pareto
from holoscope.report.figures import leaderboard as ranks_figure
from holoscope.report.headline import ACCURACY
from holoscope.report.library import Library, Suite
from holoscope.report.pages.digits import Reading, decimals, shown, span
from holoscope.report.pages.links import Links
from holoscope.report.pages.matrix import axis_named
from holoscope.report.pages.render import called, render
from holoscope.report.ranking import stored_scores
from holoscope.report.standing import AxisStanding, WinRates, models_of, standings, win_rates
from holoscope.report.tradeoff import Tradeoff, tradeoff

_PAIRED = 60
"""Runs whose instances are read, so that ranks rest on pairs; of more, the intervals are taken."""
_AGAINST = {"request_time": "seconds per request", "cost": "USD per instance"}


class Place(NamedTuple):
    """A model on an axis, as the table shows it."""

    value: str
    interval: str
    places: str
    """`2–5`."""
    best: int
    reason: str


class Column(NamedTuple):
    """An axis of the table."""

    standing: AxisStanding
    arrow: str
    href: str


def leaderboard(library: Library, links: Links, suite: str, axis: str = "") -> str:
    """The page of where models stand, with what they cost against `axis` (accuracy where none is named)."""
    found = library.suite(suite)
    chosen = axis_named(found, axis or ACCURACY)
    stands = standings_of(library, found)
    measured = [each for each in stands if each.scenarios]
    models = models_of(found.grid)
    costs = {name: tradeoff(found.grid, chosen.name, name) for name in _AGAINST}
    figures = _figures(measured, models, costs, f"{chosen.title.lower()} {arrow(chosen)}")
    columns = [_numbers(each) for each in measured]
    axes = {each.name: each for each in found.grid.axes}
    return render(
        "leaderboard.html",
        links=links,
        title=f"Leaderboard · {called(suite)}",
        suite=suite,
        here="leaderboard",
        figures=figures,
        words={name: alternative(figure) for name, figure in figures.items()},
        axis=chosen,
        axes=found.grid.axes,
        columns=[Column(each, arrow(axes[each.axis]), links("axis", suite=suite, axis=each.axis)) for each in measured],
        lines=[(model, [column[at] for column in columns]) for at, model in enumerate(models)],
        unmeasured=[each for each in stands if not each.scenarios],
        standings=_for_weights(measured, models),
        paired=any(each.paired for each in measured),
        wins=[win_rates(found.grid, each.axis) for each in measured],
        wins_of=_wins_of,
        costs=costs,
        against=_AGAINST,
    )


def standings_of(library: Library, suite: Suite) -> tuple[AxisStanding, ...]:
    """Where all models of a suite stand, worked out once for as long as the suite stays as it is."""
    return library.kept(suite, "standings", lambda: _standings(suite))


def _standings(suite: Suite) -> tuple[AxisStanding, ...]:
    runs = suite.runs.values()
    scores = stored_scores(runs, suite.grid.lower_is_better) if len(runs) <= _PAIRED else None
    return standings(suite.grid, scores=scores)


def _numbers(standing: AxisStanding) -> list[Place]:
    places = decimals([Reading(e.value, e.low, e.high) for e in standing.entries if e.value is not None])
    made = []
    for entry in standing.entries:
        if entry.value is None or entry.best is None:
            made.append(Place("–", "", "", 0, entry.reason))
            continue
        of = str(entry.best) if entry.best == entry.worst else f"{entry.best}–{entry.worst}"
        value = shown(entry.value, places) + standing.unit
        made.append(Place(value, span(entry.low, entry.high, places), of, entry.best, ""))
    return made


def _figures(
    measured: Sequence[AxisStanding], models: Sequence[str], costs: Mapping[str, Tradeoff], title: str
) -> dict[str, Figure]:
    known, figures = marks(models), dict[str, Figure]()
    if measured and len(models) > 1:
        figures["ranks"] = ranks_figure(ranks(measured), order=models, known=known)
    for name, found in costs.items():
        spots = points(found)
        if sum(spot.x.value is not None for spot in spots) > 1:
            figures[f"pareto-{name}"] = pareto(spots, x_title=f"{_AGAINST[name]} ↓", y_title=title, known=known)
    return figures


def _for_weights(measured: Sequence[AxisStanding], models: Sequence[str]) -> dict[str, object]:
    """What the page's script weighs: each model's mean place on each axis, with its interval."""
    return {
        "models": list(models),
        "axes": [each.axis for each in measured],
        "places": [[_place(each, at) for each in measured] for at in range(len(models))],
    }


def _place(standing: AxisStanding, at: int) -> list[float | None] | None:
    entry = standing.entries[at]
    if entry.place is None:
        return None
    ends = (entry.place, entry.place_low, entry.place_high)
    return [None if end is None else round(end, 5) for end in ends]


def _wins_of(wins: WinRates, model: str) -> str:
    rate = wins.rates[model]
    return "–" if rate is None else f"{rate:.3f}"
