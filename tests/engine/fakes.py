"""A model whose behaviour a test writes down, a ledger in memory, and an event loop whose clock jumps."""

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from holoscope.core import Choice, Completion, Outcome, Params, Request, Usage
from holoscope.engine import Lease, Work, request_key

T = TypeVar("T")
Behaviour = Callable[[Request], Awaitable[Completion]]


def completion(text: str) -> Completion:
    return Completion(Outcome.OK, (Choice(text),), usage=Usage(10, 2))


@dataclass(frozen=True)
class Card:
    name: str
    max_concurrency: int | None = None


class Scripted:
    """A model that does what it is told, and counts."""

    def __init__(self, behaviour: Behaviour | None = None, *, name: str = "m", max_concurrency: int | None = None):
        self.card = Card(name, max_concurrency)
        self.identity = {"deployment": name}
        self.prompts: list[str] = []
        self.at_once = self.most_at_once = 0
        self._behaviour = behaviour or answers_after(0.0)

    async def generate(self, request: Request) -> Completion:
        self.prompts.append(request.prompt or "")
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._behaviour(request)
        finally:
            self.at_once -= 1


def answers_after(seconds: float) -> Behaviour:
    async def behaviour(request: Request) -> Completion:
        await asyncio.sleep(seconds)
        return completion(f"to {request.prompt}")

    return behaviour


def work(model: Scripted, prompt: str, *, run: int = 0, position: int = 0, temperature: float = 0.0) -> Work:
    request = Request(Params(temperature=temperature), prompt=prompt)
    return Work(model, request, request_key(model.identity, request, 0, prompt), run, position)


def works(model: Scripted, count: int, *, run: int = 0) -> list[Work]:
    return [work(model, f"{run}/{i}", run=run, position=i) for i in range(count)]


class Kept:
    """An `on_done` that remembers."""

    def __init__(self) -> None:
        self.calls: list[tuple[Work, Completion, bool]] = []

    def __call__(self, work: Work, completion: Completion, cached: bool) -> None:
        self.calls.append((work, completion, cached))

    @property
    def texts(self) -> dict[tuple[int, int], str]:
        return {(w.run, w.position): c.text for w, c, _ in self.calls}

    @property
    def by_prompt(self) -> dict[str, Completion]:
        return {w.request.prompt or "": c for w, c, _ in self.calls}


class MemoryLedger:
    """A ledger that keeps nothing beyond the test, for tests in virtual time."""

    def __init__(self) -> None:
        self.answers: dict[bytes, Completion] = {}
        self.claimed: set[bytes] = set()

    async def get_many(self, keys: Sequence[bytes]) -> dict[bytes, Completion]:
        await asyncio.sleep(0)
        return {key: self.answers[key] for key in keys if key in self.answers}

    async def claim(self, key: bytes) -> Completion | Lease:
        await asyncio.sleep(0)
        if key in self.answers:
            return self.answers[key]
        if key in self.claimed:
            return Lease.TAKEN
        self.claimed.add(key)
        return Lease.MINE

    async def put(self, key: bytes, completion: Completion) -> None:
        await asyncio.sleep(0.001)
        self.answers[key] = completion
        self.claimed.discard(key)

    def release(self, key: bytes) -> None:
        self.claimed.discard(key)


class _JumpingSelector(selectors.SelectSelector):
    """Instead of waiting, moves the clock to the time until which there was to be a wait."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "nothing is scheduled: the test would wait for ever"
        self.now += max(timeout, 0.0)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in which a wait of an hour takes no time."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def in_virtual_time(main: Coroutine[Any, Any, T]) -> tuple[T, float]:
    """The result of `main`, and how many seconds it would have taken."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        result = runner.run(main)
        return result, runner.get_loop().time()
