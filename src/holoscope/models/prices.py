"""What models cost: the packaged table, and the user's over it. Unknown is None, never 0."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from holoscope.core import ConfigError, Settings
from holoscope.models.files import read_yaml
from holoscope.models.model import Price, TrainingCost

T = TypeVar("T", Price, TrainingCost)

FILE_NAME = "prices.yaml"


@dataclass(frozen=True)
class PriceList:
    """Prices and training costs by model name."""

    prices: Mapping[str, Price] = field(default_factory=dict)
    training: Mapping[str, TrainingCost] = field(default_factory=dict)


def load_prices(settings: Settings) -> PriceList:
    """The packaged list with the user's entries over it."""
    prices: dict[str, Price] = {}
    training: dict[str, TrainingCost] = {}
    for path in (Path(__file__).with_name(FILE_NAME), settings.local_path / FILE_NAME):
        tree = read_yaml(path)
        prices |= _entries(tree.get("prices"), Price, path)
        training |= _entries(tree.get("training"), TrainingCost, path)
    return PriceList(prices, training)


def _entries(rows: object, kind: type[T], path: Path) -> dict[str, T]:
    if rows is None:
        return {}
    if not isinstance(rows, list) or not all(isinstance(row, dict) and "model" in row for row in rows):
        raise ConfigError(f"{path}: expected a list of entries that each have a model, a source and a date")
    return {str(row["model"]): _entry(row, kind, path) for row in rows}


def _entry(row: dict[str, object], kind: type[T], path: Path) -> T:
    values = {k: v.isoformat() if isinstance(v, datetime.date) else v for k, v in row.items() if k != "model"}
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}, {row['model']}: {error}") from None
