from typing import Any

import pytest
from fastapi import FastAPI

from holoscope.report.library import Library
from holoscope.web import Access, create_app, is_loopback, new_token
from holoscope.web.access import MOST_BODY
from web.asking import ask, send_form
from web.made import QUIZ, folder

TOKEN = "a-token-that-nobody-guesses"
ID0 = f"/s/mine/run/{folder(QUIZ, 'one')}/instance/id0"


@pytest.fixture(scope="module")
def closed(library: Library) -> FastAPI:
    return create_app(library, token=TOKEN)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "localhost", "[::1]:8000", "192.168.1.7:80"])
def test_an_address_in_digits_and_localhost_are_answered(app: FastAPI, host: str) -> None:
    assert ask(app, "/", host=host).status == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "localhost.evil.example", "", "127.0.0.1@evil.example", "[", "a b", "é"],
)
def test_a_name_that_others_can_claim_is_refused(app: FastAPI, host: str) -> None:
    assert ask(app, "/", host=host).status == 421
    assert ask(app, "/api/suites", host=host).status == 421


def test_a_name_that_the_user_gave_is_answered(library: Library) -> None:
    assert ask(create_app(library, hosts=["lab.example"]), "/", host="lab.example:8000").status == 200


@pytest.mark.parametrize("path", ["/", "/api/suites", "/static/holoscope.js", "/api/openapi.json", ID0, "/nothing"])
def test_without_the_token_nothing_is_answered(closed: FastAPI, path: str) -> None:
    reply = ask(closed, path)
    assert reply.status == 401
    assert "mine" not in reply.text


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer wrong"},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": f"Bearer {TOKEN}x"},
        {"cookie": f"holoscope={TOKEN}"},
        {"cookie": "holoscope=; holoscope"},
        {"authorization": "Bearer \xe9"},
    ],
)
def test_another_token_is_refused(closed: FastAPI, headers: dict[str, Any]) -> None:
    assert ask(closed, "/", **headers).status == 401


def test_the_token_in_a_header_is_enough(closed: FastAPI) -> None:
    assert ask(closed, "/api/suites", authorization=f"Bearer {TOKEN}").status == 200


def test_the_token_in_the_address_becomes_a_cookie_and_leaves_the_address(closed: FastAPI) -> None:
    reply = ask(closed, f"/s/mine/instances?score=wrong&token={TOKEN}")
    assert (reply.status, reply.headers["location"]) == (303, "/s/mine/instances?score=wrong")
    cookie = reply.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert TOKEN not in cookie
    assert ask(closed, "/", cookie=cookie.split(";")[0]).status == 200


def test_an_address_with_the_token_leads_to_no_other_host(closed: FastAPI) -> None:
    assert ask(closed, f"//evil.example/?token={TOKEN}").headers["location"] == "/evil.example/"


def test_a_server_of_this_machine_needs_no_token() -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "127.9.9.9")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "192.168.1.7", "lab.example", "::")] == [False] * 4


def test_tokens_are_long_and_differ() -> None:
    assert new_token() != new_token()
    assert len(new_token()) >= 32


@pytest.mark.parametrize("path", ["/", "/api/suites", "/static/holoscope.css", "/nothing", "/api/nothing"])
def test_every_answer_carries_the_policy(app: FastAPI, path: str) -> None:
    headers = ask(app, path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "script-src 'self' 'unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_refusals_carry_the_policy_too(closed: FastAPI) -> None:
    assert "content-security-policy" in ask(closed, "/").headers
    assert "content-security-policy" in ask(closed, "/", host="evil.example").headers


def test_a_body_beyond_the_limit_is_refused(app: FastAPI) -> None:
    assert send_form(app, ID0, {"comment": "x" * MOST_BODY}).status == 413


def test_a_body_longer_than_it_said_is_refused(app: FastAPI) -> None:
    reply = send_form(app, ID0, {"comment": "x" * MOST_BODY}, content_length="10")
    assert reply.status == 413


@pytest.mark.parametrize("length", ["-1", "1e9", "99999999999999999999", "x"])
def test_a_length_that_is_none_is_refused(app: FastAPI, length: str) -> None:
    assert ask(app, ID0, "POST", content_length=length).status == 413


def test_a_long_query_is_refused(app: FastAPI) -> None:
    assert ask(app, "/s/mine/instances?text=" + "x" * 9_000).status == 414


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE"])
def test_nothing_can_be_changed_but_by_saying_something(app: FastAPI, method: str) -> None:
    assert ask(app, ID0, method).status == 405
    assert ask(app, "/api/suites/mine", method).status == 405


def test_no_page_comes_from_elsewhere(app: FastAPI) -> None:
    assert ask(app, "/docs").status == 404
    assert ask(app, "/redoc").status == 404


def test_a_secret_is_not_shown() -> None:
    assert "secret" not in repr(Access())


@pytest.mark.parametrize(
    "path", ["/s/mine/", "/s/mine", "/s/%6dine/instances", "/api/suites/mine", "/api/suites/mine/cells"]
)
def test_a_suite_that_is_not_to_be_shown_is_not_there(library: Library, path: str) -> None:
    assert ask(create_app(library, only=["other"]), path).status == 404
    assert ask(create_app(library, only=["mine"]), path).status in (200, 308)
