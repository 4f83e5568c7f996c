"""Finding the runs of an output folder.

A scan reads manifests and nothing else, so hundreds of runs take a fraction of a second. A folder it cannot use
becomes a warning that says why, never a crash: one damaged or interrupted run must not hide the others.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from holoscope.core import Exchange, Measure, StoreError
from holoscope.store.exchanges import read_exchanges
from holoscope.store.folders import MANIFEST, REQUESTS, SCORES, is_run_folder, suite_folder
from holoscope.store.manifest import Manifest, read_manifest
from holoscope.store.measures import read_measures
from holoscope.store.scores import ScoreRow, read_scores


class StoredRun(NamedTuple):
    """A run on disk: its folder and its manifest; the rest is read when asked for."""

    path: Path
    manifest: Manifest

    @property
    def name(self) -> str:
        """The readable name."""
        return self.manifest.spec.name

    def exchanges(self) -> Iterator[Exchange]:
        """Its requests and completions, in plan order."""
        return read_exchanges(self.path / REQUESTS)

    def scores(self) -> Iterator[ScoreRow]:
        """Its per-instance scores, in plan order, without those made of times."""
        return read_scores(self.path / SCORES)

    def measures(self) -> tuple[Measure, ...] | None:
        """Its measures, or None where they must be computed again."""
        return read_measures(self.path)


class Scan(NamedTuple):
    """What an output folder holds."""

    runs: tuple[StoredRun, ...]
    """By suite, then by readable name."""
    warnings: tuple[str, ...]
    """One line for each folder that was passed over."""


def scan(out: Path, suite: str | None = None) -> Scan:
    """The runs under `<out>/runs`, of one suite or of all."""
    runs: list[StoredRun] = []
    warnings: list[str] = []
    for folder in _run_folders(out, suite):
        try:
            runs.append(open_run(folder))
        except StoreError as error:
            warnings.append(str(error))
    runs.sort(key=lambda run: (run.manifest.suite, run.name))
    return Scan(tuple(runs), tuple(warnings))


def open_run(folder: Path) -> StoredRun:
    """The run in `folder`; StoreError if it was interrupted or can't be read."""
    if not (folder / MANIFEST).exists():
        raise StoreError(f"{folder} has no {MANIFEST}: the run was interrupted; the same command completes it")
    return StoredRun(folder, read_manifest(folder))


def _run_folders(out: Path, suite: str | None) -> list[Path]:
    suites = _folders(out / "runs") if suite is None else [suite_folder(out, suite)]
    return [run for each in suites for run in _folders(each) if _is_ours(run)]


def _folders(parent: Path) -> list[Path]:
    if not parent.is_dir():
        return []
    return sorted(path for path in parent.iterdir() if path.is_dir())


def _is_ours(folder: Path) -> bool:
    """False for what other tools keep in a suite: HELM's run folders, and `groups/`."""
    return (folder / MANIFEST).exists() or is_run_folder(folder.name)
