"""OpenAI's tokenizers from tiktoken's own files, as they lie in its cache or ours; never fetched unasked.

Which file an encoding needs, and its sha256, are tiktoken's to say: its tables are run in a private copy whose loader
reads from this machine alone, so that neither a missing nor a changed file sends anybody to the network.
`holoscope models pull tokenizer/o200k_base` fetches one.
"""

import base64
import hashlib
import re
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import NamedTuple, Protocol, cast

from holoscope.core import DataError, MissingExtraError, Settings, UnknownNameError
from holoscope.models.tokenizers import Limits, Window, spelled

PULLED = "tokenizer/"
"""What stands before an encoding's name where one is pulled."""
_SAME = {"gpt2": "r50k_base"}
"""Encodings that another one's file serves."""
_PREFIXES = ("openai/", "tiktoken/", PULLED)
_TIMEOUT_S = 60.0
_BLOCK = 100_000
"""Characters tokenized at once."""
_SEARCHED = 1_000
"""Characters at a block's end in which a word is looked for."""
_WORD = re.compile(r"[^\W\d_] [^\W\d_]")


class Blob(NamedTuple):
    """One of tiktoken's files."""

    url: str
    sha256: str

    @property
    def name(self) -> str:
        """What tiktoken calls it in its cache."""
        return hashlib.sha1(self.url.encode(), usedforsecurity=False).hexdigest()


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...

    def decode_tokens_bytes(self, tokens: list[int]) -> list[bytes]: ...


@dataclass(frozen=True, kw_only=True)
class TiktokenWindow(Window):
    """Counts as tiktoken does; names of special tokens in a text are only text."""

    encoding: _Encoding = field(repr=False)
    name: str

    @property
    def source(self) -> str:
        return f"tiktoken's {self.name}"

    def pieces(self, text: str) -> list[str]:
        return spelled(self.encoding.decode_tokens_bytes(self._tokens(text)), text) or list(text)

    def count(self, text: str) -> int:
        return len(self._tokens(text))

    def _tokens(self, text: str) -> list[int]:
        if len(text) <= _BLOCK:
            return self.encoding.encode_ordinary(text)
        return [token for block in _blocks(text) for token in self.encoding.encode_ordinary(block)]


def _blocks(text: str) -> Iterator[str]:
    """A long text in parts, cut before words, where tokens end anyway.

    tiktoken's patterns overflow a stack, which ends the process, on a million blanks; those are cut somewhere.
    """
    start = 0
    while len(text) - start > _BLOCK:
        words = [found.start() for found in _WORD.finditer(text, start + _BLOCK - _SEARCHED, start + _BLOCK)]
        end = words[-1] + 1 if words else start + _BLOCK
        yield text[start:end]
        start = end
    yield text[start:]


def encoding_of(name: str) -> str:
    """The encoding that a tokenizer's or one of OpenAI's models' names mean; empty if none is known, or no tiktoken."""
    if not (known := _tables(_nothing)):
        return ""
    short = next((name.removeprefix(prefix) for prefix in _PREFIXES if name.startswith(prefix)), name)
    if _SAME.get(short, short) in known:
        return _SAME.get(short, short)
    try:
        return str(import_module("tiktoken.model").encoding_name_for_model(short))
    except KeyError:
        return ""


def open_encoding(name: str, limits: Limits, prefix_token: str, settings: Settings) -> TiktokenWindow | None:
    """The window for an encoding or one of OpenAI's models, if its file is on this machine."""
    folders = [folder for folder in _folders(settings) if folder.is_dir()]
    if not folders or not (known := encoding_of(name)):
        return None
    try:
        parts = _tables(lambda blob: _ranks(_read(blob, folders)))[known]()
    except DataError:
        return None
    encoding = import_module("tiktoken").Encoding(**parts)
    return TiktokenWindow(limits, prefix_token, encoding=cast(_Encoding, encoding), name=known)


def pull_encoding(name: str, settings: Settings) -> list[Path]:
    """Fetch the files of an encoding, unless they are here. Raises DataError, UnknownNameError, MissingExtraError."""
    tables = _tables(_nothing)
    if not tables:
        raise MissingExtraError("tiktoken's tokenizers", "tokenizers")
    if not (known := encoding_of(name)):
        raise UnknownNameError("tokenizer", name.removeprefix(PULLED), tables, f"({', '.join(tables)})")
    blobs: list[Blob] = []
    _tables(lambda blob: blobs.append(blob) or {})[known]()  # type: ignore[func-returns-value]
    return [_pulled(blob, settings) for blob in blobs]


def _folders(settings: Settings) -> list[Path]:
    """Where its files may lie: in the folders that the user names to tiktoken, ours, and the one it takes unasked."""
    named = (settings.environ.get(name, "") for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"))
    own = settings.cache_dir / "tiktoken"
    return [*(Path(folder) for folder in named if folder), own, Path(tempfile.gettempdir()) / "data-gym-cache"]


_Loader = Callable[[Blob], dict[bytes, int]]


def _tables(load: _Loader) -> Mapping[str, Callable[[], dict[str, object]]]:
    """What makes the parts of each encoding, by its name, with files read by `load`; empty without tiktoken."""
    try:
        package = import_module("tiktoken_ext")
    except ImportError:
        return {}
    makers: dict[str, Callable[[], dict[str, object]]] = {}
    for module in iter_modules(package.__path__, "tiktoken_ext."):
        makers |= getattr(_private_copy(module.name, load), "ENCODING_CONSTRUCTORS", {})
    return {name: maker for name, maker in makers.items() if name not in _SAME}


def _private_copy(name: str, load: _Loader) -> ModuleType:
    spec = find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    module.load_tiktoken_bpe = lambda url, expected_hash=None: load(Blob(url, expected_hash or ""))  # type: ignore[attr-defined]
    return module


def _nothing(blob: Blob) -> dict[bytes, int]:
    raise DataError(f"{blob.url} is not read")


def _read(blob: Blob, folders: Sequence[Path]) -> bytes:
    """The file, whose content is what tiktoken says. Raises DataError where it is in none of the folders."""
    for folder in folders:
        try:
            data = (folder / blob.name).read_bytes()
        except OSError:
            continue
        if _is_sound(data, blob):
            return data
    raise DataError(f"{blob.url} is not on this machine")


def _is_sound(data: bytes, blob: Blob) -> bool:
    return not blob.sha256 or hashlib.sha256(data).hexdigest() == blob.sha256


def _ranks(data: bytes) -> dict[bytes, int]:
    rows = (line.split() for line in data.splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in rows}


def _pulled(blob: Blob, settings: Settings) -> Path:
    folder = settings.cache_dir / "tiktoken"
    path = folder / blob.name
    if path.is_file() and _is_sound(path.read_bytes(), blob):
        return path
    if settings.offline:
        raise DataError(f"{blob.url} is not on this machine, and offline is set; unset it, or copy the file to {path}")
    data = _fetched(blob.url)
    if not _is_sound(data, blob):
        raise DataError(f"{blob.url} is not what tiktoken expects there (its sha256 differs); it is not used")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        file.write(data)
    Path(file.name).replace(path)
    return path


def _fetched(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT_S) as reply:
            return bytes(reply.read())
    except OSError as error:
        raise DataError(f"cannot fetch {url}: {error}") from None
