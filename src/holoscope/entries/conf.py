"""Files of run entries: HELM's `.conf` (HOCON) and the same in YAML.

Both hold `entries: [{description, priority, groups}]` or the bare list. Every description is parsed when the file is
read, so that a slip in the last line is known before the first request is paid for; an error names the file and, where
it can be told, the line.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from holoscope.core import EntryError, nearest
from holoscope.entries.language import parse_entry

S = TypeVar("S", bound=msgspec.Struct)

_INCLUDED_URL = re.compile(r"^\s*include\s+(required\s*\(\s*)?url\s*\(", re.MULTILINE)
_LINE = re.compile(r"line: (\d+)")


class ConfEntry(msgspec.Struct, frozen=True):
    """One entry of a file."""

    description: str
    """The run entry."""
    priority: int | None = None
    """1 (run first) to 5; an entry without one counts as 1."""
    groups: tuple[str, ...] = ()
    """Groups the runs belong to, beside their scenario's own."""


def load_conf(path: str | Path) -> list[ConfEntry]:
    """The entries of a `.conf` file, or of a YAML file (`.yaml`, `.yml`)."""
    text = read_text(Path(path))
    if Path(path).suffix.lower() in (".yaml", ".yml"):
        content = parse_yaml(text, str(path))
    else:
        content = _parse_hocon(text, Path(path))
    if isinstance(content, Mapping):
        if "entries" not in content:
            close = nearest("entries", content)
            raise EntryError(f"{path}: expected entries: [...]{f', found {close!r}' if close else ''}")
        content = content["entries"]
    return list(read_entries(content, str(path), text))


def by_priority(entries: Iterable[ConfEntry], priority: int | None) -> list[ConfEntry]:
    """The entries as urgent as `priority` or more (1 is the most); all of them for None."""
    return [entry for entry in entries if priority is None or (entry.priority or 1) <= priority]


def read_text(path: Path) -> str:
    """A file's text, which is UTF-8 with or without a byte order mark."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise EntryError(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise EntryError(f"{path}: not UTF-8 (byte {error.start})") from None
    except OSError as error:
        raise EntryError(f"{path}: cannot be read ({error.strerror})") from None


def parse_yaml(text: str, where: str) -> object:
    """What a YAML text holds; `where` is its file, for the error."""
    import yaml

    fast = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, and not everywhere
    with suppress(yaml.YAMLError):  # what is wrong, the other one says more clearly
        return yaml.load(text, fast)
    try:
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise EntryError(f"{where}{line}: {error.problem or 'not YAML'}") from None
    except yaml.YAMLError as error:
        raise EntryError(f"{where}: not YAML ({' '.join(str(error).split())})") from None


def _parse_hocon(text: str, path: Path) -> object:
    from pyhocon import ConfigFactory
    from pyhocon.exceptions import ConfigException
    from pyparsing import ParseBaseException

    if _INCLUDED_URL.search(text):
        raise EntryError(f"{path}: include url(...) is not followed; download the file and include it by name")
    try:
        return ConfigFactory.parse_string(text, basedir=str(path.parent))
    except ParseBaseException as error:
        # pyparsing spells out the whole grammar where a key was expected
        problem = error.msg if len(error.msg) < 80 else "expected entries: [{description: ...}]"
        raise EntryError(f"{path}:{error.lineno}: {problem}, found {_shown(text, error.loc)}") from None
    except ConfigException as error:
        line = _LINE.search(str(error))
        where = f"{path}:{line[1]}" if line else str(path)
        raise EntryError(f"{where}: {' '.join(str(error).split())}") from None


def _shown(text: str, at: int) -> str:
    rest = text[at:].strip().splitlines()
    return repr(rest[0][:40]) if rest else "end of file"


def read_entries(content: object, where: str, text: str = "") -> Iterator[ConfEntry]:
    """Check and yield what a file holds as its entries; `text` is the file's, to tell the line."""
    if not isinstance(content, list):
        raise EntryError(f"{where}: expected a list of entries, found {content!r:.60}")
    for number, row in enumerate(content, 1):
        yield _read_entry(row, f"{where}: entry {number}", where, text)


def _read_entry(row: object, place: str, where: str, text: str) -> ConfEntry:
    entry = read_struct(row, ConfEntry, place)
    line = _line(text, entry.description)
    try:
        parse_entry(entry.description)
    except EntryError as error:
        raise EntryError(f"{f'{where}:{line}' if line else place}: {error}") from None
    return entry


def _line(text: str, description: str) -> int | None:
    at = text.find(description)
    return None if at < 0 else text.count("\n", 0, at) + 1


def read_struct(row: object, kind: type[S], place: str) -> S:
    """`row` as a `kind`: every field known, of its type, and there if it must be. Null counts as absent."""
    known = kind.__struct_fields__
    if not isinstance(row, Mapping):
        raise EntryError(f"{place}: expected {{{', '.join(known)}}}, found {row!r:.60}")
    for name in row:
        if name not in known:
            close = nearest(str(name), known)
            hint = f"did you mean {close!r}?" if close else f"known are {', '.join(known)}"
            raise EntryError(f"{place}: unknown field {name!r}; {hint}")
    try:
        return msgspec.convert({name: value for name, value in row.items() if value is not None}, kind)
    except msgspec.ValidationError as error:
        raise EntryError(f"{place}: {str(error).replace('$.', '')}") from None
