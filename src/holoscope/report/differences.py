"""The difference of two runs on one axis, from their values by instance or, where an axis has none, from two intervals.

Instances are paired by id. The direction is kept apart from the number: `value` is A less B in the metric's units, and
`better` says whom that favours, only where the interval leaves no doubt.
"""

from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from holoscope.core import Registry, StoreError, rng
from holoscope.report.grid import Cell
from holoscope.report.instance_values import InstanceValues, instance_values
from holoscope.store import StoredRun

if TYPE_CHECKING:
    from holoscope.stats import PairedDifference

Better = Literal["a", "b", ""]

_WIDTH = 3.92
"""Standard errors that a 95 % interval spans."""
NOTHING_SHARED = "no instance has a value in both runs"


class Flip(msgspec.Struct, frozen=True, gc=False):
    """An instance on which the two differ."""

    instance_id: str
    a: float
    b: float


class FourWays(msgspec.Struct, frozen=True):
    """How often the value is 1 (right, where more is better) in both, in one alone, in neither."""

    both: int
    only_a: int
    only_b: int
    neither: int


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One axis of one scenario."""

    axis: str
    metric: str
    perturbation: str | None = None
    split: str
    lower_is_better: bool
    a: float | None = None
    """Mean over the shared instances; the run's own value where nothing is paired."""
    b: float | None = None
    value: float | None = None
    """a - b."""
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    """By Holm, among the scenarios of the axis."""
    better: Better = ""
    """Which is better beyond doubt at 95 %, this comparison alone considered; empty if that can't be said."""
    method: str = ""
    is_paired: bool = False
    n: int | None = None
    """Instances with a value in both; None where nothing is paired."""
    n_clusters: int | None = None
    only_a: int = 0
    """Instances with a value in A alone."""
    only_b: int = 0
    detectable: float | None = None
    """The smallest true difference that a comparison like this finds four times in five."""
    a_higher: int = 0
    b_higher: int = 0
    equal: int = 0
    counts: FourWays | None = None
    """Where values are right or wrong."""
    flips: tuple[Flip, ...] = ()
    """Right and wrong in plan order; other values by size, the largest first."""
    reason: str = ""
    """Why there is no value."""


class _Shared(NamedTuple):
    """Values of the instances that both have, in A's order."""

    ids: tuple[str, ...]
    a: tuple[float, ...]
    b: tuple[float, ...]
    clusters: tuple[str, ...] | None


def difference(
    a: tuple[StoredRun, Cell], b: tuple[StoredRun, Cell], registry: Registry, *, lower_is_better: bool
) -> Difference:
    """Compare one metric of two runs, as it stands in a cell of each."""
    (run_a, cell_a), (run_b, cell_b) = a, b
    chief = cell_a if cell_a.value is not None else cell_b
    bare = Difference(
        axis=chief.axis,
        metric=chief.metric,
        perturbation=chief.perturbation,
        split=chief.split,
        lower_is_better=lower_is_better,
    )
    if cell_a.value is None or cell_b.value is None:
        return msgspec.structs.replace(bare, a=cell_a.value, b=cell_b.value, reason=_lacking(cell_a, cell_b))
    if not alike(cell_a, cell_b):
        reason = f"A has {_named(cell_a)}, B has {_named(cell_b)}: they can't be compared"
        return msgspec.structs.replace(bare, a=cell_a.value, b=cell_b.value, reason=reason)
    try:
        values = _values(a, b, lower_is_better=lower_is_better)
    except StoreError as error:
        return msgspec.structs.replace(bare, a=cell_a.value, b=cell_b.value, reason=str(error))
    if values is None:
        return _unpaired(bare, cell_a, cell_b, cell_a.value - cell_b.value)
    return _paired(bare, *values, registry, f"{run_a.name} {run_b.name}")


def _values(*sides: tuple[StoredRun, Cell], lower_is_better: bool) -> tuple[InstanceValues, InstanceValues] | None:
    """Both runs' values by instance; None where either has none, or a cell is of a part of the run."""
    if any(cell.sub_split is not None for _, cell in sides):
        return None
    a, b = (
        instance_values(run, cell.metric, cell.split, cell.perturbation, lower_is_better=lower_is_better)
        for run, cell in sides
    )
    return None if a is None or b is None else (a, b)


def alike(a: Cell, b: Cell) -> bool:
    """True if two cells are of the same metric under the same condition."""
    return (a.metric, a.split, a.sub_split, a.perturbation) == (b.metric, b.split, b.sub_split, b.perturbation)


