"""What probing a model found out, and how a user writes that down.

A finding is `yes`, `no` or `unknown`, with what the endpoint said or did as evidence; where the way to it failed it is
`unknown`, never `no`. Nothing here changes how a model is asked: that is the user's to say, by options of the model's
name or in the deployments file, and a probe gives the words for both.
"""

from typing import Literal

import msgspec

from holoscope.core import Json, Usage
from holoscope.models.model import Capabilities, ModelCard

Answer = Literal["yes", "no", "unknown"]
_WORDS = {True: "true", False: "false"}


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked for."""

    name: str
    """The field of `Capabilities`, where it has one."""
    title: str
    answer: Answer
    evidence: str = ""
    """What the endpoint said or did."""
    assumed: bool | None = None
    """What the card says of it; None: nothing."""

    @property
    def is_news(self) -> bool:
        """True if the card says otherwise."""
        return self.assumed is not None and self.answer == ("no" if self.assumed else "yes")


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """What a model said when it was asked what it can do."""

    model: str
    """As the user typed it."""
    deployment: str
    """The name that its answers are kept under, and its card."""
    date: str
    """Day on which it was asked, `2026-11-30`."""
    findings: tuple[Finding, ...] = ()
    served_model: str | None = None
    """As the endpoint names it."""
    max_tokens_name: str = ""
    """The name of that parameter, where the endpoint taught another than was assumed."""
    is_correctable: bool = False
    """True if options of its name say what it can do, as they do of an endpoint."""
    requests: int = 0
    usage: Usage = Usage(0, 0)
    """Tokens of all replies that counted them."""
    cost: float | None = None
    """USD; None is unknown."""
    problem: str = ""
    """Why it could not be asked; empty if it could."""

    @property
    def changes(self) -> dict[str, Json]:
        """What the card says otherwise, as fields of `Capabilities`."""
        if not self.is_correctable:
            return {}
        found: dict[str, Json] = {each.name: each.answer == "yes" for each in self.findings if each.is_news}
        return found | ({"max_tokens_name": self.max_tokens_name} if self.max_tokens_name else {})

    @property
    def options(self) -> str:
        """What to put after the `?` of the model's name, so that it is not found out anew in each run."""
        return "&".join(
            f"{name}={_WORDS[value] if isinstance(value, bool) else value}" for name, value in self.changes.items()
        )

    @property
    def card_entry(self) -> dict[str, Json]:
        """The same as an entry of the user's `cards.yaml`."""
        models: dict[str, Json] = {self.deployment: {"capabilities": self.changes}}
        return {"source": "asked by holoscope doctor", "date": self.date, "models": models}

    def corrected(self, card: ModelCard) -> ModelCard:
        """The card, with what was found."""
        sure = [each for each in self.findings if each.assumed is not None and each.answer != "unknown"]
        found = {each.name: each.answer == "yes" for each in sure} | self.changes
        able = msgspec.convert({**msgspec.structs.asdict(card.capabilities), **found}, Capabilities)
        return msgspec.structs.replace(card, capabilities=able)
