"""Standings as figures take them: profiles of models over all axes, ranks with their intervals, cost against worth."""

from collections.abc import Sequence

from holoscope.report.blocks import unit
from holoscope.report.figures import Point, Rank, Value
from holoscope.report.printable import interval, number
from holoscope.report.profiles import Spot, Trace
from holoscope.report.standing import AxisStanding, Entry
from holoscope.report.tradeoff import Tradeoff

_ARROWS = {True: "↓", False: "↑"}


def overall(standings: Sequence[AxisStanding]) -> list[Trace]:
    """A profile for each model, for `figures.radar`: its mean place on each axis, over the scenarios that all share."""
    models = [entry.model for entry in standings[0].entries] if standings else []
    return [
        Trace(model, {s.axis: spot for s in standings for e in s.entries if e.model == model and (spot := _spot(e, s))})
        for model in models
    ]


def ranks(standings: Sequence[AxisStanding]) -> dict[str, list[Rank]]:
    """The models' ranks on each axis, for `figures.leaderboard`; equal values share a rank."""
    found = {}
    for standing in standings:
        known = [entry.value for entry in standing.entries if entry.value is not None]
        made = []
        for entry in standing.entries:
            value = Value(entry.value, entry.low, entry.high, entry.n, entry.reason, standing.unit)
            rank = None if entry.value is None else _rank(entry.value, known, lower_is_better=standing.lower_is_better)
            made.append(Rank(entry.model, value, rank, entry.best, entry.worst))
        found[f"{standing.axis} {_ARROWS[standing.lower_is_better]}"] = made
    return found


def points(tradeoff: Tradeoff) -> list[Point]:
    """The models' points, for `figures.pareto`."""
    cost_unit = unit(tradeoff.against)
    return [
        Point(
            spot.model,
            Value(spot.cost, spot.cost_low, spot.cost_high, reason=spot.reason, unit=cost_unit),
            Value(spot.value, spot.low, spot.high, reason=spot.reason),
            spot.is_on_front,
        )
        for spot in tradeoff.spots
    ]


def _spot(entry: Entry, standing: AxisStanding) -> Spot | None:
    if entry.value is None:
        return None
    span = None if entry.place_low is None or entry.place_high is None else (entry.place_low, entry.place_high)
    counted = f", mean of {len(standing.scenarios)} scenarios" if len(standing.scenarios) > 1 else ""
    raw = f"{number(entry.value)}{standing.unit} {interval(entry.low, entry.high)}".strip()
    return Spot(entry.value, f"{raw}{counted}", entry.place, span)


def _rank(value: float, known: Sequence[float], *, lower_is_better: bool) -> float:
    ahead = sum(other < value if lower_is_better else other > value for other in known)
    return 1 + ahead + (sum(other == value for other in known) - 1) / 2
