"""HELM's statistics as the cells of our grid.

A value is always the one in HELM's `stats.json`. Where `per_instance_stats.json` gives the instances behind it, the
cell has their number and the interval that our own cells have; elsewhere it has no interval, because a mean does not
say how sure it is. HELM writes the worst case over perturbations also where nothing was perturbed, as a copy of the
value; such a copy is no robustness, and is left out.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from holoscope.core import Instance, Measure, Metric, MetricSpec, Registry, Score, Trial, canonical
from holoscope.interop.helm_import import perturbation
from holoscope.interop.helm_trials import DESCRIBING, NO_LOGPROBS, OF_LOGPROBS, PROMPT_PER_REQUEST, Trials

VERSION = "helm"
"""Of definitions that some version of HELM had: its files don't say which."""
_ACCURACY, _GENERAL = "accuracy", "general"
_KINDS = ("robustness", "fairness")
_ORIGINAL, _WORST = "original", "worst"
_TOLERANCE = 1e-9

_PERSPECTIVE = "classifier: Perspective API, as HELM asked it"
_NO_INTERVAL = "HELM's stats.json; its files have no values per instance, so no interval"
_OF_THE_SET = "HELM's stats.json; a number of the whole set, so no interval"
_POOLED = "HELM's sub-splits, weighted by their number of instances; no interval"
_NOTHING = "HELM counted nothing here"

_CALIBRATION = frozenset(
    {
        *("ece_10_bin", "ece_1_bin", "selective_cov_acc_area", "selective_acc@10"),
        *("platt_coef", "platt_intercept", "platt_ece_10_bin", "platt_ece_1_bin"),
    }
)
_LIKELIHOODS = ("perplexity", "bits_per_byte", "logprob_per_byte")
_SETS = ("bias_metric:", "bbq_metric_", "classification_", *_CALIBRATION, *_LIKELIHOODS)
"""How the names of numbers begin that are no means over instances."""


class Place(NamedTuple):
    """Where a statistic stands in our grid."""

    metric: str
    split: str
    sub_split: str | None
    perturbation: str | None
    axis: str

    @classmethod
    def of(cls, measure: Measure) -> "Place":
        return cls(measure.metric, measure.split, measure.sub_split, measure.perturbation, measure.axis)


def measures(stats: Sequence[dict[str, Any]], trials: Trials, registry: Registry) -> list[Measure]:
    """The cells that HELM's statistics make. Raises KeyError, TypeError or ValueError for what HELM did not write."""
    names = list(dict.fromkeys([*(trials.name(stat["name"]["name"]) for stat in stats), *trials.names]))
    cards = {name: card(name, trials, registry) for name in names}
    reading = _Reading(stats, cards, trials)
    made = {Place.of(m): m for m in _from_trials(cards, trials, registry)}
    for stat in stats:
        place = reading.place(stat["name"])
        if place is not None and (stat["count"] or place.axis != _GENERAL):
            made[place] = reading.measure(place, stat, made.get(place))
    for added in (*_pooled(made.values()), *reading.uncalibrated()):
        made.setdefault(Place.of(added), added)
    order = {name: position for position, name in enumerate(names)}
    return sorted(made.values(), key=lambda m: order.get(m.metric, len(order)))


def card(name: str, trials: Trials, registry: Registry) -> Metric:
    """What is known of a statistic: from its card here, else from the axis that it fills and from its values."""
    from holoscope.metrics.scoring import lookup

    known = lookup(name, registry, compat=True)
    if known is not None:
        note = _PERSPECTIVE if known.axis == "toxicity" else ""
        return replace(known, name=name, version=VERSION, note=note, needs=())
    axis = _axis(name, registry)
    values = trials.values(name)
    within = bool(values) and all(0 <= value <= 1 for value in values)
    return Metric(
        name=name,
        version=VERSION,
        axis=axis,
        title=name,
        lower_is_better=axis in registry.axes and registry.axes.get(axis).lower_is_better,
        binary=bool(values) and values <= {0.0, 1.0},
        ends=(0.0, 1.0) if within else (None, None),
        score=_computed_by_helm,
    )


def _computed_by_helm(trial: Trial) -> Score:
    raise NotImplementedError(trial.instance.id)


def _axis(name: str, registry: Registry) -> str:
    if name in DESCRIBING or name in OF_LOGPROBS - {"bits_per_byte"}:
        return _GENERAL
    if name in _CALIBRATION:
        return "calibration"
    if name == PROMPT_PER_REQUEST:
        return "efficiency"
    return next((a.name for a in registry.axes.values() if name in a.metrics and a.name not in _KINDS), _ACCURACY)


def _from_trials(cards: Mapping[str, Metric], trials: Trials, registry: Registry) -> Iterator[Measure]:
    """The cells of the instances' own values, made as cells are made here of any values."""
    from holoscope.metrics import measure

    known = Registry()
    for name in trials.names:
        known.metrics.add(name, cards[name])
    for name in ("calibration", *_LIKELIHOODS):
        if name in registry.set_metrics and name not in known.metrics:
            known.set_metrics.add(name, registry.set_metrics.get(name))
    for name, read in _measured(cards, trials, known):
        own, scores = trials.scored(read, VERSION)
        for made in measure([MetricSpec(name)], own, scores, known):
            yield replace(made, version=VERSION)


