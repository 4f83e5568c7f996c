"""Keys and addresses of endpoints: from the environment, `HELM_CREDENTIALS`, HELM's `credentials.conf`, a keyring.

A key is a `Secret`, which shows itself only when asked in so many words, so that no repr, log line or exception holds
one by accident.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import AnyStr, NamedTuple
from urllib.parse import quote

from holoscope.core import ConfigError, Settings

FILE_NAME = "credentials.conf"
NAMES = {
    "AWS_ACCESS_KEY_ID": "awsAccessKeyId",
    "AWS_SECRET_ACCESS_KEY": "awsSecretAccessKey",
    "AWS_SESSION_TOKEN": "awsSessionToken",
    "AWS_REGION": "awsRegion",
    "HF_TOKEN": "huggingfaceAuthToken",
}
"""Environment variables that SDKs look for -> what stands for them in the file."""


class Secret:
    """A key that does not print."""

    __slots__ = ("_forms", "_value")

    def __init__(self, value: str) -> None:
        self._value = value
        self._forms = _forms(value)

    def __repr__(self) -> str:
        return "Secret(***)"

    def reveal(self) -> str:
        """The key itself: for a header, and for nothing else."""
        return self._value

    def hidden_in(self, said: AnyStr) -> AnyStr:
        """`said` without the key, for what a server says about it, quoted for a URL or in base64 as it may be."""
        for form in self._forms:
            said = said.replace(form.encode(), b"***") if isinstance(said, bytes) else said.replace(form, "***")
        return said

    def is_told_by(self, answer: str) -> bool:
        """True if a text holds the key. Words too short for one (`EMPTY`) may stand in any answer and are none."""
        return any(form in answer for form in self._forms if len(form) >= _SURELY_A_KEY)


_SURELY_A_KEY = 12
"""Characters; what is shorter is a word for a server that wants no key."""


def _forms(value: str) -> tuple[str, ...]:
    """What a key or a header's value may look like where it is repeated; the longest first."""
    scheme, _, bare = value.partition(" ")
    secrets = {bare if bare and scheme in ("Bearer", "Basic") else value}
    if bare and scheme == "Basic":
        with suppress(ValueError):
            user = base64.b64decode(bare).decode(errors="replace")
            secrets |= {user, user.partition(":")[2]}
    forms = {form for secret in secrets if secret for form in (secret, *_written_as(secret))}
    return tuple(sorted((form for form in forms if len(form) >= _LEAST_HIDDEN), key=len, reverse=True))


def _written_as(secret: str) -> Iterator[str]:
    """A secret in a URL, in JSON that escapes slashes, and in base64 wherever in the encoded text it stands."""
    yield quote(secret, safe="")
    yield quote(secret)
    yield secret.replace("/", "\\/")
    data = secret.encode()
    for before, lost in enumerate((0, 2, 3) if len(data) >= _LEAST_ENCODED else ()):
        encoded = base64.b64encode(bytes(before) + data).decode().rstrip("=")
        inner = encoded[lost : None if (before + len(data)) % 3 == 0 else -1]
        yield inner
        yield inner.replace("+", "-").replace("/", "_")


_LEAST_HIDDEN = 3
"""Characters; a single letter hidden wherever it stands would leave nothing of a message."""
_LEAST_ENCODED = 6
"""Bytes; of shorter ones too little is left in base64 to know them by."""


class FoundKey(NamedTuple):
    """A key and where it was found, in words."""

    secret: Secret
    source: str


@dataclass(frozen=True)
class Credentials:
    """Everything the user gave us to identify with."""

    environ: Mapping[str, str] = field(repr=False)
    tree: Mapping[str, object] = field(repr=False)
    """HELM's credentials: `openaiApiKey`, `openaiBaseUrl`, `deployments { "openai/gpt-4o": ... }`."""
    origin: str
    """Where `tree` comes from, in words."""

    def key(self, host: str, deployment: str, variables: Iterable[str]) -> FoundKey | None:
        """The key for a deployment: its own, then the environment's, then its host's."""
        if own := self._deployment_keys().get(deployment):
            return FoundKey(Secret(str(own)), f"deployments of {self.origin}")
        for variable in variables:
            if value := self.environ.get(variable, "").strip():
                return FoundKey(Secret(value), variable)
            if value := self.text(NAMES.get(variable, "")):
                return FoundKey(Secret(value), f"{NAMES[variable]} of {self.origin}")
        if value := self.text(f"{host}ApiKey"):
            return FoundKey(Secret(value), f"{host}ApiKey of {self.origin}")
        return None

    def text(self, name: str) -> str:
        """A plain entry of HELM's credentials, such as `openaiBaseUrl`; empty if there is none."""
        value = self.tree.get(name)
        return str(value).strip() if isinstance(value, str | int) else ""

    def environment(self) -> dict[str, str]:
        """The environment as an SDK is to see it: what the file has for variables that are not set is filled in."""
        written = {variable: value for variable, name in NAMES.items() if (value := self.text(name))}
        return {**written, **self.environ}

    def _deployment_keys(self) -> Mapping[str, object]:
        keys = self.tree.get("deployments")
        return keys if isinstance(keys, Mapping) else {}


def load_credentials(settings: Settings) -> Credentials:
    """Read the credentials at hand; raises ConfigError, which never quotes the file."""
    if text := settings.environ.get("HELM_CREDENTIALS", ""):
        return Credentials(settings.environ, _parse(text, "HELM_CREDENTIALS"), "HELM_CREDENTIALS")
    path = settings.local_path / FILE_NAME
    return Credentials(settings.environ, _parse(_read(path), str(path)), str(path))


def _read(path: Path) -> str:
    if not path.is_file():
        return ""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {type(error).__name__}") from None


def _parse(text: str, origin: str) -> Mapping[str, object]:
    if not text.strip():
        return {}
    from pyhocon import ConfigFactory, ConfigTree
    from pyhocon.exceptions import ConfigException
    from pyparsing import ParseBaseException

    try:
        tree = ConfigFactory.parse_string(text)
    except (ConfigException, ParseBaseException, RecursionError):
        raise ConfigError(f'{origin} is not HOCON; expected lines such as openaiApiKey: "..."') from None
    if not isinstance(tree, ConfigTree):
        raise ConfigError(f"{origin} is not HOCON; expected lines with a name and a value")
    return dict(tree.as_plain_ordered_dict())
