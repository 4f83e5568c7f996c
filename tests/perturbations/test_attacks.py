"""Look-alikes, neighbouring keys, lost and doubled letters: inside words, in their case."""

import unicodedata

import pytest

from perturbations.perturbing import instance, perturb, perturb_instance


def test_homoglyphs_look_like_letters_of_the_same_case_and_are_others() -> None:
    text = "The Quick BROWN fox"
    changed = perturb(text, "homoglyphs", prob=1.0)
    assert len(changed) == len(text)
    assert [c.isupper() for c in changed] == [c.isupper() for c in text]
    assert sum(a != b for a, b in zip(changed, text, strict=True)) == 13


def test_homoglyphs_are_told_from_latin_by_their_names() -> None:
    changed = perturb("acepox", "homoglyphs", prob=1.0)
    assert {unicodedata.name(c).partition(" ")[0] for c in changed} <= {"CYRILLIC", "GREEK", "LATIN"}
    assert not changed.isascii()


def test_homoglyphs_leave_digits_and_other_scripts() -> None:
    assert perturb("42 日本 ة", "homoglyphs", prob=1.0) == "42 日本 ة"


def test_a_slip_on_the_keyboard_is_one_neighbour_inside_the_word() -> None:
    changed = perturb("Quickly BROWNISH foxes", "keyboard", prob=1.0).split()
    for new, old in zip(changed, ["Quickly", "BROWNISH", "foxes"], strict=True):
        places = [i for i in range(len(old)) if new[i] != old[i]]
        assert len(places) == 1
        assert 0 < places[0] < len(old) - 1
        assert new[places[0]].isupper() is old[places[0]].isupper()


@pytest.mark.parametrize("name", ["keyboard", "character_noise"])
@pytest.mark.parametrize("text", ["the fox is on", "x_long_name abc1defg", "日本語文字", "cafe\u0301 e\u0301tude", ""])
def test_short_words_identifiers_and_other_scripts_are_left(name: str, text: str) -> None:
    assert perturb(text, name, prob=1.0) == text


def test_noise_keeps_the_ends_of_a_word_and_changes_every_word() -> None:
    words = ["Wonderful", "KEYBOARD", "people", "explanation", "жизнью", "elephant"]
    changed = perturb(" ".join(words), "character_noise", prob=1.0).split()
    assert [(w[0], w[-1]) for w in changed] == [(w[0], w[-1]) for w in words]
    assert all(new != old and abs(len(new) - len(old)) <= 1 for new, old in zip(changed, words, strict=True))


def test_noise_keeps_the_case_of_each_place() -> None:
    assert perturb("KEYBOARD " * 20, "character_noise", prob=1.0).isupper()


def test_a_word_of_equal_letters_is_changed_too() -> None:
    assert all(word != "aaaaaa" for word in perturb("aaaaaa " * 20, "character_noise", prob=1.0).split())


def test_letters_without_two_cases_keep_their_word() -> None:
    assert perturb("Straße İstanbul", "character_noise", prob=1.0) == "Straße İstanbul"


@pytest.mark.parametrize("name", ["homoglyphs", "keyboard", "character_noise"])
def test_an_answer_need_not_be_misspelt(name: str) -> None:
    assert perturb_instance(instance("Wonderful", "Wonderful"), name, prob=1.0).references[0].text == "Wonderful"


@pytest.mark.parametrize("name", ["homoglyphs", "keyboard", "character_noise"])
def test_probability_zero_changes_nothing(name: str) -> None:
    assert perturb("Wonderful", name, prob=0) == "Wonderful"


@pytest.mark.parametrize("name", ["homoglyphs", "keyboard", "character_noise"])
def test_they_count_as_robustness(name: str) -> None:
    described = perturb_instance(instance("Wonderful"), name, prob=0.25).perturbation
    assert described is not None
    assert (described.name, described.robustness, described.fairness) == (name, True, False)
    assert described.args == {"prob": 0.25}
