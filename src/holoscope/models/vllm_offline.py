"""`vllm-offline/NAME`: vLLM's offline engine, in this process.

Requests that wait at the same time go to the engine together; it shares prefixes and batches by itself. Prompts are
tokenized here, with the model's own tokenizer, so that what is too long is known before, and a token's text is exact.
vLLM needs a machine of its own kind: this was tested against the interface that vLLM 0.33 documents, and not with the
engine itself.
"""

import asyncio
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, cast

import msgspec

from holoscope.core import (
    Choice,
    Completion,
    Message,
    MissingExtraError,
    NotSupportedError,
    Outcome,
    Request,
    Settings,
    Token,
    Usage,
    UsageError,
    covering,
    digest,
)
from holoscope.models.answer import Written, combine, read_answer, sum_logprobs
from holoscope.models.gathering import Gathering
from holoscope.models.local._chat import text_of
from holoscope.models.local._hashing import remembered_sha256
from holoscope.models.model import Capabilities, ModelCard
from holoscope.models.names import TypedName, read_options
from holoscope.models.providers.replies import lost_to_stop
from holoscope.models.tokenizers import FileWindow, Limits, Window, WindowOption

PREFIX = "vllm-offline/"
_MOST = 512
"""Requests that go to the engine at once."""
_WEIGHTS = ("*.safetensors", "*.bin", "tokenizer.json", "config.json")


class VllmOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options after `?`."""

    chat: bool | None = None
    """Whether prompts go through the chat template; None: messages do, prompts don't. False: nothing does."""
    dtype: str = "auto"
    window: WindowOption | None = None
    revision: str | None = None
    seed: int | None = None
    stop: bool = True
    """False: stop sequences are applied to the finished answer only."""
    tensor_parallel_size: int = 1
    trust_remote_code: bool = False


