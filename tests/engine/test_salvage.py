"""Any damage to a ledger: it opens, and what it then says is what was written."""

import asyncio
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from holoscope.core import Choice, Completion, Outcome
from holoscope.engine import Ledger, salvage
from holoscope.engine.codec import encode

ANSWERS = {
    bytes([n % 256, n // 256]) * 16: Completion(
        Outcome.OK, (Choice(random.Random(n).randbytes(30 if n % 7 else 9000).hex()),), request_time=0.5, created=1.0
    )
    for n in range(1, 160)
}


async def made(path: Path, *, logged: bool) -> None:
    """A ledger of ANSWERS; `logged`: half of them only in a write-ahead log, as a killed process leaves it."""
    half = len(ANSWERS) // 2 if logged else len(ANSWERS)
    async with Ledger.open(path) as ledger:
        await asyncio.gather(*(ledger.put(k, c) for k, c in list(ANSWERS.items())[:half]))
    if not logged:
        return
    writer = sqlite3.connect(path, isolation_level=None)
    for k, c in list(ANSWERS.items())[half:]:
        writer.execute("INSERT INTO answers (key, value) VALUES (?, ?)", (k, encode(c)))
    kept = path.with_name("kept")
    kept.mkdir()
    for each in path.parent.glob(f"{path.name}*"):
        if each.is_file():
            shutil.copy(each, kept / each.name)
    writer.close()
    for each in kept.iterdir():
        if not each.name.endswith("-shm"):
            each.replace(path.parent / each.name)


def copy(folder: Path, to: Path) -> None:
    for each in folder.glob("l.sqlite*"):
        if each.is_file():
            shutil.copy(each, to / each.name)


def left_over(folder: Path) -> list[Path]:
    return list(folder.glob("*.mending*"))


def overwrite(path: Path, chance: random.Random) -> None:
    size = path.stat().st_size
    length = chance.choice((50, 100, 500, 4096))
    start = chance.choice((chance.randrange(100), chance.randrange(4096), chance.randrange(size)))
    with path.open("r+b") as file:
        file.seek(min(start, size - length))
        file.write(chance.randbytes(length))


@pytest.fixture(scope="module", params=[False, True], ids=["file", "file and log"])
def sound(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    asyncio.run(made(folder / "l.sqlite", logged=request.param))
    return folder


@pytest.mark.parametrize("seed", range(60))
async def test_whatever_is_overwritten_the_ledger_opens_and_says_nothing_false(
    seed: int, sound: Path, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    copy(sound, tmp_path)
    path, log = tmp_path / "l.sqlite", tmp_path / "l.sqlite-wal"
    overwrite(log if log.exists() and seed % 3 == 0 else path, chance)
    async with Ledger.open(path) as ledger:
        saved = await ledger.get_many(list(ANSWERS))
        for key in ANSWERS.keys() - saved.keys():
            await ledger.claim(key)
            await ledger.put(key, ANSWERS[key])
        whole = await ledger.get_many(list(ANSWERS))
    assert all(ANSWERS[key] == completion for key, completion in saved.items())
    assert whole == ANSWERS
    if not log.exists() and ledger.notice:
        assert len(saved) >= len(ANSWERS) // 4
    assert not left_over(tmp_path)
    async with Ledger.open(path) as again:
        assert again.notice == ""


def leaf(cell: bytes) -> bytes:
    """A leaf page of one cell."""
    start = salvage.PAGE - 200
    page = bytearray(salvage.PAGE)
    page[:10] = bytes([13, 0, 0, 0, 1, 0, 0, 0, *start.to_bytes(2, "big")])
    page[start : start + len(cell)] = cell
    return bytes(page)


@pytest.mark.parametrize(
    "cell",
    [
        pytest.param(b"\xff" * 9 + b"\1", id="a length without end"),
        pytest.param(b"\xc0\x00\x01" + bytes(150), id="a chain that leads to page 0"),
        pytest.param(b"\xff" * 200, id="nothing but ones"),
    ],
)
def test_a_damaged_cell_is_passed_over(cell: bytes, tmp_path: Path) -> None:
    (tmp_path / "l").write_bytes(leaf(cell) * 4)
    assert list(salvage.answers(tmp_path / "l", b"")) == []


@pytest.mark.parametrize(
    ("start", "data"),
    [
        pytest.param(18, b"\x07", id="write version"),
        pytest.param(60, b"\x99" * 12, id="schema version and application"),
        pytest.param(68, b"\x99" * 4, id="application"),
        pytest.param(72, b"\x99" * 10, id="what must be zero"),
    ],
)
async def test_a_damaged_header_alone_is_mended(start: int, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    await made(path, logged=False)
    with path.open("r+b") as file:
        file.seek(start)
        file.write(data)
    async with Ledger.open(path) as ledger:
        assert await ledger.get_many(list(ANSWERS)) == ANSWERS
    assert "was damaged" in ledger.notice
