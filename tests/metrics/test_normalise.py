"""What counts as the same text."""

import pytest

from holoscope.metrics.normalise import fold, helm_normalise, normalise


@pytest.mark.parametrize(
    ("one", "other"), [("STRASSE", "Straße"), ("İstanbul", "i̇stanbul"), ("ﬁn", "fin"), ("é", "e\u0301")]
)
def test_case_and_composition_are_folded(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize("text", ["A", "An", "the", "?!", "..."])
def test_an_answer_is_never_emptied(text: str) -> None:
    assert normalise(text)


def test_articles_are_chosen_by_language() -> None:
    assert normalise("il a une idée", "fr") == "il a idée"
    assert normalise("l’eau et la lune", "fr") == "eau et lune"
    assert normalise("the idea of a man") == "idea of man"


@pytest.mark.parametrize(
    ("text", "same"), [("-5", "-5"), ("3.14.", "3.14"), ("1,000", "1000"), ("well-known", "wellknown"), ("$5", "5")]
)
def test_what_gives_a_number_its_value_stays(text: str, same: str) -> None:
    assert normalise(text) == same


@pytest.mark.parametrize(("one", "other"), [("-5", "5"), ("3.14", "314")])
def test_different_numbers_stay_different(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


def test_helms_normalisation_is_ascii_and_english() -> None:
    assert helm_normalise("The Cat, a dog!") == "cat dog"
    assert helm_normalise("A") == ""
    assert helm_normalise("the a", articles=False) == "the a"
    assert helm_normalise("«Straße»") == "«straße»"
