"""Which measure stands for an axis in a table.

A run has many measures on an axis: other metrics, splits, perturbations, subsets. The one that is shown is decided
here and nowhere else: the main split before others, the whole before a part, the axis' own order of metrics; for
accuracy it is the scenario's main metric or none, since another metric in its place would pass for it unseen.
"""

from collections.abc import Sequence

from holoscope.core import Axis, Measure, Registry
from holoscope.store import Manifest

ACCURACY = "accuracy"

_LOWER = frozenset({"bits_per_byte", "perplexity"})
"""Set metrics, which have no card to say so."""


def main_metric(manifest: Manifest) -> str:
    """The metric that the accuracy column shows."""
    metrics = manifest.spec.metrics
    return manifest.scenario.main_metric or (metrics[0].name if metrics else "")


def lower_is_better(registry: Registry) -> frozenset[str]:
    """The metrics whose direction is down: by their card, else by the axis they fill."""
    by_card = {metric.name for metric in registry.metrics.values() if metric.lower_is_better}
    of_axes = {name for axis in registry.axes.values() if axis.lower_is_better for name in axis.metrics}
    return frozenset(by_card | (of_axes - set(registry.metrics)) | _LOWER)


def headline(measures: Sequence[Measure], axis: Axis | None, manifest: Manifest) -> Measure | None:
    """The measure of `axis` to show; None if the run has none."""
    if axis is not None and axis.name == ACCURACY:
        measures = [m for m in measures if m.metric == main_metric(manifest)]
    else:
        measures = [m for m in measures if m.sub_split is None]  # a group's measure is no run's
    main, split = main_metric(manifest), manifest.scenario.main_split
    order = {name: place for place, name in reversed([*enumerate((main, *(axis.metrics if axis else ())))])}
    whole = [m for m in measures if m.split == split and m.sub_split is None and m.value is not None]
    usual = min(whole, key=lambda m: order.get(m.metric, len(order))) if whole else None
    if usual is not None and usual.perturbation is None:
        return usual  # what nearly every run has; a grid asks this thousands of times

    def rank(measure: Measure) -> tuple[bool, bool, bool, int, int]:
        return (
            measure.split != split,
            measure.sub_split is not None,
            measure.value is None,
            order.get(measure.metric, len(order)),
            _perturbation_rank(measure),
        )

    return min(measures, key=rank, default=None)


def _perturbation_rank(measure: Measure) -> int:
    """The original first, then what joins all perturbations of the axis, then single ones."""
    if measure.perturbation is None:
        return 0
    return 1 if measure.perturbation == measure.axis else 2
