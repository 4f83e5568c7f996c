"""The exported pages in a real browser, from the disk: each page in both themes and sizes, and what a reader does."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing import NARROW, WIDE, address, chromium, opened, serious
from generated import model_names
from holoscope.report.audit import write_audit
from holoscope.report.library import Library
from holoscope.report.pages import file_of
from holoscope.report.site import write_site
from report.pages.conftest import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

MODEL = model_names(2)[0]
PAGES = {
    "home": file_of("home"),
    **{
        name: file_of(name, suite="measured")
        for name in ("overview", "profiles", "leaderboard", "calibration", "robustness", "fairness", "harms")
    },
    "axis": file_of("axis", suite="measured", axis="calibration"),
    "model": file_of("model", suite="measured", model=MODEL),
    "compare": file_of("compare", suite="measured", a=MODEL, b=model_names(2)[1]),
    "with gaps": file_of("overview", suite="mixed"),
    "hostile model": file_of("model", suite="mixed", model=HOSTILE),
    "one model": file_of("overview", suite="single"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def site(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("site") / "site"
    write_site(library, ["measured", "mixed", "single"], to, instances=2)
    return to


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("size", "dark"), [(WIDE, False), (NARROW, True)], ids=["wide", "narrow, dark"])
def test_a_page_opens_without_a_fault(
    browser: "Browser", site: Path, name: str, size: tuple[int, int], dark: bool
) -> None:
    with opened(browser, address(site / PAGES[name]), size=size, dark=dark) as page:
        figures = page.locator("[data-figure]")
        for at in range(figures.count()):
            figures.nth(at).scroll_into_view_if_needed()
            figures.nth(at).locator(".main-svg").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert serious(page) == []


@pytest.mark.parametrize("kind", ["run", "instances", "instance"])
def test_the_evidence_opens_without_a_fault(browser: "Browser", site: Path, library: Library, kind: str) -> None:
    folder = next(iter(library.suite("mixed").runs))
    file = site / file_of(kind, suite="mixed", folder=folder, instance_id="id0")
    with opened(browser, address(file)) as page:
        assert serious(page) == []


@pytest.mark.parametrize(("size", "dark"), [(WIDE, False), (NARROW, True)], ids=["wide", "narrow, dark"])
def test_the_audit_report_opens_without_a_fault(
    browser: "Browser", library: Library, tmp_path: Path, size: tuple[int, int], dark: bool
) -> None:
    found = library.suite("mixed")
    write_audit(tmp_path / "audit.html", found.grid, tuple(found.runs.values()), library.registry)
    with opened(browser, address(tmp_path / "audit.html"), size=size, dark=dark) as page:
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert serious(page) == []


def test_hostile_text_is_text(browser: "Browser", site: Path) -> None:
    file = site / file_of("model", suite="mixed", model=HOSTILE)
    with opened(browser, address(file)) as page:
        assert "<script>alert(1)</script>" in page.locator("h1").inner_text()


def test_two_clicks_lead_from_a_number_to_its_instances(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["overview"])) as page:
        page.locator("#grid tbody td a").first.click()
        page.get_by_role("link", name="all instances").click()
        assert page.locator("h1").inner_text() == "Instances"


def test_everything_can_be_read_without_script(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["leaderboard"]), script=False) as page:
        assert page.locator("#standings tbody tr").count() == 2
        assert page.locator("#weigh").is_hidden()


def test_a_column_is_sorted_and_the_address_keeps_it(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["with gaps"])) as page:
        head = page.locator("#grid thead th").nth(1)
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == "descending"
        values = [float(v) for v in page.locator("#grid tbody td:nth-child(2):not(.m) a:first-child").all_inner_texts()]
        assert values == sorted(values, reverse=True)
        page.reload()
        assert page.locator("#grid thead th").nth(1).get_attribute("aria-sort") == "descending"


def test_what_has_no_value_is_last_in_either_order(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["with gaps"])) as page:
        column = page.evaluate("document.querySelector('#grid td.m').cellIndex")
        button = page.locator("#grid thead th").nth(column).get_by_role("button")
        for _ in range(2):
            button.click()
            kinds = page.evaluate(
                f"[...document.querySelectorAll('#grid tbody tr')].map(r => r.cells[{column}].className.includes('m'))"
            )
            assert kinds == sorted(kinds)


def test_differences_to_a_baseline(browser: "Browser", site: Path) -> None:
    chosen = f"grid-shade=difference&grid-to={model_names(5)[1]}"
    with opened(browser, address(site / PAGES["with gaps"], chosen)) as page:
        base = page.locator("#grid tbody tr", has=page.get_by_role("link", name=model_names(5)[1], exact=True))
        assert base.locator("td.up, td.down, td.faint").count() == 0
        assert page.locator("#grid td.faint").count() > 0
        signed = page.locator("#grid td.faint a:first-child").first.inner_text()
        assert signed[0] in "+\u2212."


def test_ranks_are_intervals(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["with gaps"], "grid-shade=rank")) as page:
        texts = page.locator("#grid tbody td:not(.m) a:first-child").all_inner_texts()
        assert all(0 < int(end) <= 5 for text in texts for end in text.split("\u2013"))


def test_a_page_of_one_model_takes_differences_to_others(browser: "Browser", site: Path) -> None:
    file = site / file_of("model", suite="mixed", model=model_names(5)[1])
    with opened(browser, address(file, f"grid-shade=difference&grid-to={model_names(5)[2]}")) as page:
        assert page.locator("#grid td.up, #grid td.down, #grid td.faint").count() > 0


def test_a_missing_cell_says_why_on_hover_and_in_text(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["with gaps"])) as page:
        cell = page.locator("#grid td.m").first
        number = cell.locator('a[href^="#"]').inner_text()
        assert cell.get_attribute("title") == page.locator(f"#grid-{number}").inner_text()


def test_words_narrow_rows_and_columns(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["with gaps"])) as page:
        page.keyboard.press("/")
        page.keyboard.type("model-3 sums")
        page.locator("#grid-shown", has_text="1 of 5 rows").wait_for()
        assert page.locator("#grid thead th:not([hidden])").count() == 2
        assert "grid-filter=model-3" in page.url


def test_columns_are_ordered_by_spread(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["with gaps"], "grid-columns=spread")) as page:
        spreads = [float(text) for text in page.locator("#grid tfoot td").all_inner_texts()]
        assert spreads == sorted(spreads, reverse=True)


def test_keys_move_over_cells_and_show_their_list(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["overview"])) as page:
        page.locator("#grid tbody td a").first.focus()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.closest('td').cellIndex") == 2
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.closest('tr').rowIndex") == 2
        page.keyboard.press("s")
        assert page.locator("#grid thead th").nth(2).get_attribute("aria-sort") == "descending"
        page.keyboard.press("?")
        page.get_by_role("dialog").wait_for()  # its script is loaded with the first `?`
        page.keyboard.press("Escape")
        assert page.locator("dialog").is_hidden()


def test_a_matrix_is_one_stop_for_the_tab_key(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["overview"])) as page:
        stops = page.evaluate("[...document.querySelectorAll('#grid td a')].filter(a => a.tabIndex >= 0).length")
        assert stops == 1


def test_the_theme_is_chosen_and_kept(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["overview"])) as page:
        page.locator("#theme").click()
        page.locator("#theme").click()
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert "theme=dark" in page.url
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"


def test_what_is_shown_is_downloaded(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["with gaps"], "grid-filter=model-2")) as page:
        with page.expect_download() as waiting:
            page.get_by_role("button", name="CSV").click()
        lines = Path(waiting.value.path()).read_text(encoding="utf-8").splitlines()
        assert [line.split(",")[0] for line in lines] == ["model", model_names(5)[1]]
        assert len(lines[1].split(",")) == 1 + 2 * 6
        with page.expect_download() as waiting:
            page.get_by_role("button", name="LaTeX").click()
        tex = Path(waiting.value.path()).read_text(encoding="utf-8")
        assert tex.startswith("\\begin{tabular}{l")
        assert "reading\\_river" in tex


def test_a_download_of_differences_says_so_and_has_no_spread(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["overview"], "grid-shade=difference")) as page:
        assert not page.locator("#grid tfoot tr").is_visible()
        with page.expect_download() as waiting:
            page.get_by_role("button", name="CSV").click()
        head, *rows = Path(waiting.value.path()).read_text(encoding="utf-8").splitlines()
        assert head.split(",")[0] == f"model (difference to {MODEL})"
        assert len(rows) == 2
        page.locator('input[value="absolute"]').check()
        assert page.locator("#grid tfoot tr").is_visible()


def test_an_aggregate_is_off_until_axes_are_weighed(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["leaderboard"])) as page:
        assert page.locator("#aggregate table").count() == 0
        page.locator('#weights input[data-axis="accuracy"]').fill("2")
        page.locator('#weights input[data-axis="calibration"]').fill("1")
        assert "accuracy 67 %, calibration 33 %" in page.locator("#aggregate caption").first.inner_text()
        assert "weights=accuracy" in page.url
        page.reload()
        assert page.locator("#aggregate tbody tr").count() > 0
        page.locator("#weights-off").click()
        assert page.locator("#aggregate table").count() == 0


def test_profiles_are_picked_up_to_four(browser: "Browser", site: Path) -> None:
    file = site / file_of("profiles", suite="mixed")
    with opened(browser, address(file, f"models={','.join(model_names(5)[1:5])}")) as page:
        boxes = page.locator("#models input")
        assert [boxes.nth(at).is_checked() for at in range(5)].count(True) == 4
        assert page.locator("#models input:disabled").count() == 1
        page.locator(".main-svg").first.wait_for()
        assert page.locator(".scatterlayer .trace, .polarlayer .trace").count() > 0


def test_print_shows_the_whole_table(browser: "Browser", site: Path) -> None:
    with opened(browser, address(site / PAGES["with gaps"])) as page:
        page.emulate_media(media="print")
        assert page.locator(".controls").first.is_hidden()
        assert page.locator("#grid").is_visible()
