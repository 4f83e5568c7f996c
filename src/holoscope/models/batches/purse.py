"""How much money is left for requests that are all sent before the first is answered.

A limit on cost can't hold back what is in a batch already, so a batch takes only as many requests as are surely
affordable: each counts with its longest answer at first, and with the share of that which answers have really cost
once enough of them are in. What is under way counts as spent until it is answered.
"""

from collections.abc import Callable
from typing import cast

from holoscope.core import Json, Usage
from holoscope.models.model import Price
from holoscope.models.providers.bodies import Body
from holoscope.models.providers.faults import Fault
from holoscope.models.providers.replies import Received
from holoscope.models.tokenizers import Window

_ENOUGH = 50
"""Answers whose cost says what others will cost."""
_MARGIN = 1.1


class Purse:
    """The money of one model; without a limit there is always enough."""

    def __init__(self, price: Price | None, window: Window) -> None:
        self.left: Callable[[], float] | None = None
        """USD that may still be spent, what is under way not counted; None: no limit."""
        self._price, self._window = price, window
        self._under_way = 0.0
        self._count = 0
        self._most = self._paid = 0.0

    @property
    def is_idle(self) -> bool:
        """True if nothing that costs is under way."""
        return self._under_way <= 1e-12

    def most(self, body: Body) -> float:
        """What a request costs with its longest answer; 0 where nobody counts."""
        if self.left is None or self._price is None:
            return 0.0
        limit = body.get("max_tokens") or body.get("max_completion_tokens") or 0
        n = body.get("n") or 1
        usage = Usage(self._window.count(_text(body)), cast(int, limit) * cast(int, n))
        return self._price.cost(usage) or 0.0

    def room(self) -> float:
        """What may be sent now, USD."""
        return float("inf") if self.left is None else self.left() - self._under_way

    def likely(self, most: float) -> float:
        """What is to be expected of a request that may cost `most`."""
        return most * self._share

    def take(self, most: float) -> float:
        """Count a request as under way; how much it counts."""
        likely = self.likely(most)
        self._under_way += likely
        return likely

    def give_back(self, reserved: float) -> None:
        self._under_way -= reserved

    def learn(self, most: float, received: Received | Fault) -> None:
        """Learn what an answer cost that might have cost `most`."""
        if not most or self._price is None or isinstance(received, Fault):
            return
        usage = received.reply.usage
        if (paid := self._price.cost(usage.read() if usage else None)) is not None:
            self._count, self._most, self._paid = self._count + 1, self._most + most, self._paid + paid

    @property
    def _share(self) -> float:
        """Of the most that they may cost, what requests are taken to cost."""
        return min(1.0, _MARGIN * self._paid / self._most) if self._count >= _ENOUGH and self._most else 1.0


def _text(body: Body) -> str:
    """All the text of a body."""
    prompt = body.get("prompt")
    return prompt if isinstance(prompt, str) else "\n".join(_texts(body.get("messages")))


def _texts(node: Json) -> list[str]:
    if isinstance(node, list):
        return [text for each in node for text in _texts(each)]
    if isinstance(node, dict):
        return [text for name in ("content", "text") for text in _texts(node.get(name))]
    return [node] if isinstance(node, str) else []
