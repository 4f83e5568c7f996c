"""The exported site: whole, relative, and without what may not be passed on."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from generated import SECRET, Shape, write_suite
from holoscope.core import UsageError, builtin
from holoscope.report.library import Library
from holoscope.report.pages import file_of
from holoscope.report.site import Written, write_site
from report.pages.conftest import FORBIDDEN
from report.pages.made import faults


@pytest.fixture(scope="module")
def site(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("site") / "site"
    write_site(library, ["mixed", "single"], to, instances=3)
    return to


def pages(site: Path) -> dict[str, str]:
    return {str(file.relative_to(site)): file.read_text(encoding="utf-8") for file in site.rglob("*.html")}


def addresses(page: str) -> set[str]:
    return set(re.findall(r'\b(?:href|src|action)="([^"]*)"', page))


def test_every_link_leads_to_a_file_of_the_site(site: Path) -> None:
    for name, page in pages(site).items():
        for address in addresses(page):
            target = urlsplit(address)
            if target.path and target.scheme != "data":
                assert (site / name).parent.joinpath(unquote(target.path)).resolve().is_file(), (name, address)


def test_no_address_is_absolute_or_of_a_server(site: Path) -> None:
    for name, page in pages(site).items():
        assert [a for a in addresses(page) if a.startswith(("/", "http", "file"))] == [], name


def test_nothing_is_fetched(site: Path) -> None:
    for file in (site / "static").glob("*.js"):
        if file.name not in ("plotly.min.js", "evidence.js"):
            assert not re.search(r"\bfetch\(|XMLHttpRequest|\bimport\(", file.read_text(encoding="utf-8")), file


def test_no_text_that_may_not_be_passed_on_is_in_any_file(site: Path) -> None:
    assert [file for file in site.rglob("*") if file.is_file() and SECRET.encode() in file.read_bytes()] == []


def test_a_withheld_run_has_its_numbers_and_ids(site: Path, library: Library) -> None:
    runs = library.suite("mixed").runs.items()
    folder = next(f for f, r in runs if r.manifest.scenario.name == FORBIDDEN and r.manifest.status == "complete")
    page = (site / file_of("instances", suite="mixed", folder=folder)).read_text(encoding="utf-8")
    assert "the licence does not allow passing them on" in page
    assert "id0" in page
    assert not (site / file_of("instance", suite="mixed", folder=folder, instance_id="id0")).exists()


def test_a_run_has_as_many_instances_as_asked_and_says_of_how_many(site: Path, library: Library) -> None:
    folder = next(iter(library.suite("single").runs))
    files = [site / file_of("instance", suite="single", folder=folder, instance_id=f"id{k}") for k in range(8)]
    assert [file.exists() for file in files] == [True] * 3 + [False] * 5
    assert "1 to 3 of 8" in (site / file_of("instances", suite="single", folder=folder)).read_text(encoding="utf-8")


def test_all_instances(library: Library, tmp_path: Path) -> None:
    write_site(library, ["single"], tmp_path / "all", instances=None)
    folder = next(iter(library.suite("single").runs))
    assert all(
        (tmp_path / "all" / file_of("instance", suite="single", folder=folder, instance_id=f"id{k}")).exists()
        for k in range(8)
    )


def test_no_instances(library: Library, tmp_path: Path) -> None:
    write_site(library, ["single"], tmp_path / "none", instances=0)
    assert not list((tmp_path / "none").rglob("*instances.html"))


def test_other_suites_are_left_out(site: Path) -> None:
    assert "s/measured/" not in (site / "index.html").read_text(encoding="utf-8")


def test_html_leaves_nothing_to_guess(site: Path) -> None:
    assert {name: found for name, page in pages(site).items() if (found := faults(page))} == {}


def test_plotly_is_there_once(site: Path) -> None:
    assert len(list(site.rglob("plotly.min.js"))) == 1


def test_names_of_files_are_portable(site: Path) -> None:
    names = [str(file.relative_to(site)) for file in site.rglob("*")]
    assert all(re.fullmatch(r"[A-Za-z0-9._/-]+", name) and len(name) < 160 for name in names)
    assert len({name.lower() for name in names}) == len(names)


def test_few_models_are_compared_two_by_two(library: Library, tmp_path: Path) -> None:
    written = write_site(library, ["measured"], tmp_path / "site", instances=1)
    assert isinstance(written, Written)
    assert len(list((tmp_path / "site" / "s" / "measured").glob("compare-*.html"))) == 1


def test_an_older_site_is_not_written_over(library: Library, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("old", encoding="utf-8")
    with pytest.raises(UsageError, match="not empty"):
        write_site(library, ["single"], tmp_path)


def test_what_was_withheld_is_said(tmp_path: Path) -> None:
    write_suite(tmp_path / "out", Shape(models=1, scenarios=2, instances=2, suite="one", forbidden=("sums_river",)))
    written = write_site(Library(tmp_path / "out", builtin()), ["one"], tmp_path / "site")
    assert written.withheld == ("sums_river",)
