"""A GGUF file, opened: its vocabulary, which reads and writes tokens, and its chat template.

Weights are mapped into memory and shared by every sequence (`_sequence.py`). They stay as long as anything refers to
them, so that a window still counts after the model is closed.
"""

import ctypes as c
import weakref
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from holoscope.core import FatalModelError, NotSupportedError
from holoscope.models.local._llama import Library, library

_ENCODING = "utf-8"
_PIECE_SIZES = (64, 1 << 14)
_REMEMBERED = 4096
"""Texts whose length is remembered: fitting a prompt counts the same examples again and again."""


class Spelling(NamedTuple):
    """The tokens of a text as its parts."""

    ends: list[int]
    """Where each token ends, in bytes of the text."""
    texts: tuple[str, ...]
    """A character that spans several tokens belongs to the last of them; joined they are the text."""


class Weights:
    """An open GGUF file."""

    def __init__(self, path: Path) -> None:
        self._library = library()
        params = self._library.llama_model_default_params()
        params.n_gpu_layers = 0  # a graphics card computes other last digits, and a ledger's key can't tell
        self.pointer = self._library.llama_model_load_from_file(str(path).encode(), params)
        if not self.pointer:
            raise FatalModelError(f"{path} cannot be read as a GGUF model: {self._library.complaint}")
        weakref.finalize(self, self._library.llama_model_free, self.pointer).atexit = False
        if self._library.llama_model_has_encoder(self.pointer):
            raise NotSupportedError(f"{path} holds a model with an encoder; only decoders can be run here")
        self._vocab = self._library.llama_model_get_vocab(self.pointer)
        self.vocabulary_size: int = self._library.llama_vocab_n_tokens(self._vocab)
        self.trained_window: int = self._library.llama_model_n_ctx_train(self.pointer)
        # partial functions, not methods: a cache that refers to self would keep the weights in memory
        self.piece = lru_cache(maxsize=1 << 16)(partial(_piece, self._library, self._vocab))
        self.count = lru_cache(maxsize=_REMEMBERED)(partial(_count, self._library, self._vocab))

    @property
    def start(self) -> tuple[int, ...]:
        """The token that stands before every prompt; empty where the model wants none."""
        wants_one = self._library.llama_vocab_get_add_bos(self._vocab)
        return (self._library.llama_vocab_bos(self._vocab),) if wants_one else ()

    @property
    def blank(self) -> int:
        """The token to begin with where there is no text at all."""
        begin = self._library.llama_vocab_bos(self._vocab)
        return int(begin if begin >= 0 else self._library.llama_vocab_eos(self._vocab))

    @property
    def chat_template(self) -> str | None:
        """The Jinja template in the file; None where it has none."""
        found: bytes | None = self._library.llama_model_chat_template(self.pointer, None)
        return None if found is None else found.decode(_ENCODING)

    def special_texts(self) -> dict[str, str]:
        """What chat templates call `bos_token` and `eos_token`."""
        native, vocab = self._library, self._vocab
        tokens = {"bos_token": native.llama_vocab_bos(vocab), "eos_token": native.llama_vocab_eos(vocab)}
        names = {name: native.llama_vocab_get_text(vocab, token) for name, token in tokens.items() if token >= 0}
        return {"bos_token": "", "eos_token": ""} | {name: text.decode(_ENCODING) for name, text in names.items()}

    def tokenize(self, text: str, *, special: bool = False) -> list[int]:
        """Tokens of a text, none put before it. With `special`, names of control tokens in it mean those tokens."""
        return _tokenize(self._library, self._vocab, text, special)

    def is_end(self, token: int) -> bool:
        """True if the model ends its answer with this token."""
        return bool(self._library.llama_vocab_is_eog(self._vocab, token))

    def spell(self, text: str, tokens: Sequence[int]) -> Spelling | None:
        """How the tokens of `text` make it up; None if they don't, because the tokenizer changes texts."""
        data = encoded(text)
        pieces = [self.piece(token) for token in tokens]
        joined = b"".join(pieces)
        if joined == b" " + data:
            pieces[0] = pieces[0][1:]  # sentencepiece puts a space before the first word
        elif joined != data:
            return None
        ends = list(accumulate(map(len, pieces)))
        return Spelling(ends, _texts(data, ends))


def encoded(text: str) -> bytes:
    """A text as the tokenizer gets it; half a surrogate pair becomes a question mark."""
    return text.encode(_ENCODING, errors="replace")


def _tokenize(native: Library, vocab: int, text: str, special: bool) -> list[int]:
    data = encoded(text)
    buffer = (c.c_int32 * (len(data) + 8))()
    count = native.llama_tokenize(vocab, data, len(data), buffer, len(buffer), False, special)
    if count < 0:
        raise FatalModelError(f"a text of {len(data)} bytes needs more tokens than it has bytes")
    return buffer[:count]


def _count(native: Library, vocab: int, text: str) -> int:
    return len(_tokenize(native, vocab, text, False))


def _piece(native: Library, vocab: int, token: int) -> bytes:
    """A token as bytes; a control token is nothing."""
    for size in _PIECE_SIZES:
        buffer = c.create_string_buffer(size)
        written: int = native.llama_token_to_piece(vocab, token, buffer, size, 0, False)
        if written >= 0:
            return buffer.raw[:written]
    raise FatalModelError(f"token {token} is longer than {_PIECE_SIZES[-1]} bytes")


def _texts(data: bytes, ends: list[int]) -> tuple[str, ...]:
    texts, start = [], 0
    for end in ends:
        while start < end < len(data) and data[end] & 0xC0 == 0x80:  # never within a character
            end -= 1
        texts.append(data[start:end].decode(_ENCODING))
        start = end
    return tuple(texts)
