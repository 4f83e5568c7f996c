"""Finding the runs of an output folder.

A scan reads manifests and nothing else, so hundreds of runs take a fraction of a second. A folder it cannot use
becomes a warning that says why, never a crash: one damaged or interrupted run must not hide the others.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from holoscope.core import Exchange, Measure, StoreError
from holoscope.store.exchanges import read_exchanges
from holoscope.store.folders import MANIFEST, REQUESTS, SCORES, is_run_folder, suite_folder
from holoscope.store.manifest import Manifest, read_manifest
from holoscope.store.measures import read_measures
from holoscope.store.progress import read_progress
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
    for folder in run_folders(out, suite):
        try:
            runs.append(open_run(folder))
        except StoreError as error:
            warnings.append(str(error))
    runs.sort(key=lambda run: (run.manifest.suite, run.name))
    return Scan(tuple(runs), tuple(warnings))


def open_run(folder: Path) -> StoredRun:
    """The run in `folder`; StoreError if it is under way, was interrupted, or can't be read."""
    if not (folder / MANIFEST).exists():
        progress = read_progress(folder)
        if progress is not None and progress.is_live():
            raise StoreError(f"{progress.run} is under way: {progress}")
        raise StoreError(f"{folder} has no {MANIFEST}: the run was interrupted; the same command completes it")
    return StoredRun(folder, read_manifest(folder))


def run_folders(out: Path, suite: str | None = None) -> list[Path]:
    """The run folders under `<out>/runs`, of one suite or of all, whether they can be read or not."""
    suites = _folders(out / "runs") if suite is None else [suite_folder(out, suite)]
    return [run for each in suites for run in _folders(each) if _is_ours(run)]


def _folders(parent: Path) -> list[Path]:
    if not parent.is_dir():
        return []
    with os.scandir(parent) as found:
        return [parent / name for name in sorted(entry.name for entry in found if entry.is_dir())]


def _is_ours(folder: Path) -> bool:
    """False for what other tools keep in a suite: HELM's run folders, and `groups/`."""
    return is_run_folder(folder.name) or (folder / MANIFEST).exists()
