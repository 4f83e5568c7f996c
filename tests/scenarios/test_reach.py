"""Hosts that don't answer: asked once, together, and within a fixed time."""

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from holoscope.core import DataError, Source
from holoscope.scenarios import find_refused, find_unreached, lack, open_files
from scenarios.made import host, scenario, settings


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a host that takes a connection and never says a word."""
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.fixture
def nobody() -> str:
    """An address where nobody listens."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        return f"http://localhost:{free.getsockname()[1]}"


def test_a_silent_host_is_waited_for_no_longer_than_said(silent: str, tmp_path: Path) -> None:
    given = settings(tmp_path)
    find_unreached([f"{silent}/a", f"{silent}/b"], given, wait_s=0.05)
    assert given.unreached == {"127.0.0.1": "no answer within 0.05 s"}


def test_a_host_that_was_not_reached_is_not_tried_again(nobody: str, tmp_path: Path) -> None:
    given = settings(tmp_path)
    card = scenario(Source(path="a.jsonl", url=f"{nobody}/a.jsonl"))
    with pytest.raises(DataError, match="could not reach localhost"):
        open_files(card, {}, given).path("a.jsonl")
    with host({"/a.jsonl": b"{}\n"}) as (address, seen):
        moved = scenario(Source(path="a.jsonl", url=f"{address.replace('127.0.0.1', 'localhost')}/a.jsonl"))
        with pytest.raises(DataError, match="could not reach localhost"):
            open_files(moved, {}, given).path("a.jsonl")
        assert seen == []


def test_what_is_lacking_says_its_kind_and_file(nobody: str, tmp_path: Path) -> None:
    found = lack(scenario(Source(path="a.jsonl", url=f"{nobody}/a.jsonl")), {}, settings(tmp_path))
    assert found is not None
    assert (found.kind, found.file) == ("unreached", "toy/a.jsonl")
    assert found.cause.startswith("localhost: ")


def test_a_file_that_its_host_does_not_give_is_refused(tmp_path: Path) -> None:
    with host({}) as (address, _):
        found = lack(scenario(Source(path="a.jsonl", url=f"{address}/a.jsonl")), {}, settings(tmp_path))
    assert found is not None
    assert (found.kind, found.cause) == ("refused", "127.0.0.1: it refused a file")


def test_a_gate_is_named_before_any_host_is_asked(tmp_path: Path) -> None:
    with host({}) as (address, seen):
        files = (Source(path="a.jsonl", url=f"{address}/a.jsonl"), Source(path="b.jsonl", gated="taken down"))
        found = lack(scenario(*files), {}, settings(tmp_path))
        assert seen == []
    assert found is not None
    assert (found.kind, found.cause, found.file) == ("own copy", "taken down", "toy/b.jsonl")


def test_addresses_are_asked_together_and_the_failing_ones_told(tmp_path: Path) -> None:
    with host({"/a": b"", "/b": b""}) as (address, seen):
        refused = find_refused([f"{address}/{name}" for name in "abc"], settings(tmp_path))
    assert refused == {f"{address}/c": f"could not fetch {address}/c: the server answered 404 Not Found"}
    assert set(seen) == {"HEAD /a", "HEAD /b", "HEAD /c"}


def test_nothing_is_asked_of_a_host_that_was_not_reached(nobody: str, tmp_path: Path) -> None:
    refused = find_refused([f"{nobody}/a", f"{nobody}/b"], settings(tmp_path))
    assert sorted(refused) == [f"{nobody}/a", f"{nobody}/b"]


def test_where_rows_are_is_told_without_a_look_at_any_host(tmp_path: Path) -> None:
    card = scenario(Source(path="a.jsonl", url="https://nowhere.invalid/a.jsonl"))
    given = settings(tmp_path, data_dir=tmp_path / "data")
    assert open_files(card, {}, given).whereabouts() == "to be fetched"
    (tmp_path / "data" / "toy").mkdir(parents=True)
    (tmp_path / "data" / "toy" / "a.jsonl").touch()
    assert open_files(card, {}, given).whereabouts() == "in your data directory"
    assert open_files(scenario(Source(path="b", gated="books")), {}, given).whereabouts() == "only from your own copy"
    assert open_files(scenario(), {}, given).whereabouts() == "made here"
