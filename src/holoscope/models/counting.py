"""Has an endpoint of one's own count tokens, and say how long its window is.

vLLM, SGLang, llama.cpp's server and TGI each have a `/tokenize`, in formats that one body can serve: the first reply
tells which it is. Calls are synchronous and short, since a plan can't go on without them. Whatever fails ends the
asking for good: a run never fails, nor waits twice, for want of a count.
"""

import hashlib
import http.client
import ssl
import weakref
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock
from typing import Literal, Protocol, cast
from urllib.parse import urlsplit

import msgspec

from holoscope.core import Json
from holoscope.models.endpoint import Endpoint
from holoscope.models.providers.faults import clean
from holoscope.models.tokenizers import NO_LIMITS, Limits, spelled

TIMEOUT_S = 3.0
_REMEMBERED = 1 << 16
"""Texts whose length is remembered, by hash: fitting a prompt counts the same examples again and again."""

Kind = Literal["vllm", "llamacpp", "tgi"]
"""Whose reply it is; SGLang's is as vLLM's."""
_NAMES: dict[Kind, str] = {"vllm": "vLLM or SGLang", "llamacpp": "llama.cpp", "tgi": "TGI"}


class _Unanswered(Exception):
    """Nothing came back that can be used; its text says why."""


class Counter:
    """The tokenizer of one endpoint."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.failure = ""
        """Why it is not asked any more; empty while it answers."""
        self._endpoint = endpoint
        self._kind: Kind | None = None
        self._known: dict[bytes, int] = {}
        self._limits: Limits | None = None
        self._lock = Lock()
        self._open: list[http.client.HTTPConnection] = []
        """The connection, if there is one; closed when the counter goes."""
        weakref.finalize(self, _close, self._open)

    @property
    def source(self) -> str:
        """Who counts, in words; empty as long as it was not asked."""
        return f"the endpoint's /tokenize ({_NAMES[self._kind]})" if self._kind else ""

    def count(self, text: str) -> int | None:
        """Length of a text without special tokens; None where the endpoint does not say."""
        if self.failure:
            return None  # not even what is known: lengths that were counted and estimated ones don't go together
        key = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
        if key not in self._known:
            reply = self._tokenize(text)
            if reply is None:
                return None
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[key] = reply.count
        return self._known[key]

    def pieces(self, text: str) -> list[str] | None:
        """The tokens as text; None where the endpoint does not say."""
        reply = self._tokenize(text)
        return None if reply is None else reply.spelling(text)

    @property
    def limits(self) -> Limits:
        """The window as the endpoint states it; asked once."""
        if self._limits is None:
            with self._lock:
                self._limits = _window(self._get, self._endpoint.served_name)
        return self._limits

    def _tokenize(self, text: str) -> "_Reply | None":
        with self._lock:
            if self.failure:
                return None
            try:
                found = _read_reply(self._ask("POST", "/tokenize", _body(text, self._endpoint, self._kind)))
            except _Unanswered as error:
                self.failure = str(error)
                return None
            self._kind = found.kind
            return found

    def _get(self, path: str) -> Json:
        """What a path of the server or, with `/models`, of its API says; None if nothing."""
        try:
            return self._ask("GET", path, None)
        except _Unanswered:
            return None

    def _ask(self, method: str, path: str, body: bytes | None) -> Json:
        """One reply; a connection that was closed meanwhile is opened anew, once."""
        for attempt in (1, 2):
            is_new = not self._open
            try:
                return self._once(method, path, body)
            except (OSError, http.client.HTTPException) as error:
                _close(self._open)
                if is_new or attempt == 2 or isinstance(error, TimeoutError):
                    raise _Unanswered(f"{path}: {clean(str(error)) or type(error).__name__}") from None
        raise AssertionError

    def _once(self, method: str, path: str, body: bytes | None) -> Json:
        parts = urlsplit(self._endpoint.url)
        if not self._open:
            self._open.append(_connect(parts.scheme, parts.netloc))
        connection = self._open[0]
        root = parts.path if path == "/models" else parts.path.removesuffix("/v1")
        headers = {"Content-Type": "application/json", "User-Agent": "holoscope"}
        if self._endpoint.authorization is not None:
            headers["Authorization"] = self._endpoint.authorization.reveal()
        connection.request(method, root + path, body, headers)
        reply = connection.getresponse()
        data = self._endpoint.hidden_in(reply.read())
        if reply.status != 200:
            raise _Unanswered(f"{path}: HTTP {reply.status}")
        try:
            return cast(Json, msgspec.json.decode(data))
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise _Unanswered(f"{path}: the reply is no JSON") from None


def _close(connections: list[http.client.HTTPConnection]) -> None:
    for connection in connections:
        connection.close()
    connections.clear()


def _connect(scheme: str, netloc: str) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(netloc, timeout=TIMEOUT_S, context=ssl.create_default_context())
    return http.client.HTTPConnection(netloc, timeout=TIMEOUT_S)


class _Reply(msgspec.Struct, frozen=True):
    """What `/tokenize` said."""

    kind: Kind
    count: int
    texts: Sequence[str | bytes] = ()
    """The tokens, in whatever form the server writes them; empty where it gives numbers alone."""

    def spelling(self, text: str) -> list[str]:
        """The tokens as parts of the text; its characters where they can't be told."""
        if len(self.texts) == self.count:
            for pieces in (self.texts, map(_of_words, self.texts), map(_of_bytes, self.texts)):
                data = [piece if isinstance(piece, bytes) else piece.encode(errors="replace") for piece in pieces]
                if (parts := spelled(data, text)) is not None:
                    return parts
        return list(text)


