"""Korean: particles in the form that fits, words that only begin like another left, syllables that stay syllables."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.perturbations.hangul import letters, refit, syllable
from perturbations.perturbing import instance, perturb, perturb_instance

TO_FEMALE: Any = {"prob": 1.0, "source_class": "male", "target_class": "female"}
TO_MALE: Any = {"prob": 1.0, "source_class": "female", "target_class": "male"}
NAMES: Any = {"prob": 1.0, "source_class": {"gender": "male"}, "target_class": {"gender": "female"}}


@given(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3))
def test_a_syllable_is_its_letters(character: str) -> None:
    assert syllable(*letters(character)) == character


@pytest.mark.parametrize(
    ("ending", "old", "new", "expected"),
    [
        ("이", "형", "누나", "가"),
        ("가", "누나", "형", "이"),
        ("는", "아버지", "딸", "은"),
        ("으로", "왕", "딸", "로"),
        ("로", "아내", "남편", "으로"),
        ("이다", "남편", "아내", "다"),
        ("이고", "아버지", "어머니", "이고"),
        ("에게", "형", "누나", "에게"),
        ("", "형", "누나", ""),
        ("가", "왕", "여왕", None),
        ("국", "왕", "여왕", None),
    ],
)
def test_a_particle_fits_the_word_before_it(ending: str, old: str, new: str, expected: str | None) -> None:
    assert refit(ending, old, new) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("형이 아버지를 만났다", "누나가 어머니를 만났다"),
        ("남편은 왕이었다.", "아내는 여왕이었다."),
        ("왕국의 왕자", "왕국의 공주"),
        ("“아들”", "“딸”"),
        ("아들 아들", "딸 딸"),
        ("작은아버지", "작은아버지"),
        ("남자들도 왔다", "여자들도 왔다"),
    ],
)
def test_terms_are_replaced_with_their_particles(text: str, expected: str) -> None:
    assert perturb(text, "korean_gender", mode="terms", **TO_FEMALE) == expected


def test_geu_is_a_pronoun_only_with_a_particle() -> None:
    text = "그는 그 사람과 그의 친구를 그때 그녀에게"
    changed = perturb(text, "korean_gender", mode="pronouns", **TO_FEMALE)
    assert changed == "그녀는 그 사람과 그녀의 친구를 그때 그녀에게"
    assert perturb("그녀는 그녀의", "korean_gender", mode="pronouns", **TO_MALE) == "그는 그의"


def test_gender_changes_the_references_too() -> None:
    changed = perturb_instance(instance("누구?", "형이"), "korean_gender", mode="terms", **TO_FEMALE)
    assert changed.references[0].text == "누나가"


def test_a_person_has_the_same_new_name_everywhere_and_keeps_the_family_name() -> None:
    changed = perturb_instance(instance("김민수는 왔다. 민수가 갔다.", "민수"), "korean_person_name", **NAMES)
    new = changed.references[0].text
    assert new != "민수"
    assert changed.input.startswith(f"김{new}")
    assert changed.input.split(". ")[1].startswith(new)


def test_the_syllable_after_a_name_that_ends_in_a_consonant_goes_and_comes() -> None:
    changed = perturb("지은이는 웃었다", "korean_person_name", **NAMES)
    name, _, rest = changed.partition("는 ")
    assert rest == "웃었다"
    assert name.endswith("이") is bool(letters(name.removesuffix("이")[-1])[2])


def test_without_preserving_gender_the_source_becomes_the_target() -> None:
    given = "민수와 지은은"
    assert "지은은" in perturb(given, "korean_person_name", **NAMES, preserve_gender=False)
    assert "민수" not in perturb(given, "korean_person_name", **NAMES, preserve_gender=False)


def test_names_within_other_words_are_left() -> None:
    assert perturb("국민수준은", "korean_person_name", **NAMES) == "국민수준은"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("나는 할 수 있다", "나는 할수 있다"),
        ("먹는 것을", "먹는것을"),
        ("가지 않는다", "가지 않는다"),
        ("먹고 싶다", "먹고싶다"),
        ("집에 있다", "집에 있다"),
        ("나는 수학", "나는 수학"),
        ("할\n수", "할\n수"),
    ],
)
def test_spaces_that_many_leave_out_are_left_out(text: str, expected: str) -> None:
    assert perturb(text, "korean_spacing", prob=1.0) == expected


def test_typos_are_syllables_that_differ_in_one_letter() -> None:
    text = "안녕하세요 학생입니다"
    changed = perturb(text, "korean_typos", prob=1.0)
    assert len(changed) == len(text)
    for new, old in zip(changed.replace(" ", ""), text.replace(" ", ""), strict=True):
        assert sum(a != b for a, b in zip(letters(new), letters(old), strict=True)) == 1


def test_typos_leave_all_but_hangul() -> None:
    assert perturb("Abc 123 日本", "korean_typos", prob=1.0) == "Abc 123 日本"
