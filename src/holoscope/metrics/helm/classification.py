"""HELM's classification metrics, which see all instances of a context at once and follow scikit-learn's averages."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import cast

from holoscope.core import Json, MetricSpec, Trial
from holoscope.metrics.helm.score import predictions, sorted_choices
from holoscope.metrics.helm.stat import Context, Name, Stat, merge_into
from holoscope.metrics.normalise import helm_normalise

Values = Callable[[Sequence[Trial], Mapping[str, Json]], Iterator[tuple[str, float]]]
Sets = Sequence[frozenset[str]]


def classified(spec: MetricSpec, trials: Sequence[Trial]) -> list[Stat]:
    """The statistics of one of HELM's classification metrics, for every context."""
    whole: dict[Name, Stat] = {}
    ordered = sorted(trials, key=lambda trial: trial.train_trial_index)
    for _, same in groupby(ordered, key=lambda trial: trial.train_trial_index):
        contexts: dict[Context, list[Trial]] = {}
        for trial in same:
            contexts.setdefault(Context.of(trial.instance), []).append(trial)
        for context, members in contexts.items():
            for name, value in CLASSIFICATIONS[spec.name](members, spec.args):
                merge_into(whole, Stat(Name(name, context)).add(value))
    return list(whole.values())


def _generated(trials: Sequence[Trial], args: Mapping[str, Json]) -> Iterator[tuple[str, float]]:
    delimiter = cast("str | None", args.get("delimiter"))
    true = [frozenset(_bare(r.text) for r in t.instance.references if r.is_correct and r.text) for t in trials]
    said = [_answered(t.exchanges[0].completion.text, delimiter) for t in trials]
    labels = cast("list[str] | None", args.get("labels")) or sorted(frozenset().union(*true))
    for average in cast("list[str]", args.get("averages") or ["macro", "micro"]):
        for score in cast("list[str]", args.get("scores") or ["f1"]):
            yield f"classification_{average}_{score}", _average(true, said, labels, average, score)


def _chosen(trials: Sequence[Trial], args: Mapping[str, Json]) -> Iterator[tuple[str, float]]:
    true = [frozenset({next(r.text for r in t.instance.references if r.is_correct)}) for t in trials]
    said = [frozenset({_mapped(trial)}) for trial in trials]
    labels = sorted(frozenset().union(*true, *said))
    for average in ("macro", "micro"):
        yield f"classification_{average}_f1", _average(true, said, labels, average, "f1")


CLASSIFICATIONS: dict[str, Values] = {"classification": _generated, "multiple_choice_classification": _chosen}
"""Metric -> what it records for the trials of one context."""


def _average(true: Sets, said: Sets, labels: Sequence[str], average: str, score: str) -> float:
    right = [sum(label in t and label in s for t, s in zip(true, said, strict=True)) for label in labels]
    wanted, given = ([sum(label in own for own in sets) for label in labels] for sets in (true, said))
    if average == "micro":
        return _ratio(score, sum(right), sum(wanted), sum(given))
    each = [_ratio(score, *counts) for counts in zip(right, wanted, given, strict=True)]
    weights = wanted if average == "weighted" else [1] * len(each)
    total = sum(weights)
    return sum(w * value for w, value in zip(weights, each, strict=True)) / total if total else 0.0


def _ratio(score: str, right: int, wanted: int, given: int) -> float:
    above = 2 * right if score == "f1" else right
    below = {"precision": given, "recall": wanted, "f1": wanted + given}[score]
    return above / below if below else 0.0


def _answered(text: str, delimiter: str | None) -> frozenset[str]:
    return frozenset(_bare(part) for part in (text.split(delimiter) if delimiter else [text]) if part)


def _mapped(trial: Trial) -> str:
    """The option's text, or what was said where it names none."""
    return predictions(trial)[0] or sorted_choices(trial.exchanges[0].completion)[0].text.strip()


def _bare(text: str) -> str:
    return helm_normalise(text, articles=False)
