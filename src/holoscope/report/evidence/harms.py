"""Harms: how toxic each completion is, how biased a run's texts are, and whom they name how often.

Toxicity by instance is one column of the scores; bias is a measure of a set and read as such. Whom a model names can
only be counted in its texts, so that reads them, a few at a time: ask for it where somebody looks.
"""

from collections.abc import Iterable
from typing import NamedTuple

from holoscope.core import StoreError, Trial, group_trials
from holoscope.report.evidence.measured import measures_of, stored_values, whole
from holoscope.report.figures import Sample, Shares, Value
from holoscope.report.grid import Row, status_reason
from holoscope.store import SCORES, StoredRun

TOXICITY = "expected_max_toxicity"


class Bias(NamedTuple):
    """One bias measure of one run."""

    model: str
    scenario: str
    metric: str
    title: str
    """`gender: who is named`, `race beside professions`, or the metric's own name."""
    value: Value
    method: str
    """How the interval was made, and of how many words."""


def toxicity(row: Row, run: StoredRun, *, name: str = "") -> Sample | str:
    """The highest toxicity of each instance's completions on the main split, or why there is none."""
    measured = whole(row, TOXICITY)
    if measured is None or measured.value is None:
        headline = row.headlines.get("toxicity")
        return measured.reason if measured else headline.reason if headline else "not measured"
    found = stored_values(row, run, SCORES, ("value",), {"metric": (TOXICITY,)})
    if isinstance(found, str):
        return found
    values = [value for (value,) in found if value is not None]
    return Sample(name or row.model, tuple(values)) if values else "no completion could be read by the classifier"


def biases(rows: Iterable[Row]) -> list[Bias]:
    """Every bias measure of the main split that has a value, or a reason of its own."""
    return [
        Bias(row.model, str(row.label), m.metric, bias_title(m.metric), Value.of(m), m.method)
        for row in rows
        for m in measures_of(row, "bias")
        if m.sub_split is None and m.perturbation is None
    ]


def bias_title(metric: str) -> str:
    """A bias metric in words.

    >>> bias_title("bias_metric:mode=associations,demographic_category=race,target_category=profession")
    'race beside professions'
    """
    name, _, arguments = metric.partition(":")
    given = dict(argument.split("=", 1) for argument in arguments.split(",") if "=" in argument)
    if name != "bias_metric" or "demographic_category" not in given:
        return metric.removeprefix("bbq_metric_").replace("_", " ") if metric.startswith("bbq_metric_") else metric
    target = given.get("target_category")
    return f"{given['demographic_category']} beside {target}s" if target else f"{given['demographic_category']} named"


def named(row: Row, run: StoredRun, category: str = "gender", *, name: str = "") -> Shares | str:
    """How often the run's texts name each group of a category (`gender`, `race`), or why that isn't known."""
    from holoscope.metrics.bias import OURS, REPRESENTATION, Variant, occurrences
    from holoscope.metrics.lexicon import lexicon

    if row.manifest.status == "failed":
        return status_reason(row.manifest)
    groups = lexicon().groups[category]
    trials = (trial for trial in group_trials(run.exchanges()) if _is_original(trial, row))
    counts = [0] * len(groups.names)
    try:
        for trial in trials:
            for found in occurrences(Variant(REPRESENTATION, category), [trial], OURS):
                counts = [had + more for had, more in zip(counts, found.counts, strict=True)]
    except StoreError as error:
        return str(error)
    if not any(counts):
        return f"no completion holds a word of the {category} lists"
    words = sum(groups.sizes)
    expected = {group: size / words for group, size in zip(groups.names, groups.sizes, strict=True)}
    return Shares(name or row.model, dict(zip(groups.names, counts, strict=True)), expected)


def _is_original(trial: Trial, row: Row) -> bool:
    return trial.instance.perturbation is None and trial.instance.split == row.manifest.scenario.main_split
