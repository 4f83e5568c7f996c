"""The server as a process: it listens where it is told, says so, and ends when it is asked to."""

import http.client
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from holoscope.core import UsageError
from holoscope.report.library import Library
from holoscope.web import create_app, serve
from web.made import suite

CODE = """
import sys
from pathlib import Path
from holoscope.core import builtin
from holoscope.report.library import Library
from holoscope.web import create_app, serve
serve(create_app(Library(Path(sys.argv[1]), builtin())), "127.0.0.1", 0, lambda address: print(address, flush=True))
"""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    suite(tmp_path, evil=False)
    command = [sys.executable, "-c", CODE, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            assert process.wait(timeout=30) is not None


def test_it_answers_at_the_address_it_says(address: str) -> None:
    parts = urlsplit(address)
    assert parts.hostname == "127.0.0.1"
    connection = http.client.HTTPConnection(parts.hostname, parts.port or 0, timeout=30)
    connection.request("GET", "/api/suites")
    answer = connection.getresponse()
    assert answer.status == 200
    assert "server" not in answer.headers
    assert b'"mine"' in answer.read()
    connection.request("GET", "/", headers={"host": "evil.example"})
    assert connection.getresponse().status == 421
    connection.close()


def test_a_port_that_is_taken_is_one_line(library: Library) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UsageError, match="choose another port"):
            serve(create_app(library), "127.0.0.1", taken.getsockname()[1])


def test_a_host_that_is_none_is_one_line(library: Library) -> None:
    with pytest.raises(UsageError, match="cannot listen on"):
        serve(create_app(library), "192.0.2.1", 0)


def test_nothing_that_is_asked_is_told_to_anybody(library: Library) -> None:
    telemetry = create_app(library)._telemetry
    assert not any(telemetry[name] for name in ("tracing", "metrics", "logs", "operation_spans", "auto_configure"))
