from pathlib import Path

import pytest

from cli.invoked import Command, Said
from holoscope.cli import invoke


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs the command in this process, in the test's folder: `here("show", "--suite", "mine")`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOLOSCOPE_KEYRING", "0")

    def run(*words: str) -> Said:
        capsys.readouterr()
        code = invoke(words)
        return Said(code, *capsys.readouterr())

    return run
