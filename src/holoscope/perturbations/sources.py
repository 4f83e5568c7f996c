"""Which word lists a run uses: read once, before anything is perturbed, and named for the manifest.

The lists that this package may not carry are looked for in the data directory, then in the cache; the misspellings are
fetched from their pinned address as well. What is found is a value that `augment` is given, so that perturbing itself
touches neither disk nor network. Under compat the misspellings must be HELM's, byte for byte: another list would give
other prompts under HELM's name.
"""

import hashlib
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from holoscope.core import AugmentationSpec, DataError, Json, Registry, Settings
from holoscope.perturbations.lexicon import (
    GenderTable,
    Lexicon,
    NameList,
    PersonName,
    WordMap,
    own_chinese_synonyms,
    own_dialect,
    own_genders,
    own_misspellings,
    own_names,
)
from holoscope.perturbations.registration import PARAPHRASES, definition
from holoscope.perturbations.wordnet import synonyms

MISSPELLINGS = "perturbation_lists/correct_to_misspelling.json"
MISSPELLINGS_SHA256 = "2f8e118895e52426bacd0cd32dfd0c14708e845c910d129f2d03571fe9f75c8b"
MISSPELLINGS_URL = (
    "https://raw.githubusercontent.com/stanford-crfm/helm/63754d05db6f874e41a395880fb573890a13e791"
    "/src/helm/benchmark/augmentations/correct_to_misspelling.json"
)
PATIENCE = 20
"""Seconds to wait for the list's server."""

PLACES = {
    "chinese_synonyms": "lexicons/chinese_synonyms.json",
    "dialect": "lexicons/SAE_to_AAVE_mapping.json",
    "names": "lexicons/person_names.txt",
    "synonyms": "lexicons/synonyms.json",
}
"""Where a user puts HELM's own copy of a list, or another in its place, below the data directory."""

OWN_LISTS: Mapping[str, Callable[[], Lexicon]] = {
    "chinese_synonyms": own_chinese_synonyms,
    "dialect": own_dialect,
    "gender": own_genders,
    "names": own_names,
}

Fetch = Callable[[str], bytes]
"""The bytes at an address; OSError where they can't be had."""


@dataclass(frozen=True)
class Lexicons:
    """The word lists of one run, by kind and by the user's own file or model (empty: none given)."""

    lists: Mapping[tuple[str, str], Lexicon]

    def find(self, kind: str, args: Mapping[str, Json]) -> Lexicon:
        """The list for a perturbation with these arguments."""
        if kind == PARAPHRASES and (kind, _variant(args)) not in self.lists:
            raise DataError("no paraphrases yet: a model writes them when a run starts, and a dry run asks none")
        return self.lists[kind, _variant(args)]

    def __or__(self, others: "Lexicons") -> "Lexicons":
        return Lexicons({**self.lists, **others.lists})

    @property
    def names(self) -> dict[str, str]:
        """Kind -> the list used, for the manifest; the kind carries the path of a user's own file, or the model."""
        return {f"{kind}:{path}" if path else kind: lexicon.name for (kind, path), lexicon in self.lists.items()}


def load_lexicons(spec: AugmentationSpec, registry: Registry, settings: Settings, *, compat: bool) -> Lexicons:
    """Read the word lists that a run's perturbations need, and no other; those that a model writes are not read."""
    lists: dict[tuple[str, str], Lexicon] = {}
    for wanted in spec.perturbations:
        kind, path = definition(wanted.name, registry, compat=compat).lexicon, _variant(wanted.args)
        if kind and kind != PARAPHRASES and (kind, path) not in lists:
            lists[kind, path] = _read_list(kind, Path(path), wanted.args) if path else _find(kind, settings, compat)
    return Lexicons(lists)


def misspelling_list(settings: Settings, *, compat: bool = False, fetch: Fetch | None = None) -> WordMap:
    """The misspellings, with their name: the user's, the cached, the fetched ones, or (not under compat) our own."""
    for folder in _folders(settings):
        if (folder / MISSPELLINGS).is_file():
            return _misspellings(str(folder / MISSPELLINGS), _read(folder / MISSPELLINGS), exact=compat)
    try:
        return _fetched_misspellings(settings, fetch or _download)
    except (OSError, DataError) as problem:
        if not compat:
            return own_misspellings()
        places = " or ".join(str(folder / MISSPELLINGS) for folder in _folders(settings))
        raise DataError(
            f"HELM's misspelling list is not at {places} and can't be fetched ({problem}); put {MISSPELLINGS_URL} there"
        ) from None


