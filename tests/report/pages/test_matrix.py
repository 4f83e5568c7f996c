"""The matrix: every number leads to its run, every gap to its reason."""

import re
from pathlib import Path

import pytest

from generated import Shape, model_names, write_suite
from holoscope.core import Display, DisplayGroup, UnknownNameError, builtin
from holoscope.report.library import Library
from holoscope.report.pages import ServerLinks
from holoscope.report.pages.matrix import (
    NOT_RUN,
    Matrix,
    axis_named,
    models_by_scenarios,
    rows_of,
    scenarios_by_axes,
)
from holoscope.report.pages.overview import overview
from holoscope.report.pages.peers import peers, rank, ranked

LINKS = ServerLinks()


def accuracy(library: Library, suite: str) -> Matrix:
    found = library.suite(suite)
    return models_by_scenarios(found, axis_named(found, "accuracy"), LINKS, f"/s/{suite}/")


def test_every_number_leads_to_its_run(library: Library) -> None:
    found = library.suite("mixed")
    matrix = accuracy(library, "mixed")
    for line in matrix.lines:
        for head, spot in zip(matrix.heads, line.spots, strict=True):
            if spot.href:
                run = library.run("mixed", spot.href.removeprefix("run/"))
                assert (run.manifest.model.name, run.manifest.scenario.name) == (line.name, head.key)
    assert sum(bool(spot.href) for line in matrix.lines for spot in line.spots) == len(found.runs)


def test_a_gap_has_a_reason_in_the_list(library: Library) -> None:
    matrix = accuracy(library, "mixed")
    empty = [spot for line in matrix.lines for spot in line.spots if spot.reason]
    assert empty
    assert all(spot.title == matrix.reasons[spot.reason - 1] for spot in empty)
    assert {NOT_RUN, "failed: the endpoint answered 401: the key was refused"} == set(matrix.reasons)


def test_a_run_that_was_not_made_leads_nowhere(library: Library) -> None:
    spots = [spot for line in accuracy(library, "mixed").lines for spot in line.spots if spot.title == NOT_RUN]
    assert spots
    assert not any(spot.href for spot in spots)


def test_the_spread_is_highest_less_lowest(library: Library) -> None:
    matrix = accuracy(library, "mixed")
    values = [float(line.spots[0].value) for line in matrix.lines if not line.spots[0].reason]
    assert float(matrix.heads[0].spread) == pytest.approx(max(values) - min(values), abs=0.011)


def test_a_head_says_metric_n_and_scale(library: Library) -> None:
    head = accuracy(library, "mixed").heads[0]
    assert head.note == "exact_match · n=8"
    assert head.ends == "0.5 1"


def test_a_model_on_every_axis(library: Library) -> None:
    found = library.suite("measured")
    matrix = scenarios_by_axes(found, model_names(2)[0], LINKS, "/s/measured/model/x")
    assert [head.key for head in matrix.heads] == [axis.name for axis in found.grid.axes]
    assert [head.is_low for head in matrix.heads] == [axis.lower_is_better for axis in found.grid.axes]
    by_axis = dict(zip([head.key for head in matrix.heads], matrix.lines[0].spots, strict=True))
    assert by_axis["efficiency"].value.endswith(" s")
    assert by_axis["calibration"].interval


def test_names_that_there_are_not(library: Library) -> None:
    found = library.suite("mixed")
    with pytest.raises(UnknownNameError, match="did you mean 'accuracy'"):
        axis_named(found, "acuracy")
    with pytest.raises(UnknownNameError):
        rows_of(found, "nobody")
    with pytest.raises(UnknownNameError):
        overview(library, LINKS, "mixed", "nothing")


def test_ranks_leave_open_what_is_not_known(library: Library) -> None:
    found = library.suite("mixed")
    for model in model_names(5)[1:]:
        rows = rows_of(found, model)
        matrix = ranked(scenarios_by_axes(found, model, LINKS, "/"), rows, found.grid.axes, peers(found.grid, rows))
        for line in matrix.lines:
            for spot in line.spots:
                if not spot.reason:
                    first, last, of = map(int, spot.rank.split())
                    assert 1 <= first <= last <= of <= 5


def test_a_cell_surely_better_than_another_has_the_better_rank(tmp_path: Path) -> None:
    write_suite(tmp_path, Shape(models=2, scenarios=1, instances=200, suite="one", is_perturbed=False))
    found = Library(tmp_path, builtin()).suite("one")
    axis = axis_named(found, "accuracy")
    best, worst = sorted(found.grid.rows, key=lambda row: -(row.headlines["accuracy"].value or 0))
    assert rank(best, found.grid.rows, axis) == "1 1 2"
    assert rank(worst, found.grid.rows, axis) == "2 2 2"


def test_a_layout_orders_and_names_the_scenarios(folder: Path) -> None:
    groups = (DisplayGroup(name="sums_river", title="Sums, first"), DisplayGroup(name="reading_river", title="Reading"))
    library = Library(folder, builtin(), display=Display(groups=groups))
    found = library.suite("measured")
    matrix = models_by_scenarios(found, axis_named(found, "accuracy"), LINKS, "/", library.display)
    assert [head.name for head in matrix.heads] == ["Sums, first", "Reading"]


def test_an_axis_without_any_value_is_words_in_a_large_suite(tmp_path: Path) -> None:
    write_suite(tmp_path, Shape(models=26, scenarios=1, instances=2, suite="many", is_perturbed=False))
    page = overview(Library(tmp_path, builtin()), LINKS, "many", "toxicity")
    assert "No run of this suite has a value on this axis" in page
    assert 'class="matrix"' not in page


def test_reasons_are_written_out_only_while_they_are_few(tmp_path: Path) -> None:
    write_suite(tmp_path, Shape(models=20, scenarios=12, instances=2, suite="many", is_perturbed=False))
    page = overview(Library(tmp_path, builtin()), LINKS, "many", "toxicity")
    assert 0 < len(re.findall(r'<td class="m" title=', page)) < page.count('<td class="m"')
