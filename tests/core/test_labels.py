import pytest

from holoscope.core.labels import letters_of, position_of_letters


@pytest.mark.parametrize(("position", "label"), [(0, "A"), (26, "AA"), (59, "BH"), (701, "ZZ"), (702, "AAA")])
def test_a_label_names_the_position_it_stands_at(position: int, label: str) -> None:
    assert letters_of(position) == label
    assert position_of_letters(label) == position


def test_a_label_may_be_small() -> None:
    assert letters_of(27, "a") == "ab"
    assert position_of_letters("ab") == 27


@pytest.mark.parametrize("text", ["", "B2", "B C", "é", "ı"])
def test_other_text_is_no_label(text: str) -> None:
    assert position_of_letters(text) is None
