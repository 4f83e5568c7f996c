"""A loopback OpenAI-compatible server in its own process, which counts what it serves.

    python counting_server.py [--latency SECONDS]     prints its port, then answers until killed

`GET /stats` gives {"requests": n, "in_flight": n, "most_in_flight": n}. The answer to a prompt is a function of the
prompt. `--misbehave html|hang|500` makes every request fail in that way, `--poison TEXT` only those that hold TEXT.
"""

import argparse
import asyncio
import hashlib
from typing import Any

from aiohttp import web


class Server:
    def __init__(self, latency: float, misbehave: str, poison: str) -> None:
        self.latency, self.misbehave, self.poison = latency, misbehave, poison
        self.requests = self.in_flight = self.most_in_flight = 0

    async def stats(self, _: web.Request) -> web.Response:
        return web.json_response(
            {"requests": self.requests, "in_flight": self.in_flight, "most_in_flight": self.most_in_flight}
        )

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(self.latency)
            return await self.reply(body)
        finally:
            self.in_flight -= 1

    async def reply(self, body: dict[str, Any]) -> web.StreamResponse:
        prompt = str(body.get("prompt") or body["messages"][-1]["content"])
        if self.misbehave and self.poison in prompt:
            if self.misbehave == "hang":
                await asyncio.sleep(3600)
            if self.misbehave == "html":
                return web.Response(text="<html><body><h1>Welcome</h1></body></html>", content_type="text/html")
            return web.json_response({"error": {"message": "boom"}}, status=int(self.misbehave))
        letter = "ABCD"[hashlib.sha256(prompt.encode()).digest()[0] % 4]
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": letter}}
        choice["logprobs"] = {"content": [{"token": letter, "logprob": -0.5, "bytes": None, "top_logprobs": []}]}
        usage = {"prompt_tokens": len(prompt) // 4, "completion_tokens": 1, "total_tokens": len(prompt) // 4 + 1}
        return web.json_response({"id": "x", "model": body["model"], "choices": [choice], "usage": usage})


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--misbehave", default="")
    parser.add_argument("--poison", default="")
    flags = parser.parse_args()
    server = Server(flags.latency, flags.misbehave, flags.poison)
    app = web.Application(client_max_size=2**26)
    app.router.add_get("/stats", server.stats)
    app.router.add_post("/v1/chat/completions", server.answer)
    app.router.add_post("/v1/completions", server.answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
