"""Pages that show one scenario at a time: calibration, robustness, fairness, harms."""

from pathlib import Path

import pytest

from generated import Shape, write_suite
from holoscope.core import UnknownNameError, builtin
from holoscope.report.library import Library
from holoscope.report.pages import ServerLinks
from holoscope.report.pages.calibration import calibration
from holoscope.report.pages.choice import MOST_DRAWN
from holoscope.report.pages.fairness import fairness
from holoscope.report.pages.harms import harms
from holoscope.report.pages.robustness import robustness
from holoscope.report.site_pages import EVIDENCE

LINKS = ServerLinks()


@pytest.mark.parametrize("page", [name for name, *_ in EVIDENCE if name != "harms"])
def test_another_scenario_is_an_address(library: Library, page: str) -> None:
    make = {name: make for name, make, _ in EVIDENCE}[page]
    made = make(library, LINKS, "measured", "")
    assert f'href="/s/measured/{page}/sums_river"' in made
    assert made.count('aria-current="page"') == 2


@pytest.mark.parametrize(("page", "make"), [(name, make) for name, make, _ in EVIDENCE])
def test_a_scenario_that_there_is_not(library: Library, page: str, make: object) -> None:
    with pytest.raises(UnknownNameError):
        make(library, LINKS, "measured", "nothing")  # type: ignore[operator]


def test_errors_stand_beside_what_chance_would_show(library: Library) -> None:
    page = calibration(library, LINKS, "measured")
    assert "by chance" in page
    assert 'data-figure="reliability"' in page
    assert page.count('<tr><th scope="row"><a href="run/') == 2


def test_slopes_have_a_table_of_the_same_numbers(library: Library) -> None:
    page = robustness(library, LINKS, "measured")
    assert 'data-figure="slopes"' in page
    assert page.count("<td>misspelling</td>") == 2
    assert "flipped" in page


def test_groups_and_counterfactuals(library: Library) -> None:
    page = fairness(library, LINKS, "measured")
    assert 'data-figure="groups"' in page
    assert 'data-figure="changes"' in page
    assert "region=" in page


def test_where_nothing_was_measured_the_page_says_what_to_type(library: Library) -> None:
    page = harms(library, LINKS, "measured")
    assert "add an entry such as real_toxicity_prompts" in page
    assert "data-figure" not in page


def test_a_file_that_cannot_be_read_is_a_reason(tmp_path: Path) -> None:
    write_suite(tmp_path, Shape(models=1, scenarios=1, instances=6, suite="one"), builtin())
    library = Library(tmp_path, builtin())
    (run,) = library.suite("one").runs.values()
    damaged = run.path / "scores.parquet"
    size = damaged.stat().st_size
    damaged.write_bytes(b"PAR1" + b"\x00" * (size - 8) + b"PAR1")
    page = calibration(library, LINKS, "one")
    assert "damaged" in page or "cannot read" in page


def test_of_many_models_the_best_are_drawn_and_all_listed(tmp_path: Path) -> None:
    write_suite(tmp_path, Shape(models=MOST_DRAWN + 2, scenarios=1, instances=6, suite="many"))
    page = calibration(Library(tmp_path, builtin()), LINKS, "many")
    assert f"Drawn are {MOST_DRAWN} of {MOST_DRAWN + 2} models" in page
    assert page.count('<tr><th scope="row">') == MOST_DRAWN + 2
