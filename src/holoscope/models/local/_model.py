"""A local model as the rest of the package sees it: it answers requests on this machine, in this process.

Opening one finds its file and no more: weights are loaded when first needed. A prompt is continued as it stands; only
messages go through the file's chat template. The same request gives the same completion in any order and at any
concurrency (`_sequence.py` says why), draws without a name or seed apart.
"""

import asyncio
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from holoscope.core import Completion, Request, Settings, UsageError
from holoscope.models.local._hashing import remembered_sha256
from holoscope.models.local._known import PREFIX, known_model
from holoscope.models.local._llama import build
from holoscope.models.local._options import LocalOptions
from holoscope.models.local._pull import fetch
from holoscope.models.model import Capabilities, ModelCard
from holoscope.models.names import parse_name, read_options
from holoscope.models.tokenizers import Limits, Window

if TYPE_CHECKING:
    from holoscope.models.local._engine import Engine

_SUFFIX = ".gguf"
_QUEUE = 4
"""Requests at once per worker: enough to choose from, few enough to be answered within an attempt's time."""


class LlamaModel:
    """Weights in a file, computed here."""

    def __init__(
        self, name: str, path: Path, sha256: str, options: LocalOptions, settings: Settings, chat: bool
    ) -> None:
        self._path, self._sha256, self._options, self._settings = path, sha256, options, settings
        self.card = ModelCard(
            name=name,
            deployment=name,
            provider="local",
            served_name=path.name,
            limits=Limits(options.window, None, options.window),
            tokenizer=name,
            capabilities=Capabilities(chat=chat, prefers="completions", images=False),
            max_concurrency=_QUEUE * options.sequences,
        )
        self.identity = _identity(sha256, options)
        self._loading = threading.Lock()
        self._engine: Engine | None = None

    async def generate(self, request: Request) -> Completion:
        """Answer or score; raises NotSupportedError for what the weights can't do."""
        engine = self._engine
        if engine is None:
            engine = await asyncio.to_thread(self._load)
        pending = engine.ask(request)
        if isinstance(pending, Completion):
            return pending
        try:
            return await asyncio.wrap_future(pending.future)
        except asyncio.CancelledError:
            pending.abandoned = True
            raise

    def window(self) -> Window:
        return self._load().window()

    async def aclose(self) -> None:
        """Stop computing and free the memory."""
        engine, self._engine = self._engine, None
        if engine is not None:
            await asyncio.to_thread(engine.close)

    def _load(self) -> "Engine":
        """The engine, loaded by whoever needs it first."""
        from holoscope.models.local._engine import Engine
        from holoscope.models.local._trust import check_build

        with self._loading:
            if self._engine is None:
                check_build(self._path, self._settings)
                self._engine = Engine(self._path, self._options)
            return self._engine


def open_model(name: str, settings: Settings, *, options: Mapping[str, str] | None = None) -> LlamaModel:
    """The model of a known name or of a GGUF file, with or without `local/` before it and options after `?`.

    Weights under a free licence are fetched if they are missing; for others the error says what to type.
    """
    typed = parse_name(name)
    read = read_options({**typed.options, **(options or {})}, LocalOptions, typed.name)
    short = typed.name.removeprefix(PREFIX)
    if short.endswith(_SUFFIX):
        path = Path(short).expanduser()
        if not path.is_file():
            raise UsageError(f"{PREFIX}{short}: there is no file {path}")
        return LlamaModel(PREFIX + short, path, remembered_sha256(path, settings), read, settings, chat=True)
    known = known_model(short)
    return LlamaModel(PREFIX + short, fetch(known, settings), known.sha256, read, settings, chat=known.chat)


def _identity(sha256: str, options: LocalOptions) -> dict[str, str]:
    """The weights, the engine's build, and the options that change what is said."""
    identity = {"weights": sha256, "engine": f"xllamacpp {build()}", "window": str(options.window)}
    if options.threads != 1:
        identity["threads"] = str(options.threads)
    if options.seed is not None:
        identity["seed"] = str(options.seed)
    return identity