def _body(text: str, endpoint: Endpoint, kind: Kind | None) -> bytes:
    """What asks for tokens; before it is known who is asked, in all formats at once."""
    text = text.encode(errors="replace").decode()
    forms: dict[Kind, dict[str, Json]] = {
        "vllm": {
            "model": endpoint.served_name,
            "prompt": text,
            "add_special_tokens": False,
            "return_token_strs": True,
        },
        "llamacpp": {"content": text, "add_special": False, "parse_special": False, "with_pieces": True},
        "tgi": {"inputs": text},
    }
    if kind is not None:
        return msgspec.json.encode(forms[kind])
    return msgspec.json.encode({key: value for form in forms.values() for key, value in form.items()})


def _read_reply(said: Json) -> _Reply:
    if isinstance(said, list):
        return _tgi_reply(said)
    tokens = said.get("tokens") if isinstance(said, dict) else None
    if not isinstance(said, dict) or not isinstance(tokens, list):
        raise _Unanswered("/tokenize: the reply holds no tokens")
    if isinstance(count := said.get("count"), int):
        strings = said.get("token_strs")
        return _Reply("vllm", count, [str(each) for each in strings] if isinstance(strings, list) else ())
    pieces = [_piece(token.get("piece")) for token in tokens if isinstance(token, dict)]
    return _Reply("llamacpp", len(tokens), pieces)


def _tgi_reply(tokens: list[Json]) -> _Reply:
    """TGI adds special tokens, which stand for no part of the text."""
    texts = [
        str(token.get("text"))
        for token in tokens
        if isinstance(token, dict) and token.get("start") != token.get("stop")
    ]
    if len(texts) < len(tokens) and not all(isinstance(token, dict) and "id" in token for token in tokens):
        raise _Unanswered("/tokenize: the reply holds no tokens")
    return _Reply("tgi", len(texts), texts)


def _piece(said: Json) -> str | bytes:
    """llama.cpp writes a token that is no text as its bytes."""
    return bytes(cast("list[int]", said)) if isinstance(said, list) else str(said)


def _of_words(token: str | bytes) -> str | bytes:
    """A token of sentencepiece: a low bar is a space, `<0x0A>` a byte."""
    if isinstance(token, bytes):
        return token
    if len(token) == 6 and token.startswith("<0x") and token.endswith(">"):
        with suppress(ValueError):
            return bytes([int(token[3:5], 16)])
    return token.replace("▁", " ")


def _of_bytes(token: str | bytes) -> str | bytes:
    """A token of a byte-level vocabulary, each of whose letters stands for a byte."""
    if isinstance(token, bytes) or any(letter not in _BYTES for letter in token):
        return token
    return bytes(_BYTES[letter] for letter in token)


def _byte_letters() -> dict[str, int]:
    """GPT-2's letters for bytes: printable ones stand for themselves, the others for what follows U+0100."""
    own = [byte for byte in range(256) if 33 <= byte <= 126 or 161 <= byte <= 172 or byte >= 174]
    others = [byte for byte in range(256) if byte not in own]
    return {chr(byte): byte for byte in own} | {chr(256 + at): byte for at, byte in enumerate(others)}


_BYTES = _byte_letters()


class _Get(Protocol):
    def __call__(self, path: str) -> Json: ...


def _window(get: _Get, served_name: str) -> Limits:
    """The window's length from the list of models (vLLM, SGLang), the settings of llama.cpp, or TGI's."""
    models = get("/models")
    rows = models.get("data") if isinstance(models, dict) else None
    if not isinstance(rows, list):
        return NO_LIMITS
    own = [row for row in rows if isinstance(row, dict) and (row.get("id") == served_name or len(rows) == 1)]
    if own and (length := _length(own[0].get("max_model_len"))):
        return Limits(length, None, length)
    props = get("/props")
    settings = props.get("default_generation_settings") if isinstance(props, dict) else None
    if isinstance(settings, dict) and (length := _length(settings.get("n_ctx"))):
        return Limits(length, None, length)
    info = get("/info") if props is None else None
    if isinstance(info, dict) and (length := _length(info.get("max_total_tokens"))):
        return Limits(length, None, length)
    return NO_LIMITS


def _length(said: Json) -> int | None:
    return said if isinstance(said, int) and said > 0 else None
