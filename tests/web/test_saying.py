"""Ratings and comments: kept, shown, never overwriting, and from our own pages only."""

import re
from pathlib import Path

import msgspec
import pytest
from fastapi import FastAPI

from holoscope.store import ANNOTATIONS
from web.asking import HOST, Reply, ask, send_form
from web.made import QUIZ, folder

RUN = folder(QUIZ, "one")
PAGE = f"/s/mine/run/{RUN}/instance/id0"
API = f"/api/suites/mine/runs/{RUN}/annotations"


def form_token(app: FastAPI) -> str:
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', ask(app, PAGE).text)
    assert found is not None
    return found[1]


def say(app: FastAPI, **fields: str) -> Reply:
    given = {"csrf": form_token(app), "author": "Ada", "rating": "2", "comment": "too short"}
    return send_form(app, PAGE, {**given, **fields}, origin=f"http://{HOST}", sec_fetch_site="same-origin")


def say_json(app: FastAPI, **fields: object) -> Reply:
    given = {"instance_id": "id0", "author": "Ada", "rating": 4}
    return ask(app, API, "POST", body=msgspec.json.encode({**given, **fields}), content_type="application/json")


def test_what_is_said_is_shown_with_author_and_time(own: FastAPI) -> None:
    reply = say(own)
    assert (reply.status, reply.headers["location"]) == (303, f"{PAGE}#said")
    page = ask(own, PAGE).text
    assert "too short" in page
    assert re.search(r"<strong>Ada</strong> rates the answer <strong>2</strong> of 5 <time [^>]*>20\d\d-", page)


def test_a_second_word_stands_beside_the_first(own: FastAPI, tmp_path: Path) -> None:
    say(own)
    first = (tmp_path / ANNOTATIONS).read_bytes()
    say(own, comment="fine after all", rating="5")
    assert (tmp_path / ANNOTATIONS).read_bytes().startswith(first)
    comments = [each["comment"] for each in ask(own, "/api/suites/mine/annotations").json["annotations"]]
    assert comments == ["too short", "fine after all"]


def test_nothing_else_is_written(own: FastAPI, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in (tmp_path / "runs").rglob("*") if path.is_file()}
    say(own)
    assert {path: path.read_bytes() for path in (tmp_path / "runs").rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("token", ["", "0" * 64, "\u00e9"])
def test_a_form_that_is_not_ours_is_refused(own: FastAPI, tmp_path: Path, token: str) -> None:
    assert say(own, csrf=token).status == 400
    assert not (tmp_path / ANNOTATIONS).exists()


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_a_request_from_another_site_is_refused(own: FastAPI, headers: dict[str, str]) -> None:
    fields = {"csrf": form_token(own), "author": "Eve", "comment": "x"}
    assert send_form(own, PAGE, fields, **headers).status == 403
    body = msgspec.json.encode({"instance_id": "id0", "author": "Eve", "comment": "x"})
    assert ask(own, API, "POST", body=body, content_type="application/json", **headers).status == 403


def test_a_form_of_a_page_that_says_no_origin_needs_our_token(own: FastAPI) -> None:
    fields = {"csrf": form_token(own), "author": "Ada", "comment": "x"}
    assert send_form(own, PAGE, fields, origin="null").status == 303
    assert send_form(own, PAGE, {**fields, "csrf": "0"}, origin="null").status == 400


def test_a_form_of_another_kind_is_refused(own: FastAPI) -> None:
    body = f"csrf={form_token(own)}&author=Eve&comment=x".encode()
    assert ask(own, PAGE, "POST", body=body, content_type="text/plain").status == 400


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded"])
def test_json_that_a_form_could_send_is_refused(own: FastAPI, kind: str) -> None:
    body = msgspec.json.encode({"instance_id": "id0", "author": "Eve", "comment": "x"})
    assert ask(own, API, "POST", body=body, content_type=kind).status == 422


@pytest.mark.parametrize(
    "fields",
    [
        {"author": " "},
        {"author": "x" * 101},
        {"rating": "6"},
        {"rating": "x"},
        {"rating": "", "comment": " "},
        {"comment": "x" * 10_001},
        {"trial": "9"},
        {"perturbation": "unknown"},
    ],
)
def test_what_cannot_be_kept_is_refused(own: FastAPI, tmp_path: Path, fields: dict[str, str]) -> None:
    assert say(own, **fields).status in (400, 404)
    assert not (tmp_path / ANNOTATIONS).exists()


def test_an_instance_that_is_not_there_cannot_be_spoken_of(own: FastAPI) -> None:
    assert say_json(own, instance_id="id99").status == 404
    assert say_json(own, perturbation="unknown").status == 404


def test_the_api_keeps_and_shows_it(own: FastAPI) -> None:
    assert say_json(own, perturbation="mild_mix", comment="<b>bold</b>").status == 201
    (found,) = ask(own, f"/api/suites/mine/annotations?folder={RUN}&instance_id=id0").json["annotations"]
    assert (found["author"], found["rating"], found["perturbation"]) == ("Ada", 4, "mild_mix")
    assert "&lt;b&gt;bold" in ask(own, PAGE).text


def test_half_a_character_is_kept_as_text(own: FastAPI) -> None:
    body = b'{"instance_id": "id0", "author": "Ada", "comment": "\\ud83d"}'
    assert ask(own, API, "POST", body=body, content_type="application/json").status in (201, 422)
    assert ask(own, PAGE).status == 200
