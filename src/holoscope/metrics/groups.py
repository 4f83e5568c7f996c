"""Who the model works for: a metric by group, the gap between groups, and what of it is more than chance.

Instances name their groups by attribute (`{"gender": "female", "region": "west"}`). For each attribute, and each pair
of attributes together, every group has its mean with n, clusters and interval, and an estimate shrunken towards the
common mean; `group_gap` is the highest mean less the lowest, beside the gap that alike groups of these sizes would show
and the probability of one as large. A gap without those says more about the groups' sizes than about the model. What a
measure is of stands in its `sub_split`: `gender=female`, `gender=female&region=west`, or the attribute alone.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

from msgspec.structs import replace

from holoscope.core import Instance, Measure, Score, SetMetric, Trial, rng
from holoscope.metrics.sets import Estimate, drawn_together, set_measure

AXIS = "fairness"
GAP, GAP_BY_CHANCE, GAP_P_VALUE = "group_gap", "group_gap_by_chance", "group_gap_p_value"

_MOST_GROUPS = 200
_ALIKE = "every instance belongs to the same group, or each cluster is a group of its own"
_NO_NOISE = "too few answers in each group to tell noise from difference"


class Row(NamedTuple):
    """An instance's mean score over its repetitions."""

    trial: Trial
    value: float


class Table(NamedTuple):
    """The instances by one attribute or several together."""

    name: str
    rows: tuple[Row, ...]
    groups: tuple[str, ...]
    """Of each row."""
    missing: Counter[str]
    """Trials without a score, by group."""


def groups(trials: Sequence[Trial], scores: Sequence[Sequence[Score]], metric: str = "exact_match") -> list[Measure]:
    """The tables of `metric` by every attribute and pair of attributes; nothing where no instance names a group."""
    return [measure for table in _tables(trials, scores, metric) for measure in _measures(table, metric)]


SET_METRICS: dict[str, SetMetric] = {"groups": groups}


def _tables(trials: Sequence[Trial], scores: Sequence[Sequence[Score]], metric: str) -> Iterator[Table]:
    attributes = list(dict.fromkeys(name for trial in trials for name in trial.instance.groups))
    values = [next((s.value for s in own if s.metric == metric), None) for own in scores]
    for names in (*((name,) for name in attributes), *combinations(attributes, 2)):
        within: dict[str, list[tuple[Trial, float]]] = {}
        missing: Counter[str] = Counter()
        for trial, value in zip(trials, values, strict=True):
            group = _group(trial.instance, names)
            if group and value is None:
                missing[group] += 1
            elif group and value is not None:
                within.setdefault(trial.instance.id, []).append((trial, value))
        rows = tuple(Row(same[0][0], fmean(value for _, value in same)) for same in within.values())
        labels = tuple(_group(row.trial.instance, names) for row in rows)
        if len(set(labels) | set(missing)) <= _MOST_GROUPS:
            yield Table("&".join(names), rows, labels, missing)


def _group(instance: Instance, names: Sequence[str]) -> str:
    """`gender=female&region=west`; empty where the instance doesn't say."""
    if any(name not in instance.groups for name in names):
        return ""
    return "&".join(f"{name}={instance.groups[name]}" for name in names)


def _measures(table: Table, metric: str) -> Iterator[Measure]:
    from holoscope import stats

    values = [row.value for row in table.rows]
    clusters = drawn_together([row.trial for row in table.rows])
    proportion = all(value in (0, 1) for value in values)
    for group in sorted(set(table.groups) | set(table.missing)):
        here = [i for i, own in enumerate(table.groups) if own == group]
        own = [values[i] for i in here]
        shared = None if clusters is None else [clusters[i] for i in here]
        ends = (stats.proportion_interval if proportion else stats.mean_interval)(own, shared) if own else None
        estimate = Estimate(fmean(own), *(ends or ())) if own else Estimate(None)
        yield _of(group, metric, estimate, len(own), table.missing[group], "no instance of the group has a score")
    if len(set(table.groups)) > 1:
        yield from _shrunken(table, metric, values, clusters)
        yield from _gap(table, values, clusters)


def _shrunken(table: Table, metric: str, values: Sequence[float], clusters: Sequence[str] | None) -> Iterator[Measure]:
    from holoscope import stats

    counts = Counter(table.groups)
    found = {e.group: e for e in stats.shrunken(values, table.groups, clusters=clusters)}
    for group in sorted(counts):
        estimate = Estimate(None)
        if group in found:
            estimate = Estimate(found[group].value, found[group].low, found[group].high, "empirical Bayes")
        yield _of(group, f"{metric}_shrunken", estimate, counts[group], table.missing[group], _NO_NOISE)


def _gap(table: Table, values: Sequence[float], clusters: Sequence[str] | None) -> Iterator[Measure]:
    from holoscope import stats

    test = stats.gap_test(values, table.groups, rng(0, GAP, table.name), clusters=clusters)
    n, missing = len(values), table.missing.total()
    counts = f"{len(set(table.groups))} groups, the smallest of {min(Counter(table.groups).values())}"
    if test is None:
        for name in (GAP, GAP_BY_CHANCE, GAP_P_VALUE):
            yield _of(table.name, name, Estimate(None), n, missing, _ALIKE)
        return
    chance = Estimate(test.null_mean, None, test.null_high, f"mean and 95 % quantile of shuffled groups; {counts}")
    yield _of(table.name, GAP, Estimate(test.value, method=counts), n, missing, "")
    yield _of(table.name, GAP_BY_CHANCE, chance, n, missing, "")
    yield _of(table.name, GAP_P_VALUE, Estimate(test.p_value, method="permutation test"), n, missing, "")


def _of(group: str, metric: str, estimate: Estimate, n: int, missing: int, reason: str) -> Measure:
    return replace(set_measure(metric, AXIS, estimate, n, missing, reason), sub_split=group)
