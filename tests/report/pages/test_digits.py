"""Numbers show what their intervals support."""

from hypothesis import given
from hypothesis import strategies as st

from holoscope.report.pages.digits import Reading, decimals, shown, span


def test_two_digits_of_half_the_width() -> None:
    assert decimals([Reading(0.62, 0.52, 0.72)]) == 2
    assert decimals([Reading(0.62, 0.59, 0.65)]) == 3
    assert decimals([Reading(812.0, 790.0, 834.0)]) == 0


def test_without_intervals_three_digits() -> None:
    assert decimals([Reading(0.0123)]) == 4
    assert decimals([]) == 2


def test_a_negative_zero_is_zero() -> None:
    assert shown(-0.001, 2) == ".00"


def test_an_interval_below_zero_has_no_dash_between_its_signs() -> None:
    assert span(-0.2, -0.1, 1) == "-.2 to -.1"


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_what_is_shown_can_be_read_back(number: float, places: int) -> None:
    read = float(shown(number, places).replace(",", ""))
    assert abs(read - number) <= 0.5001 * 10.0**-places
