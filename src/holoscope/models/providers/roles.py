"""System messages for endpoints that take none: as a developer's, or put before the user's own words.

Some models have no place for them (their template raises, or the host refuses the role); their words still belong to
what is asked.
"""

import re
from typing import Literal, cast

from holoscope.core import Json
from holoscope.models.providers.bodies import Body

Role = Literal["system", "developer", "user"]
"""Where a system message's words go; `user`: before the first words of the user."""

NEXT: dict[Role, Role] = {"system": "developer", "developer": "user"}
"""What to try where an endpoint refuses one."""
SAID: dict[Role, str] = {
    "developer": "system: sent as a developer's message",
    "user": "system: put before the user's words",
}
REFUSED = re.compile(
    r"does not support '(system|developer)'|(system|developer) (role|message|prompt|instruction)s? (is |are )?not "
    r"(supported|allowed|enabled)|roles must alternate|(unknown|invalid|unexpected) (message )?role",
    re.IGNORECASE,
)


def role_of(body: Body) -> Role | None:
    """Where the system's words are in a body; None if it has none apart."""
    roles = {message["role"] for message in _messages(body)}
    return next((role for role in NEXT if role in roles), None)


def put_as(body: Body, role: Role) -> None:
    """Put the system's words where the endpoint takes them."""
    if role == "user":
        body["messages"] = cast(Json, _before_the_user(_messages(body)))
    else:
        renamed = [{**m, "role": role} if m["role"] == "system" else m for m in _messages(body)]
        body["messages"] = cast(Json, renamed)


def _before_the_user(messages: list[dict[str, Json]]) -> list[dict[str, Json]]:
    said = "\n\n".join(str(message["content"]) for message in messages if message["role"] == "system")
    rest = [message for message in messages if message["role"] != "system"]
    at = next((at for at, message in enumerate(rest) if message["role"] == "user"), None)
    if at is None:
        return [{"role": "user", "content": said}, *rest]
    content = rest[at]["content"]
    if isinstance(content, list):
        joined: Json = [{"type": "text", "text": f"{said}\n\n"}, *content]
    else:
        joined = f"{said}\n\n{content}"
    return [*rest[:at], {**rest[at], "content": joined}, *rest[at + 1 :]]


def _messages(body: Body) -> list[dict[str, Json]]:
    return cast(list[dict[str, Json]], body.get("messages") or [])
