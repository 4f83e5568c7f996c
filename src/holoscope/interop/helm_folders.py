"""Where HELM's run folders are, under whatever part of its output a user points at.

`benchmark_output`, one suite of it, or one run: HELM's own names (`mmlu:subject=anatomy,model=...`) and those that
archives and other file systems make of them are equally good, because a run's name stands in its files.
"""

import re
from pathlib import Path
from typing import NamedTuple

from holoscope.core import UsageError
from holoscope.interop.helm_import import STATE
from holoscope.interop.helm_trials import PER_INSTANCE
from holoscope.store import check_suite

RUN_SPEC, SCENARIO, STATS = "run_spec.json", "scenario.json", "stats.json"
FILES = (RUN_SPEC, SCENARIO, STATE, STATS, PER_INSTANCE)
_NUMBERS = (STATE, STATS, PER_INSTANCE)
_MOST = 48
"""Characters of a suite's name."""


class HelmFolder(NamedTuple):
    """A run folder, and the suite that it belongs to."""

    path: Path
    suite: str

    @property
    def is_empty(self) -> bool:
        """True if a run was begun here and left no result."""
        return not any((self.path / name).exists() for name in _NUMBERS)


def find_helm_runs(path: Path, suite: str = "") -> list[HelmFolder]:
    """The run folders at or below `path`, by suite and name; `suite` puts all of them into one.

    UsageError if there is none.
    """
    if suite:
        check_suite(suite)
    if not path.exists():
        raise UsageError(f"{path}: no such folder; name a benchmark_output, one of its runs/<suite>, or one run")
    if _is_run(path):
        return [HelmFolder(path, suite or _suite_name(path.resolve().parent.name))]
    runs = path / "runs" if (path / "runs").is_dir() else path
    found = [HelmFolder(folder, suite or _suite_name(path.resolve().name)) for folder in _runs_in(runs)]
    for each in _folders(runs):
        if not _is_run(each) and not each.is_symlink():  # HELM's `latest` is a link to another suite
            found += [HelmFolder(folder, suite or _suite_name(each.name)) for folder in _runs_in(each)]
    if not found:
        raise UsageError(
            f"{path} holds no run folder of HELM ({RUN_SPEC}, {STATE}, {STATS}); "
            "name a benchmark_output, one of its runs/<suite>, or one run"
        )
    return found


def _runs_in(folder: Path) -> list[Path]:
    return [path for path in _folders(folder) if _is_run(path) or _was_begun(path)]


def _is_run(folder: Path) -> bool:
    return any((folder / name).is_file() for name in (RUN_SPEC, *_NUMBERS))


def _was_begun(folder: Path) -> bool:
    """True for the folder of a run that HELM made and left empty."""
    return re.search(r"[:,-]model=", folder.name) is not None and not any(folder.iterdir())


def _folders(parent: Path) -> list[Path]:
    return sorted(path for path in parent.iterdir() if path.is_dir()) if parent.is_dir() else []


def _suite_name(name: str) -> str:
    """A suite's name that every system takes.

    >>> _suite_name("v1.0 (final)")
    'v1.0-final'
    """
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:_MOST].strip("-.")
    return check_suite(plain or "helm")
