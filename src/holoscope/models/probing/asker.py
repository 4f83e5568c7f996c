"""One probe under way: asks, counts what that costs, and remembers what is worth not learning twice.

Every question has one of three ends: it was answered, it was refused, or nobody knows, since the way failed or whoever
asks was turned away.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, Protocol, runtime_checkable

from holoscope.core import Completion, FatalModelError, NotSupportedError, Outcome, Request, TransportError, Usage
from holoscope.models.model import Model

Vary = Callable[[Mapping[str, str]], Model]
"""Opens the same model under further options of its name."""
Send = Callable[[Model, Request], Awaitable[Completion]]
"""Has a request answered, as `Model.generate` does; trying again is its affair."""

SHORT = 16
"""Tokens of an answer."""
LONG = 512
"""Tokens for a model that thinks before it answers."""
_EVERYTHING = dict.fromkeys(("logprobs", "stop", "temperature", "images", "n"), "true")
_OF_THE_ACCOUNT = re.compile(r"HTTP (401|402|403|429)\b")
"""Refusals of who asks, which say nothing of what is asked."""


@runtime_checkable
class _Taught(Protocol):
    """A model that remembers what refusals taught it."""

    @property
    def heard(self) -> Mapping[str, str]: ...


class Said(NamedTuple):
    """What came of a question."""

    completion: Completion | None = None
    refused: str = ""
    """Why it is not answered, in the endpoint's words."""
    missed: str = ""
    """Why nobody knows whether it would be."""
    heard: Mapping[str, str] = {}

    def dropped(self, parameter: str) -> str:
        """Why a parameter was left out, if it was; the endpoint's own words where there are any."""
        for said in self.completion.dropped_params if self.completion else ():
            if said.startswith((f"{parameter}:", f"{parameter}=")):
                return self.heard.get(parameter, said)
        return ""

    @property
    def withheld(self) -> str:
        """Why there is no text, where the endpoint answered so."""
        if self.completion is None or self.completion.outcome.has_text:
            return ""
        return f"{self.completion.outcome}: {self.completion.reason}"


class Asker:
    """One probe under way: asks, counts, and remembers what is worth not learning twice."""

    def __init__(self, model: Model, vary: Vary | None, send: Send) -> None:
        self.card, self.vary = model.card, vary
        self.wire = model.identity.get("wire", "openai")
        self.has_two_apis = vary is not None and self.wire == "openai"
        self.api: dict[str, str] = {}
        """The option that picks the API which answers, where there are two."""
        self.room = SHORT
        """Tokens that an answer needs."""
        self.requests, self.replies = 0, list[Completion]()
        self.renamed = ""
        self._send = send
        self._models: dict[tuple[tuple[str, str], ...], Model] = {(): model}

    async def ask(self, request: Request, **options: str) -> Said:
        model = self._opened({**self.api, **options})
        self.requests += 1
        try:
            completion = await self._send(model, request)
        except (NotSupportedError, FatalModelError) as error:
            why = str(error)
            return Said(missed=why) if _OF_THE_ACCOUNT.match(why) else Said(refused=why, heard=_heard(model))
        except (TransportError, TimeoutError) as error:
            return Said(missed=str(error) or "no answer in time")
        except Exception as error:  # noqa: BLE001 - a fault of the model's code leaves one finding unknown
            return Said(missed=f"{type(error).__name__}: {error}")
        self.replies.append(completion)
        self._learn(completion)
        if completion.outcome is Outcome.NOT_SUPPORTED:
            return Said(refused=completion.reason)
        if completion.outcome is Outcome.TRANSPORT_ERROR:
            return Said(missed=completion.reason)
        return Said(completion, heard=_heard(model))

    def _opened(self, options: Mapping[str, str]) -> Model:
        if self.vary is None:
            return self._models[()]
        options = {**_EVERYTHING, **({"max_tokens_name": self.renamed} if self.renamed else {}), **options}
        key = tuple(sorted(options.items()))
        if key not in self._models:
            self._models[key] = self.vary(options)
        return self._models[key]

    def _learn(self, completion: Completion) -> None:
        for said in completion.dropped_params:
            if said.startswith("max_tokens: sent as "):
                self.renamed = said.removeprefix("max_tokens: sent as ")

    async def aclose(self) -> None:
        """Close the models that were opened here; the one that was handed in is the caller's."""
        own = self._models.pop(())
        for model in self._models.values():
            if model is not own:
                await model.aclose()

    def usage(self) -> Usage:
        counted = [reply.usage for reply in self.replies if reply.usage is not None]
        return Usage(sum(u.prompt_tokens or 0 for u in counted), sum(u.completion_tokens or 0 for u in counted))

    def cost(self) -> float | None:
        """USD; None if the price or any count is unknown."""
        price = self.card.price
        costs = [price.cost(reply.usage) if price else None for reply in self.replies]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) and known else None


def _heard(model: Model) -> Mapping[str, str]:
    return dict(model.heard) if isinstance(model, _Taught) else {}
