"""One number per model over several axes: only with weights that somebody chose, and with what they decide.

Axes are put on one scale by their fixed ends (chance 0, the best there is 1). A model that lacks an axis which carries
weight has no aggregate: leaving it out would favour whoever was not measured. For each pair of models stands the share
of all weightings of the same axes under which their order would be the other way round.
"""

from collections.abc import Mapping, Sequence

import msgspec

from holoscope.core import UnknownNameError, UsageError
from holoscope.report.standing import AxisStanding, Entry


class Total(msgspec.Struct, frozen=True, kw_only=True):
    """A model's aggregate."""

    model: str
    value: float | None = None
    low: float | None = None
    """Ends of an interval that holds however the axes' errors go together."""
    high: float | None = None
    reason: str = ""
    """What the model lacks."""


class Reversal(msgspec.Struct, frozen=True, gc=False):
    """Two models of which the first has the higher aggregate."""

    ahead: str
    behind: str
    share: float
    """Of all weightings of these axes, those under which the other is ahead."""


class Aggregate(msgspec.Struct, frozen=True, kw_only=True):
    """Weighted means, and what they owe to their weights."""

    weights: dict[str, float]
    """By axis, summing to 1; those of no weight are left out."""
    totals: tuple[Total, ...]
    """The highest first, then those without."""
    reversals: tuple[Reversal, ...]


def aggregate(standings: Sequence[AxisStanding], weights: Mapping[str, float]) -> Aggregate:
    """The weighted mean place of each model. UsageError where the weights are none."""
    axes = {each.axis: each for each in standings}
    for name in weights:
        if name not in axes:
            raise UnknownNameError("axis", name, axes)
    total = sum(weights.values())
    if not all(0 <= weight < float("inf") for weight in weights.values()) or not 0 < total < float("inf"):
        raise UsageError("weights are numbers of 0 or more, at least one of them more than 0")
    shares = {name: weight / total for name, weight in weights.items() if weight > 0}
    models = [entry.model for entry in axes[next(iter(shares))].entries]
    entries = {model: {name: _entry(axes[name], model) for name in shares} for model in models}
    totals = sorted((_total(model, entries[model], shares) for model in models), key=_order)
    ranked = [each.model for each in totals if each.value is not None]
    return Aggregate(weights=shares, totals=tuple(totals), reversals=_reversals(ranked, entries))


def _entry(standing: AxisStanding, model: str) -> Entry:
    return next(entry for entry in standing.entries if entry.model == model)


def _order(total: Total) -> tuple[bool, float]:
    return total.value is None, -(total.value or 0.0)


def _total(model: str, own: Mapping[str, Entry], shares: Mapping[str, float]) -> Total:
    from holoscope.stats import weighted

    names = list(shares)
    found = weighted([own[name].place for name in names], [shares[name] for name in names])
    if found.value is None:
        lacking = [f"{names[k]} ({own[names[k]].reason or 'no fixed scale'})" for k in found.missing]
        return Total(model=model, reason=f"lacks {', '.join(lacking)}")
    ends = [
        weighted([e.place_low for e in own.values()], [*shares.values()]).value,
        weighted([e.place_high for e in own.values()], [*shares.values()]).value,
    ]
    return Total(model=model, value=found.value, low=ends[0], high=ends[1])


def _reversals(ranked: Sequence[str], entries: Mapping[str, Mapping[str, Entry]]) -> tuple[Reversal, ...]:
    from holoscope.stats import share_ahead

    places = {model: [entry.place or 0.0 for entry in entries[model].values()] for model in ranked}
    return tuple(
        Reversal(first, second, share_ahead(places[second], places[first]))
        for k, first in enumerate(ranked)
        for second in ranked[k + 1 :]
    )
