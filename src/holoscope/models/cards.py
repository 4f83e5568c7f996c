"""What is known of a model before it is asked: its window, its longest answer, and which parameters it takes.

Data with a source and a date, in `cards.yaml`, with the user's own over it field by field. A family of models (`o3*`)
has a card too, so that a model newer than the list is met with what its family is known for. What a card has wrong,
the endpoint's refusals put right.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import msgspec

from holoscope.core import Json, Settings
from holoscope.models.listed import listed
from holoscope.models.model import Capabilities, Wire
from holoscope.models.tokenizers import NO_LIMITS, Limits, WindowOption

FILE_NAME = "cards.yaml"


class Card(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What one entry says."""

    window: WindowOption | None = None
    """Longest prompt in tokens."""
    max_output: WindowOption | None = None
    """Longest answer in tokens."""
    wire: Wire | None = None
    """The wire format, where the host has several and the model but one."""
    capabilities: dict[str, Json] = {}
    """Fields of `Capabilities` that are known."""
    source: str = ""
    """Page that states it."""
    date: str = ""
    """Day on which the page said so."""

    def __post_init__(self) -> None:
        self.corrected(Capabilities())

    @property
    def limits(self) -> Limits:
        return NO_LIMITS if self.window is None else Limits(self.window)

    def corrected(self, given: Capabilities) -> Capabilities:
        """`given` with what is known. Raises msgspec.ValidationError for what is no capability."""
        known = {**self.capabilities, **({"max_output": self.max_output} if self.max_output else {})}
        return msgspec.convert({**msgspec.structs.asdict(given), **known}, Capabilities)

    def over(self, other: "Card") -> "Card":
        """This card, and the other one's fields where this has none."""
        said = {name: value for name, value in msgspec.structs.asdict(self).items() if value}
        said["capabilities"] = {**other.capabilities, **self.capabilities}
        return msgspec.structs.replace(other, **said)


NO_CARD = Card()


@dataclass(frozen=True)
class CardList:
    """Cards by name; a name that ends in `*` is a family."""

    packaged: Mapping[str, Card] = field(default_factory=dict)
    own: Mapping[str, Card] = field(default_factory=dict)
    """The user's."""

    def of(self, *names: str, is_known_host: bool = True) -> Card:
        """The card for a model under any of its names; at an address of the user's own, only by what they say."""
        card = NO_CARD
        for cards in (self.packaged, self.own) if is_known_host else (self.own,):
            for found in _matching(cards, names):
                card = found.over(card)
        return card


def _matching(cards: Mapping[str, Card], names: tuple[str, ...]) -> list[Card]:
    """Families first, in their order, then the model's own."""
    families = [c for key, c in cards.items() if "*" in key and any(fnmatchcase(name, key) for name in names)]
    return families + [cards[name] for name in names if name in cards]


def load_cards(settings: Settings) -> CardList:
    """The packaged list and the user's."""
    return CardList(_packaged(), listed(settings.local_path / FILE_NAME, "cards", Card))


@cache
def _packaged() -> dict[str, Card]:
    return listed(Path(__file__).with_name(FILE_NAME), "cards", Card)
