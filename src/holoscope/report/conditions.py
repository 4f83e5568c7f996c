"""Which runs ask the same of different models, or of one model at two times.

A run's name holds every setting that differs from the usual, and the model; without the model it is the condition.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from holoscope.core import RunSpec, canonical
from holoscope.report.labels import name_parts
from holoscope.store import StoredRun


class Matched(NamedTuple):
    """Runs that belong together, and those that are alone."""

    pairs: tuple[tuple[StoredRun, StoredRun], ...]
    """In the order of the first."""
    only_a: tuple[StoredRun, ...]
    only_b: tuple[StoredRun, ...]


def condition(spec: RunSpec) -> str:
    """The run's name without its model: of `mmlu:subject=anatomy,model=m`, it is `mmlu:subject=anatomy`."""
    head, *arguments = name_parts(spec)
    kept = ",".join(argument for argument in arguments if argument and not argument.startswith("model="))
    return f"{head}:{kept}" if kept else head


def matched(a: Sequence[StoredRun], b: Sequence[StoredRun]) -> Matched:
    """Pairs of one condition; of what is left, those that are each side's only run of the same scenario."""
    found: dict[Path, StoredRun] = {}
    taken: set[Path] = set()
    for same in (lambda run: condition(run.manifest.spec), lambda run: canonical(run.manifest.spec.scenario)):
        left = [run for run in a if run.path not in found], [run for run in b if run.path not in taken]
        for first, second in _single(*left, same):
            found[first.path] = second
            taken.add(second.path)
    return Matched(
        tuple((run, found[run.path]) for run in a if run.path in found),
        tuple(run for run in a if run.path not in found),
        tuple(run for run in b if run.path not in taken),
    )


def _single(
    a: Sequence[StoredRun], b: Sequence[StoredRun], key: Callable[[StoredRun], object]
) -> Iterator[tuple[StoredRun, StoredRun]]:
    """Pairs of an equal key that no other run of either side has."""
    sides: dict[object, tuple[list[StoredRun], list[StoredRun]]] = defaultdict(lambda: ([], []))
    for position, runs in enumerate((a, b)):
        for run in runs:
            sides[key(run)][position].append(run)
    for first, second in sides.values():
        if len(first) == len(second) == 1:
            yield first[0], second[0]
