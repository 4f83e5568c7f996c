"""Spaces, case, contractions, fillers and slips: the places where our definitions are safer than HELM's."""

import re

import pytest

from holoscope.core import UsageError
from perturbations.perturbing import perturb


def test_lowercase() -> None:
    assert perturb("Hello World!", "lowercase") == "hello world!"


def test_extra_space_multiplies_each_space() -> None:
    assert perturb("a b  c", "extra_space", num_spaces=2) == "a  b    c"


def test_space_keeps_the_words_and_their_order() -> None:
    changed = perturb("Hello World!\nQuite a day, huh?", "space", max_spaces=3)
    assert changed.split() == ["Hello", "World!", "Quite", "a", "day,", "huh?"]
    assert max(map(len, re.findall(" +", changed))) <= 3


def test_style_is_appended() -> None:
    assert perturb("A blue dog", "style", suffix="pixel art") == "A blue dog, pixel art"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is good", "It's good"),
        ("IT IS good", "IT'S good"),
        ("I am and I would go", "I'm and I'd go"),
        ("yes, it is.", "yes, it is."),
        ("yes, it is", "yes, it is"),
        ("she is not here", "she's not here"),
        ("they are not", "they're not"),
    ],
)
def test_contraction(text: str, expected: str) -> None:
    assert perturb(text, "contraction") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm sure", "I am sure"),
        ("IT'S", "IT IS"),
        ("I’m here", "I am here"),
        ("we can't've known", "we cannot have known"),
        ("She'd go", "She would go"),
    ],
)
def test_expansion(text: str, expected: str) -> None:
    assert perturb(text, "expansion") == expected


def test_filler_words_are_put_between_words() -> None:
    changed = perturb("one two three", "filler_words", insert_prob=1.0, speaker_ph=False, uncertain_ph=False)
    assert re.sub(r"(uhm|umm|ahh|err|actually|obviously|naturally|like|you know) ", "", changed) == "one two three"


def test_at_most_so_many_fillers() -> None:
    changed = perturb("one two three", "filler_words", insert_prob=1.0, max_num_insert=1)
    assert changed.endswith("one two three")


def test_no_kind_of_filler_means_no_filler() -> None:
    none = {"speaker_ph": False, "uncertain_ph": False, "fill_ph": False}
    assert perturb("one two", "filler_words", insert_prob=1.0, **none) == "one two"


def test_typos_keep_case_and_length() -> None:
    changed = perturb("Quick BROWN fox", "typos", prob=1.0)
    assert len(changed) == 15
    assert [c.isupper() for c in changed] == [c.isupper() for c in "Quick BROWN fox"]
    assert all(a != b for a, b in zip(changed, "Quick BROWN fox", strict=True) if b != " ")


def test_typos_leave_other_alphabets() -> None:
    assert perturb("İẞ Жизнь 日本 42", "typos", prob=1.0) == "İẞ Жизнь 日本 42"


def test_misspellings_keep_case() -> None:
    text = perturb("truly Truly TRULY", "misspellings", prob=1.0)
    assert text == "truely Truely TRUELY"


def test_misspellings_with_probability_zero_change_nothing() -> None:
    assert perturb("the government", "misspellings", prob=0) == "the government"


def test_mild_mix_lowers_and_contracts() -> None:
    assert " ".join(perturb("QUX IT IS XUQ", "mild_mix").split()) == "qux it's xuq"


def test_a_probability_beyond_one_is_refused() -> None:
    with pytest.raises(UsageError, match=r"a probability lies between 0 and 1, not 1\.5"):
        perturb("a", "typos", prob=1.5)


def test_an_argument_that_a_perturbation_does_not_take_is_refused() -> None:
    with pytest.raises(UsageError, match="perturbation 'lowercase' got an unexpected keyword argument 'prob'"):
        perturb("a", "lowercase", prob=0.5)


def test_a_space_perturbation_needs_at_least_one_space() -> None:
    with pytest.raises(UsageError, match="max_spaces must be at least 1, not 0"):
        perturb("a b", "space", max_spaces=0)
