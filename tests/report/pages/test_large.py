"""Fifty models on forty scenarios: light enough to send, and whole in a browser."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing import NARROW, WIDE, address, chromium, opened, serious
from generated import large, model_names, write_suite
from holoscope.core import builtin
from holoscope.report.comparison import compare
from holoscope.report.library import Library
from holoscope.report.pages import FileLinks, Links, ServerLinks, file_of, static_file, static_names
from holoscope.report.pages.compare import compare as page_of
from holoscope.report.pages.compare import side
from holoscope.report.pages.home import home
from holoscope.report.pages.leaderboard import leaderboard
from holoscope.report.pages.model import model
from holoscope.report.pages.overview import overview
from holoscope.report.pages.profiles import profiles
from holoscope.report.site import plotly_script
from holoscope.report.standing import models_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SUITE = "large"
MODEL = model_names(50)[0]
PAGES = {
    "home": file_of("home"),
    "overview": file_of("overview", suite=SUITE),
    "leaderboard": file_of("leaderboard", suite=SUITE),
    "profiles": file_of("profiles", suite=SUITE),
    "model": file_of("model", suite=SUITE, model=MODEL),
    "compare": file_of("compare", suite=SUITE, a=MODEL, b=model_names(50)[1]),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    out = tmp_path_factory.mktemp("large")
    write_suite(out, replace(large(), instances=6, is_perturbed=False))
    return Library(out, builtin())


@pytest.fixture(scope="module")
def site(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("site")
    made = {
        "home": home(library, FileLinks(PAGES["home"])),
        "overview": overview(library, FileLinks(PAGES["overview"]), SUITE),
        "leaderboard": leaderboard(library, FileLinks(PAGES["leaderboard"]), SUITE),
        "profiles": profiles(library, FileLinks(PAGES["profiles"]), SUITE),
        "model": model(library, FileLinks(PAGES["model"]), SUITE, MODEL),
        "compare": compared(library, FileLinks(PAGES["compare"])),
    }
    for name, page in made.items():
        (to / PAGES[name]).parent.mkdir(parents=True, exist_ok=True)
        (to / PAGES[name]).write_text(page, encoding="utf-8")
    (to / "static").mkdir()
    for name in static_names():
        (to / "static" / name).write_bytes(static_file(name))
    (to / "static" / "plotly.min.js").write_bytes(plotly_script())
    return to


def compared(library: Library, links: Links) -> str:
    suite = library.suite(SUITE)
    a, b = (side(suite, name) for name in model_names(50)[:2])
    found = compare(a.runs, b.runs, library.registry, names=(a.title, b.title))
    return page_of(library, links, SUITE, a, b, found)


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as started:
        yield started


def test_the_first_page_weighs_less_than_150_kb(library: Library) -> None:
    page = overview(library, ServerLinks(), SUITE)
    own = ("holoscope.css", "holoscope.js", "matrix.js", "theme.js")
    assert all(f"/static/{name}" in page for name in own)
    assert len(page.encode()) + sum(len(static_file(name)) for name in own) < 150_000


def test_a_comparison_weighs_less_than_150_kb(library: Library) -> None:
    page = compared(library, ServerLinks())
    own = ("holoscope.css", "holoscope.js", "evidence.css", "figures.js", "theme.js")
    assert {name for name in static_names() if f"/static/{name}" in page} == {*own}
    assert len(page.encode()) + sum(len(static_file(name)) for name in own) < 150_000


def test_models_stand_in_the_order_of_their_numbers(library: Library) -> None:
    makers = [name for name in models_of(library.suite(SUITE).grid) if name.startswith("maker-a/")]
    assert makers == [f"maker-a/model-{number}" for number in (1, 9, 17, 25, 33, 41, 49)]


@pytest.mark.browser
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("size", "dark"), [(WIDE, False), (NARROW, True)], ids=["wide", "narrow, dark"])
def test_a_large_page_opens_without_a_fault(
    browser: "Browser", site: Path, name: str, size: tuple[int, int], dark: bool
) -> None:
    with opened(browser, address(site / PAGES[name]), size=size, dark=dark) as page:
        for figure in page.locator("[data-figure]").all():
            figure.scroll_into_view_if_needed()
            figure.locator(".main-svg").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        if size == WIDE:
            assert serious(page) == []
