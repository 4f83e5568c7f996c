"""Keys and addresses of endpoints: from the environment, `HELM_CREDENTIALS`, or HELM's `credentials.conf`.

A key is a `Secret`, which shows itself only when asked in so many words, so that no repr, log line or exception holds
one by accident.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import AnyStr, NamedTuple

from holoscope.core import ConfigError, Settings

FILE_NAME = "credentials.conf"


class Secret:
    """A key that does not print."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Secret(***)"

    def reveal(self) -> str:
        """The key itself: for a header, and for nothing else."""
        return self._value

    def hidden_in(self, said: AnyStr) -> AnyStr:
        """`said` without the key, for what a server says about it."""
        if not self._value:
            return said
        if isinstance(said, bytes):
            return said.replace(self._value.encode(), b"***")
        return said.replace(self._value, "***")


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
        if value := self.text(f"{host}ApiKey"):
            return FoundKey(Secret(value), f"{host}ApiKey of {self.origin}")
        return None

    def text(self, name: str) -> str:
        """A plain entry of HELM's credentials, such as `openaiBaseUrl`; empty if there is none."""
        value = self.tree.get(name)
        return str(value).strip() if isinstance(value, str | int) else ""

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
