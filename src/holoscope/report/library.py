"""An output folder as the pages read it: suites, their grids, their runs.

What was read is kept until its files change, which their sizes and times tell, so a page of a suite that nobody is
adding to costs a look at the folder and no reading. Names come from addresses that strangers can type: only what the
folder's own listing holds is ever opened. A release is read like a suite, under its name after an `@`, which no suite's
name can hold. One lock makes it safe for a server's threads.
"""

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import RLock
from typing import NamedTuple, TypeVar, cast

from holoscope.core import NO_LAYOUT, Display, Measure, Registry, StoreError, UnknownNameError
from holoscope.report.grid import Grid, grid
from holoscope.report.labels import natural
from holoscope.report.layout import laid_out
from holoscope.report.measures import measures_of
from holoscope.store import (
    MANIFEST,
    REQUESTS,
    SCORES,
    STATISTICS,
    Difference,
    Release,
    StoredRun,
    difference,
    open_run,
    release_before,
    release_runs,
    releases,
    run_folders,
    suite_folder,
)

_FILES = (MANIFEST, SCORES, STATISTICS, REQUESTS)
_HASH_DIGITS = 12
_RELEASE = "@"
_SOUGHT = 100
"""Names among which the nearest to an unknown one is sought."""

T = TypeVar("T")

Mark = tuple[tuple[int, int], ...]
"""Times and sizes of a run's files: equal marks, equal contents."""


class Track(NamedTuple):
    """A named list of entries that can be run as one."""

    name: str
    title: str
    description: str
    entries: int


class SuiteSummary(NamedTuple):
    """A suite in the list of suites."""

    name: str
    models: tuple[str, ...]
    scenarios: tuple[str, ...]
    runs: int
    complete: int
    failed: int
    requests: int
    finished: datetime | None
    """When its latest run ended."""
    warnings: tuple[str, ...]
    """A line for each run folder that can't be read or was interrupted."""


class Suite(NamedTuple):
    """A suite, read; or a release."""

    name: str
    grid: Grid
    runs: dict[str, StoredRun]
    """By folder name, in the order of the grid's rows."""
    warnings: tuple[str, ...]
    release: Release | None = None


class Published(NamedTuple):
    """A release in the list of releases."""

    name: str
    """As a suite's: with the `@`."""
    release: Release
    since: Difference | None
    """What changed from the one before; None for the first."""


class _Folder(NamedTuple):
    """A run folder as it was when it was last read."""

    mark: Mark
    run: StoredRun | None
    warning: str
    """Why there is no run."""


