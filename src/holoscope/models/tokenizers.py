"""How much fits into a model, and how long a text is to it.

A `Window` has a model's limits and a tokenizer. Its invariant: `count(truncate_right(text, limit)) <= limit` for every
text, also where cutting a token makes two of it. A run never fails for want of a tokenizer: where there is none, the
length is estimated, and `exact` says so. Tokens here are pieces of text and not ids, since that is all that fitting a
prompt needs.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Protocol, cast

import msgspec

from holoscope.core import ConfigError, UsageError

CHARACTERS = "characters"
WORDS = "words"
HELM_CHARACTERS = "simple/tokenizer1"
"""HELM's name of the tokenizer that counts characters."""

WindowOption = Annotated[int, msgspec.Meta(ge=1)]
"""Tokens, as the option `window` gives them."""


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """A model's limits in tokens; None is unknown, and then nothing is cut."""

    sequence: int | None = None
    """Longest text the model reads at once."""
    request: int | None = None
    """Longest prompt a request may have; None: as `sequence`."""
    sequence_and_generated: int | None = None
    """Prompt and generated tokens together."""


NO_LIMITS = Limits()


@dataclass(frozen=True)
class Window(ABC):
    """A model's limits and a tokenizer."""

    limits: Limits = NO_LIMITS
    prefix_token: str = ""
    """What stands before a text that is scored from its beginning (language modelling)."""

    @property
    def exact(self) -> bool:
        """True if `count` is what the model counts."""
        return True

    @property
    def estimates(self) -> bool:
        """True if any number it gave was an estimate, be it one that decided nothing."""
        return not self.exact

    @property
    def source(self) -> str:
        """What counts, in words."""
        return "the model's own tokenizer"

    @property
    def max_sequence_length(self) -> int | None:
        return self.limits.sequence

    @property
    def max_request_length(self) -> int | None:
        """Tokens for the prompt; None if unknown."""
        return self.limits.sequence if self.limits.request is None else self.limits.request

    @property
    def max_sequence_and_generated(self) -> int | None:
        return self.limits.sequence_and_generated

    @abstractmethod
    def pieces(self, text: str) -> list[str]:
        """The tokens as text; joined they are `text`."""

    def count(self, text: str) -> int:
        """Length of `text` in tokens."""
        return len(self.pieces(text))

    def count_within(self, text: str, room: int | None) -> int:
        """Length of `text`; an estimate will do where it surely has at most `room` tokens, or where that is None."""
        return self.count(text)

    def truncate_right(self, text: str, limit: int) -> str:
        """The beginning of `text` that has at most `limit` tokens when it is tokenized again."""
        if limit <= 0:
            return ""
        pieces = self.pieces(text)
        if len(pieces) <= limit and self.count(text) <= limit:
            return text
        kept = "".join(pieces[:limit])
        while self.count(kept) > limit:
            kept = kept[:-1]
        return kept


@dataclass(frozen=True)
class CharacterWindow(Window):
    """Counts code points, as HELM's `simple/tokenizer1` does."""

    prefix_token: str = "<s>"

    @property
    def source(self) -> str:
        return "characters"

    def pieces(self, text: str) -> list[str]:
        return list(text)

    def count(self, text: str) -> int:
        return len(text)

    def truncate_right(self, text: str, limit: int) -> str:
        return text[: max(limit, 0)]


_WORD = re.compile(r"\s*\S+|\s+")


@dataclass(frozen=True)
class WordWindow(Window):
    """Counts words with the white space before them."""

    @property
    def source(self) -> str:
        return "words"

    def pieces(self, text: str) -> list[str]:
        return _WORD.findall(text)


BYTES_PER_TOKEN = 4
"""Of UTF-8, not characters: what holds for English text and errs on the long side for other scripts."""


