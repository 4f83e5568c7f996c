"""Chinese: the same sound, the same meaning, another script or speech; words that merely hold a character are left."""

from typing import Any

import pytest

from holoscope.perturbations.lexicon import table
from perturbations.perturbing import instance, perturb, perturb_instance

TO_FEMALE: Any = {"prob": 1.0, "source_class": "male", "target_class": "female"}
TO_MALE: Any = {"prob": 1.0, "source_class": "female", "target_class": "male"}
NAMES: Any = {"prob": 1.0, "source_class": {"gender": "male"}, "target_class": {"gender": "female"}}


def readings(character: str) -> set[str]:
    return {reading for reading, group in table("chinese_homophones.json").items() if character in group}


def test_typos_sound_the_same() -> None:
    text = "是时事式"
    changed = perturb(text, "chinese_typos", prob=1.0)
    assert all(a != b for a, b in zip(changed, text, strict=True))
    assert {r[:-1] for c in changed for r in readings(c)} == {"shi"}


def test_typos_keep_the_tone_where_asked() -> None:
    assert readings(perturb("是", "chinese_typos", prob=1.0, consider_tone=True)) == {"shi4"}


def test_typos_leave_all_but_the_listed_characters() -> None:
    assert perturb("Abc 123，。한국", "chinese_typos", prob=1.0) == "Abc 123，。한국"


def test_synonyms_are_drawn_again_until_one_changes() -> None:
    assert perturb("非常", "chinese_synonym", prob=0.3, trial_num=100) != "非常"
    assert perturb("非常", "chinese_synonym", prob=0, trial_num=100) == "非常"


def test_synonyms_are_found_side_by_side_and_not_replaced_twice() -> None:
    changed = perturb("例如例如", "chinese_synonym", prob=1.0)
    assert {changed[i : i + 2] for i in (0, 2)} <= {"比如", "譬如"}


def test_the_mix_changes_words_and_characters_of_the_input_only() -> None:
    text = "虽然今天很冷，但是我非常高兴，因为爸爸买了自行车。" * 3
    changed = perturb_instance(instance(text, text), "cleva_mild_mix")
    assert changed.input != text
    assert changed.references[0].text == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他走了", "她走了"),
        ("他们和她们", "她们和她们"),
        ("其他人喜欢吉他", "其他人喜欢吉他"),
        ("是他", "是她"),
        ("他", "她"),
    ],
)
def test_he_becomes_she_where_it_is_a_word(text: str, expected: str) -> None:
    assert perturb(text, "chinese_gender", mode="pronouns", **TO_FEMALE) == expected


def test_terms_are_found_the_longest_first() -> None:
    assert perturb("外祖父和祖父", "chinese_gender", mode="terms", **TO_FEMALE) == "外祖母和祖母"
    assert perturb("女朋友", "chinese_gender", mode="terms", **TO_MALE) == "男朋友"


def test_gender_changes_the_references_too() -> None:
    changed = perturb_instance(instance("谁？", "爸爸"), "chinese_gender", mode="terms", **TO_FEMALE)
    assert changed.references[0].text == "妈妈"


def test_a_person_keeps_the_family_name_and_has_one_new_name() -> None:
    changed = perturb_instance(instance("张志刚来了，志刚走了。", "张志刚"), "chinese_person_name", **NAMES)
    new = changed.references[0].text.removeprefix("张")
    assert new != "志刚"
    assert changed.input == f"张{new}来了，{new}走了。"


def test_a_name_that_is_also_a_word_needs_its_family_name() -> None:
    changed = perturb("建国以来，王建国很忙", "chinese_person_name", **NAMES)
    assert changed.startswith("建国以来，王")
    assert "王建国" not in changed


def test_gender_is_kept_unless_asked_otherwise() -> None:
    names = table("chinese.json")["given_names"]
    assert perturb("王建国", "chinese_person_name", **NAMES)[1:] in names["male"]
    assert perturb("王建国", "chinese_person_name", **NAMES, preserve_gender=False)[1:] in names["female"]
    assert perturb("李秀英", "chinese_person_name", **NAMES, preserve_gender=False) == "李秀英"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("汉语", "漢語"),
        ("皇后以后的头发", "皇后以後的頭髮"),
        ("三公里里面", "三公里裏面"),
        ("漢語", "漢語"),
        ("Abc，日本", "Abc，日本"),
    ],
)
def test_simplified_becomes_traditional_by_the_word(text: str, expected: str) -> None:
    assert perturb(text, "simplified_to_traditional") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他是谁？", "佢係邊個？"),
        ("我们不知道", "我哋唔知"),
        ("目的是好的", "目的係好嘅"),
        ("其他小说", "其他小說"),
    ],
)
def test_mandarin_becomes_cantonese_in_traditional_characters(text: str, expected: str) -> None:
    assert perturb(text, "mandarin_to_cantonese") == expected


@pytest.mark.parametrize("name", ["simplified_to_traditional", "mandarin_to_cantonese"])
def test_script_and_speech_count_as_fairness_and_change_the_references(name: str) -> None:
    changed = perturb_instance(instance("汉语", "汉语"), name)
    assert changed.references[0].text == "漢語"
    assert changed.perturbation is not None
    assert (changed.perturbation.robustness, changed.perturbation.fairness) == (False, True)


def test_both_scripts_are_listed_character_by_character() -> None:
    listed = table("simplified_to_traditional.json")
    simplified, traditional = "".join(listed["simplified"]), "".join(listed["traditional"])
    assert len(simplified) == len(traditional) == len(set(simplified)) > 2000
