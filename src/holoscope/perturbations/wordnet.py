"""Synonyms out of WordNet (Princeton; Miller 1995), where it is on the machine.

A word's synonyms are taken from its commonest sense alone, and only where the counts of WordNet's tagged texts leave no
doubt what part of speech it is: `bank` becomes no `cant`. Single words in lower case, so that names stay. WordNet is
not carried: at 20 MB it would outweigh this package, while Debian and nltk have it.
"""

import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from holoscope.core import DataError, Settings, digest
from holoscope.perturbations.lexicon import WordMap, table

FOLDER = "wordnet"
"""Where a user puts WordNet's files, below the data directory."""
SYSTEM = (Path("/usr/share/wordnet"), *(Path(root, "nltk_data") for root in ("/usr/share", "/usr/local/share")))
"""Where Debian's `wordnet-base` and nltk's downloads for all users lie."""

_POS = {"noun": "1", "verb": "2", "adj": "3", "adv": "4"}
_SATELLITE = "5"
_COUNTS = "cntlist.rev"
_SURE = 0.8
"""Share of a word's occurrences that must be of one part of speech."""

Read = Callable[[str], str]
"""The text of one of WordNet's files."""


def synonyms(settings: Settings, system: Sequence[Path] = SYSTEM) -> WordMap:
    """The synonyms of the first WordNet found; DataError says what to type where there is none."""
    for place in _places(settings, system):
        if (found := _read(place)) is not None:
            return found
    own = settings.data_dir or settings.cache_dir
    raise DataError(
        f"synonyms need WordNet: apt-get install wordnet-base, or python -m nltk.downloader wordnet, or put its files "
        f"(index.noun, data.noun, ..., {_COUNTS}) into {own / FOLDER}"
    )


def _places(settings: Settings, system: Sequence[Path]) -> Iterator[Path]:
    yield from (folder / FOLDER for folder in (settings.data_dir, settings.cache_dir) if folder)
    nltk = [Path(path) for path in settings.environ.get("NLTK_DATA", "").split(":") if path]
    home = settings.environ.get("HOME")
    for root in (*nltk, *([Path(home, "nltk_data")] if home else []), *system):
        yield root
        yield root / "corpora" / "wordnet"
        yield root / "corpora" / "wordnet.zip"


def _reader(place: Path) -> Read | None:
    """How to read WordNet's files at a place; None if they are not there."""
    if (place / _COUNTS).is_file() and (place / "index.noun").is_file():
        return lambda name: (place / name).read_text(encoding="utf-8")
    if not zipfile.is_zipfile(place):
        return None

    def read(name: str) -> str:
        with zipfile.ZipFile(place) as archive:
            return archive.read(f"{place.stem}/{name}").decode("utf-8")

    return read


def _version(read: Read) -> str:
    """The release, as its licence's head says."""
    words = read("data.adv")[:3000].split()
    return next((b for a, b in pairwise(words) if a == "WordNet" and b[:1].isdigit()), "unknown")


@lru_cache(maxsize=4)
def _read(place: Path) -> WordMap | None:
    """The synonyms of the WordNet at a place; None if there is none. It takes seconds, and each run of a suite asks."""
    read = _reader(place)
    if read is None:
        return None
    try:
        firsts = _first_senses(read, _counts(read(_COUNTS)))
        entries = dict(_entries(read, firsts))
        return WordMap(f"WordNet {_version(read)} (sha256 {digest(entries)[:12]})", entries)
    except (OSError, KeyError, ValueError, IndexError) as problem:
        raise DataError(f"can't read WordNet's files: {problem}; install wordnet-base anew") from None


def _counts(text: str) -> dict[str, dict[str, int]]:
    """Word -> part of speech -> how often it occurs in the tagged texts."""
    found: dict[str, dict[str, int]] = {}
    for line in text.splitlines():
        sense, _, count = line.split(" ")
        word, _, rest = sense.partition("%")
        kind = rest[0].replace(_SATELLITE, _POS["adj"])
        own = found.setdefault(word, {})
        own[kind] = own.get(kind, 0) + int(count)
    return found


def _first_senses(read: Read, counts: Mapping[str, Mapping[str, int]]) -> dict[str, tuple[str, str]]:
    """Word -> (part of speech, offset) of its commonest sense, where its part of speech is sure."""
    senses: dict[str, dict[str, str]] = {}
    for pos in _POS:
        for line in read(f"index.{pos}").splitlines():
            word, *fields = line.split(" ")
            if _is_plain(word):
                senses.setdefault(word, {})[pos] = fields[int(fields[2]) + 5]
    skipped = frozenset(table("function_words.json"))
    return {
        word: (pos, own[pos])
        for word, own in senses.items()
        if word not in skipped and (pos := _sure(own, counts.get(word, {})))
    }


def _sure(senses: Mapping[str, str], counts: Mapping[str, int]) -> str:
    """The part of speech that a word nearly always is; empty if in doubt."""
    if len(senses) == 1:
        return next(iter(senses))
    total = sum(counts.values())
    return next((pos for pos in senses if total and counts.get(_POS[pos], 0) >= _SURE * total), "")


def _entries(read: Read, firsts: Mapping[str, tuple[str, str]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for pos in _POS:
        wanted = {offset for kind, offset in firsts.values() if kind == pos}
        members = {}
        for line in read(f"data.{pos}").splitlines():
            if line[:8] in wanted:
                fields = line.split(" ")
                members[line[:8]] = [fields[4 + 2 * i].partition("(")[0] for i in range(int(fields[3], 16))]
        for word, (kind, offset) in firsts.items():
            others = tuple(other for other in members.get(offset, ()) if other != word and _is_plain(other))
            if kind == pos and others:
                yield word, others


def _is_plain(word: str) -> bool:
    return len(word) >= 3 and word.isascii() and word.isalpha() and word.islower()
