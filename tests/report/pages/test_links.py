"""Addresses: one table, two kinds."""

import pytest

from holoscope.core import UnknownNameError
from holoscope.report.pages import FileLinks, ServerLinks, file_of
from holoscope.report.pages.links import portable, relative

RUN = "mmlu--subject-anatomy--model-openai_gpt-4o--220e7fdeff92"


def test_a_model_with_a_slash_is_one_part_of_a_path() -> None:
    assert ServerLinks()("model", suite="s", model="openai/gpt-4o") == "/s/s/model/openai%2Fgpt-4o"


def test_what_is_no_part_of_the_path_is_query() -> None:
    assert ServerLinks()("compare", suite="s", a="x", b="y z") == "/s/s/compare?a=x&b=y+z"


def test_instances_of_a_suite_and_of_a_run_are_two_places() -> None:
    links = ServerLinks()
    assert links("instances", suite="s", text="a") == "/s/s/instances?text=a"
    assert links("instances", suite="s", folder="f") == "/s/s/run/f/instances"


def test_a_scenario_narrows_a_page() -> None:
    links = ServerLinks()
    assert links("calibration", suite="s") == "/s/s/calibration"
    assert links("calibration", suite="s", scenario="a b") == "/s/s/calibration/a%20b"


def test_files_are_relative_to_the_page() -> None:
    links = FileLinks("s/mine/run/220e7fdeff92.html")
    assert links("overview", suite="mine") == "../index.html"
    assert links("static", file="holoscope.css") == "../../../static/holoscope.css"
    assert links("plotly") == "../../../static/plotly.min.js"


def test_a_run_goes_by_its_hash_however_it_is_named() -> None:
    assert portable(RUN) == portable(RUN[-12:]) == "220e7fdeff92"


@pytest.mark.parametrize("name", ["../../etc/passwd", "con", "a/b", "A", "ü", "a b", "x" * 300, "<b>", ""])
def test_no_name_is_a_path(name: str) -> None:
    made = portable(name)
    assert "/" not in made
    assert made not in ("", ".", "..")
    assert made.isascii()
    assert len(made) < 120


def test_names_that_differ_only_in_case_have_two_files() -> None:
    assert file_of("model", suite="s", model="A").lower() != file_of("model", suite="s", model="a").lower()


def test_each_form_of_an_instance_has_its_own_file() -> None:
    parts = {"suite": "s", "folder": RUN, "instance_id": "id1"}
    files = {
        file_of("instance", **parts),
        file_of("instance", **parts, perturbation="dialect"),
        file_of("instance", **parts, trial="1"),
        file_of("instance", **parts, train="1"),
    }
    assert len(files) == 4


def test_a_site_says_which_pages_it_holds() -> None:
    links = FileLinks("index.html", {"s/mine/index.html"})
    assert links.has("overview", suite="mine")
    assert not links.has("profiles", suite="mine")
    assert not links.has("suite_instances", suite="mine")


def test_an_unknown_page_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="leaderbord"):
        ServerLinks()("leaderbord", suite="s")


def test_relative_addresses_lead_to_the_same_place() -> None:
    assert relative("/s/a/run/f", "/s/a/") == "run/f"
    assert relative("/s/a/run/f", "/s/a/axis/bias") == "../run/f"
