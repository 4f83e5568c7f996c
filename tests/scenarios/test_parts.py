"""What scenarios are put together from: typed fields, right options, upstream's random orders."""

from collections.abc import Callable

import pytest

from holoscope.core import DataError
from holoscope.scenarios import fields
from holoscope.scenarios.draws import hub_order, table_sample
from holoscope.scenarios.references import position_of, right_position, right_text
from holoscope.scenarios.rows import Row

ROW = Row("f:1", {"deep": {"er": True}, "size": 0.5, "none": None, "many": [{"a": 1}, {"a": 2}]})


def test_fields_are_taken_with_their_types() -> None:
    assert fields.boolean(ROW, "deep.er") is True
    assert (fields.number(ROW, "size"), fields.number(ROW, "none")) == (0.5, None)
    assert fields.member(ROW, "deep") == Row("f:1", {"er": True})
    assert fields.objects(ROW, "many") == [Row("f:1", {"a": 1}), Row("f:1", {"a": 2})]


@pytest.mark.parametrize("take", [fields.boolean, fields.member, fields.objects, fields.text])
def test_a_field_of_another_type_is_named_with_its_place(take: Callable[[Row, str], object]) -> None:
    with pytest.raises(DataError, match=r"f:1: size should be .* and is 0\.5"):
        take(ROW, "size")


def test_a_number_is_not_a_text() -> None:
    with pytest.raises(DataError, match="should be a number"):
        fields.number(ROW, "many")


def test_options_of_equal_text_are_equally_right() -> None:
    assert [r.is_correct for r in right_text(["same", "x", "same"], 2)] == [True, False, True]


def test_by_position_one_option_is_right() -> None:
    assert [r.is_correct for r in right_position(["same", "x", "same"], 2)] == [False, False, True]


@pytest.mark.parametrize("letter", ["C", "", "AB", "a"])
def test_a_letter_that_names_no_option_is_an_error(letter: str) -> None:
    with pytest.raises(DataError, match="f:1: expected options and the letter of one"):
        position_of(letter, ["one", "two"], "f:1")


def test_ten_options_have_letters() -> None:
    assert position_of("J", [*"0123456789"], "f:1") == 9


def test_a_table_sample_is_pandas() -> None:
    """`DataFrame({"x": range(10)}).sample(frac=0.3, random_state=1234)` draws these, in this order."""
    drawn, left = table_sample(range(10), 0.3, 1234)
    assert drawn == [7, 2, 9]
    assert left == [0, 1, 3, 4, 5, 6, 8]


def test_a_sample_rounds_to_the_nearest_even_size() -> None:
    assert [len(table_sample(range(size), 0.1, 0)[0]) for size in (5, 15, 25)] == [0, 2, 2]


def test_the_hubs_order_is_a_permutation_that_its_seed_decides() -> None:
    assert hub_order(10, 42) == [5, 6, 0, 7, 3, 2, 4, 9, 1, 8]
    assert sorted(hub_order(100, 7)) == list(range(100))
