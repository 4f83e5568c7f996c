"""The places that models may hold on an axis, from paired instances where there are any, else from intervals.

Each scenario gives every pair of models a difference and its variance; over scenarios, which are independent and count
alike, both add up. All pairs are then tested together (`stats/ranks.py`). A pair that any scenario knows no variance of
is not told apart.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from holoscope.report.grid import Cell, Row
from holoscope.report.instance_values import InstanceValues, instance_values
from holoscope.store import StoredRun

if TYPE_CHECKING:
    from holoscope.stats import PairMoments

Scores = Callable[[Row, Cell], InstanceValues | None]
"""The values by instance behind a cell; None where it has none."""

_WIDTH = 3.92
"""Standard errors that a 95 % interval spans."""


class Ranking(NamedTuple):
    """Places, in the order of the models given."""

    places: tuple[tuple[int, int], ...]
    """Best and worst place of each."""
    surely_better: tuple[tuple[int, int], ...]
    """Pairs of positions, the first of which is surely better than the second."""
    paired: tuple[bool, ...]
    """Whether each scenario's instances were paired."""


def ranking(
    scenarios: Sequence[Sequence[tuple[Row, Cell]]], scores: Scores | None, *, lower_is_better: bool
) -> Ranking:
    """Rank models by their mean over scenarios; `scenarios[s][m]` is model m's cell, which has a value."""
    import numpy as np

    from holoscope.stats import one_sided, rank_intervals

    found = [(_paired(cells, scores) if scores else None) for cells in scenarios]
    moments = [own or _published([cell for _, cell in cells]) for own, cells in zip(found, scenarios, strict=True)]
    difference = np.mean([own.difference for own in moments], axis=0)
    variance = np.sum([own.variance for own in moments], axis=0) / len(moments) ** 2
    ranks = rank_intervals(one_sided(-difference if lower_is_better else difference, variance))
    pairs = np.argwhere(ranks.better)
    return Ranking(
        tuple(zip(ranks.best, ranks.worst, strict=True)),
        tuple((int(i), int(j)) for i, j in pairs),
        tuple(own is not None for own in found),
    )


def stored_scores(runs: Iterable[StoredRun], lower_is_better: Collection[str]) -> Scores:
    """Values by instance as they lie in the folders of `runs`, each read once: for tens of runs, not for thousands."""
    by_manifest = {id(run.manifest): run for run in runs}
    kept: dict[tuple[int, str, str, str | None], InstanceValues | None] = {}

    def scores(row: Row, cell: Cell) -> InstanceValues | None:
        key = id(row.manifest), cell.metric, cell.split, cell.perturbation
        if key not in kept:
            run, down = by_manifest.get(key[0]), cell.metric in lower_is_better
            kept[key] = instance_values(run, *key[1:], lower_is_better=down) if run and cell.sub_split is None else None
        return kept[key]

    return scores


def _published(cells: Sequence[Cell]) -> "PairMoments":
    """From the cells' own intervals, as if the models' instances were different ones."""
    import numpy as np

    from holoscope.stats import PairMoments

    values = np.array([cell.value for cell in cells], dtype=np.float64)
    widths = [np.nan if c.low is None or c.high is None else c.high - c.low for c in cells]
    squares = (np.array(widths, dtype=np.float64) / _WIDTH) ** 2
    return PairMoments(values[:, None] - values[None, :], squares[:, None] + squares[None, :])


def _paired(cells: Sequence[tuple[Row, Cell]], scores: Scores) -> "PairMoments | None":
    """From the instances that every model answered; None for fewer than two."""
    import numpy as np

    from holoscope.stats import pair_moments

    found = [scores(row, cell) for row, cell in cells]
    own = [values for values in found if values is not None]
    if len(own) < len(found):
        return None
    if all(values.ids == own[0].ids for values in own):
        table, kept = np.array([values.values for values in own]).T, list(range(len(own[0].ids)))
    else:
        columns = [dict(zip(values.ids, values.values, strict=True)) for values in own]
        kept = [k for k, identity in enumerate(own[0].ids) if all(identity in column for column in columns)]
        table = np.array([[column[own[0].ids[k]] for column in columns] for k in kept])
    clusters = own[0].clusters
    return pair_moments(table, clusters and [clusters[k] for k in kept]) if len(kept) > 1 else None
