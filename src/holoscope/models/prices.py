"""What models cost: the packaged table, and the user's over it. Unknown is None, never 0.

A listed price is a host's for the name under which that host serves the model, and holds at the host's own address
alone. Names are whole: a dated snapshot has the price of its own entry and no other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from holoscope.core import Settings
from holoscope.models.listed import listed
from holoscope.models.model import Price, TrainingCost

FILE_NAME = "prices.yaml"


@dataclass(frozen=True)
class PriceList:
    """Prices and training costs by model name."""

    packaged: Mapping[str, Price] = field(default_factory=dict)
    own: Mapping[str, Price] = field(default_factory=dict)
    """The user's."""
    training: Mapping[str, TrainingCost] = field(default_factory=dict)

    def of(self, deployment: str, at_host: str = "") -> Price | None:
        """The price of a deployment; `at_host` is its host's own name for it, where it is asked at that host."""
        return self.own.get(deployment) or self.own.get(at_host) or self.packaged.get(at_host)


def load_prices(settings: Settings) -> PriceList:
    """The packaged list with the user's entries over it."""
    path, packaged = settings.local_path / FILE_NAME, _packaged()
    training = {**packaged.training, **listed(path, "training", TrainingCost)}
    return PriceList(packaged.packaged, listed(path, "prices", Price), training)


@cache
def _packaged() -> PriceList:
    path = Path(__file__).with_name(FILE_NAME)
    return PriceList(listed(path, "prices", Price), {}, listed(path, "training", TrainingCost))
