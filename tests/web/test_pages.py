"""Every page over HTTP: addresses in, HTML out, names looked up."""

import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from fastapi import FastAPI

from holoscope.report.library import Library
from holoscope.web import create_app
from holoscope.web.pages import PAGES
from report.pages.made import faults
from web.asking import HOST, ask
from web.made import OPEN, QUIZ, folder

ONE, TWO, TALES = folder(QUIZ, "one"), folder(QUIZ, "two"), folder(OPEN, "one")
NAMES = {
    "suite": "mine",
    "axis": "accuracy",
    "model:path": "lab%2Fone",
    "folder": ONE,
    "instance_id:path": "id0",
    "axis:path": "accuracy",
}
QUERIES = {"/s/{suite}/compare": "?a=lab/one&b=lab/two", "/s/{suite}/pairs": f"?a={ONE}&b={TWO}"}
ADDRESSES = [
    re.sub(r"\{([^}]+)\}", lambda name: NAMES[name[1]], path) + QUERIES.get(path, "")
    for path in PAGES
    if "{scenario" not in path  # which scenarios such a page has is its own affair
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page_is_there(app: FastAPI, address: str) -> None:
    reply = ask(app, address)
    assert reply.status == 200, reply.text
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1" in reply.text


def test_every_link_of_every_page_leads_somewhere(app: FastAPI) -> None:
    seen: set[str] = set()
    waiting = ["/"]
    while waiting:
        address = waiting.pop()
        reply = ask(app, address)
        assert reply.status in (200, 304), f"{address}: {reply.status} {reply.text[:300]}"
        if "text/html" not in reply.headers["content-type"]:
            continue
        for link in re.findall(r'(?:href|src)="([^"#]+)', reply.text):
            target = urljoin(f"http://{HOST}{address}", unescape(link)).removeprefix(f"http://{HOST}")
            if target.startswith("/") and target not in seen and len(seen) < 400:
                seen.add(target)
                waiting.append(target)
    assert {f"/s/mine/run/{ONE}/instances", f"/s/mine/run/{TALES}/instance/t%2F0"} <= {
        a.partition("?")[0] for a in seen
    }


def test_no_page_loads_anything_from_elsewhere(app: FastAPI) -> None:
    for address in ADDRESSES:
        page = ask(app, address).text
        loaded = re.findall(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="([^"]+)"', page)
        assert all(each.startswith(("/static/", "data:,")) or each.startswith("/s/") for each in loaded), loaded


@pytest.mark.parametrize(
    "address",
    [
        "/s/nothing/",
        "/s/mine/axis/beauty",
        "/s/mine/model/nobody",
        "/s/mine/run/nothing",
        "/s/mine/run/nothing/instances",
        f"/s/mine/run/{ONE}/instance/id99",
        f"/s/mine/run/{ONE}/instance/id0?perturbation=nothing",
        f"/s/mine/run/{ONE}/instance/id0?trial=7",
        f"/s/mine/pairs?a={ONE}&b=nothing",
        "/static/nothing.js",
        "/nothing",
    ],
)
def test_what_is_not_there_is_said_so(app: FastAPI, address: str) -> None:
    reply = ask(app, address)
    assert reply.status == 404
    assert "<h1>There is no such page</h1>" in reply.text


@pytest.mark.parametrize(
    "address",
    [
        "/s/..%2F..%2Fetc/",
        "/s/../",
        "/s/mine%2F..%2Fmine/",
        "/s/mine/run/..",
        "/s/mine/run/..%2F..%2F..%2Fsecret",
        "/s/mine/run/%2Fetc%2Fpasswd",
        "/static/..%2Fpages.py",
        "/static/%2e%2e%2f%2e%2e%2frender.py",
        "/s/mine/run/../instances",
        f"/s/mine/run/{ONE}%00/instances",
        "/s/%00/",
        "/s/mine\\..\\..\\secret/",
        f"/s/mine/run/{ONE}/instance/..%2F..%2F..%2Fsecret",
    ],
)
def test_no_name_becomes_a_path(app: FastAPI, library_root: Path, address: str) -> None:
    reply = ask(app, address)
    assert reply.status in (400, 404)
    assert "sesame" not in reply.text


