"""`holoscope view` and `export --format site`: the pages, served and as files."""

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from cli.invoked import Command
from generated import SECRET, Shape, write_suite


@pytest.fixture
def out(tmp_path: Path) -> Path:
    shape = Shape(models=2, scenarios=2, instances=4, suite="mine", forbidden=("sums_river",))
    write_suite(tmp_path / "out", shape)
    return tmp_path / "out"


def test_the_pages_are_served_and_their_address_is_printed(out: Path) -> None:
    command = [sys.executable, "-m", "holoscope", "view", "--suite", "mine", "--out", str(out), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:")
            assert address.endswith("/s/mine/")
            with urllib.request.urlopen(address, timeout=30) as answer:
                assert "<h1>mine</h1>" in answer.read().decode()
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=30)


def test_a_suite_that_there_is_not_is_said_at_once(out: Path, here: Command) -> None:
    said = here("view", "--suite", "mime", "--out", str(out))
    assert said.returncode == 2
    assert "did you mean 'mine'" in said.stderr


def test_a_release_that_there_is_not_is_said_at_once(out: Path, here: Command) -> None:
    said = here("view", "--release", "v1", "--out", str(out))
    assert said.returncode == 2
    assert "unknown release 'v1'" in said.stderr


def test_a_site_is_written_and_says_what_it_left_out(out: Path, here: Command) -> None:
    said = here("export", "--format", "site", "--suite", "mine", "--to", "site", "--out", str(out))
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith(str(Path("site") / "index.html"))
    assert "no text of sums_river" in said.stderr
    assert SECRET not in "".join(file.read_text(encoding="utf-8") for file in Path("site").rglob("*.html"))


def test_what_was_written_as_json(out: Path, here: Command) -> None:
    said = here("export", "--format", "site", "--suite", "mine", "--to", "site", "--out", str(out), "--json")
    answer = json.loads(said.stdout)
    assert answer["pages"] == len(list(Path("site").rglob("*.html")))


@pytest.mark.parametrize("number", ["-1", "some", "1.5"])
def test_a_number_of_instances_is_a_number_or_all(out: Path, here: Command, number: str) -> None:
    where = ("--suite", "mine", "--to", "site", "--out", str(out))
    said = here("export", "--format", "site", *where, f"--instances={number}")
    assert said.returncode == 2
    assert "expected a number or 'all'" in said.stderr


def test_a_folder_with_something_in_it_is_left_alone(out: Path, here: Command) -> None:
    Path("site").mkdir()
    Path("site", "mine.txt").write_text("mine", encoding="utf-8")
    said = here("export", "--format", "site", "--suite", "mine", "--to", "site", "--out", str(out))
    assert said.returncode == 2
    assert [file.name for file in Path("site").iterdir()] == ["mine.txt"]