def _lacking(a: Cell, b: Cell) -> str:
    """Why one of the two has no value, or both."""
    reasons = {side: cell.reason for side, cell in (("A", a), ("B", b)) if cell.value is None}
    if len(reasons) == 2 and len({*reasons.values()}) == 1:
        return a.reason
    return "; ".join(f"{side}: {reason}" for side, reason in reasons.items())


def _named(cell: Cell) -> str:
    return " ".join(part for part in (cell.metric, cell.split, cell.sub_split, cell.perturbation) if part)


def _paired(bare: Difference, a: InstanceValues, b: InstanceValues, registry: Registry, key: str) -> Difference:
    from holoscope.stats import paired_difference

    shared = _shared(a, b)
    card = registry.metrics.get(bare.metric) if bare.metric in registry.metrics else None
    ends = (None, None) if card is None else (0.0, 1.0) if card.binary else card.ends
    draws = rng(0, "compare", f"{key} {bare.axis} {bare.metric}")
    found = paired_difference(shared.a, shared.b, draws, shared.clusters, ends=ends)
    only = {"only_a": len(a.ids) - len(shared.ids), "only_b": len(b.ids) - len(shared.ids)}
    if found is None:
        return msgspec.structs.replace(bare, n=0, is_paired=True, reason=NOTHING_SHARED, **only)
    return msgspec.structs.replace(
        bare,
        a=sum(shared.a) / found.n,
        b=sum(shared.b) / found.n,
        value=found.value,
        low=found.low,
        high=found.high,
        p_value=found.p_value,
        better=better(found.low, found.high, lower_is_better=bare.lower_is_better),
        method=found.method,
        is_paired=True,
        n=found.n,
        n_clusters=found.n_clusters,
        detectable=_detectable(found),
        a_higher=found.a_higher,
        b_higher=found.b_higher,
        equal=found.equal,
        counts=FourWays(*found.counts) if found.counts else None,
        flips=_flips(shared, by_size=found.counts is None),
        **only,
    )


def _shared(a: InstanceValues, b: InstanceValues) -> _Shared:
    if a.ids == b.ids:
        return _Shared(a.ids, a.values, b.values, a.clusters or b.clusters)
    places = {identity: position for position, identity in enumerate(b.ids)}
    both = [(k, places[identity]) for k, identity in enumerate(a.ids) if identity in places]
    clusters = None
    if a.clusters is not None:
        clusters = tuple(a.clusters[k] for k, _ in both)
    return _Shared(
        tuple(a.ids[k] for k, _ in both),
        tuple(a.values[k] for k, _ in both),
        tuple(b.values[k] for _, k in both),
        clusters,
    )


def _flips(shared: _Shared, *, by_size: bool) -> tuple[Flip, ...]:
    found = [Flip(identity, x, y) for identity, x, y in zip(shared.ids, shared.a, shared.b, strict=True) if x != y]
    if by_size:
        found.sort(key=lambda flip: -abs(flip.a - flip.b))
    return tuple(found)


def _detectable(found: "PairedDifference") -> float | None:
    from holoscope.stats import detectable, paired_detectable

    if found.counts is not None and found.n_clusters is None:
        return paired_detectable(found.n, (found.a_higher + found.b_higher) / found.n)
    return detectable(found.standard_error or 0.0, (found.n_clusters or found.n) - 1)


def _unpaired(bare: Difference, a: Cell, b: Cell, value: float) -> Difference:
    from holoscope.stats import Estimate, detectable, unpaired_difference

    replace = msgspec.structs.replace
    made = replace(bare, a=a.value, b=b.value, value=value, method="no interval to compare by")
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return made
    found = unpaired_difference(Estimate(a.value or 0.0, a.low, a.high), Estimate(b.value or 0.0, b.low, b.high))
    return replace(
        made,
        low=found.low,
        high=found.high,
        better=better(found.low, found.high, lower_is_better=bare.lower_is_better),
        method=found.method,
        detectable=detectable((found.high - found.low) / _WIDTH),
    )


def better(low: float | None, high: float | None, *, lower_is_better: bool) -> Better:
    """Whom an interval of A less B favours; nobody where it holds 0."""
    if low is None or high is None or low <= 0 <= high:
        return ""
    return "b" if (low > 0) == lower_is_better else "a"
