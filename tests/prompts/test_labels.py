import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.core import AdapterSpec, UsageError
from holoscope.prompts import label
from holoscope.prompts.labels import prefix


def labels(count: int, reference_prefix: str = "A. ", compat: bool = False) -> list[str]:
    adapter = AdapterSpec(reference_prefix=reference_prefix)
    return [label(adapter, position, compat=compat) for position in range(count)]


def test_sixty_options_have_sixty_labels() -> None:
    assert len(set(labels(60))) == 60


def test_labels_go_on_after_z_as_in_a_spreadsheet() -> None:
    assert labels(60)[24:30] == ["Y", "Z", "AA", "AB", "AC", "AD"]


@given(st.integers(0, 60))
def test_labels_of_letters_only_hold_letters(position: int) -> None:
    assert labels(61)[position].isalpha()


def test_small_letters_stay_small() -> None:
    assert labels(28, "(a) ")[-2:] == ["aa", "ab"]


def test_digits_count_on() -> None:
    assert labels(12, "1) ")[8:] == ["9", "10", "11", "12"]


def test_compat_counts_through_the_code_points() -> None:
    assert labels(28, compat=True)[25:] == ["Z", "[", "\\"]


def test_the_prefix_keeps_what_is_around_the_label() -> None:
    assert prefix(AdapterSpec(reference_prefix="\n(A) "), 2, compat=False) == "\n(C) "


def test_given_characters_are_used() -> None:
    adapter = AdapterSpec(reference_prefix_characters=("ก", "ข"))
    assert prefix(adapter, 1, compat=True) == "ข. "


def test_too_few_given_characters_are_an_error() -> None:
    with pytest.raises(UsageError, match="2 labels"):
        label(AdapterSpec(reference_prefix_characters=("x", "y")), 2, compat=False)


def test_a_prefix_without_letter_is_an_error() -> None:
    with pytest.raises(UsageError, match="no letter or digit"):
        labels(1, "- ")