def _variant(args: Mapping[str, Json]) -> str:
    """The path of the user's own list, or the model, among a perturbation's arguments; empty if there is none."""
    return str(args.get("mapping_file_path") or args.get("name_file_path") or args.get("model") or "")


def _folders(settings: Settings) -> list[Path]:
    return [folder for folder in (settings.data_dir, settings.cache_dir) if folder]


def _find(kind: str, settings: Settings, compat: bool) -> Lexicon:
    if kind == "misspellings":
        return misspelling_list(settings, compat=compat)
    for folder in _folders(settings) if kind in PLACES else ():
        if (folder / PLACES[kind]).is_file():
            return _read_list(kind, folder / PLACES[kind], {})
    return synonyms(settings) if kind == "synonyms" else OWN_LISTS[kind]()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise DataError(f"can't read the word list {path}: {problem.strerror}") from None


def _read_list(kind: str, path: Path, args: Mapping[str, Json]) -> Lexicon:
    """A list in its published form, named by its file and content."""
    data = _read(path)
    name = f"{path.name} (sha256 {hashlib.sha256(data).hexdigest()[:12]})"
    try:
        if kind == "names":
            rows = tuple(_name_row(line) for line in data.decode("utf-8").splitlines() if line.strip())
            return NameList(name, rows, own_names().also_words)
        if kind == "gender":
            return _gender_rows(name, data, args.get("mapping_file_genders"))
        return _words(name, data)
    except (ValueError, msgspec.DecodeError) as problem:
        raise DataError(f"{path} is not a list of {kind}: {problem}") from None


def _words(name: str, data: bytes) -> WordMap:
    return WordMap(name, msgspec.json.decode(data, type=dict[str, tuple[str, ...]]))


def _name_row(line: str) -> PersonName:
    """A row `name,type[,category,value]*`."""
    name, kind, *rest = (field.strip().lower() for field in line.split(","))
    return PersonName(name, kind, tuple(zip(rest[::2], rest[1::2], strict=False)))


def _gender_rows(name: str, data: bytes, genders: Json) -> GenderTable:
    """Rows of a user's own words, one for each gender."""
    if not isinstance(genders, list) or not genders:
        raise ValueError("mapping_file_genders must name the gender of each column")
    rows = tuple(tuple(word.lower() for word in row) for row in msgspec.json.decode(data, type=list[list[str]]))
    if any(len(row) != len(genders) for row in rows):
        raise ValueError(f"each row must have {len(genders)} words")
    return GenderTable(name, tuple(str(g).lower() for g in genders), {"terms": rows, "pronouns": rows})


def _misspellings(where: str, data: bytes, *, exact: bool) -> WordMap:
    """The list in these bytes; with `exact`, they must be HELM's."""
    sha256 = hashlib.sha256(data).hexdigest()
    if sha256 == MISSPELLINGS_SHA256:
        return _words(f"crfm-helm 0.5.16 (sha256 {sha256[:12]})", data)
    if exact:
        raise DataError(f"{where} is not HELM's misspelling list: its sha256 is {sha256}, not {MISSPELLINGS_SHA256}")
    try:
        return _words(f"{Path(where).name} (sha256 {sha256[:12]})", data)
    except msgspec.DecodeError as problem:
        raise DataError(f"{where} is not a list of misspellings: {problem}") from None


def _fetched_misspellings(settings: Settings, fetch: Fetch) -> WordMap:
    if settings.offline:
        raise OSError("offline")
    data = fetch(MISSPELLINGS_URL)
    found = _misspellings(MISSPELLINGS_URL, data, exact=True)
    with suppress(OSError):  # a cache that can't be written costs another fetch, no more
        _keep(settings.cache_dir / MISSPELLINGS, data)
    return found


def _download(url: str) -> bytes:
    from http.client import HTTPException
    from urllib.request import urlopen

    try:
        with urlopen(url, timeout=PATIENCE) as reply:
            content: bytes = reply.read()
    except HTTPException as problem:
        raise OSError(f"garbled reply: {problem!r}") from None
    return content


def _keep(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, also where two processes do so at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(data)
    Path(file.name).replace(path)