@pytest.fixture
def library_root(app: FastAPI) -> Path:
    out: Path = app.state.holoscope.library.out
    (out / "secret").mkdir(exist_ok=True)
    (out / "secret" / "run.json").write_text("sesame", encoding="utf-8")
    return out


@pytest.mark.parametrize(
    "query",
    [
        "score=great",
        "low=abc",
        "high=nan",
        "low=1e99",
        "offset=-1",
        "offset=1.5",
        "sort=random",
        "outcome=lost",
        "text=[&regex=1",
    ],
)
def test_a_filter_that_makes_no_sense_is_said_so_in_a_line(app: FastAPI, query: str) -> None:
    reply = ask(app, f"/s/mine/instances?{query}")
    assert reply.status == 400
    assert query.split("=")[0] in reply.text or "pattern" in reply.text


@pytest.mark.parametrize("pattern", ["(a{1000}){1000}", "(a*)*$", "((((((((((x{50}){50}){50}", "(?P<", "\\1", "(?=x)"])
def test_no_pattern_holds_the_server_up(app: FastAPI, pattern: str) -> None:
    from urllib.parse import quote

    assert ask(app, f"/s/mine/instances?regex=1&text={quote(pattern)}").status in (200, 400)


def test_a_list_shows_what_passes_and_how_many(app: FastAPI) -> None:
    page = ask(app, f"/s/mine/run/{ONE}/instances?score=wrong").text
    assert "1 to 2 of 2" in page
    assert re.findall(r'<th scope="row"><a [^>]*>(id\d)</a>', page) == ["id0", "id1"]


def test_a_listed_instance_knows_the_next_of_its_list(app: FastAPI) -> None:
    page = ask(app, f"/s/mine/run/{ONE}/instances?score=wrong").text
    first = unescape(re.findall(r'<th scope="row"><a href="([^"]+)"', page)[0])
    shown = ask(app, first).text
    assert "1 of 2 in the list" in shown
    following = unescape(re.findall(r'rel="next" href="([^"]+)"', shown)[0])
    assert "/instance/id1?" in following
    assert "2 of 2 in the list" in ask(app, following).text


def test_a_list_that_an_address_carries_wrongly_does_no_harm(app: FastAPI) -> None:
    for kept in ("score%3Dnonsense", "%5B%5B", "x" * 500):
        assert ask(app, f"/s/mine/run/{ONE}/instance/id0?list={kept}&at=3").status == 200
    assert ask(app, f"/s/mine/run/{ONE}/instance/id0?list=&at=x").status == 200


def test_the_place_of_the_answer_is_marked_with_its_rule(app: FastAPI) -> None:
    page = ask(app, f"/s/mine/run/{ONE}/instance/id0").text
    assert '<mark title="read as the answer: exact_match by last_letter">B</mark>' in page


def test_a_mark_deep_in_a_megabyte_is_shown_at_once(app: FastAPI) -> None:
    page = ask(app, f"/s/mine/run/{ONE}/instance/id3").text
    assert "The surroundings of the mark" in page
    assert len(page) < 150_000


def test_thinking_stands_apart_from_the_answer(app: FastAPI) -> None:
    page = ask(app, f"/s/mine/run/{ONE}/instance/id0").text
    thinking = page.index("A, then B.")
    assert page.index('<details class="thinking">') < thinking < page.index("The answer is")


def test_a_twin_shows_what_was_changed(app: FastAPI) -> None:
    page = ask(app, f"/s/mine/run/{ONE}/instance/id0").text
    assert "<del>which</del><ins>whcih</ins>" in page
    assert "instance/id0?perturbation=mild_mix" in page


