"""A served model as the client needs it, and the options by which a user corrects what we think of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from holoscope.core import Json
from holoscope.models.credentials import Secret
from holoscope.models.model import Api, Capabilities, MaxTokensName, Wire
from holoscope.models.names import TypedName, read_options
from holoscope.models.thinking import TAGS, Tags
from holoscope.models.tokenizers import WindowOption

BODY = "body."
"""`body.reasoning_effort=low` puts a field into every request, as it is."""


@dataclass(frozen=True)
class Endpoint:
    """Everything needed to talk to one served model. Its repr holds no secret."""

    url: str
    served_name: str
    capabilities: Capabilities
    wire: Wire = "openai"
    authorization: Secret | None = None
    """Value of the Authorization header."""
    key: Secret | None = None
    """The key within it, to be kept out of messages."""
    organization: str = ""
    proxy: str | None = field(default=None, repr=False)
    body: Mapping[str, Json] = field(default_factory=dict)
    """Sent with every request."""
    think: Tags | None = TAGS
    places: Mapping[str, str] = field(default_factory=dict)
    """`region`, `project`, `api_version`, where the host has such."""
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The user's environment, for hosts whose SDK identifies by more than a key."""
    seed: int | None = None
    """Sent, mixed with the request's draw; None: no seed is sent."""


class EndpointOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options after `?` in the name of a served model; those with a name of `Capabilities` correct it."""

    wire: Wire | None = None
    """The wire format, where it is not the host's."""
    api: Api | None = None
    """The only API to use."""
    prefers: Api | None = None
    stream: bool | None = None
    tokenizer: str = ""
    window: WindowOption | None = None
    max_tokens_name: MaxTokensName | None = None
    logprobs: bool | None = None
    echo: bool | None = None
    images: bool | None = None
    n: bool | None = None
    stop: bool | None = None
    max_stops: int | None = None
    temperature: bool | None = None
    think: str = ""
    """Name of the tag around reasoning, or both tags with a comma between; `none`: don't look for it."""
    seed: int | None = None
    deployment: str = ""
    """Name to keep the answers under."""
    key_env: str = ""
    """Environment variable that holds the key."""
    region: str = ""
    project: str = ""
    api_version: str = ""

    @property
    def places(self) -> dict[str, str]:
        """Where a cloud's model is, as far as given."""
        given = {"region": self.region, "project": self.project, "api_version": self.api_version}
        return {name: value for name, value in given.items() if value}

    def corrected(self, given: Capabilities) -> Capabilities:
        """`given` with the user's corrections."""
        changes = {name: getattr(self, name, None) for name in Capabilities.__struct_fields__}
        changes["streaming"] = self.stream
        if self.api is not None:
            changes |= {"chat": self.api == "chat", "completions": self.api == "completions", "prefers": self.api}
            if self.echo is None:
                changes["echo"] = given.echo and self.api == "completions"
        known = {name: value for name, value in changes.items() if value is not None}
        return msgspec.convert({**msgspec.structs.asdict(given), **known}, Capabilities)


def endpoint_options(typed: TypedName) -> EndpointOptions:
    """The options of a served model's name, without the fields of the body."""
    plain = {key: value for key, value in typed.options.items() if not key.startswith(BODY)}
    return read_options(plain, EndpointOptions, typed.name)


def body_options(options: Mapping[str, str]) -> dict[str, Json]:
    """The fields of the body; a value that is JSON is read as such.

    >>> body_options({"body.top_k": "20", "body.reasoning_effort": "low", "window": "8"})
    {'top_k': 20, 'reasoning_effort': 'low'}
    """
    return {key.removeprefix(BODY): _value(text) for key, text in options.items() if key.startswith(BODY)}


def _value(text: str) -> Json:
    try:
        value: Json = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    return value
