"""Which scenarios may be averaged on an axis, and the average.

Only numbers in the same units and direction may: metrics on the axis' own scale (shares from 0 to 1, whatever they are
shares of), or a single metric where the axis has none. Every scenario counts alike, and the average is over those that
all models have, so that nobody is better for having skipped what is hard. A model that an axis has nothing of doesn't
take the scenarios from the others.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from holoscope.core import Axis
from holoscope.report.scale import axis_ends

Table = Mapping[str, Mapping[str, str]]
"""By scenario, then by model: the metric of the value that is there."""


class Panel(NamedTuple):
    """What an average is over."""

    scenarios: tuple[str, ...]
    models: tuple[str, ...]
    """Those with a value on each of the scenarios."""
    left_out: dict[str, str]
    """Scenarios that some model has and the average hasn't, each with the reason."""


def panel(axis: Axis, table: Table, models: Sequence[str], lower_is_better: Collection[str]) -> Panel:
    """The scenarios to average over."""
    units = {s: {_unit(axis, metric, lower_is_better) for metric in own.values()} for s, own in table.items() if own}
    usual = Counter(unit for found in units.values() if len(found) == 1 for unit in found if unit is not None)
    chosen = usual.most_common(1)[0][0] if usual else None
    present = [model for model in models if any(model in own for own in table.values())]
    shared: list[str] = []
    left_out: dict[str, str] = {}
    for scenario, found in units.items():
        lacking = [model for model in present if model not in table[scenario]]
        if found != {chosen}:
            left_out[scenario] = _why_other(found, table[scenario])
        elif lacking:
            left_out[scenario] = f"not measured for {_names(lacking)}"
        else:
            shared.append(scenario)
    return Panel(tuple(shared), tuple(present) if shared else (), left_out)


def _unit(axis: Axis, metric: str, lower_is_better: Collection[str]) -> object:
    """What values of a metric can be averaged with; None where its direction is not the axis'."""
    if (metric in lower_is_better) != axis.lower_is_better:
        return None
    return axis_ends(axis, metric) or metric


def _why_other(found: Collection[object], own: Mapping[str, str]) -> str:
    metrics = ", ".join(dict.fromkeys(own.values()))
    return f"{metrics} is in other units" if len(found) == 1 else f"models have different metrics there: {metrics}"


def _names(models: Sequence[str]) -> str:
    return ", ".join(models[:3]) + (f" and {len(models) - 3} more" if len(models) > 3 else "")


class Mean(NamedTuple):
    """A mean and its interval, None where any of its parts has none."""

    value: float
    low: float | None
    high: float | None


def mean(parts: Sequence[Mean]) -> Mean:
    """The mean of independent numbers, each counted alike; `parts` must not be empty."""
    from holoscope.stats import Estimate, mean_of

    sure = [Estimate(p.value, p.low, p.high) for p in parts if p.low is not None and p.high is not None]
    if len(sure) < len(parts):
        return Mean(sum(part.value for part in parts) / len(parts), None, None)
    return Mean(*mean_of(sure))