class Library:
    """The suites under `<out>/runs`."""

    def __init__(
        self, out: Path, registry: Registry, tracks: Sequence[Track] = (), display: Display = NO_LAYOUT
    ) -> None:
        self.out = out
        self.registry = registry
        self.display = display
        """How runs are ordered and called, and which of their metrics stand for accuracy."""
        self.tracks = tracks
        """What can be run, for whoever has nothing yet."""
        self._lock = RLock()
        self._folders: dict[Path, _Folder] = {}
        self._measures: dict[Path, tuple[Mark, Sequence[Measure] | StoreError]] = {}
        self._suites: dict[str, tuple[tuple[_Folder, ...], Suite]] = {}
        self._made_of: dict[tuple[str, str], tuple[Suite, object]] = {}

    def suites(self) -> list[SuiteSummary]:
        """Every suite that holds a run folder, the one that ended last first."""
        with self._lock:
            found = [_summary(name, [self._folder(path) for path in self._listed(name)]) for name in self._names()]
        return sorted(found, key=lambda each: (each.finished is not None, each.finished, each.name), reverse=True)

    def releases(self) -> list[Published]:
        """Every release that can be read, the newest first, each with what changed from the one before."""
        found = releases(self.out).found
        made = []
        for release in found:
            before = release_before(release, found)
            made.append(
                Published(f"{_RELEASE}{release.name}", release, difference(before, release) if before else None)
            )
        return made

    def suite(self, name: str) -> Suite:
        """The suite called `name`, or the release after an `@`; UnknownNameError if there is none."""
        with self._lock:
            folders = tuple(self._folder(path) for path in self._listed(name))
            kept = self._suites.get(name)
            if kept is None or kept[0] != folders:
                kept = folders, self._made(name, folders)
                self._suites[name] = kept
            return kept[1]

    def run(self, suite: str, folder: str) -> StoredRun:
        """The run in the folder of that name, or of that name's hash; UnknownNameError if there is none."""
        with self._lock:
            path = self.path(suite, folder)
            return laid_out([self._folder(path).run or open_run(path)], self.display)[0]

    def path(self, suite: str, folder: str) -> Path:
        """Where the run folder of that name, or of that name's hash, lies; UnknownNameError if there is none."""
        listed = self._listed(suite)
        paths = [path for path in listed if folder in (path.name, path.name[-_HASH_DIGITS:])]
        if len(paths) != 1:
            raise UnknownNameError("run", folder, [path.name for path in listed[:_SOUGHT]])
        return paths[0]

    def kept(self, suite: Suite, what: str, make: Callable[[], T]) -> T:
        """What `make` makes of `suite`, made once for as long as the suite stays as it is."""
        with self._lock:
            of, value = self._made_of.get((suite.name, what), (None, None))
            if of is not suite:
                value = make()
                self._made_of[suite.name, what] = suite, value
            return cast(T, value)

    def _names(self) -> list[str]:
        runs = self.out / "runs"
        return sorted(path.name for path in runs.iterdir() if path.is_dir()) if runs.is_dir() else []

    def _listed(self, suite: str) -> list[Path]:
        """The run folders of a suite or release."""
        if suite.startswith(_RELEASE):
            runs = self._release(suite).runs
            return [suite_folder(self.out, run.suite) / Path(run.folder).name for run in runs]
        names = self._names()
        if suite not in names:
            raise UnknownNameError("suite", suite, names)
        return run_folders(self.out, suite)

    def _release(self, name: str) -> Release:
        known = {f"{_RELEASE}{each.name}": each for each in releases(self.out).found}
        if name not in known:
            raise UnknownNameError("release", name.removeprefix(_RELEASE), [each[1:] for each in known])
        return known[name]

    def _folder(self, path: Path) -> _Folder:
        """What is in a run folder, read only if it changed."""
        mark, kept = _mark(path), self._folders.get(path)
        if kept is None or kept.mark != mark or kept.run is None:  # a run under way says how far it is
            kept = _opened(path, mark)
            self._folders[path] = kept
        return kept

    def _made(self, name: str, folders: Sequence[_Folder]) -> Suite:
        marks = {each.run.path: each.mark for each in folders if each.run}

        def measures(run: StoredRun) -> Sequence[Measure]:
            mark, kept = marks[run.path], self._measures.get(run.path)
            if kept is None or kept[0] != mark:
                kept = mark, _measured(run, self.registry)
                self._measures[run.path] = kept
            if isinstance(kept[1], StoreError):
                raise kept[1]
            return kept[1]

        runs = laid_out((each.run for each in folders if each.run), self.display)
        with _uncollected():
            made = grid(runs, self.registry, measures, self.display)
        made = made._replace(
            rows=tuple(sorted(made.rows, key=lambda row: (row.manifest.suite, natural(row.manifest.model.name))))
        )
        by_manifest = {id(run.manifest): run for run in runs}
        ordered = [by_manifest[id(row.manifest)] for row in made.rows]
        release = self._release(name) if name.startswith(_RELEASE) else None
        warnings = release_runs(self.out, release).warnings if release else _warnings(folders)
        return Suite(name, made, {run.path.name: run for run in ordered}, warnings, release)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without garbage collection: of the many small values that a grid is read into none is garbage, and looking for it
    takes a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _mark(folder: Path) -> Mark:
    found, start = [], str(folder)
    for name in _FILES:
        try:
            about = os.stat(f"{start}/{name}")  # noqa: PTH116 thousands of times for a page; pathlib takes five times as long
        except OSError:
            found.append((0, 0))
        else:
            found.append((about.st_mtime_ns, about.st_size))
    return tuple(found)


def _opened(path: Path, mark: Mark) -> _Folder:
    try:
        return _Folder(mark, open_run(path), "")
    except StoreError as error:
        return _Folder(mark, None, str(error))


def _measured(run: StoredRun, registry: Registry) -> Sequence[Measure] | StoreError:
    try:
        return measures_of(run, registry)
    except StoreError as error:
        return error


def _warnings(folders: Iterable[_Folder]) -> tuple[str, ...]:
    return tuple(each.warning for each in folders if each.run is None)


def _summary(name: str, folders: Sequence[_Folder]) -> SuiteSummary:
    manifests = [each.run.manifest for each in folders if each.run]
    statuses = [manifest.status for manifest in manifests]
    return SuiteSummary(
        name=name,
        models=tuple(sorted({manifest.model.name for manifest in manifests}, key=natural)),
        scenarios=tuple(sorted({manifest.scenario.name for manifest in manifests}, key=natural)),
        runs=len(manifests),
        complete=statuses.count("complete"),
        failed=statuses.count("failed"),
        requests=sum(manifest.requests for manifest in manifests),
        finished=max((manifest.finished for manifest in manifests if manifest.finished), default=None),
        warnings=_warnings(folders),
    )
