import os
import re
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from holoscope.core import Axis, Measure, Outcome
from holoscope.report import By, Grid, grid, render, to_markdown
from report.grids import accuracy, measures, registry, run, whole_grid

SNAPSHOTS = Path(__file__).parent / "snapshots"


def shown(made: Grid, width: int, by: By = "model", *, terminal: bool = False) -> str:
    stream = StringIO()
    render(made, Console(file=stream, width=width, force_terminal=terminal), by)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def compare(name: str, text: str) -> None:
    """Compare with the snapshot; with HOLOSCOPE_SNAPSHOTS=write, write it."""
    path = SNAPSHOTS / name
    if os.environ.get("HOLOSCOPE_SNAPSHOTS") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [80, 120, 180])
def test_grid_of_each_model(width: int) -> None:
    compare(f"model-{width}.txt", shown(whole_grid(), width))


@pytest.mark.parametrize("by", ["scenario", "axis"])
def test_grid_of_each_scenario_and_axis(by: By) -> None:
    compare(f"{by}-80.txt", shown(whole_grid(), 80, by))


def test_grid_in_markdown() -> None:
    compare("model.md", to_markdown(whole_grid()))


@pytest.mark.parametrize("by", ["model", "scenario", "axis"])
def test_no_line_is_wider_than_80_columns(by: By) -> None:
    lines = shown(whole_grid(), 80, by).splitlines()
    assert max(map(cell_len, lines)) <= 80


def test_columns_that_do_not_fit_go_into_a_further_table() -> None:
    known = registry()
    for name in ("honesty", "politeness", "brevity"):
        known.axes.add(
            name,
            Axis(name=name, title=name, lower_is_better=False, chance=None, ceiling=None, metrics=(), empty_reason="-"),
        )
    text = shown(grid([run("gsm", "exact_match")], known, lambda _: measures("exact_match")), 80)
    assert max(map(cell_len, text.splitlines())) <= 80
    assert "polite." in text
    assert text.count("\nscenario") == 2


def test_text_of_a_model_is_shown_and_not_obeyed() -> None:
    name = "[bold red]evil[/]\x1b[31m\u202e\r\nx"
    text = shown(grid([run("gsm", "exact_match", name)], registry(), lambda _: []), 180, terminal=True)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert "[bold red]evil[/]\ufffd[31m\ufffd x" in plain
    assert "\x1b[31m" not in text


def test_no_colour_without_a_terminal() -> None:
    assert "\x1b" not in shown(whole_grid(), 80)


def test_no_colour_where_the_user_wants_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", shown(whole_grid(), 80, terminal=True))


def test_rates_of_what_went_otherwise_than_ok_stand_beside_the_score() -> None:
    one = accuracy("exact_match", 0.5, n_missing=60, outcomes={"ungradable": 60, "truncated": 5})
    text = shown(grid([run("gsm", "exact_match")], registry(), lambda _: [one]), 80)
    assert "75% ungradable" in text
    assert "6% truncated" in text


def test_a_run_without_a_score_shows_how_its_requests_ended() -> None:
    ended = {Outcome.OK: 1995, Outcome.TRANSPORT_ERROR: 5}
    assert "<1% transport_error" in shown(grid([run("gsm", "f1", outcomes=ended)], registry(), lambda _: []), 180)


def test_a_metric_whose_direction_is_not_the_axis_says_so() -> None:
    known = registry()
    known.axes.add(
        "likelihood",
        Axis(
            name="likelihood",
            title="",
            lower_is_better=True,
            chance=None,
            ceiling=None,
            metrics=("bits_per_byte",),
            empty_reason="-",
        ),
    )
    made = grid([run("ice", "bits_per_byte")], known, lambda _: [accuracy("bits_per_byte", 1.05)])
    assert "1.05↓" in shown(made, 80)


def test_a_cell_of_other_size_than_its_row_says_its_n() -> None:
    given = [accuracy("exact_match"), Measure("ece", "calibration", 0.1, 7, "test", low=0.0, high=0.2)]
    made = grid([run("gsm", "exact_match")], registry(), lambda _: given)
    assert "0.10 [0.00, 0.20] n=7" in shown(made, 180)
    assert "exact_match n=20" in shown(made, 80)


def test_a_terminal_without_these_signs_gets_others() -> None:
    raw = BytesIO()
    stream = TextIOWrapper(raw, encoding="ascii", write_through=True)
    render(grid([run("日本", "exact_match")], registry(), lambda _: []), Console(file=stream, width=180))
    assert "accuracy ^" in raw.getvalue().decode("ascii")
    assert "??" in raw.getvalue().decode("ascii")


def test_an_empty_suite_shows_nothing_and_does_not_fail() -> None:
    assert shown(grid([], registry(), lambda _: []), 80) == "\n"
