"""A comparison as it is printed: aligned, within the width, harmless."""

import json
import re
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from holoscope.core import builtin
from holoscope.report.comparison import Comparison, compare
from holoscope.report.comparison_lines import probability, signed
from holoscope.report.comparison_tables import comparison_csv, comparison_json, comparison_markdown
from holoscope.report.comparison_terminal import render_comparison
from holoscope.store import StoredRun
from report.comparing import calibration, stored
from report.test_terminal import compare as same_as_snapshot

REGISTRY = builtin()
RIGHT = [1.0] * 30
LONG = "synthetic_reasoning_natural"


def made(tmp_path: Path, **fields: Any) -> Comparison:
    a: list[StoredRun] = []
    b: list[StoredRun] = []
    for side, model, half, error in ((a, "maker/one", 0.9, 0.1), (b, "maker/other", 0.4, 0.3)):
        right = int(30 * half)
        ece = calibration(error, error - 0.05, error + 0.05)
        side.append(stored(tmp_path, model, [*RIGHT[:right], *([0.0] * (30 - right))], scenario="mmlu", more=[ece]))
        graded = [0.2 + half * (k % 5) / 8 for k in range(30)]
        side.append(stored(tmp_path, model, graded, scenario=LONG, metric="f1_score", **fields))
    b.append(stored(tmp_path, "maker/other", RIGHT, scenario="gsm"))
    return compare(a, b, REGISTRY, names=("maker/one (mine)", "maker/other (mine)"))


def shown(comparison: Comparison, width: int, *, terminal: bool = False) -> str:
    stream = StringIO()
    render_comparison(comparison, Console(file=stream, width=width, force_terminal=terminal))
    return stream.getvalue()


@pytest.mark.parametrize("width", [120, 80, 44])
def test_a_comparison_at_three_widths(width: int, tmp_path: Path) -> None:
    text = shown(made(tmp_path), width)
    assert max(map(cell_len, text.splitlines())) <= width
    same_as_snapshot(f"comparison-{width}.txt", text)


def test_a_comparison_in_markdown(tmp_path: Path) -> None:
    same_as_snapshot("comparison.md", comparison_markdown(made(tmp_path)))


def test_the_drawing_marks_no_difference_and_the_estimate(tmp_path: Path) -> None:
    line = next(line for line in shown(made(tmp_path), 120).splitlines() if line.startswith("mmlu"))
    drawing = line[60:]
    assert drawing.index("│") < drawing.index("─") < drawing.index("●"), "A is surely better"


def test_an_interval_without_room_stands_below(tmp_path: Path) -> None:
    assert re.search(r"^  \[0\.\d\d, 0\.\d\d\]$", shown(made(tmp_path), 40), re.MULTILINE)


def test_no_colour_without_a_terminal(tmp_path: Path) -> None:
    assert "\x1b" not in shown(made(tmp_path), 80)


def test_no_colour_where_the_user_wants_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", shown(made(tmp_path), 80, terminal=True))


def test_a_terminal_without_these_signs_gets_others(tmp_path: Path) -> None:
    raw = BytesIO()
    stream = TextIOWrapper(raw, encoding="ascii", write_through=True)
    render_comparison(made(tmp_path), Console(file=stream, width=120))
    text = raw.getvalue().decode("ascii")
    assert re.search(r"\|\s+-+o-+", text)
    assert "?" not in text


def test_what_a_server_wrote_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    name = "[bold]evil[/]\x1b[31m\u202e"
    runs = [stored(tmp_path, m, RIGHT, status=s, reason=name) for m, s in (("a", "complete"), ("b", "incomplete"))]
    comparison = compare(runs[:1], runs[1:], REGISTRY, names=(name, "b"))
    for text in (shown(comparison, 80, terminal=True), comparison_markdown(comparison)):
        assert "\x1b[31m" not in text
        assert "\u202e" not in text
    assert "[bold]evil[/]\ufffd[31m" in shown(comparison, 80)


def test_one_warning_of_many_scenarios_is_said_once(tmp_path: Path) -> None:
    a = [stored(tmp_path, "a", RIGHT, scenario=s) for s in ("one", "two", "three", "four")]
    b = [stored(tmp_path, "b", RIGHT, scenario=s, spec={"seed": 1}) for s in ("one", "two", "three", "four")]
    text = shown(compare(a, b, REGISTRY), 120)
    assert text.count("note: other seed: 0 and 1 (") == 1
    assert "and 1 more)" in text


def test_csv_has_a_line_for_each_difference(tmp_path: Path) -> None:
    head, *lines = comparison_csv(made(tmp_path)).splitlines()
    assert len(lines) == 3
    first = dict(zip(head.split(","), lines[0].split(","), strict=False))
    assert (first["scenario"], first["axis"], first["model_b"]) == ("mmlu", "accuracy", "maker/other")


def test_json_has_every_flip(tmp_path: Path) -> None:
    found = json.loads(comparison_json(made(tmp_path)))
    first = found["pairs"][0]["differences"][0]
    assert first["counts"] == {"both": 12, "only_a": 15, "only_b": 0, "neither": 3}
    assert [flip["instance_id"] for flip in first["flips"]] == [f"id{k}" for k in range(12, 27)]


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (0.0, "0.00"), (0.256, "+0.26"), (-0.0031, "-0.0031"), (12.34, "+12.3")]
)
def test_a_difference_has_a_sign(value: float | None, text: str) -> None:
    assert signed(value) == text


@pytest.mark.parametrize(("p", "text"), [(None, ""), (1.0, "1"), (0.0499, ".05"), (0.00012, "<.001"), (0.25, ".25")])
def test_a_p_value_has_two_digits(p: float | None, text: str) -> None:
    assert probability(p) == text
