import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from engine.fakes import completion
from engine.processes import child, output, rows
from holoscope.core import LedgerError
from holoscope.engine import Lease, Ledger
from holoscope.engine.codec import encode

KEY = b"k" * 32


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


async def fill(path: Path, numbers: Sequence[int], *, length: int = 200) -> None:
    async with Ledger.open(path) as ledger:
        await asyncio.gather(*(ledger.put(key(n), completion(f"{n} " + "x" * length)) for n in numbers))


async def found(path: Path, numbers: Sequence[int]) -> int:
    async with Ledger.open(path) as ledger:
        answers = await ledger.get_many([key(n) for n in numbers])
        assert all(answers[key(n)].text.split()[0] == str(n) for n in numbers if key(n) in answers)
        return len(answers)


def marks(path: Path) -> int:
    """How many processes have left a mark beside the ledger."""
    return sum(mark.name != "door.lock" for mark in path.with_name(f"{path.name}.owners").iterdir())


def set_aside(path: Path) -> list[Path]:
    return list(path.parent.glob(f"{path.name}.damaged-*"))


def overwrite(path: Path, start: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(data)


async def test_an_answer_is_there_for_the_next_process(tmp_path: Path) -> None:
    async with Ledger.open(tmp_path / "new" / "ledger.sqlite") as ledger:
        await ledger.put(KEY, completion("yes"))
    async with Ledger.open(tmp_path / "new" / "ledger.sqlite") as ledger:
        assert await ledger.get_many([KEY, b"other"]) == {KEY: completion("yes")}
        assert ledger.notice == ""


async def test_a_put_that_returned_is_committed(tmp_path: Path) -> None:
    async with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        await ledger.put(KEY, completion("yes"))
        assert rows(tmp_path / "ledger.sqlite") == 1


async def test_a_put_waits_for_another_program_that_holds_the_file(tmp_path: Path) -> None:
    async with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        with contextlib.closing(sqlite3.connect(tmp_path / "ledger.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            put = asyncio.ensure_future(ledger.put(KEY, completion("yes")))
            await asyncio.sleep(0.3)
            assert not put.done()
            other.execute("COMMIT")
            await put


async def test_a_single_put_is_at_most_20_ms_late(tmp_path: Path) -> None:
    clock = asyncio.get_running_loop().time
    async with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        taken = []
        for number in range(10):
            start = clock()
            await ledger.put(key(number), completion("yes"))
            taken.append(clock() - start)
        assert min(taken) < 0.02


async def test_many_puts_share_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        sizes, commit = [], ledger._database.commit

        def counted(actions: Sequence[Callable[[], object]]) -> list[object]:
            sizes.append(len(actions))
            return commit(actions)

        monkeypatch.setattr(ledger._database, "commit", counted)
        await asyncio.gather(*(ledger.put(key(n), completion("x")) for n in range(500)))
        assert sizes == [500]


async def test_an_answer_once_kept_stays(tmp_path: Path) -> None:
    async with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        await ledger.put(KEY, completion("first"))
        await ledger.put(KEY, completion("second"))
        assert await ledger.get_many([KEY]) == {KEY: completion("first")}


async def test_pending_puts_are_committed_on_closing(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    put = asyncio.ensure_future(ledger.put(KEY, completion("yes")))
    await asyncio.sleep(0)
    await ledger.close()
    await put
    async with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert KEY in await ledger.get_many([KEY])


async def test_a_key_has_one_lease(tmp_path: Path) -> None:
    async with Ledger.open(tmp_path / "l.sqlite") as one, Ledger.open(tmp_path / "l.sqlite") as two:
        assert await one.claim(KEY) is Lease.MINE
        assert await two.claim(KEY) is Lease.TAKEN
        assert await one.claim(KEY) is Lease.TAKEN


async def test_a_released_lease_is_free(tmp_path: Path) -> None:
    async with Ledger.open(tmp_path / "l.sqlite") as one, Ledger.open(tmp_path / "l.sqlite") as two:
        await one.claim(KEY)
        one.release(KEY)
        await one.put(key(1), completion("later than the release"))
        assert await two.claim(KEY) is Lease.MINE


async def test_nobody_can_release_the_lease_of_another(tmp_path: Path) -> None:
    async with Ledger.open(tmp_path / "l.sqlite") as one, Ledger.open(tmp_path / "l.sqlite") as two:
        await one.claim(KEY)
        two.release(KEY)
        assert await two.claim(KEY) is Lease.TAKEN


async def test_a_claim_to_an_answered_key_gives_the_answer(tmp_path: Path) -> None:
    async with Ledger.open(tmp_path / "l.sqlite") as one, Ledger.open(tmp_path / "l.sqlite") as two:
        await one.claim(KEY)
        await one.put(KEY, completion("yes"))
        assert await two.claim(KEY) == completion("yes")


async def test_a_claim_that_nobody_waited_for_is_given_back(tmp_path: Path) -> None:
    async with Ledger.open(tmp_path / "l.sqlite") as one:
        claim = asyncio.ensure_future(one.claim(KEY))
        await asyncio.sleep(0)
        claim.cancel()
        for number in range(2):  # the first shares the claim's commit, the second that of its return
            await one.put(key(number), completion("x"))
        assert await one.claim(KEY) is Lease.MINE


async def test_closing_frees_all_leases(tmp_path: Path) -> None:
    async with Ledger.open(tmp_path / "l.sqlite") as two:
        async with Ledger.open(tmp_path / "l.sqlite") as one:
            await one.claim(KEY)
        assert await two.claim(KEY) is Lease.MINE


@pytest.mark.parametrize("fork", ["", "fork"])
async def test_a_killed_process_frees_its_leases_at_once(tmp_path: Path, fork: str) -> None:
    async with Ledger.open(tmp_path / "l.sqlite") as ledger:
        process = child("claim", tmp_path / "l.sqlite", fork)
        assert process.stdout is not None
        assert process.stdout.readline() == "Lease.MINE\n"
        assert await ledger.claim(KEY) is Lease.TAKEN
        process.kill()
        process.wait()
        assert await ledger.claim(KEY) is Lease.MINE
        process.stdout.close()


async def test_claims_of_dead_processes_are_swept_on_opening(tmp_path: Path) -> None:
    process = child("claim", tmp_path / "l.sqlite", "")
    assert process.stdout is not None
    process.stdout.readline()
    process.kill()
    process.communicate()
    async with Ledger.open(tmp_path / "l.sqlite"):
        with contextlib.closing(sqlite3.connect(tmp_path / "l.sqlite")) as other:
            assert other.execute("SELECT count(*) FROM claims").fetchone() == (0,)
        assert marks(tmp_path / "l.sqlite") == 1


async def test_two_processes_of_many_tasks_are_never_locked_out(tmp_path: Path) -> None:
    processes = [child("hammer", tmp_path / "l.sqlite", name) for name in "ab"]
    assert [output(process) for process in processes] == ["done", "done"]
    assert rows(tmp_path / "l.sqlite") == 2 * 32 * 50


async def test_a_damaged_row_is_no_answer_and_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    await fill(path, [1, 2])
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("UPDATE answers SET value = ? WHERE key = ?", (encode(completion("1"))[:-1], key(1)))
    async with Ledger.open(path) as ledger:
        assert set(await ledger.get_many([key(1), key(2)])) == {key(2)}
        assert await ledger.claim(key(1)) is Lease.MINE
        await ledger.put(key(1), completion("again"))
        assert (await ledger.get_many([key(1)]))[key(1)].text == "again"


@pytest.mark.parametrize(
    ("start", "data", "least"),
    [
        pytest.param(0, b"\0" * 100, 990, id="no header"),
        pytest.param(0, b"\xa5" * 8192, 990, id="first two pages"),
        pytest.param(40 * 4096, b"\xa5" * 4096, 950, id="a page in the middle"),
        pytest.param(40 * 4096 + 5, b"\xff" * 40, 950, id="the start of a page"),
    ],
)
async def test_a_damaged_file_is_set_aside_and_its_answers_are_saved(
    tmp_path: Path, start: int, data: bytes, least: int
) -> None:
    path = tmp_path / "l.sqlite"
    await fill(path, range(1000))
    overwrite(path, start, data)
    damaged = path.read_bytes()
    async with Ledger.open(path) as ledger:
        (aside,) = set_aside(path)
    assert aside.read_bytes() == damaged
    assert "was damaged" in ledger.notice
    assert aside.name in ledger.notice
    assert least <= await found(path, range(1000)) <= 1000


async def test_a_file_cut_short_keeps_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    await fill(path, range(1000))
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2 + 100)
    assert 400 < await found(path, range(1000)) < 1000
    assert set_aside(path)


async def test_long_answers_are_saved_too(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    texts = {key(n): "".join(chr(33 + (n * k * k) % 997) for k in range(9000)) for n in range(1, 30)}
    async with Ledger.open(path) as ledger:
        await asyncio.gather(*(ledger.put(k, completion(text)) for k, text in texts.items()))
    overwrite(path, 0, b"\0" * 4096)
    async with Ledger.open(path) as ledger:
        saved = await ledger.get_many(list(texts))
    assert {k: c.text for k, c in saved.items()} == texts


def test_answers_that_are_only_in_the_write_ahead_log_are_saved(tmp_path: Path) -> None:
    path, wal = tmp_path / "l.sqlite", tmp_path / "l.sqlite-wal"
    process = child("ask", path, tmp_path / "served", 300, 0.3)
    deadline = time.monotonic() + 20
    while rows(path) < 30 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.communicate()
    kept = rows(path)
    overwrite(path, 0, b"\xa5" * 4096)
    overwrite(wal, 40, b"\xa5" * 4)  # in the first frame: SQLite believes nothing that comes after it
    ledger = Ledger.open(path)
    asyncio.run(ledger.close())
    assert kept >= 30
    assert f"{kept} answers" in ledger.notice


async def test_a_file_that_never_was_a_database_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    path.write_text("notes to self\n" * 1000, encoding="utf-8")
    async with Ledger.open(path) as ledger:
        assert "0 answers" in ledger.notice
        await ledger.put(KEY, completion("yes"))


async def test_a_damaged_file_that_another_process_uses_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    await fill(path, range(1000))
    async with Ledger.open(path):
        overwrite(path, 0, b"\xa5" * 100)
        with pytest.raises(LedgerError, match="damaged"):
            Ledger.open(path)
    assert not set_aside(path)


async def test_a_ledger_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    await fill(path, [1])
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(LedgerError, match=r"schema 99 .* pip install -U holoscope"):
        Ledger.open(path)


async def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE cache (a)")
    with pytest.raises(LedgerError, match="not a ledger"):
        Ledger.open(path)


async def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(LedgerError, match=r"the ledger .* cannot be used"):
        Ledger.open(tmp_path / "file" / "l.sqlite")


async def test_a_full_disk_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    put, _, message = output(child("fill", path, 300_000)).partition(" ")
    assert int(put) > 10
    assert message.startswith("no answer can be written to")
    assert "\n" not in message
    assert rows(path) == int(put)


async def test_when_there_is_room_again_answers_are_kept_again(tmp_path: Path) -> None:
    async with Ledger.open(tmp_path / "l.sqlite") as ledger:
        ledger._database._writer.execute("PRAGMA max_page_count = 6")
        with pytest.raises(LedgerError, match="full"):
            await ledger.put(key(1), completion("x" * 10 + str(list(range(9000)))))
        ledger._database._writer.execute("PRAGMA max_page_count = 1000000")
        await ledger.put(key(2), completion("yes"))
        assert set(await ledger.get_many([key(1), key(2)])) == {key(2)}
