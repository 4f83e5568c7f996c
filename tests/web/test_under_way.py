"""Runs under way, and releases: the same pages by other ways."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI

from holoscope.cli.release import publish
from holoscope.report.library import Library
from holoscope.store import RunProgress, remove_progress, run_folder, write_progress
from web.asking import ask, send_form
from web.made import QUIZ, SUITE, folder
from web.test_saying import form_token

ONE = folder(QUIZ, "one")


def progress(age: float = 0.0) -> RunProgress:
    now = datetime.now(UTC) - timedelta(seconds=age)
    return RunProgress(
        run="new:model=m",
        model="lab/m",
        scenario="new",
        started=now,
        updated=now,
        total=1_200,
        done=300,
        failed=2,
        waiting="429 from <the> endpoint",
    )


@pytest.fixture
def out(own: FastAPI) -> Path:
    library: Library = own.state.holoscope.library
    return library.out


def test_a_run_that_is_made_for_the_first_time_shows_how_far_it_is(own: FastAPI, out: Path) -> None:
    path = run_folder(out, SUITE, "new:model=m")
    write_progress(path, progress())
    page = ask(own, f"/s/mine/run/{path.name}").text
    assert "300 of 1,200 requests done, 2 without an answer" in page
    assert "429 from &lt;the&gt; endpoint" in page
    assert f'data-progress="/api/suites/mine/runs/{path.name}/progress"' in page
    overview = ask(own, "/s/mine/").text
    assert f'<a href="/s/mine/run/{path.name}">' in overview
    assert "could not be read" not in overview
    assert ask(own, f"/api/suites/mine/runs/{path.name}/progress").json["done"] == 300
    assert list(ask(own, "/api/suites/mine").json["under_way"]) == [path.name]


def test_a_run_that_was_killed_is_called_interrupted(own: FastAPI, out: Path) -> None:
    path = run_folder(out, SUITE, "new:model=m")
    write_progress(path, progress(age=300))
    page = ask(own, f"/s/mine/run/{path.name}").text
    assert "Interrupted" in page
    assert "No sign of life since" in page
    assert ask(own, "/api/suites/mine").json["under_way"] == {}


def test_a_run_that_is_made_again_shows_both(own: FastAPI, out: Path) -> None:
    path = run_folder(out, SUITE, f"{QUIZ}one")
    write_progress(path, progress())
    page = ask(own, f"/s/mine/run/{ONE}").text
    assert "Being run again" in page
    assert "On every axis" in page
    remove_progress(path)
    assert "Being run again" not in ask(own, f"/s/mine/run/{ONE}").text
    assert ask(own, f"/api/suites/mine/runs/{ONE}/progress").status == 404


def test_a_folder_with_nothing_in_it_says_so(own: FastAPI, out: Path) -> None:
    path = run_folder(out, SUITE, "empty:model=m")
    path.mkdir()
    reply = ask(own, f"/s/mine/run/{path.name}")
    assert reply.status == 409
    assert "the same command completes it" in reply.text


def test_a_release_has_the_same_pages(own: FastAPI, out: Path) -> None:
    library: Library = own.state.holoscope.library
    publish(out, "v1", list(library.suite("mine").runs.values()), library.registry)
    for address in ("", "instances", f"run/{ONE}", f"run/{ONE}/instances", f"run/{ONE}/instance/id0"):
        assert ask(own, f"/s/@v1/{address}").status == 200, address
    assert ask(own, "/s/@v1/compare?a=lab/one&b=lab/two").status == 200
    assert len(ask(own, "/api/suites/@v1").json["runs"]) == 3


def test_what_is_said_on_a_release_is_shown_on_its_suite(own: FastAPI, out: Path) -> None:
    library: Library = own.state.holoscope.library
    publish(out, "v1", list(library.suite("mine").runs.values()), library.registry)
    page = f"/s/@v1/run/{ONE}/instance/id0"
    fields = {"csrf": form_token(own), "author": "Ada", "comment": "seen on a release"}
    assert send_form(own, page, fields).status == 303
    for suite in ("mine", "@v1"):
        assert "seen on a release" in ask(own, f"/s/{suite}/run/{ONE}/instance/id0").text
        assert len(ask(own, f"/api/suites/{suite}/annotations").json["annotations"]) == 1
