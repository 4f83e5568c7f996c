"""What a suite does not show: limits of each measurement, and what was not tested at all.

Made from the runs' own facts, so that no limit is named that does not apply and none is left out that does.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holoscope.core import Outcome, counted
from holoscope.report.grid import Cell, Grid, Row, status_reason
from holoscope.report.headline import ACCURACY
from holoscope.report.printable import number, percent

_LEVEL = 20
"""One interval in so many misses, at 95 %."""
_ENDED = {
    Outcome.TRUNCATED: "ended at the token limit; what there is of them is graded",
    Outcome.TRUNCATED_IN_REASONING: "reached the token limit while the model was still thinking: graded as empty",
    Outcome.CONTENT_FILTER: "were withheld by the provider's filter",
    Outcome.REFUSED: "were marked as refusals by the provider",
    Outcome.CONTEXT_OVERFLOW: "were too long for the model and not sent",
    Outcome.TRANSPORT_ERROR: "never came",
    Outcome.UNGRADABLE: "held no answer that a rule could find, and were not graded",
    Outcome.JUDGE_FAILED: "could not be judged",
    Outcome.NOT_SUPPORTED: "needed something that the model or this installation does not offer",
}


class NotTested(NamedTuple):
    """Something that belongs to what was promised and is not there."""

    what: str
    reason: str


def limits(grid: Grid) -> Iterator[str]:
    """The limits that apply, a sentence or two each."""
    yield from _sizes(grid)
    yield from _draws(grid.rows)
    yield from _instruments(grid)
    yield from _sources(grid.rows)
    yield (
        "Nobody checked whether the model was trained on these questions; a model that was scores higher than it "
        "would on new ones."
    )


def empty_cells(grid: Grid) -> list[NotTested]:
    """Every empty cell, those of one reason together."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in grid.rows:
        for axis in grid.axes:
            cell = row.headlines[axis.name]
            if cell.value is None:
                found.setdefault((_place(row, grid), cell.reason), []).append(axis.title.lower())
    by_reason: dict[tuple[str, str], list[str]] = {}
    for (place, reason), axes in found.items():
        by_reason.setdefault((", ".join(axes), reason), []).append(place)
    return [NotTested(f"{axes}: {'; '.join(places)}", reason) for (axes, reason), places in by_reason.items()]


def unfinished(grid: Grid) -> list[NotTested]:
    """Runs that are not complete."""
    return [NotTested(_place(row, grid), why) for row in grid.rows if (why := status_reason(row.manifest))]


def outcomes(grid: Grid) -> list[NotTested]:
    """Answers that ended otherwise than they should, by scenario."""
    found = []
    for row in grid.rows:
        counts = _outcomes(row)
        total = sum(counts.values())
        for name, n in sorted(counts.items()):
            if n and name != Outcome.OK:
                words = _ENDED.get(Outcome(name), name)
                found.append(NotTested(_place(row, grid), f"{n:,} of {total:,} answers ({percent(n, total)}) {words}"))
    return found


def _outcomes(row: Row) -> dict[str, int]:
    """How the trials behind the main score ended, or where there is none, the requests."""
    shown = row.headlines[ACCURACY].outcomes if ACCURACY in row.headlines else {}
    return shown or {outcome.value: count for outcome, count in row.manifest.outcomes.items()}


def _place(row: Row, grid: Grid) -> str:
    several = len({each.model for each in grid.rows}) > 1
    return f"{row.label}, {row.model}" if several else str(row.label)


def _headlines(grid: Grid) -> list[Cell]:
    return [cell for row in grid.rows for axis in grid.axes if (cell := row.headlines[axis.name]).value is not None]


def _sizes(grid: Grid) -> Iterator[str]:
    cells = [cell for cell in _headlines(grid) if cell.low is not None and cell.high is not None]
    if not cells:
        return
    smallest = min(cells, key=lambda cell: cell.n)
    shares = [c for c in cells if c.axis == ACCURACY]
    widest = max(shares, key=lambda c: (c.high or 0) - (c.low or 0), default=None)
    yield (
        f"The fewest instances behind a number of this report are {smallest.n:,} ({smallest.scenario}). "
        + (
            f"The widest interval of a main score reaches from {number(widest.low)} to {number(widest.high)} "
            f"({widest.scenario}, n = {widest.n:,})."
            if widest is not None
            else ""
        )
    )
    missed = round(len(cells) / _LEVEL)
    if len(cells) >= _LEVEL // 2:
        yield (
            f"{counted(len(cells), 'interval')} are shown for the axes, each at 95 %: about {max(1, missed)} of them "
            "can be expected to miss the true value."
        )


def _draws(rows: Sequence[Row]) -> Iterator[str]:
    if all(row.manifest.spec.trials == 1 for row in rows):
        yield "Each request was asked once: how much an answer varies when it is asked again was not measured."
    if any(row.manifest.spec.adapter.temperature > 0 for row in rows):
        yield "Some answers were drawn at random (temperature above 0): asked again, others would come."
    yield (
        "Each scenario was asked in one wording of its prompt: with another wording a model's scores can differ by "
        "more than these intervals, which hold the wording fixed."
    )
    if any(row.manifest.spec.adapter.max_train_instances for row in rows):
        draws = max(row.manifest.spec.adapter.num_train_trials for row in rows)
        yield f"Prompts with worked examples used {counted(draws, 'draw')} of them."


def _instruments(grid: Grid) -> Iterator[str]:
    notes = dict.fromkeys(c.method.partition("; ")[2] for c in _headlines(grid) if c.axis == "toxicity")
    for note in filter(None, notes):
        yield f"Toxicity rests on a classifier and is as good as that: {note}."
    if any(cell.axis == "bias" for cell in _headlines(grid)):
        yield (
            "Bias counts words of fixed English lists: it sees neither meaning nor what the lists do not hold, and "
            "says nothing of other groups."
        )
    if any(cell.axis == "fairness" for cell in _headlines(grid)):
        yield (
            "Fairness is tested by a few substitutions in English, in one direction each: it says nothing of other "
            "groups, languages or kinds of unfairness."
        )
    if any(cell.axis == "robustness" for cell in _headlines(grid)):
        yield "Robustness is tested by the alterations named, and not by an opponent who looks for the worst."


def _sources(rows: Sequence[Row]) -> Iterator[str]:
    if any(row.manifest.model.base_url for row in rows):
        yield (
            "A model behind an address is known by the name that its host gives it: the host may have changed it "
            "before, during or after these runs."
        )
    if any(row.manifest.provenance.imported for row in rows):
        yield (
            "Some runs were made by another tool and read from its files: its version is not stated there, and "
            "intervals take its instances as independent."
        )
    if any(row.manifest.spec.compat for row in rows):
        yield "Some runs use HELM's definitions, its known faults included, so that they can be compared with HELM's."
