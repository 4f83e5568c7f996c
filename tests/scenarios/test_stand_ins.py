"""A file in another form that lies in the user's data directory is read where upstream's own is not there."""

import hashlib
from pathlib import Path

import pytest

from holoscope.core import DataError, Source
from holoscope.scenarios import LocalFiles, open_files
from scenarios.made import scenario, settings

SOURCE = Source(path="rows.parquet", stand_in="elsewhere/rows.jsonl")


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def files(tmp_path: Path, source: Source = SOURCE) -> LocalFiles:
    return open_files(scenario(source), {}, settings(tmp_path, data_dir=tmp_path / "mine", offline=True))


def test_a_stand_in_is_read_where_the_file_is_not_there(tmp_path: Path) -> None:
    put(tmp_path / "mine/elsewhere/rows.jsonl", b"other")
    assert files(tmp_path).path("rows.parquet").name == "rows.jsonl"


def test_the_file_itself_comes_first(tmp_path: Path) -> None:
    put(tmp_path / "mine/elsewhere/rows.jsonl", b"other")
    put(tmp_path / "mine/toy/rows.parquet", b"own")
    assert files(tmp_path).path("rows.parquet").read_bytes() == b"own"


def test_the_users_stand_in_comes_before_the_cache(tmp_path: Path) -> None:
    put(tmp_path / "mine/elsewhere/rows.jsonl", b"other")
    put(tmp_path / "cache/data/toy/rows.parquet", b"cached")
    assert files(tmp_path).path("rows.parquet").read_bytes() == b"other"


def test_hashes_name_the_stand_in(tmp_path: Path) -> None:
    put(tmp_path / "mine/elsewhere/rows.jsonl", b"other")
    assert files(tmp_path).hashes() == {"elsewhere/rows.jsonl": hashlib.sha256(b"other").hexdigest()}


def test_hashes_name_the_file_itself_where_it_is_there(tmp_path: Path) -> None:
    put(tmp_path / "mine/elsewhere/rows.jsonl", b"other")
    put(tmp_path / "mine/toy/rows.parquet", b"own")
    assert list(files(tmp_path).hashes()) == ["rows.parquet"]


def test_an_optional_files_stand_in_counts_as_there(tmp_path: Path) -> None:
    put(tmp_path / "mine/elsewhere/rows.jsonl", b"other")
    (tmp_path / "mine/toy").mkdir()
    optional = Source(path="rows.parquet", stand_in="elsewhere/rows.jsonl", optional=True)
    assert files(tmp_path, optional).has("rows.parquet")


def test_where_neither_is_there_both_places_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"toy/rows\.parquet.*elsewhere/rows\.jsonl"):
        files(tmp_path).path("rows.parquet")


def test_a_stand_in_does_not_lead_out_of_the_data_directory(tmp_path: Path) -> None:
    put(tmp_path / "rows.jsonl", b"not the user's")
    with pytest.raises(DataError, match="leads out of"):
        files(tmp_path, Source(path="rows.parquet", stand_in="../rows.jsonl")).path("rows.parquet")
