"""Lists of facts about models, as YAML: each entry has a source and a date, and says them once for many models or once.

- {model: my/model, ..., source: "https://...", date: 2026-11-30}
- {source: "https://...", date: 2026-11-30, models: {my/other: {...}, my/third: {...}}}
"""

import datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from holoscope.core import ConfigError
from holoscope.models.files import read_yaml

T = TypeVar("T", bound=msgspec.Struct)


def listed(path: Path, key: str, kind: type[T]) -> dict[str, T]:
    """The entries under `key` by model; empty if there is no such file. Raises ConfigError for one it can't use."""
    rows = read_yaml(path).get(key)
    if rows is None:
        return {}
    if not isinstance(rows, list):
        raise ConfigError(f"{path}: expected a list of entries that each have a model, a source and a date")
    return {model: _entry(path, model, values, kind) for row in rows for model, values in _models(path, row)}


def _models(path: Path, row: object) -> list[tuple[str, dict[str, object]]]:
    """An entry's models, each with all that is said of it."""
    if isinstance(row, dict) and "model" in row:
        return [(str(row["model"]), {k: v for k, v in row.items() if k != "model"})]
    if not isinstance(row, dict) or not isinstance(row.get("models"), dict):
        raise ConfigError(f"{path}: expected an entry with a model, a source and a date, found {row!r}")
    shared = {k: v for k, v in row.items() if k != "models"}
    return [(str(model), {**shared, **(values or {})}) for model, values in row["models"].items()]


def _entry(path: Path, model: str, values: dict[str, object], kind: type[T]) -> T:
    plain = {k: v.isoformat() if isinstance(v, datetime.date) else v for k, v in values.items()}
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}, {model}: {error}") from None