@dataclass(frozen=True)
class EstimateWindow(Window):
    """Estimates tokens from the length in bytes, where the model's tokenizer is not at hand."""

    @property
    def exact(self) -> bool:
        return False

    @property
    def source(self) -> str:
        return f"estimated: {BYTES_PER_TOKEN} bytes a token"

    def pieces(self, text: str) -> list[str]:
        pieces, at = [], 0
        while at < len(text):  # a text may be a whole book: its rest is not copied for each piece
            piece = self.truncate_right(text[at : at + BYTES_PER_TOKEN], 1)
            pieces.append(piece)
            at += len(piece)
        return pieces

    def count(self, text: str) -> int:
        size = len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))
        return -(-size // BYTES_PER_TOKEN)

    def truncate_right(self, text: str, limit: int) -> str:
        data = text[: max(limit, 0) * BYTES_PER_TOKEN].encode(errors="surrogatepass")
        end = max(limit, 0) * BYTES_PER_TOKEN
        while end < len(data) and data[end] & 0xC0 == 0x80:  # never within a character
            end -= 1
        return data[:end].decode(errors="surrogatepass")


class _Encoding(Protocol):
    ids: list[int]
    offsets: list[tuple[int, int]]


class _Tokenizer(Protocol):
    def encode(self, text: str, *, add_special_tokens: bool) -> _Encoding: ...


@dataclass(frozen=True, kw_only=True)
class FileWindow(Window):
    """Counts with the model's own tokenizer file (`tokenizer.json`), special tokens left out."""

    tokenizer: _Tokenizer = field(repr=False)
    file: str = ""

    @property
    def source(self) -> str:
        return self.file or "a tokenizer.json"

    def _encode(self, text: str) -> _Encoding:
        return self.tokenizer.encode(text, add_special_tokens=False)

    def pieces(self, text: str) -> list[str]:
        ends = [end for _, end in self._encode(text).offsets][:-1]
        return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True)] if text else []

    def count(self, text: str) -> int:
        return len(self._encode(text).ids)


def require_tokenizer(name: str) -> None:
    """Raise UsageError for a tokenizer typed by the user that is not built in and not a file."""
    if not name or name in (CHARACTERS, HELM_CHARACTERS, WORDS):
        return
    if not file_of(name).is_file():
        raise UsageError(f"no tokenizer {name!r}: write {CHARACTERS}, {WORDS}, or the path of a tokenizer.json")


def open_window(tokenizer: str, limits: Limits, *, prefix_token: str = "") -> Window:
    """The window for a tokenizer's name or path; an estimate where that tokenizer is not at hand."""
    if tokenizer in (CHARACTERS, HELM_CHARACTERS):
        return CharacterWindow(limits, prefix_token or CharacterWindow.prefix_token)
    if tokenizer == WORDS:
        return WordWindow(limits, prefix_token)
    loaded = _load(tokenizer) if tokenizer else None
    if loaded is None:
        return EstimateWindow(limits, prefix_token)
    return FileWindow(limits, prefix_token, tokenizer=loaded, file=str(file_of(tokenizer)))


def spelled(pieces: Sequence[bytes], text: str) -> list[str] | None:
    """Tokens as parts of the text that they make up; None if they don't.

    A character that spans several tokens belongs to the last of them; a space that some tokenizers put before the first
    word is left out.
    """
    data, joined = text.encode(errors="replace"), b"".join(pieces)
    if joined == b" " + data:
        pieces, joined = (pieces[0][1:], *pieces[1:]), data
    if joined != data or data.decode() != text:
        return None
    parts, start = [], 0
    for end in accumulate(map(len, pieces)):
        while start < end < len(data) and data[end] & 0xC0 == 0x80:  # never within a character
            end -= 1
        parts.append(data[start:end].decode())
        start = end
    return parts


def file_of(tokenizer: str) -> Path:
    """Where a tokenizer's file is, given itself or the model folder that holds it."""
    path = Path(tokenizer)
    return path if tokenizer.endswith(".json") else path / "tokenizer.json"


def _load(tokenizer: str) -> _Tokenizer | None:
    """The tokenizer in a file or model folder; None if there is no such file, or no library that reads it."""
    path = file_of(tokenizer)
    if not path.is_file():
        if tokenizer.endswith(".json"):
            raise ConfigError(f"no tokenizer file at {tokenizer}; give the path of a tokenizer.json")
        return None
    try:
        library = import_module("tokenizers")
    except ImportError:
        return None
    try:
        return cast(_Tokenizer, library.Tokenizer.from_file(str(path)))
    except Exception as error:  # the library raises nothing narrower
        raise ConfigError(f"{path} is not a tokenizer file: {error}") from error
