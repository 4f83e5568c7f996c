"""Releases: dated lists of runs that do not change, `<out>/releases/<name>.json`.

A release names runs of one suite or several and keeps, with the hash of each run's scores, the values that stood for
its axes: what was published can be read, and two releases compared, also after runs have been extended, scored again
or removed. A model is added to a published release by a new one that takes over the runs of the old.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from holoscope.core import StoreError, UnknownNameError, UsageError
from holoscope.store._files import read_bytes, write_bytes
from holoscope.store._text import to_json
from holoscope.store.folders import SCORES, check_name, suite_folder
from holoscope.store.measures import scores_hash
from holoscope.store.scan import Scan, StoredRun, open_run

_SCHEMA_VERSION = 1


class ReleasedValue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What stood for an axis of a run on the day of the release."""

    axis: str
    metric: str
    value: float | None
    n: int = 0
    low: float | None = None
    high: float | None = None
    reason: str = ""
    """Why there is no value."""


class ReleasedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run of a release."""

    suite: str
    folder: str
    """Its folder's name within the suite."""
    run: str
    """Its readable name."""
    model: str
    scenario: str
    """What was run, without the model: equal in two runs that differ in their model alone."""
    status: str
    scores_sha256: str
    """Of `scores.parquet`; empty for a run without one."""
    values: tuple[ReleasedValue, ...] = ()


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """A dated list of runs."""

    schema_version: int = _SCHEMA_VERSION
    name: str
    made: datetime
    note: str = ""
    holoscope: str
    """The version that made it."""
    runs: tuple[ReleasedRun, ...]

    @property
    def suites(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(run.suite for run in self.runs))

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(run.model for run in self.runs))

    @property
    def scenarios(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(run.scenario for run in self.runs))


class Releases(NamedTuple):
    """The releases of an output folder."""

    found: tuple[Release, ...]
    """The newest first."""
    warnings: tuple[str, ...]
    """A line for each file that can't be read."""


class Change(NamedTuple):
    """A value that is not the same in two releases."""

    model: str
    scenario: str
    axis: str
    before: ReleasedValue | None
    """None: the earlier release did not know the axis."""
    after: ReleasedValue | None


class Difference(NamedTuple):
    """What one release has that another has not, and what changed."""

    before: str
    after: str
    added_models: tuple[str, ...]
    removed_models: tuple[str, ...]
    added_scenarios: tuple[str, ...]
    removed_scenarios: tuple[str, ...]
    added_runs: tuple[str, ...]
    """Readable names, those of added models and scenarios too."""
    removed_runs: tuple[str, ...]
    changed: tuple[Change, ...]
    """Of runs that both hold."""

    def __bool__(self) -> bool:
        return any(self[2:])


def write_release(out: Path, release: Release) -> Release:
    """Keep a release and return it. The same again changes nothing; UsageError where another has its name."""
    path = _path(out, release.name)
    if path.exists():
        kept = read_release(out, release.name)
        if kept.runs != release.runs:
            raise UsageError(
                f"release {release.name!r} of {kept.made:%Y-%m-%d} holds other runs or values, and is not changed; "
                "give the new one another name"
            )
        return kept
    write_bytes(path, msgspec.json.format(to_json(release).encode(), indent=2) + b"\n")
    return release


def read_release(out: Path, name: str) -> Release:
    """The release called `name`; UnknownNameError suggests the nearest, StoreError says what is wrong with its file."""
    path = _path(out, name)
    if not path.exists():
        raise UnknownNameError("release", name, [each.stem for each in _files(out)], f"in {out}")
    return _read(path)


def releases(out: Path) -> Releases:
    """Every release of an output folder."""
    found: list[Release] = []
    warnings: list[str] = []
    for path in _files(out):
        try:
            found.append(_read(path))
        except StoreError as error:
            warnings.append(str(error))
    found.sort(key=lambda release: (release.made, release.name), reverse=True)
    return Releases(tuple(found), tuple(warnings))


def release_before(release: Release, known: Iterable[Release]) -> Release | None:
    """The newest of the releases that are older."""
    older = [each for each in known if (each.made, each.name) < (release.made, release.name)]
    return max(older, key=lambda each: (each.made, each.name), default=None)


def release_runs(out: Path, release: Release) -> Scan:
    """The runs of a release as they lie on the disk now; a warning for each that is gone or has other scores."""
    runs: list[StoredRun] = []
    warnings: list[str] = []
    for released in release.runs:
        try:
            run = open_run(suite_folder(out, released.suite) / released.folder)
            runs.append(run)
            if hash_of_scores(run.path) != released.scores_sha256:
                warnings.append(f"{released.run}: scored again or extended since release {release.name}")
        except StoreError as error:
            warnings.append(f"{released.run}: in release {release.name}, but {error}")
    return Scan(tuple(runs), tuple(warnings))


def hash_of_scores(folder: Path) -> str:
    """sha256 of a run's scores; empty where there are none."""
    return scores_hash(folder) if (folder / SCORES).exists() else ""


def difference(before: Release, after: Release) -> Difference:
    """What changed from one release to another."""
    old, new = _by_key(before), _by_key(after)
    return Difference(
        before=before.name,
        after=after.name,
        added_models=_only(after.models, before.models),
        removed_models=_only(before.models, after.models),
        added_scenarios=_only(after.scenarios, before.scenarios),
        removed_scenarios=_only(before.scenarios, after.scenarios),
        added_runs=tuple(run.run for key, run in new.items() if key not in old),
        removed_runs=tuple(run.run for key, run in old.items() if key not in new),
        changed=tuple(change for key in new if key in old for change in _changes(old[key], new[key])),
    )


def _changes(old: ReleasedRun, new: ReleasedRun) -> Iterator[Change]:
    before, after = ({value.axis: value for value in run.values} for run in (old, new))
    for axis in dict.fromkeys([*before, *after]):
        one, other = before.get(axis), after.get(axis)
        if one != other and not (_is_empty(one) and _is_empty(other)):
            yield Change(new.model, new.scenario, axis, one, other)


def _is_empty(value: ReleasedValue | None) -> bool:
    """True where there is no value, for whatever reason."""
    return value is None or value.value is None


def _by_key(release: Release) -> Mapping[tuple[str, str], ReleasedRun]:
    return {(run.model, run.scenario): run for run in release.runs}


def _only(names: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    known = set(others)
    return tuple(name for name in names if name not in known)


def _path(out: Path, name: str) -> Path:
    return out / "releases" / f"{check_name(name, 'release')}.json"


def _files(out: Path) -> list[Path]:
    return sorted((out / "releases").glob("*.json"))


_decoder = msgspec.json.Decoder(Release)


def _read(path: Path) -> Release:
    try:
        release = _decoder.decode(read_bytes(path))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StoreError(f"cannot read {path}: {error}") from error
    if release.schema_version > _SCHEMA_VERSION:
        raise StoreError(f"{path} was written by a newer holoscope ({release.holoscope}); update this one")
    return release
