"""What a user means by the name of a model or a run: the stored runs it stands for.

Within a suite a name is a model's (all its runs), a run's, or a run folder's; with `suite/` before it, of another
suite. The first of these that fits is meant, so a model whose maker is called like a suite is still found.
"""

from pathlib import Path
from typing import NamedTuple

from holoscope.core import HoloscopeError, UnknownNameError, UsageError
from holoscope.store import Scan, StoredRun, scan


class Reference(NamedTuple):
    """The runs that a name stands for."""

    name: str
    runs: tuple[StoredRun, ...]
    is_whole: bool
    """True for all runs of a model, or of a suite; else it is one run."""


class Suites:
    """The suites of an output folder, each scanned once and only if a name needs it."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._scans: dict[str, Scan] = {}

    def scan(self, suite: str) -> Scan:
        """The runs of a suite."""
        if suite not in self._scans:
            self._scans[suite] = scan(self._out, suite)
        return self._scans[suite]

    def names(self) -> list[str]:
        """Names of the suites that there are."""
        folder = self._out / "runs"
        return sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []

    def find(self, text: str, suite: str) -> Reference:
        """The runs called `text`; UsageError says what is near, or where two runs share the name."""
        found = self._within(text, suite)
        other, _, rest = text.partition("/")
        if found is None and rest and other in self.names():
            suite, found = other, self._within(rest, other)
            if found is None:
                raise self._unknown(rest, other)
        if found is None:
            raise self._unknown(text, suite)
        return found._replace(name=f"{found.name} ({suite})")

    def find_any(self, text: str, suite: str) -> Reference:
        """As `find`; a suite's own name stands for all its runs."""
        suites, found = self.names(), self._within(text, suite)
        if found is None and text in suites:
            return Reference(f"suite {text}", self.scan(text).runs, is_whole=True)
        if found is None and text.partition("/")[0] not in suites:
            raise UnknownNameError("suite, model or run", text, [*suites, *self._known(suite)])
        return self.find(text, suite)

    def _within(self, text: str, suite: str) -> Reference | None:
        runs = self.scan(suite).runs
        of_model = tuple(run for run in runs if run.manifest.model.name == text)
        if of_model:
            return Reference(text, of_model, is_whole=True)
        named = tuple(run for run in runs if text in (run.name, run.path.name))
        if len(named) > 1:
            folders = " or ".join(run.path.name for run in named)
            raise UsageError(f"{len(named)} runs of suite {suite!r} are called {text!r}; name a folder: {folders}")
        return Reference(named[0].name, named, is_whole=False) if named else None

    def _unknown(self, text: str, suite: str) -> HoloscopeError:
        from holoscope.cli.show import nothing

        found = self.scan(suite)
        if not found.runs:
            return nothing(self._out, suite, found)
        models = sorted({run.manifest.model.name for run in found.runs})
        hint = f"(models: {', '.join(models)})"
        return UnknownNameError(f"model or run of suite {suite!r}", text, self._known(suite), hint)

    def _known(self, suite: str) -> set[str]:
        runs = self.scan(suite).runs
        return {name for run in runs for name in (run.manifest.model.name, run.name, run.path.name)}
