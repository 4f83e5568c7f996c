"""`LocalModel`: any Python callable or class as a model.

A function takes the prompt, the messages or the whole request (by what its first parameter is called or annotated as)
and gives a text; a class has `generate`, and may have `generate_many` and `score`. What is not async runs in a thread.
Whatever it raises is that request's failure, in one line, and never the run's. Its source is part of the ledger's key,
so a changed function is asked anew; what has more to it than its source names a version.
"""

import inspect
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, cast

import msgspec

from holoscope.core import (
    Choice,
    Completion,
    Message,
    ModelError,
    NotSupportedError,
    Outcome,
    Request,
    Token,
    UsageError,
)
from holoscope.core import Text as TextPart
from holoscope.models.answer import Written, combine, read_answer, sum_logprobs
from holoscope.models.code import fault_line, load_object, version_of
from holoscope.models.gathering import Gathering
from holoscope.models.model import Capabilities, ModelCard
from holoscope.models.names import TypedName, read_options
from holoscope.models.threads import Threads
from holoscope.models.tokenizers import Limits, Window, WindowOption, open_window

PYTHON = "python"
PREFIX = f"{PYTHON}/"
Takes = Literal["prompt", "messages", "request"]
_BATCH = 64


class LocalModel:
    """A model made of a function, a class, or an object with `generate`."""

    def __init__(
        self,
        answer: object,
        *,
        name: str = "",
        version: str = "",
        max_concurrency: int | None = None,
        window: int | None = None,
        tokenizer: str = "",
    ) -> None:
        """`max_concurrency`: most calls at once; by default one, any number of async ones, 64 for `generate_many`.

        Raises UsageError for what is no callable, and where a version has to be named.
        """
        name = name or f"{PREFIX}{getattr(answer, '__name__', type(answer).__name__)}"
        version = version or str(getattr(answer, "version", ""))
        self.identity = {"deployment": name, "version": version or version_of(answer, name)}
        self._code = _Code(answer, name)
        most = max_concurrency or self._code.usual_concurrency
        self.card = ModelCard(
            name=name,
            deployment=name,
            provider=PYTHON,
            served_name=name,
            limits=Limits(window),
            tokenizer=tokenizer,
            capabilities=self._code.capabilities,
            max_concurrency=most,
        )
        self._window = open_window(tokenizer, self.card.limits)
        self._threads = Threads(most or _BATCH)
        self._gathering = Gathering(self._many, most or _BATCH) if self._code.many else None

    def named(self, name: str) -> "LocalModel":
        """The same under the name that a user typed."""
        self.card = msgspec.structs.replace(self.card, name=name)
        return self

    def window(self) -> Window:
        return self._window

    async def generate(self, request: Request) -> Completion:
        """Answer or score. Whatever the code raises is a NotSupportedError, unless it is one of our own errors."""
        started = time.perf_counter()
        if request.params.echo_prompt:
            completion = Completion(Outcome.OK, (await self._scored(request),))
        elif self._gathering is not None:
            completion = _completion([await self._gathering.ask(request) for _ in _draws(request)], request, self._code)
        else:
            asked = self._code.takes(request)
            given = [await self._call(self._code.generate, asked) for _ in _draws(request)]
            completion = _completion(given, request, self._code)
        if completion.request_time is not None:
            return completion
        took = time.perf_counter() - started
        return msgspec.structs.replace(completion, request_time=took, created=time.time())

    async def aclose(self) -> None:
        """Nothing to close; what runs in a thread can't be stopped, and isn't waited for."""

    async def _many(self, requests: list[Request]) -> object:
        return await self._call(self._code.many, requests)

    async def _scored(self, request: Request) -> Choice:
        if self._code.score is None or request.prompt is None:
            raise NotSupportedError(
                f"{self.card.name} does not score given text (it has no score(prompt, continuation))"
            )
        text = request.continuation or request.prompt
        before = request.prompt.removesuffix(text)
        return _scored_choice(await self._call(self._code.score, before, text), text, self._code.name)

    async def _call(self, function: Callable[..., object] | None, *arguments: object) -> object:
        """Call the user's code, in a thread where it is not async."""
        assert function is not None
        try:
            if inspect.iscoroutinefunction(function):
                return await function(*arguments)
            given = await self._threads.call(_called, function, arguments)
            return await given if inspect.isawaitable(given) else given
        except ModelError:
            raise
        except Exception as error:  # one request's failure becomes data
            raise NotSupportedError(f"{self.card.name}: {fault_line(error)}") from error


def _called(function: Callable[..., object], arguments: tuple[object, ...]) -> object:
    """Call it; an exit, which would end the thread, and what a future can't carry are errors like others."""
    try:
        return function(*arguments)
    except (SystemExit, KeyboardInterrupt, GeneratorExit, StopIteration) as error:
        raise NotSupportedError(fault_line(error)) from None


