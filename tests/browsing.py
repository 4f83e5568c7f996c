"""A real browser for tests of pages; tests that ask for one skip, saying so, where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDE, NARROW = (1440, 900), (390, 844)


@contextmanager
def chromium() -> Iterator["Browser"]:
    """Debian's Chromium, driven by Playwright."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright (pip install playwright)")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("needs a Chromium (apt install chromium)")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(
    browser: "Browser", address: str, *, size: tuple[int, int] = WIDE, dark: bool = False, script: bool = True
) -> Iterator["Page"]:
    """A page in a context of its own; what goes wrong in it fails the test."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        java_script_enabled=script,
        accept_downloads=True,
    )
    wrong: list[str] = []
    page = context.new_page()
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", lambda request: wrong.append(f"{request.url} {request.failure}"))
    page.goto(address)
    try:
        yield page
    finally:
        context.close()
    assert not wrong, wrong


def serious(page: "Page") -> list[str]:
    """Serious and critical faults that axe-core finds."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    found = axe.Axe().run(page, options={"preload": False}).response["violations"]
    return [
        f"{fault['id']}: {fault['help']}: {fault['nodes'][0]['html'][:200]} ({len(fault['nodes'])} times)"
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]


def address(file: Path, query: str = "") -> str:
    """The address of a file, with a query."""
    return file.absolute().as_uri() + (f"?{query}" if query else "")
