"""Which tokenizer stands for a model: what is on this machine, else the model's own server, else an estimate.

A tokenizer that was named (by the user, a deployments file, HELM's table) goes before one that fits the model's name.
On this machine are tokenizer files and folders, tiktoken's files, and what a hub left in its cache; nothing is fetched.
"""

import re
from pathlib import Path

from holoscope.core import Settings, UsageError
from holoscope.models.addresses import is_private
from holoscope.models.counting import Counter
from holoscope.models.encodings import open_encoding
from holoscope.models.endpoint import Endpoint
from holoscope.models.hosts import HOSTS
from holoscope.models.model import ModelCard
from holoscope.models.served_window import ServedWindow
from holoscope.models.tokenizers import CHARACTERS, NO_LIMITS, WORDS, Limits, Window, file_of, open_window

ENDPOINT = "endpoint"
"""As a tokenizer's name: the server's own, wherever the server is."""
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_OPENAI = frozenset(("openai", "azure"))


def window_for(card: ModelCard, name: str, prefix_token: str, endpoint: Endpoint | None, settings: Settings) -> Window:
    """The window of a model whose tokenizer is called `name`, or has no name."""
    own = at_hand(name, card.limits, prefix_token, settings) if name and name != ENDPOINT else None
    if not name:
        own = _by_the_models_name(card, prefix_token, settings)
    if endpoint is None or not (name == ENDPOINT or _is_own_server(card, endpoint)):
        return own or open_window("", card.limits, prefix_token=prefix_token)
    if own is not None and card.limits != NO_LIMITS:
        return own
    return ServedWindow(card.limits, prefix_token, counter=Counter(endpoint), own=own)


def at_hand(name: str, limits: Limits, prefix_token: str, settings: Settings) -> Window | None:
    """The window of a tokenizer that this machine has under a name or path; None if it has none."""
    window = open_window(name, limits, prefix_token=prefix_token)
    if window.exact:
        return window
    found = open_encoding(name, limits, prefix_token, settings)
    if found is None and (file := _in_hub_cache(name, settings)) is not None:
        window = open_window(str(file), limits, prefix_token=prefix_token)
        return window if window.exact else None
    return found


def require_tokenizer(name: str, settings: Settings) -> None:
    """Raise UsageError for a tokenizer typed by the user that can't be had."""
    if name in ("", ENDPOINT) or file_of(name).is_file():
        return
    if name.endswith(".json") or at_hand(name, NO_LIMITS, "", settings) is None:
        raise UsageError(
            f"no tokenizer {name!r}: write {CHARACTERS}, {WORDS}, or the path of a tokenizer.json, or {ENDPOINT} to "
            "have the server count; tiktoken's are fetched by: holoscope models pull tokenizer/o200k_base"
        )


def _by_the_models_name(card: ModelCard, prefix_token: str, settings: Settings) -> Window | None:
    if card.provider in _OPENAI or card.served_name.startswith("openai/"):
        return open_encoding(card.served_name, card.limits, prefix_token, settings)
    return at_hand(card.served_name, card.limits, prefix_token, settings) if _is_hub_name(card.served_name) else None


def _is_own_server(card: ModelCard, endpoint: Endpoint) -> bool:
    """True for a server on our own network that may have a tokenizer to ask."""
    host = HOSTS.get(card.provider)
    return endpoint.wire in ("openai", "tgi") and is_private(endpoint.url) and (host is None or host.local)


def _is_hub_name(name: str) -> bool:
    return _HUB_NAME.fullmatch(name) is not None and ".." not in name


def _in_hub_cache(name: str, settings: Settings) -> Path | None:
    """A model's tokenizer file in the hub's cache: of its main revision, else of the newest there."""
    if not _is_hub_name(name):
        return None
    folder = hub_cache(settings) / f"models--{name.replace('/', '--')}"
    try:
        revision = (folder / "refs" / "main").read_text(encoding="utf-8").strip()
    except OSError:
        revision = ""
    main = folder / "snapshots" / revision / "tokenizer.json"
    if revision and main.is_file():
        return main
    files = sorted((folder / "snapshots").glob("*/tokenizer.json"), key=lambda file: file.parent.stat().st_mtime)
    return files[-1] if files else None


def hub_cache(settings: Settings) -> Path:
    """Where Hugging Face's libraries keep what they fetched."""
    environ = settings.environ
    if named := environ.get("HF_HUB_CACHE") or environ.get("HUGGINGFACE_HUB_CACHE"):
        return Path(named)
    caches = environ.get("XDG_CACHE_HOME") or Path(environ.get("HOME") or "~").expanduser() / ".cache"
    return Path(environ.get("HF_HOME") or Path(caches) / "huggingface") / "hub"
