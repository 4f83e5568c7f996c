"""Hashes of large files are remembered for as long as the file looks the same."""

import hashlib
import os
from pathlib import Path

import pytest

from holoscope.core import Settings
from holoscope.models.local._hashing import remembered_sha256


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "weights.gguf"
    path.write_bytes(b"one")
    return path


def test_the_hash_is_that_of_the_bytes(file: Path, tmp_path: Path) -> None:
    assert remembered_sha256(file, Settings(tmp_path / "cache")) == hashlib.sha256(b"one").hexdigest()


def test_a_file_that_looks_the_same_is_not_read_again(file: Path, tmp_path: Path) -> None:
    settings, stat = Settings(tmp_path / "cache"), file.stat()
    first = remembered_sha256(file, settings)
    file.write_bytes(b"two")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert remembered_sha256(file, settings) == first


def test_a_file_that_changed_is_read_again(file: Path, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "cache")
    remembered_sha256(file, settings)
    file.write_bytes(b"longer")
    assert remembered_sha256(file, settings) == hashlib.sha256(b"longer").hexdigest()


def test_a_damaged_record_is_not_believed(file: Path, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "cache")
    remembered_sha256(file, settings)
    record = next((tmp_path / "cache").rglob("*.json"))
    record.write_text("{", encoding="utf-8")
    assert remembered_sha256(file, settings) == hashlib.sha256(b"one").hexdigest()


def test_a_cache_that_cannot_be_written_is_no_error(file: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("", encoding="utf-8")
    assert remembered_sha256(file, Settings(blocked)) == hashlib.sha256(b"one").hexdigest()
