"""One metric on one instance, and one metric on a set of instances.

A `Score` is a value, or an outcome with a reason; never a default. A `Trial` is what a per-instance metric sees:
every exchange of one instance, under one perturbation, with one draw of in-context examples, in one repetition.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Protocol

import msgspec

from holoscope.core.instance import Instance, PerturbationDescription
from holoscope.core.outcome import Outcome
from holoscope.core.request import Exchange


class Trial(msgspec.Struct, frozen=True):
    """The exchanges of one (instance, perturbation, train trial, repetition), in plan order."""

    instance: Instance
    exchanges: tuple[Exchange, ...]
    """One for a generation; one per reference (and mode) for separate multiple choice."""
    train_trial_index: int = 0
    index: int = 0
    """Which repetition (`--trials`)."""

    @property
    def failure(self) -> "Exchange | None":
        """The first exchange that gave nothing to grade, if any."""
        return next((e for e in self.exchanges if not e.completion.outcome.has_text), None)


def group_trials(exchanges: Iterable[Exchange]) -> Iterator[Trial]:
    """The trials of exchanges in plan order: neighbours that share instance, perturbation and both trial indices."""
    for (_, _, train_trial, index), same in groupby(exchanges, _trial_key):
        group = tuple(same)
        yield Trial(group[0].planned.instance, group, train_trial, index)


def _trial_key(exchange: Exchange) -> tuple[str, PerturbationDescription | None, int, int]:
    planned = exchange.planned
    return planned.instance.id, planned.instance.perturbation, planned.train_trial_index, planned.trial


class Score(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One metric on one trial."""

    metric: str
    value: float | None
    """None exactly where `outcome` says why."""
    outcome: Outcome = Outcome.OK
    reason: str = ""
    rule: str = ""
    """Name of the extraction rule that found the answer."""
    span: tuple[int, int] | None = None
    """Start and end (characters) of the answer in the completion's text."""
    answer: str | None = None
    """What was compared with the references."""
    version: str = "1"


class ScoreMetric(Protocol):
    """Scores one trial. Pure: the same trial gives the same score on any machine."""

    def __call__(self, trial: Trial) -> Score: ...


class Measure(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One metric on a set of instances: a cell of the grid."""

    metric: str
    axis: str
    value: float | None
    n: int
    """Instances that gave a value, however often they were asked: what the interval rests on."""
    split: str
    sub_split: str | None = None
    perturbation: str | None = None
    n_missing: int = 0
    n_clusters: int | None = None
    """Clusters among the n, where instances share a passage or template."""
    low: float | None = None
    high: float | None = None
    """Ends of the 95 % interval; None where it is undefined (n too small)."""
    method: str = ""
    """How the interval was made."""
    reason: str = ""
    """Why `value` is None."""
    version: str = "1"
    outcomes: dict[str, int] = {}
    """How many of the trials ended otherwise than ok, by outcome: of the score, else of the completion it graded.

    Where there are more trials than instances, `ok` is counted too.
    """


class SetMetric(Protocol):
    """Measures what only a set of instances has, such as a calibration error."""

    def __call__(self, trials: Sequence[Trial], scores: Sequence[Sequence[Score]]) -> Sequence[Measure]:
        """`scores[i]` are the per-instance scores of `trials[i]`."""
        ...
