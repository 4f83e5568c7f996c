"""Rows in columns: aligned, as wide as the terminal, and one line each in a pipe."""

import io

import pytest
from rich.console import Console

from holoscope.cli.columns import print_columns

ROWS = [
    ("gsm", "1,319", "MIT", "in your data directory"),
    ("natural_questions", "", "CC-BY-SA-3.0", "to be fetched from a host that is far away and has a long name"),
]


def shown(width: int, *, is_terminal: bool = True, rows: list[tuple[str, ...]] | None = None) -> list[str]:
    text = io.StringIO()
    console = Console(file=text, width=width, force_terminal=is_terminal, color_system=None, markup=False)
    print_columns(ROWS if rows is None else rows, console, ("scenario", "rows", "licence", "source"))
    return text.getvalue().splitlines()


def test_columns_are_aligned_and_the_last_one_is_not_padded() -> None:
    assert shown(200) == [
        "scenario           rows   licence       source",
        "gsm                1,319  MIT           in your data directory",
        "natural_questions         CC-BY-SA-3.0  to be fetched from a host that is far away and has a long name",
    ]


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    assert max(map(len, shown(width))) <= width


def test_the_last_column_wraps_beside_the_others() -> None:
    assert shown(70)[2:] == [
        "natural_questions         CC-BY-SA-3.0  to be fetched from a host that",
        "                                        is far away and has a long",
        "                                        name",
    ]


def test_what_does_not_fit_goes_below() -> None:
    lines = shown(44)
    assert lines[2:4] == ["gsm", "    1,319 · MIT · in your data directory"]


def test_a_pipe_has_one_line_a_row() -> None:
    assert len(shown(30, is_terminal=False)) == 3


def test_wide_characters_take_two_places() -> None:
    assert shown(200, rows=[("漢字", "1", "a", "x"), ("ab", "1", "a", "x")])[1:] == [
        "漢字      1     a        x",
        "ab        1     a        x",
    ]


def test_a_terminals_commands_are_shown_and_not_obeyed() -> None:
    assert "\x1b" not in "".join(shown(200, rows=[("\x1b[31mred", "1", "a", "x")]))
