"""The first page: suites, releases, tracks, and what to type where there is nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from generated import Shape, write_suite
from holoscope.cli.release import publish
from holoscope.core import UnknownNameError, builtin
from holoscope.report.library import Library, Track
from holoscope.report.pages import ServerLinks
from holoscope.report.pages.home import home
from holoscope.report.pages.overview import overview

LINKS = ServerLinks()
SHAPE = Shape(models=2, scenarios=2, instances=4, suite="one")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write_suite(tmp_path, SHAPE)
    return tmp_path


def released(out: Path) -> Library:
    """Two releases: one model, then both."""
    library = Library(out, builtin())
    runs = list(library.suite("one").runs.values())
    first = runs[0].manifest.model.name
    publish(out, "v1", [run for run in runs if run.manifest.model.name == first], library.registry, note="to begin")
    publish(out, "v2", runs, library.registry)
    return library


def test_an_empty_folder_says_what_to_type(tmp_path: Path) -> None:
    page = home(Library(tmp_path / "my_results", builtin()), LINKS)
    assert "holoscope quickstart" in page
    assert "--out my_results" in page


def test_tracks_say_what_to_type(tmp_path: Path) -> None:
    page = home(Library(tmp_path, builtin(), [Track("lite", "Lite", "A few scenarios.", 23)]), LINKS)
    assert "holoscope run lite --model NAME" in page


def test_suites_lead_to_their_overview(out: Path) -> None:
    assert '<a href="/s/one/">one</a>' in home(Library(out, builtin()), LINKS)


def test_what_is_not_done_is_said(tmp_path: Path) -> None:
    write_suite(tmp_path, replace(SHAPE, failed=1.0))
    (tmp_path / "runs" / "one" / "interrupted--0123456789ab").mkdir()
    page = home(Library(tmp_path, builtin()), LINKS)
    assert "4 failed, 1 unreadable or interrupted" in page


def test_only_named_suites_are_listed(out: Path) -> None:
    assert "/s/one/" not in home(Library(out, builtin()), LINKS, only=["two"])


def test_releases_are_dated_with_their_difference(out: Path) -> None:
    page = home(released(out), LINKS)
    assert page.index("/s/%40v2/") < page.index("/s/%40v1/")
    assert "since v1: +1 model" in page
    assert "the first" in page
    assert "to begin" in page


def test_a_release_is_shown_like_a_suite(out: Path) -> None:
    page = overview(released(out), LINKS, "@v1")
    assert "<h1>release v1</h1>" in page
    assert "/s/%40v1/model/maker-a%2Fmodel-1" in page
    assert "model-2" not in page


def test_a_release_says_what_changed_and_what_is_no_longer_as_published(out: Path) -> None:
    library = released(out)
    run = next(iter(library.suite("@v2").runs.values()))
    (run.path / "scores.parquet").write_bytes(b"")
    page = overview(library, LINKS, "@v2")
    assert "What changed since v1" in page
    assert "+ model" in page
    assert "scored again or extended since release v2" in page


def test_a_run_of_a_release_is_found_by_its_folder(out: Path) -> None:
    library = released(out)
    folder = next(iter(library.suite("@v1").runs))
    assert library.run("@v1", folder).path.name == folder


def test_an_unknown_release_suggests_the_nearest(out: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'v1'"):
        released(out).suite("@v1x")
