"""`holoscope export --format audit` as a user types it."""

import json
from pathlib import Path

import pytest

from cli.invoked import Command
from holoscope.cli.audit import absent, track_of
from holoscope.core import UnknownNameError
from holoscope.entries import Track
from holoscope.entries.tracks import MissingScenario, TrackGroup
from holoscope.store import StoredRun
from interop.helm_made import NAME, write_run
from store.made import manifest, spec


@pytest.fixture
def suite(tmp_path: Path, here: Command) -> Path:
    """A suite of one imported run."""
    write_run(tmp_path / "helm" / "runs" / "mine" / NAME)
    assert here("import", "helm", "--out", "out").returncode == 0
    return tmp_path


def test_the_report_is_one_file(suite: Path, here: Command) -> None:
    done = here("export", "--format", "audit", "--suite", "mine", "--out", "out", "--to", "audit.html")
    assert (done.returncode, done.stderr) == (0, "")
    made = (suite / "audit.html").read_text(encoding="utf-8")
    assert "holoscope import" in made
    assert "1 of 2, 0.50" in made


def test_what_the_track_lacks_is_in_it(suite: Path, here: Command) -> None:
    words = ("--suite", "mine", "--out", "out", "--to", "audit.html", "--track", "quickstart", "--json")
    done = here("export", "--format", "audit", *words)
    assert json.loads(done.stdout)["written"] == ["audit.html"]
    made = (suite / "audit.html").read_text(encoding="utf-8")
    assert "belongs to the track Quickstart; this suite has no run of it" in made


@pytest.mark.parametrize(
    "words",
    [
        ("--suite", "nope", "--to", "a.html"),
        ("--suite", "mine", "--to", "."),
        ("--suite", "mine", "--to", "a", "--track", "x"),
    ],
)
def test_what_cannot_be_reported_is_one_line(suite: Path, here: Command, words: tuple[str, ...]) -> None:
    done = here("export", "--format", "audit", "--out", "out", *words)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def run(*groups: str) -> StoredRun:
    return StoredRun(Path("nowhere"), manifest(run=spec(groups=groups)))


def track(name: str, *groups: str, missing: tuple[MissingScenario, ...] = ()) -> Track:
    made = tuple(TrackGroup(group, group.upper()) for group in groups)
    return Track(name=name, title=name.title(), description="", entries=(), groups=made, missing=missing)


TRACKS = {
    "small": track("small", "a", "b"),
    "large": track("large", "a", "b", "c", "d", "e"),
    "mine": track("mine", "z"),
}


def test_the_track_is_the_one_named_or_the_suites_namesake() -> None:
    assert track_of([run("a")], "x", "large", TRACKS) is TRACKS["large"]
    assert track_of([run("a")], "mine", "", TRACKS) is TRACKS["mine"]
    with pytest.raises(UnknownNameError, match="did you mean 'large'"):
        track_of([run("a")], "x", "larg", TRACKS)


def test_else_it_is_one_that_the_suite_has_run_half_of() -> None:
    assert track_of([run("a"), run("c"), run("d")], "x", "", TRACKS) is TRACKS["large"]
    assert track_of([run("q")], "x", "", TRACKS) is None


def test_what_was_not_run_and_what_cannot_be_run_is_absent() -> None:
    wanted = track("t", "a", "b", missing=(MissingScenario("gpqa", "GPQA", "gated"),))
    assert [*absent([run("a")], wanted)] == [
        ("B (b)", "belongs to the track T; this suite has no run of it"),
        ("GPQA (gpqa)", "gated"),
    ]
