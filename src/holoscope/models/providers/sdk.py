"""What the clients over official SDKs share: reading a canonical body, and saying what went wrong on the way.

The body comes in OpenAI's names and shapes (`bodies.chat_body`); each wire format translates it from the pieces here.
"""

import ssl
from dataclasses import replace
from typing import NamedTuple, cast

import msgspec

from holoscope.core import FatalModelError, Json, ModelError, TransportError
from holoscope.models.endpoint import Endpoint
from holoscope.models.model import ModelCard
from holoscope.models.providers.bodies import Body
from holoscope.models.providers.faults import clean


class Picture(NamedTuple):
    """An image as every provider takes it."""

    media_type: str
    data: str
    """Base64."""


class Turn(NamedTuple):
    """One message."""

    role: str
    parts: tuple[str | Picture, ...]

    @property
    def text(self) -> str:
        return "".join(part for part in self.parts if isinstance(part, str))


class Talk(NamedTuple):
    """The messages of a body, as providers take them that keep the system's words apart."""

    system: str
    turns: tuple[Turn, ...]


def read_talk(body: Body) -> Talk:
    """The messages of a canonical body; system messages wherever they stand are joined by blank lines."""
    turns = [Turn(str(m["role"]), _parts(m["content"])) for m in cast(list[dict[str, Json]], body["messages"])]
    system = [turn.text for turn in turns if turn.role in ("system", "developer")]
    return Talk("\n\n".join(system), tuple(turn for turn in turns if turn.role not in ("system", "developer")))


def _parts(content: Json) -> tuple[str | Picture, ...]:
    if isinstance(content, str):
        return (content,)
    return tuple(_part(part) for part in cast(list[dict[str, Json]], content))


def _part(part: dict[str, Json]) -> str | Picture:
    if part["type"] == "text":
        return str(part["text"])
    head, _, data = str(cast(dict[str, Json], part["image_url"])["url"]).partition(";base64,")
    return Picture(head.removeprefix("data:"), data)


class Narrowed(NamedTuple):
    """A card and an endpoint that agree on what can be had."""

    card: ModelCard
    endpoint: Endpoint


def narrowed(card: ModelCard, endpoint: Endpoint, **cannot: bool) -> Narrowed:
    """The same without what a wire format has no words for, whatever was thought of the endpoint."""
    capabilities = msgspec.structs.replace(endpoint.capabilities, **cannot)
    return Narrowed(
        msgspec.structs.replace(card, capabilities=capabilities), replace(endpoint, capabilities=capabilities)
    )


def unreached(host: str, error: BaseException) -> ModelError:
    """What a failed connection means; the cause below an SDK's own words says most."""
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and len(causes) < 10:
        causes.append(cause)
    said = next((words for cause in reversed(causes) if (words := clean(str(cause)))), type(error).__name__)
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return FatalModelError(f"no secure connection to {host}: {said}")
    return TransportError(f"the connection to {host} broke: {said}")
