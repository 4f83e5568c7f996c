"""The cells of the grid: a mean with its interval for each metric, and what only a set has.

An instance counts once, however often it was asked: repetitions and draws of in-context examples are averaged within
it first, so that they narrow its own noise and not the uncertainty over instances. Instances that share a passage are
clustered. A value that is not known carries its reason.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import cast

from msgspec.structs import replace

from holoscope.core import Measure, Metric, MetricSpec, Outcome, Registry, Score, Trial, UnknownNameError
from holoscope.metrics.rows import Cell, Row, Worst, cells, changed, rows, worst_cells, worst_rows
from holoscope.metrics.scoring import lookup
from holoscope.metrics.sets import OverForms, answers_each


def measure(
    specs: Sequence[MetricSpec],
    trials: Sequence[Trial],
    scores: Sequence[Sequence[Score]],
    registry: Registry,
    *,
    compat: bool = False,
) -> list[Measure]:
    """The measures of a run; `scores[i]` are the scores of `trials[i]`, in any order."""
    places = cells(trials) or [Cell("", None, None, ())]
    worst = worst_cells(trials)
    found: list[Measure] = []
    for spec in specs:
        card = lookup(spec.name, registry, compat=compat)
        if card is not None:
            found += _instance_metric(spec.name, card, trials, _column(spec.name, scores), places, worst)
        elif spec.name in registry.set_metrics:
            found += _set_metric(spec, trials, scores, registry, places, compat=compat)
        else:
            found += _unknown(spec.name, registry, places)
    return found


def summarise(metric: str, card: Metric, members: Sequence[Row], place: Cell | Worst) -> Measure:
    """Mean over instances of the mean within each, with a 95 % interval."""
    from holoscope import stats

    within: dict[str, list[Row]] = {}
    for row in members:
        if row.value is not None:
            within.setdefault(row.instance.id, []).append(row)
    values = [_mean(same) for same in within.values()]
    clusters = _clusters([same[0] for same in within.values()])
    if card.binary:
        interval = stats.proportion_interval(values, clusters)
    else:
        interval = stats.mean_interval(values, clusters, ends=card.ends)
    instances = {row.instance.id for row in members}
    outcomes = Counter(row.outcome.value for row in members if row.outcome is not Outcome.OK)
    if len(members) > len(instances):  # outcomes are counted by trial, and n no longer says how many there were
        outcomes[Outcome.OK.value] = len(members) - outcomes.total()
    parts = (interval.method if interval else "", answers_each([len(same) for same in within.values()]), card.note)
    return Measure(
        metric=metric,
        axis=card.axis,
        value=fmean(values) if values else None,
        n=len(values),
        split=place.split,
        sub_split=place.sub_split,
        perturbation=place.perturbation,
        n_missing=len(instances) - len(values),
        n_clusters=None if clusters is None else len(set(clusters)),
        low=_within(interval.low, card.ends) if interval else None,
        high=_within(interval.high, card.ends) if interval else None,
        method="; ".join(filter(None, parts)),
        reason="" if values else _main_reason(members),
        version=card.version,
        outcomes=dict(outcomes),
    )


def _mean(same: Sequence[Row]) -> float:
    values = [row.value for row in same if row.value is not None]
    return values[0] if len(values) == 1 else fmean(values)


def _within(bound: float, ends: tuple[float | None, float | None]) -> float:
    """The end of an interval, cut where no value can be."""
    lowest, highest = ends
    bound = bound if lowest is None else max(bound, lowest)
    return bound if highest is None else min(bound, highest)


def _instance_metric(
    name: str,
    card: Metric,
    trials: Sequence[Trial],
    scores: Sequence[Score | None],
    places: Sequence[Cell],
    worst_places: Sequence[Worst],
) -> list[Measure]:
    found = [summarise(name, card, rows(trials, place.trials, scores), place) for place in places]
    if card.axis != "accuracy":
        return found
    for place in worst_places:
        members = worst_rows(trials, place, scores, lower_is_better=card.lower_is_better)
        measured = summarise(name, card, members, place)
        if place.kind:
            share = f"{changed(place):,} of {len(place.forms):,} changed"
            measured = replace(measured, axis=place.kind, method="; ".join(filter(None, (measured.method, share))))
        found.append(measured)
    return found


def _set_metric(
    spec: MetricSpec,
    trials: Sequence[Trial],
    scores: Sequence[Sequence[Score]],
    registry: Registry,
    places: Sequence[Cell],
    *,
    compat: bool,
) -> list[Measure]:
    helms = f"{spec.name}@helm"
    name = helms if compat and helms in registry.set_metrics else spec.name
    function = cast("Callable[..., Sequence[Measure]]", registry.set_metrics.get(name))
    if isinstance(function, OverForms):
        return list(function(trials, scores, **spec.args))
    found = []
    for place in places:
        chosen = [trials[i] for i in place.trials], [scores[i] for i in place.trials]
        found += [
            replace(m, split=place.split, sub_split=_part(place, m), perturbation=place.perturbation)
            for m in function(*chosen, **spec.args)
        ]
    return found


def _part(place: Cell, measure: Measure) -> str | None:
    """The sub-split, and the group within it where the measure is of one."""
    return ", ".join(filter(None, (place.sub_split, measure.sub_split))) or None


def _unknown(name: str, registry: Registry, places: Sequence[Cell]) -> list[Measure]:
    """A metric nobody registered is an empty cell that says so, not a run that dies after its completions are paid."""
    reason = str(UnknownNameError("metric", name, registry.metrics))
    return [
        Measure(
            metric=name,
            axis="",
            value=None,
            n=0,
            split=place.split,
            sub_split=place.sub_split,
            perturbation=place.perturbation,
            n_missing=len(place.trials),
            reason=reason,
        )
        for place in places
    ]


def _column(name: str, scores: Sequence[Sequence[Score]]) -> list[Score | None]:
    return [next((score for score in own if score.metric == name), None) for own in scores]


def _clusters(members: Sequence[Row]) -> list[str] | None:
    """Cluster labels, where any instance has one; an instance without is a cluster of its own."""
    if all(row.instance.cluster is None for row in members):
        return None
    return [f"cluster {c}" if (c := row.instance.cluster) is not None else f"id {row.instance.id}" for row in members]


def _main_reason(members: Sequence[Row]) -> str:
    reasons = Counter(row.reason or row.outcome.value for row in members)
    return reasons.most_common(1)[0][0] if reasons else "there are no trials"
