"""HELM's names of models: `creator/model` -> where it is served, and what that deployment's limits and tokenizer are.

The table is crfm-helm 0.5.16's, in `aliases.yaml`, read when a name needs it and once. Its rows are the same
`Deployment`s as those of a user's own file and mean the same, so a name that HELM knows resolves alike from either.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from holoscope.core import Json
from holoscope.models.clients import CLIENTS
from holoscope.models.deployments import ClassSpec, Deployment, TokenizerConfig, served_name
from holoscope.models.files import read_yaml

FILE_NAME = "aliases.yaml"
ORIGIN = "HELM's table"


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the table says of a deployment."""

    model: str = ""
    """HELM's `creator/model`; empty: the deployment's name."""
    tokenizer: str = ""
    sequence: int | None = None
    """Longest text the model reads at once, in tokens."""
    request: int | None = None
    """Longest prompt; None: as `sequence`."""
    total: int | None = None
    """Prompt and generated tokens together."""
    args: dict[str, Json] = {}
    """What the client class is given."""
    deprecated: bool = False


class TokenizerRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"class_name": "class"}):
    """What the table says of a tokenizer."""

    class_name: str = "HuggingFaceTokenizer"
    path: str = ""
    prefix: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`aliases.yaml`."""

    deployments: dict[str, dict[str, Row]]
    """Client class -> deployment -> row."""
    unserved: frozenset[str]
    tokenizers: dict[str, TokenizerRow]


@dataclass(frozen=True)
class AliasTable:
    """HELM's deployments, its models without one, and its tokenizers."""

    deployments: Mapping[str, Deployment]
    of_model: Mapping[str, tuple[Deployment, ...]]
    """Model -> its deployments, deprecated ones last."""
    served: Mapping[str, Deployment]
    """`host/name`, the name being the one which that host gives the model -> the first such deployment."""
    unserved: frozenset[str]
    tokenizers: Mapping[str, TokenizerConfig]

    def of(self, name: str) -> tuple[Deployment, ...]:
        """The deployment of this name, or those of the model of this name, or those of `creator/model` at one host."""
        if name in self.deployments:
            return (self.deployments[name],)
        if name in self.of_model:
            return self.of_model[name]
        host, _, model = name.partition("/")
        return tuple(d for d in self.of_model.get(model, ()) if d.host == host)

    def facts(self, host: str, served: str) -> Deployment | None:
        """What is known of a model under its host's name for it."""
        found = self.served.get(f"{host}/{served}") or self.deployments.get(f"{host}/{served}")
        return found or next(iter(self.of_model.get(served, ())), None)


@cache
def alias_table() -> AliasTable:
    """The table; the same for everybody, so read once."""
    file = msgspec.convert(read_yaml(Path(__file__).with_name(FILE_NAME)), _File)
    deployments = {
        name: _deployment(client, name, row) for client, rows in file.deployments.items() for name, row in rows.items()
    }
    of_model: dict[str, list[Deployment]] = {}
    served: dict[str, Deployment] = {}
    for deployment in sorted(deployments.values(), key=lambda d: (d.deprecated, d.host.startswith("stanford"))):
        of_model.setdefault(deployment.model, []).append(deployment)
        if deployment.client in CLIENTS:
            client = CLIENTS[deployment.client]
            served.setdefault(f"{client.host}/{served_name(deployment, client)}", deployment)
    return AliasTable(
        deployments,
        {model: tuple(found) for model, found in of_model.items()},
        served,
        file.unserved,
        {name: _tokenizer(name, row) for name, row in file.tokenizers.items()},
    )


def _deployment(client: str, name: str, row: Row) -> Deployment:
    return Deployment(
        name=name,
        client_spec=ClassSpec(f"helm.clients.{client}", row.args),
        model_name=row.model or None,
        tokenizer_name=row.tokenizer or None,
        max_sequence_length=row.sequence,
        max_request_length=row.request,
        max_sequence_and_generated_tokens_length=row.total,
        deprecated=row.deprecated,
    )


def _tokenizer(name: str, row: TokenizerRow) -> TokenizerConfig:
    args: dict[str, Json] = {"pretrained_model_name_or_path": row.path} if row.path else {}
    return TokenizerConfig(
        name=name, tokenizer_spec=ClassSpec(f"helm.tokenizers.{row.class_name}", args), prefix_token=row.prefix or None
    )
