import contextlib
import os
import random
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holoscope.core import StoreError, group_trials
from holoscope.store import RequestsWriter, ScoresWriter, read_exchanges, score_row, write_manifest
from holoscope.store._files import replacing, write_bytes
from store.made import exact, exchange, manifest


@contextmanager
def small_disk(size: int) -> Iterator[None]:
    """Let no file grow beyond `size` bytes, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    write_bytes(path, b"old")
    with pytest.raises(ZeroDivisionError), replacing(path) as temporary:
        temporary.write_bytes(bytes([1 // 0]))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_not_there_before_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "requests.parquet"
    with RequestsWriter(path) as writer:
        writer.write([exchange("id0", "2+2?", "4")] * 3_000)
        assert not path.exists()
    assert path.exists()


def test_a_full_disk_is_one_line_that_names_the_file(tmp_path: Path) -> None:
    with small_disk(100), pytest.raises(StoreError, match=r"cannot write .*run\.json: ") as caught:
        write_manifest(tmp_path, manifest())
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_while_requests_are_written_leaves_nothing(tmp_path: Path) -> None:
    with (
        small_disk(4_096),
        pytest.raises(StoreError, match=r"cannot write .*requests\.parquet: "),
        RequestsWriter(tmp_path / "requests.parquet") as writer,
    ):
        writer.write(exchange(f"id{i}", os.urandom(100).hex(), "4") for i in range(5_000))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [0, 2, 600])
def test_a_disk_that_is_full_from_the_start_is_one_line(tmp_path: Path, size: int) -> None:
    with (
        small_disk(size),
        pytest.raises(StoreError, match=r"cannot write .*requests\.parquet: "),
        RequestsWriter(tmp_path / "requests.parquet") as writer,
    ):
        writer.write([exchange("id0", "2+2?", "4")])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_small_disk_is_filled_in_one_line(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], check=False)
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        (disk / "other").write_bytes(bytes(4096 * 3))  # one page is left
        with pytest.raises(StoreError, match=r"cannot write .*scores\.parquet: No space left") as caught:
            fill_disk(disk)
    finally:
        subprocess.run(["umount", disk], check=True)
    assert "\n" not in str(caught.value)


def fill_disk(disk: Path) -> None:
    asked = [exchange(f"id{i}", os.urandom(100).hex(), os.urandom(100).hex()) for i in range(2_000)]
    with ScoresWriter(disk / "scores.parquet") as writer:
        writer.write(score_row(trial, exact(trial)) for trial in group_trials(asked))


def test_a_file_cut_short_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "requests.parquet"
    with RequestsWriter(path) as writer:
        writer.write([exchange(f"id{i}", os.urandom(100).hex(), "4") for i in range(100)])
    whole = path.read_bytes()
    for size in (0, 3, 200, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(StoreError, match=r"cannot read .*requests\.parquet") as caught:
            list(read_exchanges(path))
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("seed", range(30))
def test_bytes_that_changed_are_one_line_or_harmless(tmp_path: Path, seed: int) -> None:
    path, chance = tmp_path / "requests.parquet", random.Random(seed)
    with RequestsWriter(path) as writer:
        writer.write([exchange(f"id{i}", chance.randbytes(50).hex(), "4") for i in range(50)])
    content = bytearray(path.read_bytes())
    start = chance.randrange(len(content) - 60)
    content[start : start + 50] = chance.randbytes(50)
    path.write_bytes(content)
    with contextlib.suppress(StoreError):
        list(read_exchanges(path))


def test_what_the_reader_of_rows_raises_is_its_own(tmp_path: Path) -> None:
    path = tmp_path / "requests.parquet"
    with RequestsWriter(path) as writer:
        writer.write([exchange("id0", "2+2?", "4")])
    with pytest.raises(ZeroDivisionError):
        [1 // 0 for _ in read_exchanges(path)]


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file", encoding="utf-8")
    with pytest.raises(StoreError, match=r"cannot write .*scores\.parquet: "):
        ScoresWriter(tmp_path / "runs" / "scores.parquet")


def test_what_a_killed_process_left_is_removed_after_a_day(tmp_path: Path) -> None:
    left = tmp_path / ".run.json.1.tmp"
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    write_bytes(tmp_path / "run.json", b"{}")
    assert not left.exists()


def test_what_another_process_is_writing_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / ".run.json.1.tmp"
    other.write_bytes(b"half")
    write_bytes(tmp_path / "run.json", b"{}")
    assert other.exists()
