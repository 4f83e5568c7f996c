import pytest

from holoscope.report.printable import folded, interval, number, percent, printable, short_interval, shortened


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.0, "0.00"), (1.0, "1.00"), (0.5, "0.50"), (-0.25, "-0.25"), (0.0031, "0.0031")],
)
def test_numbers_below_ten_have_two_decimals_or_two_digits(value: float | None, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(("value", "text"), [(1.234, "1.23"), (12.34, "12.3"), (123.4, "123"), (12345.6, "12346")])
def test_larger_numbers_have_no_more_digits_than_they_support(value: float, text: str) -> None:
    assert number(value) == text


def test_an_interval_without_an_end_is_not_shown() -> None:
    assert interval(0.1, None) == short_interval(None, 0.2) == ""


def test_a_short_interval_leaves_out_what_is_clear() -> None:
    assert [short_interval(0.51, 0.72), short_interval(0.0, 1.0), short_interval(1.2, 13)] == [
        ".51–.72",
        "0–1",
        "1.20–13.0",
    ]


def test_the_ends_of_an_interval_have_the_same_decimals_unless_both_are_tiny() -> None:
    assert [interval(0.0089, 0.24), interval(0.0011, 0.0042)] == ["[0.01, 0.24]", "[0.0011, 0.0042]"]
    assert short_interval(-0.002, 0.24) == "0–.24"


def test_a_rate_is_not_shown_as_none_where_there_is_some() -> None:
    assert [percent(0, 10), percent(1, 1000), percent(1, 8)] == ["0%", "<1%", "12%"]


def test_what_acts_on_a_terminal_is_replaced() -> None:
    assert printable("a\x1b]0;x\x07\u2066b\u200f\n c") == "a\ufffd]0;x\ufffd\ufffdb\ufffd c"


def test_letters_of_any_script_are_kept() -> None:
    assert printable("日本語 é 👍") == "日本語 é 👍"


def test_names_fold_after_a_mark_and_lose_nothing() -> None:
    assert folded("synthetic_reasoning_natural", 22) == ["synthetic_reasoning_", "natural"]
    assert "".join(folded("x" * 50, 7)) == "x" * 50


def test_a_long_name_is_shortened_with_a_dot() -> None:
    assert shortened("calibration", 8) == "calibr."
