"""A completion that holds tags, a terminal's commands, marks that turn text around, and a megabyte: text everywhere."""

import re

import pytest
from fastapi import FastAPI

from web.asking import ask
from web.made import EVIL, QUIZ, folder

ONE, TWO = folder(QUIZ, "one"), folder(QUIZ, "two")
PAGES = [
    f"/s/mine/run/{ONE}",
    f"/s/mine/run/{ONE}/instances",
    "/s/mine/instances",
    "/s/mine/instances?text=%3Cscript%3E",
    f"/s/mine/run/{ONE}/instance/id2",
    f"/s/mine/run/{ONE}/instance/id3",
    "/s/mine/compare?a=lab/one&b=lab/two",
    f"/s/mine/pairs?a={ONE}&b={TWO}",
    f"/s/mine/pairs?a={ONE}&b={TWO}&id=id3",
    "/s/mine/instances?text=%3Cscript%3Ealert(1)%3C/script%3E%1b%5B31m",
    "/s/%3Cscript%3Ealert(1)%3C%2Fscript%3E/",
    "/s/mine/compare?a=%3Cscript%3Ealert(1)%3C/script%3E&b=x",
    "/s/mine/instances?score=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
]


@pytest.mark.parametrize("address", PAGES)
def test_it_is_text_on_every_page(app: FastAPI, address: str) -> None:
    page = ask(app, address).text
    assert "<script>" not in page
    assert not re.search(r"<img|<iframe|onerror=\"", page)
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", page)


@pytest.mark.parametrize("address", [a for a in PAGES if "id3" in a or "instances" in a])
def test_a_megabyte_does_not_make_a_page_of_a_megabyte(app: FastAPI, address: str) -> None:
    assert len(ask(app, address).body) < 150_000


def test_it_is_shown_and_not_swallowed(app: FastAPI) -> None:
    page = ask(app, f"/s/mine/run/{ONE}/instance/id2").text
    assert "&lt;script&gt;alert(&#39;evil&#39;)&lt;/script&gt; \ufffd[31mred\ufffd[0m\ufffd" in page


def test_the_api_gives_it_whole(app: FastAPI) -> None:
    found = ask(app, f"/api/suites/mine/runs/{ONE}/instances/id3").json
    (text,) = [e["completion"]["choices"][0]["text"] for t in found["trials"] for e in t["exchanges"]]
    assert text.endswith(EVIL)
    assert len(text) > 1_000_000


def test_the_api_is_no_page(app: FastAPI) -> None:
    headers = ask(app, f"/api/suites/mine/runs/{ONE}/instances/id2").headers
    assert headers["content-type"] == "application/json"
    assert headers["x-content-type-options"] == "nosniff"
