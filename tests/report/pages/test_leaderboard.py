"""The leaderboard: axes side by side, nothing added up before somebody weighs it."""

import json
import re

from holoscope.report.library import Library
from holoscope.report.pages import ServerLinks
from holoscope.report.pages.leaderboard import leaderboard, standings_of
from holoscope.report.standing import win_rates

LINKS = ServerLinks()


def test_every_model_has_its_possible_places(library: Library) -> None:
    found = library.suite("measured")
    page = leaderboard(library, LINKS, "measured")
    for standing in standings_of(library, found):
        for entry in standing.entries:
            if entry.best is not None:
                places = str(entry.best) if entry.best == entry.worst else f"{entry.best}–{entry.worst}"
                assert f'<small class="place">{places}</small>' in page


def test_no_aggregate_is_in_the_page(library: Library) -> None:
    page = leaderboard(library, LINKS, "measured")
    assert '<div id="aggregate" aria-live="polite"></div>' in page
    assert set(re.findall(r'value="([^"]*)" data-axis', page)) == {"0"}


def test_the_script_gets_places_and_not_values(library: Library) -> None:
    page = leaderboard(library, LINKS, "measured")
    found = re.search(r'id="standings-data">(.*?)</script>', page)
    assert found
    data = json.loads(found[1])
    (accuracy,) = (s for s in standings_of(library, library.suite("measured")) if s.axis == "accuracy")
    at = data["axes"].index("accuracy")
    assert [own[at][0] for own in data["places"]] == [round(e.place or 0, 5) for e in accuracy.entries]


def test_helms_win_rate_has_its_name_and_panel(library: Library) -> None:
    page = leaderboard(library, LINKS, "measured")
    rates = win_rates(library.suite("measured").grid, "accuracy").rates
    assert "HELM&#39;s mean win rate" in page or "HELM's mean win rate" in page
    assert "this panel of 2 models" in page
    assert all(f"{rate:.3f}" in page for rate in rates.values() if rate is not None)


def test_cost_stands_against_any_axis(library: Library) -> None:
    page = leaderboard(library, LINKS, "measured", "calibration")
    assert "against calibration" in page
    assert 'data-figure="pareto-request_time"' in page


def test_what_a_mean_leaves_out_is_named(library: Library) -> None:
    page = leaderboard(library, LINKS, "mixed")
    assert "not measured for" in page


def test_standings_are_worked_out_once(library: Library) -> None:
    found = library.suite("measured")
    assert standings_of(library, found) is standings_of(library, found)
