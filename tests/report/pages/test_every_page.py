"""What holds for each page: valid, escaped, accessible in its bones, and readable without script."""

import json
import re

import pytest

from holoscope.report.library import Library
from report.pages.made import every_page, faults

Pages = dict[str, str]


@pytest.fixture(scope="module")
def pages(library: Library) -> Pages:
    return dict(every_page(library))


def test_html_leaves_nothing_to_guess(pages: Pages) -> None:
    assert {name: found for name, page in pages.items() if (found := faults(page))} == {}


def test_no_text_of_a_model_is_a_tag(pages: Pages) -> None:
    assert [name for name, page in pages.items() if "<script>alert" in page] == []


def test_no_text_acts_on_a_terminal_or_turns_the_page_around(pages: Pages) -> None:
    assert [name for name, page in pages.items() if re.search("[\x1b\u202e\u202c]", page)] == []


def test_the_only_scripts_are_files_and_data(pages: Pages) -> None:
    tags = {tag for page in pages.values() for tag in re.findall(r"<script[^>]*>", page)}
    assert all('type="application/json"' in tag or 'src="/static/' in tag for tag in tags)


def test_data_blocks_are_json(pages: Pages) -> None:
    for page in pages.values():
        for block in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL):
            json.loads(block)


def test_no_element_has_a_handler_of_its_own(pages: Pages) -> None:
    assert [name for name, page in pages.items() if re.search(r"<[a-z]+ [^>]*\bon[a-z]+=", page)] == []


def test_each_page_has_one_heading_one_main_part_and_a_way_past_the_head(pages: Pages) -> None:
    for name, page in pages.items():
        assert page.count("<h1") == 1, name
        assert page.count("<main") == 1, name
        assert 'class="skip" href="#main"' in page, name


def test_ids_are_given_once(pages: Pages) -> None:
    for name, page in pages.items():
        found = re.findall(r'\sid="([^"]+)"', page)
        assert len(found) == len(set(found)), name


def test_references_within_a_page_lead_somewhere(pages: Pages) -> None:
    for name, page in pages.items():
        ids = set(re.findall(r'\sid="([^"]+)"', page))
        assert set(re.findall(r'href="#([^"]+)"', page)) <= ids, name


def test_a_figure_has_its_data_and_its_words(pages: Pages) -> None:
    for name, page in pages.items():
        for figure in re.findall(r'data-figure="([^"]+)"', page):
            assert f'<script type="application/json" id="{figure}">' in page, name
        assert page.count("data-figure=") == page.count('role="img" aria-label="'), name


def test_plotly_is_loaded_where_there_are_figures_and_only_there(pages: Pages) -> None:
    for name, page in pages.items():
        assert ("plotly.min.js" in page) == ("data-figure=" in page), name


def test_every_column_head_says_what_it_is_of(pages: Pages) -> None:
    heads = {tag for page in pages.values() for tag in re.findall(r"<th\b[^>]*>", page)}
    assert all('scope="col"' in tag or 'scope="row"' in tag for tag in heads)


def test_what_needs_script_is_hidden_without_it(pages: Pages) -> None:
    for name, page in pages.items():
        for tag in re.findall(r"<[^>]*data-needs-script[^>]*>", page):
            assert tag.endswith("hidden>"), name
