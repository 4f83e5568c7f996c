"""The user's deployments folder, as HELM reads it: `model_deployments.yaml` and `tokenizer_configs.yaml`.

Files written for HELM work unchanged; what their client classes mean here is in `clients`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from holoscope.core import ConfigError, Json, Settings
from holoscope.models.clients import Client
from holoscope.models.files import read_yaml
from holoscope.models.model import Capabilities
from holoscope.models.tokenizers import CHARACTERS, Limits

T = TypeVar("T")

DEPLOYMENTS, TOKENIZERS = "model_deployments.yaml", "tokenizer_configs.yaml"


class ClassSpec(msgspec.Struct, frozen=True):
    """A class by name and its arguments, as HELM writes them."""

    class_name: str
    args: dict[str, Json] | None = None


class Deployment(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of `model_deployments.yaml`; fields not listed here are ignored."""

    name: str
    client_spec: ClassSpec
    model_name: str | None = None
    tokenizer_name: str | None = None
    max_sequence_length: int | None = None
    max_request_length: int | None = None
    max_sequence_and_generated_tokens_length: int | None = None
    deprecated: bool = False
    capabilities: Capabilities | None = None
    """Ours: what the endpoint takes, where it is not what the client class suggests."""

    @property
    def model(self) -> str:
        """`creator/model`."""
        return self.model_name or self.name

    @property
    def host(self) -> str:
        return self.name.partition("/")[0]

    @property
    def client(self) -> str:
        """Class name without its module."""
        return self.client_spec.class_name.rpartition(".")[2]

    @property
    def limits(self) -> Limits:
        return Limits(self.max_sequence_length, self.max_request_length, self.max_sequence_and_generated_tokens_length)

    @property
    def arguments(self) -> dict[str, Json]:
        """What the client class is given."""
        return self.client_spec.args or {}

    def argument(self, *names: str) -> str:
        """The first of these arguments of the client that is there; empty if none is."""
        return next((str(self.arguments[n]) for n in names if self.arguments.get(n)), "")


class TokenizerConfig(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of `tokenizer_configs.yaml`."""

    name: str
    tokenizer_spec: ClassSpec
    prefix_token: str | None = None

    @property
    def source(self) -> str:
        """What `open_window` takes: a built-in tokenizer's name, or a path."""
        kind = self.tokenizer_spec.class_name.rpartition(".")[2]
        if kind == "SimpleTokenizer":
            return CHARACTERS
        if kind == "TiktokenTokenizer":
            return f"tiktoken/{self.name.rpartition('/')[2]}"
        return str((self.tokenizer_spec.args or {}).get("pretrained_model_name_or_path") or self.name)


def served_name(deployment: Deployment, client: Client) -> str:
    """What the server calls a deployment's model."""
    if named := deployment.argument(*client.model_arguments):
        return named
    name = deployment.model if client.whole_name else deployment.model.partition("/")[2] or deployment.model
    return client.prefix + name.removeprefix("amazon-") if client.prefix else name


@dataclass(frozen=True)
class Deployments:
    """What the folder holds."""

    path: Path
    entries: Mapping[str, Deployment] = field(default_factory=dict)
    tokenizers: Mapping[str, TokenizerConfig] = field(default_factory=dict)

    def of(self, name: str) -> list[Deployment]:
        """The deployment of this name, or else those of the model of this name, deprecated ones last."""
        if name in self.entries:
            return [self.entries[name]]
        return sorted((d for d in self.entries.values() if d.model == name), key=lambda d: d.deprecated)


def load_deployments(settings: Settings) -> Deployments:
    """Read the deployments folder; what is not there is empty."""
    folder = settings.local_path
    return Deployments(
        folder / DEPLOYMENTS,
        {d.name: d for d in _rows(folder / DEPLOYMENTS, "model_deployments", Deployment)},
        {t.name: t for t in _rows(folder / TOKENIZERS, "tokenizer_configs", TokenizerConfig)},
    )


def _rows(path: Path, key: str, kind: type[T]) -> list[T]:
    tree = read_yaml(path)
    if tree and key not in tree:
        raise ConfigError(f"{path}: expected a list under {key}, found {', '.join(map(str, tree))} at the top")
    rows = tree.get(key) or []
    if not isinstance(rows, list):
        raise ConfigError(f"{path}: expected a list under {key}, found a {type(rows).__name__}")
    return [_row(path, row, kind) for row in rows]


def _row(path: Path, row: object, kind: type[T]) -> T:
    if isinstance(row, dict):  # a key left empty in YAML is None, which means "not given"
        row = {k: v for k, v in row.items() if v is not None}
    try:
        return msgspec.convert(row, kind)
    except msgspec.ValidationError as error:
        name = row.get("name", "?") if isinstance(row, dict) else row
        raise ConfigError(f"{path}, entry {name}: {error}") from None
