"""Asks an application as a server would, without a socket."""

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

import msgspec
from fastapi import FastAPI

HOST = "127.0.0.1:8000"


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


def ask(app: FastAPI, path: str, method: str = "GET", *, body: bytes = b"", host: str = HOST, **headers: str) -> Reply:
    """One request; in the names of headers an underscore stands for a hyphen."""
    own = {name.replace("_", "-"): value for name, value in headers.items()}
    return asyncio.run(_ask(app, path, method, body, {"host": host, "content-length": str(len(body)), **own}))


def send_form(app: FastAPI, path: str, fields: Mapping[str, str], **headers: str) -> Reply:
    """Send a form as a browser does."""
    from urllib.parse import urlencode

    own = {"content_type": "application/x-www-form-urlencoded", **headers}
    return ask(app, path, "POST", body=urlencode(fields).encode(), **own)


async def _ask(app: FastAPI, path: str, method: str, body: bytes, headers: Mapping[str, str]) -> Reply:
    address, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote_to_bytes(address).decode("utf-8", "replace"),
        "raw_path": address.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8000),
    }
    incoming = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Any] = []

    async def receive() -> Any:
        return incoming.pop(0) if incoming else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = next(message for message in sent if message["type"] == "http.response.start")
    content = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
    given = {name.decode().lower(): value.decode("latin-1") for name, value in start["headers"]}
    return Reply(start["status"], given, content)