class _Code:
    """The user's code, taken apart."""

    def __init__(self, answer: object, name: str) -> None:
        thing = answer() if inspect.isclass(answer) else answer
        method = getattr(thing, "generate", None)
        function = method if method is not None else thing
        self.many: Callable[..., object] | None = getattr(thing, "generate_many", None)
        self.score: Callable[..., object] | None = getattr(thing, "score", None)
        if not callable(function) and self.many is None:
            raise UsageError(f"{name}: expected a function, or a class with generate, found {type(thing).__name__}")
        self.name = name
        self.generate = cast(Callable[..., object], function)
        self._takes = (
            _taken(self.generate, "prompt" if method is None else "request") if self.many is None else "request"
        )

    @property
    def usual_concurrency(self) -> int | None:
        """None: any number."""
        if self.many is not None:
            return _BATCH
        call = getattr(self.generate, "__call__", None)  # noqa: B004 an object's own may be async
        return None if any(map(inspect.iscoroutinefunction, (self.generate, call))) else 1

    @property
    def capabilities(self) -> Capabilities:
        scores = self.score is not None
        return Capabilities(prefers="completions", logprobs=scores, echo=scores, images=self._takes != "prompt")

    def takes(self, request: Request) -> object:
        """What `generate` is called with."""
        if self._takes == "request":
            return request
        if self._takes == "messages":
            return list(request.messages or (Message("user", request.prompt or ""),))
        return request.prompt if request.prompt is not None else _text((request.messages or ())[-1:])


def _taken(function: Callable[..., object], usual: Takes) -> Takes:
    """What a function wants, by what its first parameter is called or annotated as."""
    try:
        first = next(iter(inspect.signature(function).parameters.values()))
    except (ValueError, TypeError, StopIteration):
        return usual
    annotation = first.annotation if isinstance(first.annotation, str) else repr(first.annotation)
    if first.name == "messages" or "Message" in annotation:
        return "messages"
    if first.name == "request" or "Request" in annotation:
        return "request"
    return "prompt" if first.annotation in (str, "str") else usual


def _text(messages: Sequence[Message]) -> str:
    contents = [message.content for message in messages]
    parts = [content if isinstance(content, str) else _joined(content) for content in contents]
    return "\n".join(parts)


def _joined(content: Sequence[object]) -> str:
    if any(not isinstance(part, TextPart) for part in content):
        raise NotSupportedError("the function takes text and no images: name its parameter messages")
    return "".join(part.text for part in content if isinstance(part, TextPart))


def _draws(request: Request) -> range:
    return range(request.params.num_completions)


def _completion(given: Sequence[object], request: Request, code: _Code) -> Completion:
    """The completion for what the code gave: a whole one as it is, else one made of texts."""
    if isinstance(given[0], Completion):
        return given[0]
    texts = [each for each in given if isinstance(each, str)]
    if len(texts) < len(given):
        raise NotSupportedError(f"{code.name}: expected a text or a Completion, found {type(given[0]).__name__}")
    answers = combine([read_answer(Written(text), stops=request.params.stop_sequences) for text in texts])
    return Completion(answers.outcome, answers.choices, answers.reason)


def _scored_choice(given: object, text: str, name: str) -> Choice:
    """A choice for one log-probability of `text`, one for each of its tokens, or pairs of token and log-probability."""
    try:
        rows = [given] if isinstance(given, int | float) else list(cast("Sequence[object]", given))
        if all(isinstance(row, int | float) for row in rows):
            tokens = [Token(text if not at else "", float(cast(float, row))) for at, row in enumerate(rows)]
        else:
            tokens = [Token(str(piece), float(value)) for piece, value in cast("list[tuple[str, float]]", rows)]
    except (TypeError, ValueError):
        raise NotSupportedError(f"{name}: score gave {type(given).__name__}, expected log-probabilities") from None
    return Choice(text, sum_logprobs(tokens), tuple(tokens), "length")


class PythonOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options after `?` in `python/FILE.py:NAME`."""

    version: str = ""
    window: WindowOption | None = None
    tokenizer: str = ""
    max_concurrency: WindowOption | None = None


def open_python(typed: TypedName) -> LocalModel:
    """The model in a file of the user's: `python/my_module.py:answer`. All of the file is its version."""
    options = read_options(typed.options, PythonOptions, typed.name)
    path, name = python_place(typed.name)
    thing, version = load_object(path, name)
    if isinstance(thing, LocalModel):
        return thing.named(typed.name)
    model = LocalModel(
        thing,
        name=typed.name,
        version=options.version or version,
        max_concurrency=options.max_concurrency,
        window=options.window,
        tokenizer=options.tokenizer,
    )
    model.identity["deployment"] = f"{PREFIX}{path.name}:{name}"  # wherever the file is
    return model


def python_place(name: str) -> tuple[Path, str]:
    """File and object that a name such as `python/my_module.py:answer` means.

    >>> python_place("python/my_module.py:answer")
    (PosixPath('my_module.py'), 'answer')
    """
    path, colon, what = name.removeprefix(PREFIX).rpartition(":")
    if not colon or not path or not what:
        raise UsageError(f"{name!r}: write python/FILE.py:NAME")
    return Path(path).expanduser(), what
