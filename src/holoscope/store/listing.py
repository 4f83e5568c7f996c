"""What can be asked of the instances of stored runs, and what is answered: plain values.

`query.py` finds them. A filter says nothing about files or SQL, so a page, an address and the API can all hold one.
"""

from typing import Literal

import msgspec

from holoscope.core import Outcome


class InstanceFilter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which trials to list, and in which order. The defaults list all, as they were planned."""

    metric: str = ""
    """Empty: each run's main metric, or its first where it has no scores of that."""
    score: Literal["", "right", "wrong", "between", "none"] = ""
    """Of a metric that is 1 for right and 0 for wrong; `none`: no value."""
    low: float | None = None
    high: float | None = None
    outcome: str = ""
    """Of the score or of the completion; `ok` means both."""
    perturbation: str | None = None
    """Empty: the originals; None: all."""
    split: str = ""
    text: str = ""
    """Searched for, in any case, in ids, inputs, completions and thinking."""
    is_regex: bool = False
    """True: `text` is a pattern of RE2, whose case counts."""
    sort: Literal["plan", "value", "-value"] = "plan"


class InstanceRow(msgspec.Struct, frozen=True, kw_only=True):
    """One trial in a list, its texts cut."""

    run: int
    """Position in the runs that were asked about."""
    instance_id: str
    split: str
    sub_split: str | None
    perturbation: str | None
    perturbation_json: str | None
    train_trial_index: int
    trial: int
    metric: str
    """Empty where the run has no scores of single instances."""
    value: float | None
    outcome: Outcome
    """Of the score; where that is ok, of the completion."""
    reason: str
    rule: str
    answer: str | None
    input: str
    completion: str
    """Empty where each reference was scored by itself."""


class InstancePage(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a list."""

    rows: tuple[InstanceRow, ...]
    total: int
    """Trials that pass the filter."""
    offset: int
    warnings: tuple[str, ...] = ()
    """A line for each run that could not be read and was left out."""


class Neighbours(msgspec.Struct, frozen=True, kw_only=True):
    """The instances before and after one, in plan order."""

    before: str | None
    after: str | None
    position: int
    """From 1."""
    total: int


class PairFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which shared instances of two runs to list: those of one cell of the grid."""

    metric: str
    split: str
    perturbation: str | None = None
    kind: Literal["", "both", "only_a", "only_b", "neither"] = ""
    """Who is right, of a metric that is 1 for right; empty: all."""


class PairRow(msgspec.Struct, frozen=True, kw_only=True):
    """An instance that two runs share, with its mean value in each over repetitions."""

    instance_id: str
    value_a: float
    value_b: float
