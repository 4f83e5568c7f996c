"""One of HELM's run folders, read file by file; what is missing or damaged is noted and done without."""

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from holoscope.core import AdapterSpec, Exchange, Registry, RunSpec, Scenario, StoreError
from holoscope.interop.documents import read_json
from holoscope.interop.helm_export import NOTE
from holoscope.interop.helm_folders import FILES, RUN_SPEC, SCENARIO, STATS
from holoscope.interop.helm_import import STATE, read_exchanges
from holoscope.interop.helm_json import read_adapter
from holoscope.interop.helm_spec_import import named_spec, read_adapter_spec, read_run_spec
from holoscope.interop.helm_trials import PER_INSTANCE, Trials, read_trials

T = TypeVar("T")

_WITHOUT = {
    RUN_SPEC: "the run is called as its folder, and its metrics are not known",
    STATE: "there are no completions, and it cannot be scored again",
    STATS: "values are means of the statistics per instance",
    PER_INSTANCE: "there are no scores per instance, and no intervals",
}
"""What a run lacks without a file."""
_NO_TEXTS = f"{NOTE}: its completions were left out when it was exported, and it cannot be scored again"


class DamagedError(Exception):
    """The request states turned out to be damaged while they were read."""


class Reader:
    """Reads the files of one folder."""

    def __init__(self, folder: Path, registry: Registry) -> None:
        self._folder, self._registry = folder, registry
        self.notes: list[str] = []
        self.problems: list[str] = []
        self._has_texts = not (folder / NOTE).exists()

    def hashes(self) -> dict[str, str]:
        """sha256 of each of HELM's files that is there."""
        return {name: _sha256(path) for name in FILES if (path := self._folder / name).is_file()}

    def spec(self) -> RunSpec:
        """The run spec; without its file, what the folder's name and the adapter say."""
        scenario = self._read(SCENARIO, read_json) or {}
        named = str(scenario.get("name", "")) if isinstance(scenario, dict) else ""
        given = self._read(RUN_SPEC, lambda path: _converted(path, read_json(path), self._spec_of(named)))
        if given is not None:
            return given
        adapter = self._read(STATE, lambda path: _converted(path, read_adapter(path), read_adapter_spec))
        name = self._folder.name
        return named_spec(name, adapter or AdapterSpec(), named or name.partition(":")[0])

    def trials(self, adapter: AdapterSpec) -> Trials:
        """The statistics per instance; an empty table where there are none."""
        found = self._read(PER_INSTANCE, lambda path: read_trials(path.parent, adapter.method))
        return found or Trials(adapter.method)

    def stats(self) -> list[dict[str, Any]] | None:
        """The statistics of the whole; None where there are none."""
        return self._read(STATS, lambda path: _converted(path, read_json(path), _checked_stats))

    def exchanges(self) -> Iterator[Exchange]:
        """The requests with their completions, one in memory at a time; DamagedError where they can't be read on."""
        if not self._has_texts:
            self.note(_NO_TEXTS)
            return
        if not (self._folder / STATE).exists():
            self.note(f"no {STATE}: {_WITHOUT[STATE]}")
            return
        try:
            yield from read_exchanges(self._folder)
        except StoreError as error:
            self.damaged(error)
            raise DamagedError from error

    def scenario_card(self, spec: RunSpec) -> Scenario | None:
        """What is known of the run's scenario here."""
        name, known = spec.scenario.name, self._registry.scenarios
        return known.get(name) if name in known else None

    def note(self, note: str) -> None:
        """Say something of the run, once."""
        if note not in self.notes:
            self.notes.append(note)

    def damaged(self, error: StoreError) -> None:
        """Note a damaged file, once."""
        if str(error) not in self.problems:
            self.problems.append(str(error))

    def portable(self, text: str) -> str:
        """`text` without where the folder lies, since manifests are published."""
        return text.replace(f"{self._folder}{os.sep}", "")

    def _spec_of(self, scenario: str) -> Callable[[Any], RunSpec]:
        return lambda given: read_run_spec(given, self._registry, scenario)

    def _read(self, name: str, read: Callable[[Path], T]) -> T | None:
        path = self._folder / name
        if not path.exists():
            if name in _WITHOUT:
                self.note(f"no {name}: {_WITHOUT[name]}")
            return None
        try:
            return read(path)
        except StoreError as error:
            self.damaged(error)
            return None


def _converted(path: Path, given: Any, convert: Callable[[Any], T]) -> T:
    try:
        return convert(given)
    except (KeyError, TypeError, ValueError, AttributeError) as error:  # msgspec's errors are ValueErrors
        raise StoreError(f"cannot read {path}: not as HELM writes it ({' '.join(repr(error).split())})") from error


def _checked_stats(given: Any) -> list[dict[str, Any]]:
    """The list of statistics, if each has what is read of it."""
    for stat in given:
        _ = stat["name"]["name"].strip(), stat["name"].get("perturbation"), stat["count"] + stat["sum"]
    return list(given)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
