"""Where a checkpoint lies and what its files say, before anything heavy is imported.

A hub's model becomes the folder of one commit, so that from there on there is one case: a folder, of which nothing is
looked up anywhere. Code in it is kept out unless a flag and a pinned revision ask for it: a checkpoint is data.
"""

import re
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import msgspec

from holoscope.core import DataError, MissingExtraError, Settings, UsageError, digest
from holoscope.models.huggingface._options import TransformersOptions
from holoscope.models.local._hashing import remembered_sha256
from holoscope.models.vocabularies import hub_cache

_WEIGHTS = ("*.safetensors", "*.bin")
"""The first of these that is there is what is loaded."""
_READING = ("*.json", "*.jinja", "*.txt", "*.model")
"""Tokenizer, templates and settings: all that decides what a model reads."""
_CODE = "*.py"
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class Checkpoint:
    """A folder with a model in it."""

    name: str
    folder: Path
    config: dict[str, Any]
    """Its config.json."""

    @property
    def has_template(self) -> bool:
        """True if it has a chat template."""
        if any((self.folder / name).is_file() for name in ("chat_template.jinja", "chat_template.json")):
            return True
        return bool(_json(self.folder / "tokenizer_config.json").get("chat_template"))

    @property
    def reads_images(self) -> bool:
        return isinstance(self.config.get("vision_config"), dict)

    def identity(self, options: TransformersOptions, settings: Settings) -> dict[str, str]:
        """The files and versions that decide its answers."""
        patterns = (*_READING, _CODE) if options.trust_remote_code else _READING
        reading = {path.name: path for pattern in patterns for path in self.folder.glob(pattern)}
        identity = {
            "weights": _digest({path.name: path for path in self._weights()}, settings),
            "reading": _digest(reading, settings),
            "engine": f"transformers {_version('transformers')}, torch {_version('torch')}",
            "dtype": options.dtype,
            "device": options.device,
            "chat": str(options.chat).lower(),
            "window": "" if options.window is None else str(options.window),
        }
        if options.seed is not None:
            identity["seed"] = str(options.seed)
        if options.trust_remote_code:
            identity["code"] = "the checkpoint's own"
        return {name: value for name, value in identity.items() if value}

    def _weights(self) -> list[Path]:
        found = next((files for pattern in _WEIGHTS if (files := sorted(self.folder.glob(pattern)))), [])
        if not found:
            raise DataError(f"{self.name}: no weights ({' or '.join(_WEIGHTS)}) in {self.folder}")
        return found


def required(name: str) -> Any:
    """A module of the extra. Raises MissingExtraError."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise MissingExtraError("a transformers model", "transformers") from error


def find_checkpoint(name: str, options: TransformersOptions, settings: Settings) -> Checkpoint:
    """The checkpoint in a folder, in the hub's cache, or fetched from the hub."""
    local = Path(name).expanduser()
    is_local = local.is_dir()
    if not is_local and (local.is_absolute() or name.startswith((".", "~"))):
        raise UsageError(f"transformers/{name}: there is no folder {local}")
    if options.trust_remote_code:
        _check_pinned(name, options, is_local)
    folder = local.resolve() if is_local else _from_hub(name, options, settings)
    checkpoint = Checkpoint(name, folder, _json(folder / "config.json"))
    if not checkpoint.config:
        raise DataError(
            f"transformers/{name}: no config.json in {folder}; expected a checkpoint as transformers saves it"
        )
    if "auto_map" in checkpoint.config and not options.trust_remote_code and not _is_known(checkpoint.config):
        raise UsageError(
            f"transformers/{name} is made of Python code of its own, which is not run unless the name says "
            "?trust_remote_code=true&revision=COMMIT"
        )
    return checkpoint


def _check_pinned(name: str, options: TransformersOptions, is_local: bool) -> None:
    """Code that may change between two runs is never run; a folder's is pinned by the hash of its files."""
    if not is_local and not (options.revision and _COMMIT.fullmatch(options.revision)):
        raise UsageError(
            f"transformers/{name}: trust_remote_code runs code of the checkpoint's authors, so pin it: "
            "add &revision=COMMIT (40 hex digits)"
        )


def _is_known(config: dict[str, Any]) -> bool:
    """True if transformers has this kind of model itself, so that the checkpoint's code is not needed."""
    mapping = required("transformers").CONFIG_MAPPING
    return config.get("model_type") in mapping


def _from_hub(name: str, options: TransformersOptions, settings: Settings) -> Path:
    hub = required("huggingface_hub")
    hub.constants.HF_HUB_DISABLE_TELEMETRY = True  # the library reads it from here at each request
    patterns = [*_READING, "*.safetensors", *((_CODE,) if options.trust_remote_code else ())]
    wanted: dict[str, Any] = {
        "revision": options.revision,
        "cache_dir": hub_cache(settings),
        "token": settings.environ.get("HF_TOKEN") or False,
    }
    try:
        return Path(hub.snapshot_download(name, allow_patterns=patterns, local_files_only=True, **wanted))
    except (OSError, ValueError) as error:
        if settings.offline:
            raise DataError(f"transformers/{name} is not in the hub's cache, and nothing is fetched offline") from error
    try:
        folder = Path(hub.snapshot_download(name, allow_patterns=patterns, **wanted))
        if not any(folder.glob("*.safetensors")):
            folder = Path(hub.snapshot_download(name, allow_patterns=[*patterns, "*.bin"], **wanted))
    except (OSError, ValueError) as error:
        first = str(error).strip().partition("\n")[0]
        raise DataError(f"transformers/{name} cannot be fetched from the hub: {first}") from error
    return folder


def _json(path: Path) -> dict[str, Any]:
    """An object in a file; an empty one where there is none."""
    if not path.is_file():
        return {}
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise DataError(f"{path} is not a JSON object: {error}") from error


def _digest(files: dict[str, Path], settings: Settings) -> str:
    return digest({name: remembered_sha256(path, settings) for name, path in sorted(files.items())})


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "?"
