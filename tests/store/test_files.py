import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holoscope.core import StoreError
from holoscope.store import RequestsWriter, ScoresWriter, write_manifest
from holoscope.store._files import replacing, write_bytes
from store.made import exchange, manifest


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
