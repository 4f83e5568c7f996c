"""A small scenario, rows, a registry and a loopback host of files for the tests of scenarios."""

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from holoscope import scenarios
from holoscope.core import Files, Instance, Json, Registry, Scenario, ScenarioSpec, Settings, Source


def registry() -> Registry:
    filled = Registry()
    scenarios.register(filled)
    return filled


def settings(tmp_path: Path, *, data_dir: Path | None = None, offline: bool = False) -> Settings:
    return Settings(cache_dir=tmp_path / "cache", data_dir=data_dir, offline=offline)


def load(tmp_path: Path, name: str, data_dir: Path | None = None, **args: Json) -> list[Instance]:
    given = settings(tmp_path, data_dir=data_dir, offline=True)
    return scenarios.load_instances(ScenarioSpec(name, args), registry(), given)


def write_rows(path: Path, *rows: Json) -> None:
    """Rows as JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def scenario(*sources: Source, load: Callable[[Files], Iterable[Instance]] = lambda files: ()) -> Scenario:
    return Scenario(
        name="toy",
        title="",
        description="",
        licence="",
        redistribution="no",
        citation="",
        main_metric="exact_match",
        main_split="test",
        load=load,
        sources=lambda: sources,
    )


@contextmanager
def host(files: dict[str, bytes], *, cut: int = 0, refuses_head: bool = False) -> Iterator[tuple[str, list[str]]]:
    """A loopback host; yields its address and the list of requests it got. `cut` bytes are held back at the end."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(body=True)

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def _answer(self, *, body: bool) -> None:
            seen.append(f"{self.command} {self.path}")
            content = files.get(self.path)
            status = 404 if content is None else 405 if refuses_head and not body else 200
            self.send_response(status)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            if body and content:
                self.wfile.write(content[: len(content) - cut])

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
