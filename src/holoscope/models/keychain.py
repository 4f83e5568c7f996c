"""Keys in the system's keyring, for those who keep none in their environment or in files.

Looked for last, and only where the package `keyring` is installed: service `holoscope`, user the variable's name
(`OPENAI_API_KEY`) or the host's. A keyring that fails, is locked or waits for somebody to unlock it holds nobody up: it
counts as one without the key, is not asked again, and why is said where a key is missing.
"""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from threading import Thread

from holoscope.core import Settings
from holoscope.models.credentials import FoundKey, Secret

SERVICE = "holoscope"
_PACKAGE = "keyring"
_PATIENCE_S = 10.0
"""Enough to unlock it, if somebody is there."""
_NONE_HERE = "NoKeyringError"
_LONGEST = 200


def kept_key(names: Sequence[str], settings: Settings) -> FoundKey | None:
    """The first key that the keyring has under one of these names."""
    if not _is_open(settings):
        return None
    found: list[FoundKey | str] = []
    thread = Thread(target=_look, args=(names, found), name="holoscope-keyring", daemon=True)
    thread.start()
    thread.join(_PATIENCE_S)
    key = found[0] if found else None
    if isinstance(key, FoundKey):
        return key
    if not thread.is_alive() and key is None:
        return None
    settings.unreached[_PACKAGE] = key or f"it did not answer in {_PATIENCE_S:.0f} s"
    return None


def keyring_hint(variable: str, settings: Settings) -> str:
    """What to say of the keyring where a key is missing; empty where there is none."""
    why = settings.unreached.get(_PACKAGE, "")
    if why:
        return "" if why.startswith(_NONE_HERE) else f"; the keyring failed: {why}"
    return f", or type: python -m keyring set {SERVICE} {variable}" if _is_open(settings) else ""


def _is_open(settings: Settings) -> bool:
    return settings.keyring and _PACKAGE not in settings.unreached and find_spec(_PACKAGE) is not None


def _look(names: Sequence[str], found: list[FoundKey | str]) -> None:
    """Put into `found` the key, or what was wrong."""
    try:
        keyring = import_module(_PACKAGE)
        for name in names:
            if value := (keyring.get_password(SERVICE, name) or "").strip():
                found.append(FoundKey(Secret(value), f"{name} of the keyring"))
                return
    except Exception as error:  # noqa: BLE001 - each of its backends raises its own
        found.append(f"{type(error).__name__}: {' '.join(str(error).split())}"[:_LONGEST])
