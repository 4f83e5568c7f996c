"""Where a benchmark's files are: the user's data directory, then our cache, then the pinned address.

A data directory is `DIR/<scenario's folder>/<path as upstream has it>` and is believed as it is, since people cut, mend
and pin their own copies; what was used is recorded by its sha256. The cache is ours, so its files are checked. Nothing
is fetched where the user said offline or where the file is gated. A data directory that holds a scenario's folder also
decides which optional files there are: a validation split fetched beside it would change every instance's id. Rows that
upstream publishes in a form of the hub's (Parquet) may lie in a data directory as JSON Lines: a source's stand-in.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from holoscope.core import DataError, Json, Scenario, Settings, Source
from holoscope.scenarios.fetch import NotInArchive, download, extract, inside, sha256_of, unreachable

BUNDLED = Path(__file__).parent / "bundled"
"""Rows that come with the package."""


@dataclass(frozen=True)
class LocalFiles:
    """The files of one scenario with its arguments."""

    scenario: Scenario
    sources: tuple[Source, ...]
    settings: Settings

    @property
    def folder(self) -> str:
        return self.scenario.folder or self.scenario.name

    def path(self, name: str) -> Path:
        """The local file for `Source.path == name`, fetched if need be."""
        source = self._source(name)
        local = self._local(source)
        if local is None:
            self._refuse(source, self._why_not_fetched(source))
            local = self._fetch(source)
        return local

    def has(self, name: str) -> bool:
        """True if an optional file is here or at its address; an address that fails is an error, not an absence."""
        source = self._source(name)
        if self._own_folder():
            return any(place.is_file() for place in self._own_places(source))
        if self._local(source) is not None:
            return True
        if self._why_not_fetched(source):
            return False
        try:
            self._fetch(source)
        except NotInArchive:
            return False
        return True

    def hashes(self) -> dict[str, str]:
        """sha256 of every file that the scenario reads, by its path within the scenario's folder, or a stand-in's."""
        return {self._shown(source): sha256_of(path) for source, path in self.fetched()}

    def fetched(self) -> list[tuple[Source, Path]]:
        """Every file that the scenario reads, fetched where it was not here."""
        used = [source for source in self.sources if not source.optional or self.has(source.path)]
        return [(source, self.path(source.path)) for source in used]

    def missing(self) -> str | None:
        """Why the required files cannot all be had, in words; None if they can."""
        for source in self.sources:
            if source.optional:
                continue
            if self._local(source) is None and (reason := self._why_not_fetched(source) or self._unreachable(source)):
                return self._message(source, reason)
        return None

    def _source(self, name: str) -> Source:
        for source in self.sources:
            if source.path == name:
                return source
        raise DataError(f"scenario {self.scenario.name!r} opens {name!r}, which is not among its sources")

    def _own_folder(self) -> bool:
        return self.settings.data_dir is not None and (self.settings.data_dir / self.folder).is_dir()

    def _cached(self, source: Source) -> Path:
        return self.settings.cache_dir / "data" / self.folder / source.path

    def _places(self, source: Source) -> list[Path]:
        if Path(source.path).is_absolute():  # a file the user named
            return [Path(source.path)]
        return [*self._own_places(source), inside(self.settings.cache_dir / "data" / self.folder, source.path)]

    def _own_places(self, source: Source) -> list[Path]:
        """Where the file, then its stand-in, would lie in the user's data directory."""
        root = self.settings.data_dir
        if root is None:
            return []
        stand_ins = [inside(root, source.stand_in)] if source.stand_in else []
        return [inside(root / self.folder, source.path), *stand_ins]

    def _shown(self, source: Source) -> str:
        """The name of the file in use, which shows no machine's folders."""
        if Path(source.path).is_absolute():
            return Path(source.path).name
        stands_in = source.stand_in and self._local(source) in self._own_places(source)[1:]
        return source.stand_in if stands_in else source.path

    def _local(self, source: Source) -> Path | None:
        for place in (*self._places(source), BUNDLED / self.folder / source.path):
            if place.is_file() and (place != self._cached(source) or self._is_intact(place, source)):
                return place
        return None

    def _is_intact(self, place: Path, source: Source) -> bool:
        return not source.sha256 or sha256_of(place) == source.sha256

    def _why_not_fetched(self, source: Source) -> str:
        if source.gated:
            return f"not fetched: {source.gated}"
        if not source.url:
            return "there is no address to fetch it from"
        if self.settings.offline and not (source.member and self._archive(source).is_file()):
            return f"offline, so not fetched from {source.url}"
        return ""

    def _unreachable(self, source: Source) -> str | None:
        kept = source.member and self._archive(source).is_file()
        return None if kept else unreachable(source.url)

    def _fetch(self, source: Source) -> Path:
        target, archive = self._cached(source), self._archive(source)
        try:
            if not source.member:
                download(source.url, target, source.sha256)
                return target
            if not archive.is_file():
                download(source.url, archive)
            extract(archive, source.member, target, source.sha256)
        except NotInArchive:
            if source.optional:
                raise
            self._refuse(source, f"{source.url} holds no {source.member}")
        except (DataError, OSError) as error:  # OSError: the cache cannot be written
            self._refuse(source, str(error))
        return target

    def _archive(self, source: Source) -> Path:
        """Where the archive at the source's address is kept, because several files come from it."""
        url = urlsplit(source.url)
        name = f"{hashlib.sha256(source.url.encode()).hexdigest()[:12]}-{PurePosixPath(url.path).name}"
        return self.settings.cache_dir / "data" / self.folder / ".archives" / name

    def _refuse(self, source: Source, reason: str) -> None:
        if reason:
            raise DataError(self._message(source, reason))

    def _message(self, source: Source, reason: str) -> str:
        looked = ", ".join(str(place) for place in self._places(source))
        if Path(source.path).is_absolute():
            return f"{self.scenario.name}: no file {looked}"
        return (
            f"{self.scenario.name}: no {source.path} (looked for {looked}); {reason}. "
            f"To use your own copy, put it at DIR/{self.folder}/{source.path} and add: --data-dir DIR"
        )


def open_files(scenario: Scenario, args: dict[str, Json], settings: Settings) -> LocalFiles:
    """The files that `scenario` reads with these arguments. Nothing is opened or fetched yet."""
    return LocalFiles(scenario, scenario.sources(**args), settings)


def check(scenario: Scenario, args: dict[str, Json], settings: Settings) -> str | None:
    """Why the scenario's rows cannot be had, in words, asked before a run; None if they can."""
    return open_files(scenario, args, settings).missing()
