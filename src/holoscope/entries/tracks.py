"""Tracks: named lists of run entries, as YAML.

A track is data that a reader can edit: `name`, `title`, `description`, `entries` as in a `.conf` file, `groups`
with their titles and main metrics, and `missing`, what belongs to it and can't be run. The built-in ones lie in
`holoscope/tracks/`; a folder of a user's or a plug-in's own is read in the same way. No two tracks share a name.
"""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from holoscope.core import UsageError
from holoscope.entries.conf import ConfEntry, parse_yaml, read_entries, read_struct

_SUFFIXES = (".yaml", ".yml")


class TrackGroup(msgspec.Struct, frozen=True):
    """A group of a track's runs, as the grid shows it."""

    name: str
    title: str
    main_metric: str = ""
    """Empty: the scenario's own."""


class MissingScenario(msgspec.Struct, frozen=True):
    """What belongs to a track and can't be run: a reader should know that it was not tested, and why."""

    name: str
    title: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name} ({self.title}) is not available: {self.reason}"


class Track(msgspec.Struct, frozen=True, kw_only=True):
    """A named list of entries that are run and shown together."""

    name: str
    title: str
    description: str
    entries: tuple[ConfEntry, ...]
    groups: tuple[TrackGroup, ...] = ()
    missing: tuple[MissingScenario, ...] = ()


def load_tracks(*folders: Path) -> dict[str, Track]:
    """The built-in tracks and those of `folders`, by name."""
    tracks: dict[str, Track] = {}
    for folder in (files("holoscope") / "tracks", *folders):
        for file in sorted(_yaml_files(folder), key=lambda file: file.name):
            track = _read_track(parse_yaml(file.read_text(encoding="utf-8-sig"), str(file)), str(file))
            if track.name in tracks:
                raise UsageError(f"{file}: there is a track {track.name!r} already; rename this one")
            tracks[track.name] = track
    return tracks


def _yaml_files(folder: Traversable | Path) -> Iterator[Traversable | Path]:
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder of tracks")
    return (file for file in folder.iterdir() if file.name.endswith(_SUFFIXES))


class _File(msgspec.Struct):
    """A track as it stands in its file."""

    name: str
    title: str
    description: str
    entries: list[object]
    groups: list[object] = []
    missing: list[object] = []


def _read_track(content: object, where: str) -> Track:
    file = read_struct(content, _File, where)
    return Track(
        name=file.name,
        title=file.title,
        description=file.description,
        entries=tuple(read_entries(file.entries, where)),
        groups=tuple(read_struct(row, TrackGroup, f"{where}: group {i}") for i, row in enumerate(file.groups, 1)),
        missing=tuple(
            read_struct(row, MissingScenario, f"{where}: missing {i}") for i, row in enumerate(file.missing, 1)
        ),
    )