def test_tokens_stand_with_their_numbers(app: FastAPI) -> None:
    page = ask(app, f"/s/mine/run/{ONE}/instance/id0").text
    assert re.search(r"<code>answer</code> <small>-0\.25</small>", page)


def test_options_scored_one_by_one_show_which_was_likeliest(app: FastAPI) -> None:
    page = ask(app, f"/s/mine/run/{TALES}/instance/t%2F0").text
    assert "log-probability -0.500" in page
    assert "log-probability -4.000" in page
    assert "the model&#39;s answer" in page or "the model's answer" in page


def test_texts_that_may_not_be_passed_on_are_shown_to_the_one_who_has_them(app: FastAPI) -> None:
    assert "Once upon a" in ask(app, f"/s/mine/run/{TALES}/instances").text


def test_two_runs_stand_side_by_side_with_their_difference(app: FastAPI) -> None:
    page = ask(app, f"/s/mine/pairs?a={ONE}&b={TWO}&metric=exact_match&split=test&kind=both").text
    assert "1 to 2 of 2" in page
    assert "<del>&lt;script&gt;" in page


def test_the_pairs_of_two_runs_are_those_of_the_main_metric_where_none_is_named(app: FastAPI) -> None:
    page = ask(app, f"/s/mine/pairs?a={ONE}&b={TWO}&kind=both").text
    assert "1 to 2 of 2" in page
    assert "exact_match, split " in page


def test_a_comparison_with_what_is_not_there_is_not_found(app: FastAPI) -> None:
    reply = ask(app, "/s/mine/compare?a=lab/one&b=lab/twoo")
    assert reply.status == 404
    assert "unknown model or run 'lab/twoo'; did you mean 'lab/two'?" in unescape(reply.text)


def test_an_error_that_nobody_foresaw_is_one_line_under_the_policy(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a secret of the machine")

    monkeypatch.setitem(PAGES, "/s/{suite}/profiles", broken)
    raised: list[Exception] = []

    async def server(scope: Any, receive: Any, send: Any) -> None:
        try:
            await made(scope, receive, send)
        except ZeroDivisionError as error:  # a server writes it to its log
            raised.append(error)

    made = create_app(library)
    reply = ask(server, "/s/mine/profiles")  # type: ignore[arg-type]
    assert reply.status == 500
    assert "What happened is in its log" in reply.text
    assert "secret" not in reply.text
    assert "script-src 'self'" in reply.headers["content-security-policy"]
    assert len(raised) == 1


def test_a_comparison_with_itself_is_said_to_be_none(app: FastAPI) -> None:
    page = ask(app, "/s/mine/compare?a=lab/one&b=lab/one").text
    assert "share runs" in page


def test_a_comparison_of_nothing_in_common_is_said_to_be_none(app: FastAPI) -> None:
    page = ask(app, f"/s/mine/compare?a={TALES}&b=lab/two").text
    assert "no scenario in common" in page


def test_an_address_without_its_last_slash_finds_the_suite(app: FastAPI) -> None:
    assert ask(app, "/s/mine").headers["location"] == "/s/mine/"


def test_static_files_are_not_sent_twice(app: FastAPI) -> None:
    first = ask(app, "/static/holoscope.js")
    assert ask(app, "/static/holoscope.js", if_none_match=first.headers["etag"]).status == 304


def test_html_leaves_nothing_to_guess(app: FastAPI) -> None:
    more = [f"/s/mine/run/{ONE}/instance/id{k}" for k in range(4)] + [f"/s/mine/run/{TALES}/instance/t%2F0", "/nothing"]
    pages = {address: ask(app, address).text for address in [*ADDRESSES, *more]}
    assert {address: found for address, page in pages.items() if (found := faults(page))} == {}


def test_ids_are_given_once(app: FastAPI) -> None:
    for address in [*ADDRESSES, f"/s/mine/run/{TALES}/instance/t%2F0"]:
        found = re.findall(r'\sid="([^"]+)"', ask(app, address).text)
        assert len(found) == len(set(found)), address
