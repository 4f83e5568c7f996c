"""Where a benchmark's files are: the user's data directory, then our cache, then the pinned address.

A data directory is `DIR/<scenario's folder>/<path as upstream has it>` and is believed as it is, since people cut, mend
and pin their own copies; what was used is recorded by its sha256. The cache is ours, so its files are checked. Nothing
is fetched where the user said offline or where the file is gated. A data directory that holds a scenario's folder also
decides which optional files there are: a validation split fetched beside it would change every instance's id. Rows that
upstream publishes in a form of the hub's (Parquet) may lie in a data directory as JSON Lines: a source's stand-in.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from holoscope.core import DataError, Json, Scenario, Settings, Source, digest
from holoscope.scenarios.fetch import NotInArchive, download, extract, host_of, inside, sha256_of, unreachable

BUNDLED = Path(__file__).parent / "bundled"
"""Rows that come with the package."""


Hindrance = Literal["unreached", "refused", "own copy", "offline", "no address", "not supported", "failed"]
"""Why a run can't be planned, by kind: its rows' host was not reached, or refused; nobody is given the rows; ..."""


class Lack(NamedTuple):
    """Why a scenario can't be run or its rows can't be had."""

    kind: Hindrance
    cause: str
    """In a few words, the same for every file that fails alike."""
    message: str
    """In full: which file, where it was looked for, and what to do."""
    file: str = ""
    """The first such file, where it would lie in a data directory."""


_PLACES = (
    *("only from your own copy", "the file you name", "to be fetched"),
    *("cached", "in your data directory", "comes with the package", "made here"),
)
"""Where rows may be; of several files the one that is hardest to have counts."""


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
            return any(_is_there(place, source) for place in self._own_places(source))
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
        return {self._shown(source): _hash(path) for source, path in self.fetched()}

    def fetched(self) -> list[tuple[Source, Path]]:
        """Every file that the scenario reads, fetched where it was not here."""
        used = [source for source in self.sources if not source.optional or self.has(source.path)]
        return [(source, self.path(source.path)) for source in used]

    def lack(self, refused: Mapping[str, str] | None = None) -> Lack | None:
        """Why the required files cannot all be had; None if they can.

        Asks the hosts of those that are not here, unless `refused` says of each address that failed why it did.
        """
        needed = self.to_fetch()
        for source in needed:
            if reason := self._why_not_fetched(source):
                return self._lack(source, *_kept_back(source), reason)
        for source in needed:
            failed = self._unreachable(source) if refused is None else refused.get(source.url)
            if failed:
                host = host_of(source.url)
                words = self.settings.unreached.get(host)
                kind: Hindrance = "refused" if words is None else "unreached"
                return self._lack(source, kind, f"{host}: {words or 'it refused a file'}", failed)
        return None

    def to_fetch(self) -> list[Source]:
        """The required files that are not on this machine."""
        return [source for source in self.sources if not source.optional and self._local(source) is None]

    def to_ask(self) -> list[str]:
        """The addresses of those that may be fetched."""
        fetched = (source for source in self.to_fetch() if not self._why_not_fetched(source))
        return [source.url for source in fetched if not (source.member and self._archive(source).is_file())]

    def whereabouts(self) -> str:
        """Where the rows are or would come from, in words, by the names of files alone: nothing is asked or hashed."""
        required = [source for source in self.sources if not source.optional]
        places = {self._whereabouts(source) for source in required} or {"made here"}
        return next(place for place in _PLACES if place in places)

    def _whereabouts(self, source: Source) -> str:
        for place in self._own_places(source) if not Path(source.path).is_absolute() else ():
            if _is_there(place, source):
                return "in your data directory"
        if (BUNDLED / self.folder / source.path).is_file():
            return "comes with the package"
        if Path(source.path).is_absolute():
            return "the file you name"
        if _is_there(self._cached(source), source):
            return "cached"
        return "to be fetched" if source.url and not source.gated else "only from your own copy"

    def _lack(self, source: Source, kind: Hindrance, cause: str, reason: str) -> Lack:
        return Lack(kind, cause, self._message(source, reason), f"{self.folder}/{source.path}")

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
            if _is_there(place, source) and (place != self._cached(source) or self._is_intact(place, source)):
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
        return None if kept else unreachable(source.url, self.settings.unreached)

    def _fetch(self, source: Source) -> Path:
        target, archive = self._cached(source), self._archive(source)
        try:
            if not source.member:
                download(source.url, target, self.settings.unreached, source.sha256)
                return target
            if not archive.is_file():
                download(source.url, archive, self.settings.unreached)
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


def _is_there(place: Path, source: Source) -> bool:
    return place.is_dir() if source.is_folder else place.is_file()


def _hash(path: Path) -> str:
    """The sha256 of a file; of a folder, that of the names and hashes of the files in it."""
    if not path.is_dir():
        return sha256_of(path)
    files = sorted((str(file.relative_to(path)), file) for file in path.rglob("*") if file.is_file())
    return digest([[name, sha256_of(file)] for name, file in files])


def open_files(scenario: Scenario, args: dict[str, Json], settings: Settings) -> LocalFiles:
    """The files that `scenario` reads with these arguments. Nothing is opened or fetched yet."""
    return LocalFiles(scenario, scenario.sources(**args), settings)


def _kept_back(source: Source) -> tuple[Hindrance, str]:
    """The kind and the words of what keeps a file from being fetched at all."""
    if source.gated:
        return "own copy", source.gated
    return ("offline", "offline") if source.url else ("no address", "there is no address to fetch it from")


def lack(
    scenario: Scenario, args: dict[str, Json], settings: Settings, refused: Mapping[str, str] | None = None
) -> Lack | None:
    """Why the scenario cannot be run or its rows cannot be had, asked before a run; None if they can.

    `refused` is what is known already: why each address that fails does.
    """
    if scenario.unavailable:
        return Lack("not supported", scenario.unavailable, f"not_supported: {scenario.unavailable}")
    return open_files(scenario, args, settings).lack(refused)


def check(scenario: Scenario, args: dict[str, Json], settings: Settings) -> str | None:
    """The same in words."""
    found = lack(scenario, args, settings)
    return found.message if found else None
