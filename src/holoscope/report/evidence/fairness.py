"""Fairness: a metric by group, the gap between groups beside chance's own, and what naming somebody else changes."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from holoscope.core import Measure
from holoscope.report.evidence.measured import measures_of, perturbations, whole
from holoscope.report.figures import Change, Group, Value
from holoscope.report.grid import Row

_AXIS = "fairness"
_GAP, _BY_CHANCE, _P_VALUE = "group_gap", "group_gap_by_chance", "group_gap_p_value"
_SHRUNKEN = "_shrunken"


class GroupTable(NamedTuple):
    """The groups of one attribute, or of two together, in one run."""

    model: str
    scenario: str
    attribute: str
    """`gender`, or `gender&region`."""
    metric: str
    mean: Value
    """Over all instances."""
    groups: tuple[Group, ...]
    gap: Value
    """The highest group less the lowest."""
    by_chance: Value
    """The gap that alike groups of these sizes would show: its mean, and the end of 95 % of them as `high`."""
    p_value: float | None


def group_tables(rows: Iterable[Row]) -> list[GroupTable]:
    """Every run's tables by group; none where no instance names a group."""
    return [table for row in rows for table in _tables(row)]


def changes(rows: Iterable[Row]) -> list[Change]:
    """What each fairness perturbation changes, on the same instances; the name has the scenario where rows differ."""
    known = [*rows]
    several = len({str(row.label) for row in known}) > 1
    found = []
    for row in known:
        for name, kind in perturbations(row).items():
            if kind == _AXIS:
                found.append(_change(row, name, f"{name} · {row.label}" if several else name))
    return found


def _tables(row: Row) -> list[GroupTable]:
    by_group: dict[str, dict[str, Measure]] = {}
    for measure in measures_of(row, _AXIS):
        if measure.sub_split and measure.perturbation is None:
            by_group.setdefault(measure.sub_split, {})[measure.metric] = measure
    metric = next((name for own in by_group.values() for name in own if f"{name}{_SHRUNKEN}" in own), row.main_metric)
    with_gap = [name for name, own in by_group.items() if _GAP in own]
    attributes: dict[str, list[str]] = {}
    for group, own in by_group.items():
        if metric in own and "=" in group and ", " not in group.partition("=")[0]:  # else it is of a sub-split
            attributes.setdefault(_attribute(group, with_gap), []).append(group)
    return [_table(row, metric, attribute, groups, by_group) for attribute, groups in attributes.items()]


def _attribute(group: str, known: Sequence[str]) -> str:
    """The attribute, or the two together, that a group is of: of those known, the one that says most.

    >>> _attribute("gender=female&region=west", ["gender", "gender&region"]), _attribute("size=S&M", ["size"])
    ('gender&region', 'size')
    """
    fitting = [name for name in known if re.match("=.*&".join(map(re.escape, name.split("&"))) + "=", group)]
    return max(fitting, key=len, default=group.partition("=")[0])


def _table(
    row: Row, metric: str, attribute: str, groups: list[str], by_group: dict[str, dict[str, Measure]]
) -> GroupTable:
    of_all = by_group.get(attribute, {})
    p_value = of_all.get(_P_VALUE)
    made = []
    for name in groups:
        shrunken = by_group[name].get(f"{metric}{_SHRUNKEN}")
        drawn = Value.of(shrunken) if shrunken and shrunken.value is not None else None
        made.append(Group(name, row.model, Value.of(by_group[name][metric]), drawn))
    return GroupTable(
        model=row.model,
        scenario=str(row.label),
        attribute=attribute,
        metric=metric,
        mean=Value.of(whole(row, metric)),
        groups=tuple(made),
        gap=Value.of(of_all.get(_GAP)),
        by_chance=Value.of(of_all.get(_BY_CHANCE)),
        p_value=p_value.value if p_value else None,
    )


def _change(row: Row, perturbation: str, name: str) -> Change:
    metric = row.main_metric
    original = Value.of(whole(row, metric, f"{perturbation}/original", "accuracy"))
    changed = Value.of(whole(row, metric, perturbation, "accuracy"))
    paired = whole(row, "counterfactual_change", perturbation, _AXIS)
    tested = whole(row, "counterfactual_equivalence_p_value", perturbation, _AXIS)
    if paired is not None:
        difference = Value.of(paired)
    elif original.value is not None and changed.value is not None:
        difference = Value(changed.value - original.value, n=original.n)
    else:
        difference = Value(None, reason=original.reason or changed.reason or "not measured")
    return Change(name, row.model, original, changed, difference, tested.value if tested else None)
