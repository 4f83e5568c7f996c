"""`holoscope run` over every wire format: six questions that each meet another fate, and the same command again."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.invoked import Command
from models.stub import Answer, Asked, Say, Stub
from models.wires.dialect import KEY, Dialect, Said
from models.wires.test_wires import DIALECTS
from serving import questions


@contextmanager
def served(answer: Answer) -> Iterator[Stub]:
    """A stub in a thread of its own, since a command runs its own loop."""
    started, stop = threading.Event(), threading.Event()
    stub = Stub()

    async def serve() -> None:
        async with stub:
            stub.says = answer
            started.set()
            await asyncio.to_thread(stop.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    started.wait()
    try:
        yield stub
    finally:
        stop.set()
        thread.join()


class Fates:
    """What becomes of each question; the gold answer of question i is the i-th letter, round and round."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self.asked = [0] * 6

    def __call__(self, asked: Asked) -> Say:
        dialect, prompt = self._dialect, self._dialect.prompt(asked)
        number = int(prompt.rpartition("Question ")[2].partition(":")[0])
        self.asked[number] += 1
        first = self.asked[number] == 1
        if number == 1 and first:
            return dialect.refuses("rate", {"retry-after": "0.01"})
        if number == 2 and first:
            return dialect.refuses("broken")
        if number == 3:
            return dialect.refuses("policy" if "policy" in dialect.refusals else "overflow")
        if number == 4:
            return dialect.says(Said("", "length", thinking="Let me" if dialect.thinks else ""))
        if number == 5 and dialect.thinks:
            return dialect.says(Said("B", thinking="Not A, not C.\n\nD?"))
        return dialect.says(Said("ABCD"[number % 4]))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_each_fate_is_told_apart_and_paid_once(
    dialect: Dialect, here: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions(tmp_path / "q.jsonl", 6)
    fates = Fates(dialect)
    with served(fates) as stub:
        for name, value in dialect.environ(stub.url.removesuffix("/v1")).items():
            monkeypatch.setenv(name, value)
        done = here("run", "./q.jsonl", "--model", dialect.model)
        assert done.returncode == 0, done.stderr
        assert fates.asked == [1, 2, 2, 1, 1, 1]
        again = here("run", "./q.jsonl", "--model", dialect.model)
    assert fates.asked == [1, 2, 2, 1, 1, 1]
    assert KEY not in done.stdout + done.stderr + again.stdout + again.stderr
    grid = json.loads(here("show", "--json").stdout)["cells"]
    (accuracy,) = [cell for cell in grid if cell["metric"] == "exact_match"]
    assert accuracy["outcomes"] == {
        "ok": 4,
        "content_filter" if "policy" in dialect.refusals else "context_overflow": 1,
        "truncated_in_reasoning" if dialect.thinks else "truncated": 1,
    }
    assert accuracy["value"] == pytest.approx(4 / 5)
    kept = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert "ledger.sqlite" in {file.name for file in kept}
    assert not [file for file in kept if KEY.encode() in file.read_bytes()]