class VllmOffline:
    """Weights computed by vLLM in this process."""

    def __init__(self, name: str, served: str, options: VllmOptions, settings: Settings) -> None:
        self._served, self._options = served, options
        self.card = ModelCard(
            name=name,
            deployment=name.partition("?")[0],
            provider="vllm-offline",
            served_name=served,
            limits=Limits(options.window),
            tokenizer=served,
            capabilities=Capabilities(prefers="completions", images=False),
            max_concurrency=_MOST,
        )
        self.identity = _identity(self.card.deployment, served, options, settings)
        self._thread = ThreadPoolExecutor(1, "holoscope-vllm")
        self._gathering = Gathering(self._many, _MOST)
        self._engine: Any = None

    async def generate(self, request: Request) -> Completion:
        """Answer or score; raises NotSupportedError for what the engine can't do."""
        given = await self._gathering.ask(request)
        if isinstance(given, NotSupportedError):
            raise given
        return cast(Completion, given)

    def window(self) -> Window:
        engine = self._loaded()
        return FileWindow(
            Limits(engine.llm_engine.model_config.max_model_len),
            tokenizer=engine.get_tokenizer().backend_tokenizer,
            file=f"the tokenizer of {self._served}",
        )

    async def aclose(self) -> None:
        """Let go of the engine, which frees the memory with its last reference."""
        self._engine = None
        self._thread.shutdown(wait=False)

    def _loaded(self) -> Any:
        if self._engine is None:
            options = self._options
            self._engine = _vllm().LLM(
                model=self._served,
                revision=options.revision,
                dtype=options.dtype,
                max_model_len=options.window,
                trust_remote_code=options.trust_remote_code,
                tensor_parallel_size=options.tensor_parallel_size,
                enable_prefix_caching=True,
            )
        return self._engine

    async def _many(self, requests: list[Request]) -> list[object]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answered, requests)

    def _answered(self, requests: list[Request]) -> list[object]:
        """A completion, or why there is none, for each request; what a stop cut within its reasoning is asked again."""
        given = self._asked(requests, stop=self._options.stop)
        lost = [at for at, answer in enumerate(given) if isinstance(answer, Completion) and lost_to_stop(answer)]
        for at, answer in zip(lost, self._asked([requests[at] for at in lost], stop=False), strict=True):
            given[at] = answer
        return given

    def _asked(self, requests: list[Request], *, stop: bool) -> list[object]:
        engine = self._loaded()
        room = engine.llm_engine.model_config.max_model_len
        given: list[object] = [self._prepared(request, room) for request in requests]
        ready = [at for at, prompt in enumerate(given) if isinstance(prompt, list)]
        outputs = engine.generate(
            [{"prompt_token_ids": given[at]} for at in ready],
            [self._sampling(requests[at], stop=stop) for at in ready],
            use_tqdm=False,
        )
        for at, output in zip(ready, outputs, strict=True):
            given[at] = self._completion(requests[at], output)
        return given

    def _prepared(self, request: Request, room: int) -> object:
        """The prompt's token ids; a completion or an error where it is not sent."""
        try:
            ids = self._token_ids(request)
        except NotSupportedError as error:
            return error
        if len(ids) >= room:
            reason = f"the prompt has {len(ids)} tokens; the window holds {room} (?window=N)"
            return Completion(Outcome.CONTEXT_OVERFLOW, reason=reason)
        return ids

    def _token_ids(self, request: Request) -> list[int]:
        tokenizer = self._loaded().get_tokenizer()
        if request.params.echo_prompt and request.prompt is None:
            raise NotSupportedError(f"{self.card.name} scores prompts, not messages")
        messages = request.messages
        if messages is None and self._options.chat and not request.params.echo_prompt:
            messages = (Message("user", request.prompt or ""),)
        if messages is None:
            return list(tokenizer(request.prompt or "")["input_ids"])
        if self._options.chat is False or not tokenizer.chat_template:
            raise NotSupportedError(f"{self.card.name} has no chat template in use: give it prompts, not messages")
        turns = [{"role": message.role, "content": text_of(message)} for message in messages]
        return list(tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_dict=False))

    def _sampling(self, request: Request, *, stop: bool) -> Any:
        params, make = request.params, _vllm().SamplingParams
        if params.echo_prompt:
            return make(max_tokens=1, temperature=0.0, prompt_logprobs=0)
        return make(
            n=params.num_completions,
            temperature=params.temperature,
            top_p=params.top_p,
            max_tokens=params.max_tokens,
            stop=list(params.stop_sequences) if stop else None,
            logprobs=0 if request.wants_logprobs or params.top_k_per_token > 1 else None,
            seed=_seed(request, self._options.seed),
        )

    def _completion(self, request: Request, output: Any) -> Completion:
        prompt_tokens = len(output.prompt_token_ids)
        cached = getattr(output, "num_cached_tokens", None)
        if request.params.echo_prompt:
            return Completion(Outcome.OK, (self._scored(request, output),), usage=Usage(prompt_tokens, 0, None, cached))
        answers = combine([self._answer(request, each) for each in sorted(output.outputs, key=lambda o: o.index)])
        made = sum(len(each.token_ids) for each in output.outputs)
        return Completion(
            answers.outcome,
            answers.choices,
            answers.reason,
            usage=Usage(prompt_tokens, made, None, cached),
            served_model=self._served,
        )

    def _answer(self, request: Request, output: Any) -> Any:
        tokens: tuple[Token, ...] = ()
        if output.logprobs:
            given = [row[at] for at, row in zip(output.token_ids, output.logprobs, strict=True)]
            tokens = tuple(Token(each.decoded_token or "", each.logprob) for each in given)
        written = Written(output.text, output.finish_reason, tokens)
        return read_answer(written, stops=request.params.stop_sequences)

    def _scored(self, request: Request, output: Any) -> Choice:
        """The prompt's tokens, or those that cover its end; the first has nothing before it to be expected from."""
        prompt = request.prompt or ""
        encoded = self._loaded().get_tokenizer()(prompt, return_offsets_mapping=True)
        rows = output.prompt_logprobs or []
        if list(encoded["input_ids"]) != list(output.prompt_token_ids) or len(rows) != len(output.prompt_token_ids):
            raise NotSupportedError(f"{self.card.name} gave no log-probabilities for the prompt")
        ends = [end for _, end in encoded["offset_mapping"]]
        texts = [prompt[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        values = [row[at].logprob if row else None for at, row in zip(output.prompt_token_ids, rows, strict=True)]
        tokens = tuple(map(Token, texts, values))
        if end := tuple(covering(tokens, request.continuation)):
            tokens = end
        return Choice("".join(token.text for token in tokens), sum_logprobs(tokens), tokens, "length")


def open_vllm(typed: TypedName, settings: Settings) -> VllmOffline:
    """The model of a folder or hub name. The engine, and with it the package, is loaded when first needed."""
    options = read_options(typed.options, VllmOptions, typed.name)
    served = typed.name.removeprefix(PREFIX)
    if options.trust_remote_code and not (options.revision or Path(served).is_dir()):
        raise UsageError(f"{typed.name}: trust_remote_code runs the repository's code; pin it: &revision=COMMIT")
    return VllmOffline(typed.name, served, options, settings)


def _vllm() -> Any:
    os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")  # it tells its makers what runs where unless this is there
    try:
        return import_module("vllm")
    except ModuleNotFoundError:
        raise MissingExtraError("vLLM's offline engine", "vllm") from None


def _identity(deployment: str, served: str, options: VllmOptions, settings: Settings) -> dict[str, str]:
    """What decides the answers: the weights (a folder's by their bytes), the engine, and the options that change it."""
    identity = {"deployment": deployment, "engine": _engine()}
    folder = Path(served)
    if folder.is_dir():
        files = sorted(path for pattern in _WEIGHTS for path in folder.glob(pattern))
        whole = "".join(f"{path.name}:{remembered_sha256(path, settings)};" for path in files)
        identity = {"weights": hashlib.sha256(whole.encode()).hexdigest(), "engine": _engine()}
    usual = VllmOptions()
    changed = {name: getattr(options, name) for name in VllmOptions.__struct_fields__ if name != "tensor_parallel_size"}
    return identity | {name: str(value) for name, value in changed.items() if value != getattr(usual, name)}


def _engine() -> str:
    try:
        return f"vllm {version('vllm')}"
    except PackageNotFoundError:
        return "vllm"


def _seed(request: Request, seed: int | None) -> int | None:
    """A seed that only the request decides, where it names a draw or the user a seed."""
    if request.params.temperature == 0 or (seed is None and request.params.random is None):
        return None
    named = digest([seed or 0, request.params, request.prompt, request.messages])
    return int(named[:8], 16) >> 1
