"""A served model as the client needs it, and the options by which a user corrects what we think of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from holoscope.core import Json, UsageError
from holoscope.models.credentials import Secret
from holoscope.models.model import Api, Capabilities, MaxTokensName, Wire
from holoscope.models.names import TypedName, read_options
from holoscope.models.thinking import TAGS, Tags
from holoscope.models.tokenizers import WindowOption

BODY = "body."
"""`body.reasoning_effort=low` puts a field into every request, as it is."""
_WITHOUT: Mapping[str, tuple[Wire, ...]] = {
    "thinking": ("openai", "responses", "tgi"),
    "safety": ("openai", "responses", "tgi", "anthropic", "bedrock"),
}
"""Options -> the wire formats that have no words for them."""

_SIGNED_WITH = ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")


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
    key_header: str = ""
    """The header that takes the bare key, where it is not Authorization."""
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

    def hidden_in(self, said: bytes) -> bytes:
        """`said` without what we identify with."""
        for secret in self.secrets:
            said = secret.hidden_in(said)
        return said

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """What we identify with."""
        signed = [self.environ.get(name, "") for name in _SIGNED_WITH] if self.wire == "bedrock" else []
        found = (self.key, self.authorization, *(Secret(value) for value in signed if value))
        return tuple(secret for secret in found if secret is not None)


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
    chat: bool | None = None
    completions: bool | None = None
    logprobs: bool | None = None
    echo: bool | None = None
    images: bool | None = None
    n: bool | None = None
    stop: bool | None = None
    max_stops: int | None = None
    temperature: bool | None = None
    max_output: WindowOption | None = None
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
    effort: str = ""
    """How hard a reasoning model is to think: `low`, or another word that it knows."""
    thinking: str = ""
    """Where thinking is asked for by its size: a number of tokens, a level, or `none`."""
    safety: str = ""
    """Google's safety filters: a threshold for all of them, such as `BLOCK_NONE` or `OFF`. Cohere's safety mode."""

    def asked(self, wire: Wire) -> dict[str, Json]:
        """The fields of the body that have an option of their own. Raises UsageError where the format has none such."""
        given = {"reasoning_effort": self.effort, "thinking": self.thinking, "safety": self.safety}
        for name, wires in _WITHOUT.items():
            if given[name] and wire in wires:
                raise UsageError(
                    f"option {name}={given[name]}: the {wire} format has no such thing; for effort, ?effort="
                )
        return {name: value for name, value in given.items() if value}

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
