"""A transformers model as the rest of the package sees it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import cast

from holoscope.core import Completion, ModelError, NotSupportedError, Request, Settings
from holoscope.models.gathering import Gathering
from holoscope.models.huggingface._checkpoint import Checkpoint, find_checkpoint
from holoscope.models.huggingface._engine import Engine
from holoscope.models.huggingface._options import PREFIX, TransformersOptions
from holoscope.models.huggingface._weights import Weights
from holoscope.models.model import Capabilities, ModelCard
from holoscope.models.names import TypedName, read_options
from holoscope.models.tokenizers import EstimateWindow, FileWindow, Limits, Window

_MOST = 64
"""Requests that are looked at together; as many again may wait meanwhile."""


class TransformersModel:
    """Weights in a folder, computed here. They are loaded when first needed."""

    def __init__(self, name: str, checkpoint: Checkpoint, options: TransformersOptions, settings: Settings) -> None:
        self._checkpoint, self._options = checkpoint, options
        chat = checkpoint.has_template and options.chat is not False
        self.card = ModelCard(
            name=name,
            deployment=name,
            provider="transformers",
            served_name=name.removeprefix(PREFIX),
            limits=Limits(options.window),
            tokenizer=name,
            capabilities=Capabilities(
                chat=chat, prefers="chat" if chat else "completions", images=checkpoint.reads_images and chat
            ),
            max_concurrency=2 * _MOST,
        )
        self.identity = checkpoint.identity(options, settings)
        self._thread = ThreadPoolExecutor(1, "holoscope-transformers")
        self._gathering = Gathering(self._many, _MOST)
        self._engine: Engine | None = None

    async def generate(self, request: Request) -> Completion:
        """Answer or score; raises NotSupportedError for what the weights can't do."""
        given = await self._gathering.ask(request)
        if isinstance(given, ModelError):
            raise given
        return cast(Completion, given)

    def window(self) -> Window:
        weights = self.engine.weights
        limits = Limits(weights.window, None, weights.window)
        fast = getattr(weights.tokenizer, "backend_tokenizer", None)
        if fast is None:
            return EstimateWindow(limits)
        return FileWindow(limits, tokenizer=fast, file=f"the tokenizer of {self.card.served_name}")

    async def aclose(self) -> None:
        """Stop computing and free the memory."""
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)
        self._engine = None

    @property
    def engine(self) -> Engine:
        """The loaded model; loading happens on the one thread that computes."""
        if self._engine is None:
            self._thread.submit(self._load).result()
        assert self._engine is not None
        return self._engine

    def _load(self) -> Engine:
        if self._engine is None:
            self._engine = Engine(Weights(self._checkpoint, self._options), self._options)
        return self._engine

    async def _many(self, requests: list[Request]) -> object:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answered, requests)

    def _answered(self, requests: list[Request]) -> list[Completion | ModelError]:
        try:
            return self._load().answered(requests)
        except RuntimeError as error:  # torch says all it has to say in these: out of memory, a shape, a device
            said = next(iter(str(error).splitlines()), "") or type(error).__name__
            raise NotSupportedError(f"{self.card.name}: {said}") from error


def open_transformers(typed: TypedName, settings: Settings, name: str = "") -> TransformersModel:
    """The model of a folder or a hub's name, fetched where it is missing and that is allowed; shown as `name`."""
    options = read_options(typed.options, TransformersOptions, typed.name)
    checkpoint = find_checkpoint(typed.name.removeprefix(PREFIX), options, settings)
    return TransformersModel(name or typed.name, checkpoint, options, settings)
