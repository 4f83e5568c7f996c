"""What the routes share: the library, the finder of instances, the annotations, and comparisons that were made."""

from collections.abc import Collection
from dataclasses import dataclass, field
from threading import Lock

from holoscope.core import Registry, UsageError
from holoscope.report.comparison import Comparison, compare
from holoscope.report.library import Library, Suite
from holoscope.report.pages.compare import Side, side
from holoscope.report.pages.instance import Which, chosen, trials_of
from holoscope.store import Annotation, Annotations, Instances, annotation
from holoscope.web.access import Access

_KEPT = 32
"""Comparisons in memory."""


class Comparisons:
    """Comparisons of two sides of a suite, made once for as long as the suite does not change."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._lock = Lock()
        self._kept: dict[tuple[str, str, str, str], tuple[Suite, Comparison]] = {}

    def get(self, suite: Suite, a: Side, b: Side, metric: str = "") -> Comparison:
        """The comparison of two sides. UsageError where they have nothing in common, or are the same."""
        if {run.path for run in a.runs} & {run.path for run in b.runs}:
            raise UsageError(f"{a.title} and {b.title} share runs: choose two models, or two runs")
        key = suite.name, a.name, b.name, metric
        with self._lock:  # the same comparison is not made twice at once
            kept = self._kept.get(key)
            if kept is None or kept[0] is not suite:
                made = compare(a.runs, b.runs, self._registry, names=(a.title, b.title), metric=metric)
                kept = suite, made
                self._kept[key] = kept
                while len(self._kept) > _KEPT:
                    del self._kept[next(iter(self._kept))]
            return kept[1]


@dataclass(frozen=True)
class State:
    """What the routes share; each part may be used by several threads."""

    library: Library
    finder: Instances
    annotations: Annotations
    comparisons: Comparisons
    access: Access
    only: Collection[str] | None = field(default=None)
    """Suites that are shown; None: all."""

    @classmethod
    def of(cls, library: Library, access: Access, only: Collection[str] | None = None) -> "State":
        out = library.out
        return cls(library, Instances(out), Annotations(out), Comparisons(library.registry), access, only)

    def said_of(self, suite: str, folder: str = "", instance_id: str = "") -> tuple[Annotation, ...]:
        """What people said of a suite or release, of one of its runs, or of one instance.

        It is kept with the suite that a run lies in, whichever way a reader comes to it.
        """
        folders = (
            [self.library.path(suite, folder)] if folder else [r.path for r in self.library.suite(suite).runs.values()]
        )
        wanted = {(path.parent.name, path.name) for path in folders}
        names = {name for name, _ in wanted}
        found = (said for name in sorted(names) for said in self.annotations.of(name, "", instance_id))
        return tuple(sorted((s for s in found if (s.suite, s.run) in wanted), key=lambda s: s.time))

    def say(self, suite: str, folder: str, instance_id: str, which: Which, **said: object) -> Annotation:
        """Keep what somebody says of a trial. UnknownNameError where there is none of that kind."""
        stored = self.library.run(suite, folder)
        chosen(trials_of(self.finder, stored, instance_id)[0], which, instance_id)
        kept = annotation(
            suite=stored.path.parent.name,
            run=stored.path.name,
            instance_id=instance_id,
            perturbation=which.perturbation or None,
            train_trial_index=which.train,
            trial=which.trial,
            **said,
        )
        self.annotations.add(kept)
        return kept

    def compared(self, suite: str, a: str, b: str, metric: str = "") -> tuple[Side, Side, Comparison]:
        """Two sides of a suite by name, and their comparison."""
        found = self.library.suite(suite)
        first, second = side(found, a), side(found, b)
        return first, second, self.comparisons.get(found, first, second, metric)
