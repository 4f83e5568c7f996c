"""`run.json`: everything that decided a run, and what became of it.

It is written last, so its presence with status `complete` is the promise that the other files are whole; a run folder
without it is one that was interrupted. Nothing secret may enter: URLs lose their credentials here, whoever filled the
manifest in.
"""

import re
from datetime import datetime
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

import msgspec

from holoscope.core import Outcome, RunSpec, StoreError
from holoscope.core.cards import Redistribution
from holoscope.store._files import read_bytes, write_bytes
from holoscope.store._text import to_json
from holoscope.store.folders import MANIFEST
from holoscope.store.provenance import Provenance

SCHEMA_VERSION = 1

Status = Literal["complete", "incomplete", "failed"]


class ScenarioSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The scenario's card, as it was when the run was made."""

    name: str
    title: str = ""
    version: str = "1"
    main_metric: str = ""
    main_split: str = ""
    chance: float | None = None
    licence: str = ""
    redistribution: Redistribution = "no"
    """`no` where nobody said: exports then carry no text."""


class ModelSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which model answered."""

    name: str
    """As the user named it: a column or block of the grid."""
    deployment: str = ""
    served_model: str | None = None
    """As the endpoint names it; None if it never answered."""
    base_url: str = ""
    """Without credentials."""
    identity: dict[str, str] = {}
    """What the ledger's key holds of the model: for local weights their sha256 and the engine's build."""
    prices: dict[str, float | None] = {}
    """USD per million tokens (`input`, `output`, `cached_input`, and where there are such `batch_input` and
    `batch_output`) when the run was made; empty: unknown."""
    is_batch: bool = False
    """True if it was asked through its provider's batch API; answers kept earlier need not have been."""
    tokenizer: str = ""
    """What counted the tokens of its prompts, in words."""
    has_estimates: bool = False
    """True if any of the plan's counts of tokens is an estimate."""
    training: dict[str, float | None] = {}
    """`energy_kwh` and `co2_kg` of training the model, as its makers state them; empty: unknown."""


class Versions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Versions of the definitions a run used; the scenario's is in its summary."""

    prompt: str = "1"
    perturbations: dict[str, str] = {}
    metrics: dict[str, str] = {}


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A run, written down."""

    schema_version: int = SCHEMA_VERSION
    suite: str
    spec: RunSpec
    """In full; its `name` is the run's readable name and `entry` what the user typed."""
    status: Status
    reason: str = ""
    """Why the status is not `complete`."""
    scenario: ScenarioSummary
    model: ModelSummary
    versions: Versions = Versions()
    data: dict[str, str] = {}
    """sha256 of each data file, by its path."""
    provenance: Provenance
    started: datetime
    finished: datetime | None = None
    instances: int = 0
    """Evaluation instances, perturbed ones not counted."""
    requests: int = 0
    cached: int = 0
    """Requests that the ledger answered."""
    outcomes: dict[Outcome, int] = {}
    """How many requests ended how."""
    dropped_params: dict[str, int] = {}
    """What the endpoint did not take and was left out or renamed, in words, and of how many requests."""
    notes: tuple[str, ...] = ()
    sandbox: dict[str, str] = {}
    """What ran the programs the model wrote, and with which Python; empty: none were run."""


_decoder = msgspec.json.Decoder(Manifest)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write `run.json`, whole or not at all."""
    model = manifest.model
    safe = msgspec.structs.replace(
        model,
        base_url=public_url(model.base_url),
        identity={key: public_url(value) for key, value in model.identity.items()},
    )
    content = to_json(msgspec.structs.replace(manifest, model=safe))
    write_bytes(folder / MANIFEST, msgspec.json.format(content.encode(), indent=2) + b"\n")


def read_manifest(folder: Path) -> Manifest:
    """Read `run.json`; StoreError says what is wrong with it."""
    path = folder / MANIFEST
    try:
        manifest = _decoder.decode(read_bytes(path))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StoreError(f"cannot read {path}: {error}") from error
    if manifest.schema_version > SCHEMA_VERSION:
        raise StoreError(
            f"{path} was written by a newer holoscope ({manifest.provenance.holoscope}); "
            "update this one: pip install -U holoscope"
        )
    return manifest


def public_url(url: str) -> str:
    """`url` without user, password, query and fragment, where keys hide; other text is returned as it is.

    >>> public_url("https://me:secret@example.org:8000/v1?key=abc")
    'https://example.org:8000/v1'
    """
    if not re.match(r"[a-z][a-z0-9+.-]*://", url, re.IGNORECASE):
        return url
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
