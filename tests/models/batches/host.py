"""A loopback host of batches in three formats, which runs what is submitted to it and can be told to fail.

It knows nothing of our client: it takes and gives what the providers' documentation says.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, ClassVar

from aiohttp import BodyPartReader, web

Body = dict[str, Any]
Answer = Callable[[Body], tuple[int, Body]]


def chat(text: str, **more: Any) -> Body:
    """A chat reply."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", **more}
    return {"model": "m-1", "choices": [choice], "usage": {"prompt_tokens": 10, "completion_tokens": 2}}


def echoed(body: Body) -> tuple[int, Body]:
    """`to X` for a question X."""
    return 200, chat(f"to {body['messages'][-1]['content']}")


def refused(message: str, **error: Any) -> Body:
    return {"error": {"message": message, "type": "invalid_request_error", **error}}


@dataclass
class Job:
    """A batch that was submitted."""

    id: str
    order: Body
    rows: list[Body]
    polls: int = 0
    phase: str = "running"
    """`running`, `ended`, `expired`, `cancelled` or `failed`."""
    errors: list[Body] = field(default_factory=list)


@dataclass
class Host:
    """The host. What a test sets decides what it does next."""

    answer: Answer = echoed
    polls: int = 1
    """How often a batch is looked at before it has ended."""
    faults: dict[str, list[web.Response | str]] = field(default_factory=dict)
    """What to say next instead, by verb (`upload`, `submit`, `state`, `content`, `list`); `lost`: do it, then cut the
    line without a word; `half`: half of the body and then cut it; `short`: half of the body as if that were all."""
    end: Callable[[Job], None] | None = None
    """Decides how a batch ends that has been looked at often enough."""
    jobs: list[Job] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    uploads: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    unanswered: set[str] = field(default_factory=set)
    """Prompts whose rows the host loses."""
    url: str = ""
    looked: threading.Event = field(default_factory=threading.Event)
    hang: str = ""
    """The verb that is done, but never answered."""
    hangs: threading.Event = field(default_factory=threading.Event)
    jobs_path: ClassVar[str] = "/v1/batches"
    root: ClassVar[str] = "/v1"
    """What a user's base URL ends in."""
    verbs: ClassVar[frozenset[str]] = frozenset(("upload", "submit", "state", "content"))
    """What is asked of it; the others don't come up in its format."""
    can_fail: ClassVar[bool] = True
    """True if a batch can fail as a whole."""

    # ---- what a test asks

    @property
    def asked(self) -> list[str]:
        """The questions of all rows of all batches."""
        return [row["body"]["messages"][-1]["content"] for job in self.jobs for row in job.rows]

    def wait_for_a_look(self) -> None:
        """Return once somebody has looked at a batch."""
        assert self.looked.wait(20), "nobody looked at a batch"

    # ---- routes

    def app(self) -> web.Application:
        app = web.Application(client_max_size=2**28)
        app.router.add_post("/v1/files", self._upload)
        app.router.add_get("/v1/files/{id}/content", self._content)
        app.router.add_post(self.jobs_path, self._submit)
        app.router.add_get(self.jobs_path, self._list)
        app.router.add_get(self.jobs_path + "/{id}", self._look)
        app.router.add_post(self.jobs_path + "/{id}/cancel", self._cancel)
        return app

    async def _said(
        self, verb: str, request: web.Request, make: Callable[[], Body | bytes | list[Any]]
    ) -> web.StreamResponse:
        self.headers.append(dict(request.headers))
        queue = self.faults.get(verb, [])
        fault = queue.pop(0) if queue else None
        if isinstance(fault, web.Response):
            return fault
        made = make()
        if self.hang == verb:  # it is done, and the answer never arrives
            self.hangs.set()
            await asyncio.sleep(60)
        data = made if isinstance(made, bytes) else json.dumps(made).encode()
        if fault == "lost":
            assert request.transport is not None
            request.transport.abort()
        if fault == "half":
            response = web.StreamResponse(headers={"Content-Length": str(len(data))})
            await response.prepare(request)
            await response.write(data[: len(data) // 2])
            assert request.transport is not None
            request.transport.abort()
            return response
        return web.Response(body=data[: len(data) // 2] if fault == "short" else data, content_type="application/json")

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        form: dict[str, bytes] = {}
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader)
            form[part.name or ""] = bytes(await part.read())

        def keep() -> Body:
            self.uploads.append(form["purpose"].decode())
            name = f"file-{len(self.uploads)}"
            self.files[name] = form["file"]
            return {"id": name, "purpose": self.uploads[-1]}

        return await self._said("upload", request, keep)

    async def _content(self, request: web.Request) -> web.StreamResponse:
        return await self._said("content", request, lambda: self.files[request.match_info["id"]])

    async def _submit(self, request: web.Request) -> web.StreamResponse:
        order = await request.json()
        return await self._said("submit", request, lambda: self.started(self._job(order)))

    async def _list(self, request: web.Request) -> web.StreamResponse:
        return await self._said("list", request, lambda: self.listed(list(reversed(self.jobs))))

    async def _look(self, request: web.Request) -> web.StreamResponse:
        job = self._named(request.match_info["id"])
        return await self._said("state", request, lambda: self._looked(job))

    async def _cancel(self, request: web.Request) -> web.StreamResponse:
        job = self._named(request.match_info["id"])
        job.phase = "cancelled"
        return await self._said("cancel", request, lambda: self.described(job))

    def _named(self, name: str) -> Job:
        found = next((job for job in self.jobs if job.id == name), None)
        if found is None:
            raise web.HTTPNotFound(text="no such batch")
        return found

    # ---- running

    def _job(self, order: Body) -> Job:
        self.jobs.append(Job(f"batch_{len(self.jobs) + 1}", order, self.rows_of(order)))
        return self.jobs[-1]

    def _looked(self, job: Job) -> Body:
        job.polls += 1
        self.looked.set()
        if job.phase == "running" and job.polls > self.polls:
            job.phase = "ended"
            if self.end is not None:
                self.end(job)
        if job.phase != "running":
            self._run(job)
        return self.described(job)

    def _run(self, job: Job) -> None:
        """Write the files of a batch that has ended; results come in another order than they were asked."""
        if job.phase == "failed" or f"out-{job.id}" in self.files:
            return
        good: list[Body] = []
        bad: list[Body] = []
        for row in reversed(job.rows):
            if row["body"]["messages"][-1]["content"] in self.unanswered:
                continue
            status, body = self.answer(row["body"])
            body = self.reply(body) if status == 200 else body
            line = {"id": "r", "custom_id": row["custom_id"], "response": {"status_code": status, "body": body}}
            (good if status == 200 else bad).append(line | {"error": None})
        self.files[f"out-{job.id}"] = "".join(json.dumps(line) + "\n" for line in good).encode()
        self.files[f"err-{job.id}"] = "".join(json.dumps(line) + "\n" for line in bad).encode()

    # ---- words of the format

    def source(self, order: Body) -> str:
        return str(order["input_file_id"])

    def rows_of(self, order: Body) -> list[Body]:
        return [json.loads(line) for line in self.files[self.source(order)].splitlines()]

    def reply(self, body: Body) -> Body:
        """A chat reply in the words of the format's files."""
        return body

    def started(self, job: Job) -> Body:
        return self.described(job)

    def listed(self, jobs: list[Job]) -> Body | list[Any]:
        return {"object": "list", "data": list(map(self.described, jobs)), "has_more": False}

    def described(self, job: Job) -> Body:
        has_files = f"out-{job.id}" in self.files
        return {
            "id": job.id,
            "object": "batch",
            "status": {"running": "in_progress", "ended": "completed"}.get(job.phase, job.phase),
            "created_at": 1_900_000_000,
            "input_file_id": job.order["input_file_id"],
            "output_file_id": f"out-{job.id}" if has_files else None,
            "error_file_id": f"err-{job.id}" if has_files else None,
            "errors": {"object": "list", "data": job.errors} if job.errors else None,
            "request_counts": {"total": len(job.rows), "completed": min(job.polls, len(job.rows)), "failed": 0},
            "metadata": job.order.get("metadata"),
        }


class Responses(Host):
    """OpenAI's words, with the Responses API in the rows."""

    def rows_of(self, order: Body) -> list[Body]:
        assert order["endpoint"] == "/v1/responses"
        rows = super().rows_of(order)
        return [row | {"body": row["body"] | {"messages": row["body"]["input"]}} for row in rows]

    def reply(self, body: Body) -> Body:
        if not isinstance(body["choices"], list):
            return {"output": body["choices"]}
        text = body["choices"][0]["message"]["content"]
        said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
        usage = {"input_tokens": 10, "output_tokens": 2}
        return {"status": "completed", "incomplete_details": None, "output": [said], "usage": usage, "model": "m-1"}


class Together(Host):
    """Together's words."""

    def started(self, job: Job) -> Body:
        return {"job": self.described(job), "warning": None}

    def listed(self, jobs: list[Job]) -> Body | list[Any]:
        return list(map(self.described, jobs))

    def described(self, job: Job) -> Body:
        has_files = f"out-{job.id}" in self.files
        return {
            "id": job.id,
            "status": {"running": "IN_PROGRESS", "ended": "COMPLETED"}.get(job.phase, job.phase.upper()),
            "input_file_id": job.order["input_file_id"],
            "output_file_id": f"out-{job.id}" if has_files else "",
            "error_file_id": f"err-{job.id}" if has_files else "",
            "progress": 50.0,
            "created_at": "2026-12-01T00:00:00Z",
            "error": "; ".join(error["message"] for error in job.errors) or None,
        }


class Mistral(Host):
    """Mistral's words."""

    jobs_path: ClassVar[str] = "/v1/batch/jobs"

    def source(self, order: Body) -> str:
        (only,) = order["input_files"]
        return str(only)

    def listed(self, jobs: list[Job]) -> Body | list[Any]:
        return {"object": "list", "data": list(map(self.described, jobs)), "total": len(jobs)}

    def described(self, job: Job) -> Body:
        has_files = f"out-{job.id}" in self.files
        phases = {"running": "RUNNING", "ended": "SUCCESS", "expired": "TIMEOUT_EXCEEDED"}
        return {
            "id": job.id,
            "object": "batch",
            "input_files": job.order["input_files"],
            "model": job.order["model"],
            "status": phases.get(job.phase, job.phase.upper()),
            "created_at": 1_900_000_000,
            "output_file": f"out-{job.id}" if has_files else None,
            "error_file": f"err-{job.id}" if has_files else None,
            "errors": [{"message": error["message"], "count": 1} for error in job.errors],
            "completed_requests": min(job.polls, len(job.rows)),
            "metadata": job.order.get("metadata"),
        }


class Gemini(Host):
    """Gemini's words: rows and results are inline."""

    root: ClassVar[str] = ""
    verbs: ClassVar[frozenset[str]] = frozenset(("submit", "state"))

    def app(self) -> web.Application:
        app = web.Application(client_max_size=2**28)
        app.router.add_post("/v1beta/models/{model}:batchGenerateContent", self._submit)
        app.router.add_get("/v1beta/batches", self._list)
        app.router.add_get("/v1beta/batches/{id}", self._look)
        app.router.add_post("/v1beta/batches/{id}:cancel", self._cancel)
        return app

    def rows_of(self, order: Body) -> list[Body]:
        requests = order["batch"]["inputConfig"]["requests"]["requests"]
        return [{"custom_id": each["metadata"]["key"], "body": in_openai_words(each["request"])} for each in requests]

    def listed(self, jobs: list[Job]) -> Body | list[Any]:
        return {"operations": list(map(self.described, jobs))}

    def described(self, job: Job) -> Body:
        phase = {"ended": "SUCCEEDED"}.get(job.phase, job.phase.upper())
        stats = {"requestCount": str(len(job.rows)), "successfulRequestCount": str(min(job.polls, len(job.rows)))}
        about = {"displayName": job.order["batch"]["displayName"], "state": f"BATCH_STATE_{phase}", "batchStats": stats}
        operation: Body = {"name": f"batches/{job.id}", "metadata": about}
        if job.errors:
            operation["error"] = {"code": 3, "message": job.errors[0]["message"]}
        if f"out-{job.id}" in self.files:
            lines = self.files[f"out-{job.id}"] + self.files[f"err-{job.id}"]
            answers = [in_google_words(json.loads(line)) for line in lines.splitlines()]
            about["output"] = {"inlinedResponses": {"inlinedResponses": answers}}
        return operation


class Anthropic(Host):
    """Anthropic's words: rows are inline, results are a file of their own."""

    root: ClassVar[str] = ""
    verbs: ClassVar[frozenset[str]] = frozenset(("submit", "state", "content"))
    can_fail: ClassVar[bool] = False
    jobs_path: ClassVar[str] = "/v1/messages/batches"

    def app(self) -> web.Application:
        app = web.Application(client_max_size=2**28)
        app.router.add_post(self.jobs_path, self._submit)
        app.router.add_get(self.jobs_path, self._list)
        app.router.add_get(self.jobs_path + "/{id}", self._look)
        app.router.add_get(self.jobs_path + "/{id}/results", self._results)
        app.router.add_post(self.jobs_path + "/{id}/cancel", self._cancel)
        return app

    async def _results(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["id"]
        lines = (self.files[f"out-{name}"] + self.files[f"err-{name}"]).splitlines()
        job = self._named(name)
        told = [in_anthropic_words(json.loads(line)) for line in lines]
        if job.phase in ("expired", "cancelled"):
            unasked = {row["custom_id"] for row in job.rows} - {line["custom_id"] for line in told}
            ended = {"expired": "expired", "cancelled": "canceled"}[job.phase]
            told += [{"custom_id": each, "result": {"type": ended}} for each in unasked]
        data = "".join(json.dumps(line) + "\n" for line in told).encode()
        return await self._said("content", request, lambda: data)

    def rows_of(self, order: Body) -> list[Body]:
        return [{"custom_id": each["custom_id"], "body": each["params"]} for each in order["requests"]]

    def listed(self, jobs: list[Job]) -> Body | list[Any]:
        return {"data": list(map(self.described, jobs)), "has_more": False, "first_id": None, "last_id": None}

    def described(self, job: Job) -> Body:
        ended, counts = job.phase != "running", dict.fromkeys(("succeeded", "errored", "canceled", "expired"), 0)
        if ended:
            counts["expired" if job.phase == "expired" else "succeeded"] = len(job.rows)
        return {
            "id": job.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "created_at": datetime.now(UTC).isoformat(),
            "cancel_initiated_at": datetime.now(UTC).isoformat() if job.phase == "cancelled" else None,
            "request_counts": {"processing": 0 if ended else len(job.rows), **counts},
        }


def in_anthropic_words(line: Body) -> Body:
    """A line of a results file as Anthropic answers a row."""
    status, body = line["response"]["status_code"], line["response"]["body"]
    if status != 200:
        kind = {400: "invalid_request_error", 500: "api_error"}[status]
        error = {"type": "error", "error": {"type": kind, "message": body["error"]["message"]}}
        return {"custom_id": line["custom_id"], "result": {"type": "errored", "error": error}}
    content: Any = body["choices"]
    if isinstance(content, list):
        content = [{"type": "text", "text": body["choices"][0]["message"]["content"]}]
    usage = {"input_tokens": 10, "output_tokens": 2}
    message = {"type": "message", "model": "m-1", "content": content, "stop_reason": "end_turn", "usage": usage}
    return {"custom_id": line["custom_id"], "result": {"type": "succeeded", "message": message}}


def in_openai_words(request: Body) -> Body:
    """A `generateContent` request as the chat format has it, which the answers of these tests read."""
    words = {"maxOutputTokens": "max_tokens"}
    content = request["contents"][-1]["parts"][0]["text"]
    config = {words.get(name, name): value for name, value in request["generationConfig"].items()}
    return {"messages": [{"role": "user", "content": content}], **config}


def in_google_words(line: Body) -> Body:
    """A line of a results file as Google answers a row."""
    status, body = line["response"]["status_code"], line["response"]["body"]
    answer: Body = {"metadata": {"key": line["custom_id"]}}
    if status != 200:
        return answer | {"error": {"code": {400: 3, 500: 13}[status], "message": body["error"]["message"]}}
    if not isinstance(body["choices"], list):
        return answer | {"response": {"candidates": body["choices"]}}
    parts = [{"text": body["choices"][0]["message"]["content"]}]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 2}
    return answer | {"response": {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m-1"}}


@contextmanager
def serving(host: Host) -> Iterator[Host]:
    """The host on a port of its own, in a thread of its own."""
    started, over = threading.Event(), threading.Event()

    async def serve() -> None:
        runner = web.AppRunner(host.app(), access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host.url = f"http://127.0.0.1:{runner.addresses[0][1]}{host.root}"
        started.set()
        await asyncio.to_thread(over.wait)
        await runner.cleanup()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert started.wait(10)
    try:
        yield host
    finally:
        over.set()
        thread.join()
