"""HELM's `Stat`: count, sum, sum of squares, extremes and what follows from them, under a name with its context.

Merging keeps sums, so that a mean of means is made by merging the means (`take_mean`). Integers stay integers, as in
HELM's JSON.
"""

import json
import math
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from holoscope.core import Instance, Json, PerturbationDescription

ORIGINAL, PERTURBED, WORST = "original", "perturbed", "worst"


class Perturbed(NamedTuple):
    """A perturbation as part of a statistic's name; hashable."""

    name: str
    robustness: bool = False
    fairness: bool = False
    computed_on: str = PERTURBED
    seed: int | None = None
    args: str = "{}"
    """JSON object of the perturbation's parameters."""

    @classmethod
    def of(cls, described: PerturbationDescription) -> "Perturbed":
        args = json.dumps({key: value for key, value in described.args.items() if value is not None})
        return cls(described.name, described.robustness, described.fairness, PERTURBED, described.seed, args)

    def to_json(self) -> dict[str, Json]:
        """HELM's JSON for the description."""
        return dict(_described(self))


@cache
def _described(perturbation: Perturbed) -> dict[str, Json]:
    name, robustness, fairness, computed_on, seed, args = perturbation
    fields: dict[str, Json] = {"name": name, "robustness": robustness, "fairness": fairness, "computed_on": computed_on}
    if seed is not None:
        fields["seed"] = seed
    fields |= json.loads(args)
    return fields


class Context(NamedTuple):
    """Which instances a statistic is of."""

    split: str | None
    sub_split: str | None = None
    perturbation: Perturbed | None = None

    @classmethod
    def of(cls, instance: Instance) -> "Context":
        described = instance.perturbation
        return cls(instance.split, instance.sub_split, Perturbed.of(described) if described else None)


class Name(NamedTuple):
    """A statistic's name."""

    name: str
    context: Context

    def to_json(self) -> dict[str, Json]:
        """HELM's JSON; absent is None."""
        split, sub_split, perturbation = self.context
        fields: dict[str, Json] = {"name": self.name}
        if split is not None:
            fields["split"] = split
        if sub_split is not None:
            fields["sub_split"] = sub_split
        if perturbation is not None:
            fields["perturbation"] = perturbation.to_json()
        return fields


class Stat:
    """Running moments of one statistic."""

    __slots__ = ("count", "max", "min", "name", "sum", "sum_squared")

    def __init__(self, name: Name) -> None:
        self.name = name
        self.count = 0
        self.sum: float = 0
        self.sum_squared: float = 0
        self.min: float | None = None
        self.max: float | None = None

    def add(self, value: float | None) -> "Stat":
        """Count one value; None is left out."""
        if value is None:
            return self
        number = int(value) if isinstance(value, bool) else value
        self.count += 1
        self.sum += number
        self.sum_squared += number * number
        self._widen(number, number)
        return self

    def merge(self, other: "Stat") -> "Stat":
        """Count what `other` counted."""
        self.count += other.count
        self.sum += other.sum
        self.sum_squared += other.sum_squared
        if other.min is not None and other.max is not None:
            self._widen(other.min, other.max)
        return self

    def renamed(self, name: Name) -> "Stat":
        """A copy under another name."""
        return Stat(name).merge(self)

    def take_mean(self) -> "Stat":
        """A statistic that counts the mean once; itself where nothing was counted."""
        return Stat(self.name).add(self.mean) if self.count else self

    @property
    def mean(self) -> float | None:
        return self.sum / self.count if self.count else None

    def to_json(self) -> dict[str, Json]:
        """HELM's JSON; what is undefined is absent."""
        fields: dict[str, Json] = {"name": self.name.to_json(), "count": self.count, "sum": self.sum}
        fields["sum_squared"] = self.sum_squared
        if self.mean is not None:
            variance = max(0, self.sum_squared / self.count - self.mean**2)
            fields |= {"min": self.min, "max": self.max, "mean": self.mean}
            fields |= {"variance": variance, "stddev": math.sqrt(variance)}
        return fields

    def _widen(self, low: float, high: float) -> None:
        if self.min is None or low < self.min:
            self.min = low
        if self.max is None or high > self.max:
            self.max = high


def merge_into(stats: dict[Name, Stat], stat: Stat) -> None:
    """Merge a copy of `stat` into those of its name."""
    if stat.name in stats:
        stats[stat.name].merge(stat)
    else:
        stats[stat.name] = stat.renamed(stat.name)


def without_nan(stats: Iterable[Stat]) -> list[Stat]:
    """HELM writes no statistic whose sum is NaN."""
    return [stat for stat in stats if not math.isnan(stat.sum)]
