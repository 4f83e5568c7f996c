"""The page of one model, and models laid over each other."""

import json
import re
from pathlib import Path

import pytest

from generated import Shape, model_names, write_suite
from holoscope.core import UnknownNameError, builtin
from holoscope.report.library import Library
from holoscope.report.pages import FileLinks, ServerLinks, file_of
from holoscope.report.pages.model import model
from holoscope.report.pages.profiles import MOST, profiles

LINKS = ServerLinks()
FIRST, SECOND = model_names(2)


def block(page: str, name: str) -> dict[str, list[object]]:
    found = re.search(rf'id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, list[object]] = json.loads(found[1])
    return data


def test_a_model_has_its_picture_its_panels_and_its_costs(library: Library) -> None:
    page = model(library, LINKS, "measured", FIRST)
    assert 'data-figure="profile"' in page
    assert 'data-figure="panels"' in page
    assert "90th percentile" in page


def test_differences_can_be_taken_to_the_others(library: Library) -> None:
    others = block(model(library, LINKS, "measured", FIRST), "grid-others")
    assert list(others) == [SECOND]
    assert len(others[SECOND]) == 2


def test_other_models_are_named_where_there_are_any(library: Library) -> None:
    assert "Other models" in model(library, LINKS, "measured", FIRST)
    assert "ther models" not in model(library, LINKS, "single", FIRST)


def test_of_many_scenarios_each_axis_has_a_panel(tmp_path: Path) -> None:
    write_suite(tmp_path, Shape(models=1, scenarios=18, instances=4, suite="many"))
    page = model(Library(tmp_path, builtin()), LINKS, "many", FIRST)
    assert "Axis by axis" in page
    alike = json.loads(json.dumps(block(page, "panels")["layout"]))["folded"]
    heads = [text for _, *notes in alike for _, text in notes]
    assert heads[0] == "<b>accuracy</b>"
    assert len(heads) < 8


def test_a_model_that_there_is_not(library: Library) -> None:
    with pytest.raises(UnknownNameError, match="did you mean"):
        model(library, LINKS, "measured", FIRST[:-1] + "7")


def test_a_comparison_is_linked_where_there_is_one(library: Library) -> None:
    assert "/s/measured/compare?a=" in model(library, LINKS, "measured", FIRST)
    current = file_of("model", suite="measured", model=SECOND)
    compared = file_of("compare", suite="measured", a=FIRST, b=SECOND)
    assert "compare-" in model(library, FileLinks(current, {compared}), "measured", SECOND)
    assert "compare-" not in model(library, FileLinks(current, set()), "measured", SECOND)


def test_profiles_show_the_models_that_are_asked_for(library: Library) -> None:
    page = profiles(library, LINKS, "mixed", model_names(5)[2:4])
    assert len(re.findall(r'type="checkbox"[^>]* checked', page)) == 2


def test_profiles_hold_every_model_and_show_a_few(library: Library) -> None:
    page = profiles(library, LINKS, "mixed")
    traces = block(page, "profiles")["data"]
    shown = {trace["meta"] for trace in traces if isinstance(trace, dict) and trace["visible"]}
    assert 0 < len(shown) < MOST
    assert page.count('type="checkbox"') == 5
