"""Starts the counting server for a test, and runs the command against it."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HOLOSCOPE = [sys.executable, "-m", "holoscope"]


@dataclass(frozen=True)
class Served:
    """A running server."""

    url: str
    """Base URL, without `/v1`."""

    def stats(self) -> dict[str, int]:
        with urllib.request.urlopen(f"{self.url}/stats", timeout=10) as reply:
            found: dict[str, int] = json.loads(reply.read())
            return found


@contextmanager
def serving(*flags: str) -> Iterator[Served]:
    """A counting server with these flags, killed at the end."""
    command = [sys.executable, str(Path(__file__).with_name("counting_server.py")), *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Served(f"http://127.0.0.1:{int(process.stdout.readline())}")
        finally:
            process.kill()


def holoscope(*words: str, cwd: Path, timeout: float = 120, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in `cwd` with nothing of this machine's environment but what is named."""
    return subprocess.run(
        [*HOLOSCOPE, *words],
        cwd=cwd,
        env=clean_environment(cwd, **environment),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )


def clean_environment(home: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(home), "PATH": "/usr/bin:/bin", "COLUMNS": "120", "HOLOSCOPE_OFFLINE": "1", **more}


def questions(path: Path, count: int) -> Path:
    """A data file of multiple-choice questions."""
    rows = [
        {"id": f"q{i}", "question": f"Question {i}: which one?", "choices": ["w", "x", "y", "z"], "answer": i % 4}
        for i in range(count)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
