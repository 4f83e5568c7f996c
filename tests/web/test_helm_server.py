"""HELM's own command and flags, on our pages."""

import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from holoscope.cli.helm_compat import helm_server
from web.made import suite

CODE = "import sys; from holoscope.cli.helm_compat import helm_server; helm_server(sys.argv[1:])"


def refused(*argv: str) -> int:
    with pytest.raises(SystemExit) as ended:
        helm_server(argv)
    return int(ended.value.code or 0)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    suite(tmp_path, evil=False)
    return tmp_path


@pytest.mark.parametrize(("flags", "path"), [([], "/"), (["--suite", "mine", "--project", "lite"], "/s/mine/")])
def test_it_serves_what_it_says(out: Path, flags: list[str], path: str) -> None:
    command = [sys.executable, "-c", CODE, "-p", "0", "-o", str(out), *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8") as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            assert address.endswith(path)
            with urllib.request.urlopen(address, timeout=60) as answer:
                assert b"<h1>" in answer.read()
        finally:
            process.terminate()


def test_it_writes_the_pages_as_files(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused("-o", str(out), "--export-path", str(out / "site")) == 0
    assert (out / "site" / "index.html").exists()
    assert "tales: its licence does not allow" in capsys.readouterr().err
    assert all("Once upon a" not in path.read_text(encoding="utf-8") for path in (out / "site").rglob("*.html"))


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["-o", "https://example.org/benchmark_output"], "takes a folder"),
        (["-o", "nothing-there"], "holoscope import nothing-there"),
        (["-p", "many"], "invalid int value"),
    ],
)
def test_what_cannot_be_done_is_one_line(argv: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(*argv) == 2
    assert words in capsys.readouterr().err


def test_a_suite_that_is_not_there_is_one_line(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused("-o", str(out), "--suite", "mime") == 2
    assert "did you mean 'mine'?" in capsys.readouterr().err
