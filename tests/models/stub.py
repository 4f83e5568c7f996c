"""A loopback endpoint that says what it is told to, and keeps what it was asked."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

CHAT: dict[str, Any] = {
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Paris"}, "finish_reason": "stop"}]
}


@dataclass(frozen=True)
class Say:
    """One reply."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    after: float = 0.0
    """Seconds it takes."""
    then: str = ""
    """`reset`: cut the line without a word; `half`: after half the body; `hang`: never answer."""


@dataclass(frozen=True)
class Asked:
    """One request."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


Answer = Callable[[Asked], Say]


class Stub:
    """The endpoint. Replies are said in turn, the last one for ever; or a function decides."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.says: list[Say] | Answer = [Say(CHAT)]
        self.url = ""
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Stub":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while await self._one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        asked = Asked(head[0].split(" ")[1], headers, json.loads(body) if body else {})
        self.asked.append(asked)
        return await _send(writer, self._next(asked))

    def _next(self, asked: Asked) -> Say:
        if callable(self.says):
            return self.says(asked)
        return self.says.pop(0) if len(self.says) > 1 else self.says[0]


async def _send(writer: asyncio.StreamWriter, say: Say) -> bool:
    if say.after:
        await asyncio.sleep(say.after)
    if say.then == "hang":
        await asyncio.sleep(3600)
    if say.then == "reset":
        writer.transport.abort()
        return False
    data = say.body if isinstance(say.body, bytes) else json.dumps(say.body).encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(data)), **say.headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"HTTP/1.1 {say.status} X\r\n{lines}\r\n".encode() + (data[: len(data) // 2] if say.then else data))
    await writer.drain()
    if say.then:
        writer.transport.abort()
    return not say.then


def chat(content: Any = "Paris", finish: str | None = "stop", **message: Any) -> dict[str, Any]:
    """A chat reply of one choice."""
    return {"choices": [{"index": 0, "message": {"content": content, **message}, "finish_reason": finish}]}


def refusal(status: int, message: str, **error: Any) -> Say:
    """A reply that is an error in OpenAI's form."""
    return Say({"error": {"message": message, "type": "invalid_request_error", **error}}, status)