def _measured(cards: Mapping[str, Metric], trials: Trials, known: Registry) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each metric that can be measured of the trials, and the statistics it reads."""
    for name in trials.names:
        yield name, (name,)
    if not trials.names or not trials.has_logprobs:
        return
    if "calibration" in known.set_metrics and not _CALIBRATION.isdisjoint(cards):
        yield "calibration", ("max_prob", "exact_match")
    for name in _LIKELIHOODS:
        if name in known.set_metrics and name in cards:
            yield name, ("logprob", "num_perplexity_tokens", "num_bytes")


class _Reading:
    """The statistics of a run, and what is needed to place one of them."""

    def __init__(self, stats: Sequence[dict[str, Any]], cards: Mapping[str, Metric], trials: Trials) -> None:
        self._cards, self._trials = cards, trials
        self._labels, self._kinds = _perturbations(stats)
        self._numbers: dict[tuple[str, str | None, str | None], int] = {
            (p.split, p.sub_split, p.perturbation): round(stat["sum"] / stat["count"])
            for stat in stats
            if stat["name"]["name"] == "num_instances" and stat["count"] and (p := self.place(stat["name"]))
        }
        logprobs = [stat["sum"] for stat in stats if stat["name"]["name"] == "logprob" and stat["count"]]
        self._has_logprobs = trials.has_logprobs and (not logprobs or any(logprobs))

    def place(self, name: dict[str, Any]) -> Place | None:
        """Where a statistic stands; None for a worst case that says nothing."""
        metric, given = self._trials.name(name["name"]), name.get("perturbation")
        axis = self._cards[metric].axis
        place = Place(metric, name.get("split") or "", name.get("sub_split"), None, axis)
        if given is None:
            return place
        kind, on = given["name"], given.get("computed_on")
        if kind in _KINDS:
            says_something = axis == _ACCURACY and on == _WORST and kind in self._kinds
            return place._replace(perturbation=kind, axis=kind) if says_something else None
        label = self._labels[canonical(perturbation(given))]
        if on in (_ORIGINAL, _WORST):
            return place._replace(perturbation=f"{label}/{on}") if axis == _ACCURACY else None
        return place._replace(perturbation=label)

    def measure(self, place: Place, stat: dict[str, Any], made: Measure | None) -> Measure:
        """The cell of a statistic; `made` is the one of the instances' own values, if there are any."""
        n = self._number(place)
        if place.metric in OF_LOGPROBS and not self._has_logprobs:
            return _measure(place, None, 0, n_missing=n, reason=NO_LOGPROBS)
        if not stat["count"]:  # a number of the set is undefined, a mean has nothing to be made of
            is_of_set = place.metric.startswith(_SETS)
            return _measure(place, None, n if is_of_set else 0, n_missing=0 if is_of_set else n, reason=_NOTHING)
        value = stat["sum"] / stat["count"]
        if made is None or made.value is None:
            method = _OF_THE_SET if self._trials.names else _NO_INTERVAL
            return _measure(place, value, n, method=method if n else f"{method}; HELM does not say of how many")
        if math.isclose(value, made.value, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE):
            return made
        differ = f"HELM's stats.json; made of its values per instance it is {made.value:.6g}, so no interval"
        return replace(made, value=value, low=None, high=None, method=differ)

    def uncalibrated(self) -> Iterator[Measure]:
        """Why there is no calibration where answers are right or wrong and their confidence is not known."""
        if self._has_logprobs or "exact_match" not in self._cards:
            return
        for (split, sub_split, label), n in self._numbers.items():
            if label is None:
                place = Place("ece_10_bin", split, sub_split, None, "calibration")
                yield _measure(place, None, 0, n_missing=n, reason=NO_LOGPROBS)

    def _number(self, place: Place) -> int:
        """Instances behind a statistic, as HELM counts them."""
        label = None if place.perturbation in _KINDS else place.perturbation
        if label is not None:
            label = label.removesuffix(f"/{_ORIGINAL}").removesuffix(f"/{_WORST}")
        return self._numbers.get((place.split, place.sub_split, label), 0)


def _measure(place: Place, value: float | None, n: int, **more: Any) -> Measure:
    return Measure(
        place.metric,
        place.axis,
        value,
        n,
        place.split,
        sub_split=place.sub_split,
        perturbation=place.perturbation,
        version=VERSION,
        **more,
    )


def _perturbations(stats: Sequence[dict[str, Any]]) -> tuple[dict[bytes, str], frozenset[str]]:
    """Our labels of the run's perturbations, and of which kinds they are."""
    from holoscope.metrics.rows import perturbation_labels

    given = (stat["name"].get("perturbation") for stat in stats)
    described = [perturbation(each) for each in given if each is not None and each["name"] not in _KINDS]
    labels = perturbation_labels([Trial(Instance(input="", perturbation=each), ()) for each in described])
    named = {canonical(each): label for each, label in zip(described, labels, strict=True) if label is not None}
    kinds = frozenset(kind for kind in _KINDS if any(getattr(each, kind) for each in described))
    return named, kinds


def _pooled(made: Iterable[Measure]) -> list[Measure]:
    """The mean over all sub-splits of a split, where only the parts are known."""
    made = list(made)
    parts: dict[Place, list[Measure]] = defaultdict(list)
    whole = {Place.of(m) for m in made if m.sub_split is None}
    for m in made:
        place = Place.of(m)._replace(sub_split=None)
        if m.sub_split is not None and place not in whole and not m.metric.startswith(_SETS):
            parts[place].append(m)
    found = []
    for place, own in parts.items():
        known = [(m.value, m.n) for m in own if m.value is not None]
        n = sum(n for _, n in known)
        if n and len(known) == len(own):
            value = sum(value * n for value, n in known) / n
            found.append(_measure(place, value, n, method=_POOLED))
    return found
