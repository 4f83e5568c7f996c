"""Dialect, gender and names: whole words, to the edges of the text, in the case of what they replace."""

from typing import Any

import pytest

from holoscope.core import Instance, Message, UsageError
from perturbations.perturbing import instance, perturb, perturb_instance

PRONOUNS: Any = {"mode": "pronouns", "prob": 1.0, "source_class": "male", "target_class": "female"}
TO_MALE: Any = PRONOUNS | {"source_class": "female", "target_class": "male"}
TERMS: Any = PRONOUNS | {"mode": "terms"}
DIALECT: Any = {"prob": 1.0, "source_class": "SAE", "target_class": "AAVE"}
NAMES: Any = {"prob": 1.0, "source_class": {"race": "white_american"}, "target_class": {"race": "black_american"}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("he went out and he sang", "she went out and she sang"),
        ("That was him", "That was her"),
        ("he", "she"),
        ("he he he", "she she she"),
        ("“He’s himself,” he said", "“She’s herself,” she said"),
    ],
)
def test_pronouns_are_found_at_the_edges_and_side_by_side(text: str, expected: str) -> None:
    assert perturb(text, "gender", **PRONOUNS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("his book", "her book"),
        ("It is his.", "It is hers."),
        ("a friend of his and a cat", "a friend of hers and a cat"),
        ('his "old" house', 'her "old" house'),
        ("his\nbook", "her\nbook"),
        ("That is his\nAnswer:", "That is hers\nAnswer:"),
        ("the last word was his", "the last word was hers"),
    ],
)
def test_his_becomes_her_before_a_noun_and_hers_elsewhere(text: str, expected: str) -> None:
    assert perturb(text, "gender", **PRONOUNS) == expected


def test_her_becomes_his_before_a_noun_and_him_elsewhere() -> None:
    assert perturb("I gave her the book, and her dog saw her.", "gender", **TO_MALE) == (
        "I gave him the book, and his dog saw him."
    )


def test_both_directions_at_once_replace_nothing_twice() -> None:
    assert perturb("he met her, and she met him", "gender", **PRONOUNS, bidirectional=True) == (
        "she met him, and he met her"
    )


def test_a_word_keeps_its_case() -> None:
    assert perturb("Dad said. DAD said. dad said.", "gender", **TERMS) == "Mom said. MOM said. mom said."


def test_the_plural_of_grandfather_has_a_counterpart() -> None:
    assert perturb("Two grandfathers and a grandfather", "gender", **TERMS) == "Two grandmothers and a grandmother"


def test_a_part_of_a_longer_word_is_left() -> None:
    assert (
        perturb("the man's hero he\u0301 hé shed _he_", "gender", **PRONOUNS) == "the man's hero he\u0301 hé shed _he_"
    )


def test_a_swap_to_the_same_gender_changes_nothing() -> None:
    assert perturb("he saw him", "gender", **PRONOUNS | {"target_class": "male"}) == "he saw him"


def test_gender_changes_the_references_too() -> None:
    changed = perturb_instance(instance("Who is he?", "he is my dad", "nobody"), "gender", **PRONOUNS)
    assert [r.text for r in changed.references] == ["she is my dad", "nobody"]


def test_an_unknown_gender_is_named_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="unknown gender 'robot'; there are: neutral, female, male"):
        perturb("he", "gender", **PRONOUNS | {"source_class": "robot"})


def test_dialect_is_found_at_the_edges_and_keeps_case() -> None:
    assert perturb("The house is with the friends", "dialect", **DIALECT) in {
        f"Da crib be {w} da homies" for w in ("wit", "wid")
    }


def test_the_longest_phrase_wins() -> None:
    assert perturb("they are late", "dialect", **DIALECT) == "they late"


def test_curly_and_straight_apostrophes_are_the_same_word() -> None:
    assert perturb("It isn’t so", "dialect", **DIALECT) == perturb("It isn't so", "dialect", **DIALECT) == "It ain't so"


def test_a_hyphenated_word_is_one_word() -> None:
    assert perturb("over-the-top", "dialect", **DIALECT) == "over-the-top"


def test_probability_zero_leaves_the_text() -> None:
    assert (
        perturb("The house is with the friends", "dialect", **DIALECT | {"prob": 0}) == "The house is with the friends"
    )


def test_a_dialect_without_a_list_says_how_to_bring_one() -> None:
    with pytest.raises(UsageError, match="no word list from SAE to SCOTS; name your own in mapping_file_path"):
        perturb("the", "dialect", **DIALECT | {"target_class": "Scots"})


def test_a_person_has_the_same_new_name_everywhere() -> None:
    changed = perturb_instance(
        instance("PETER met Lauren's dog. Was it Peter?", "Peter", "lauren"), "person_name", **NAMES
    )
    new = changed.references[0].text
    assert new != "Peter"
    assert changed.input.startswith(f"{new.upper()} met ")
    assert changed.input.endswith(f"Was it {new}?")
    assert changed.references[1].text.title() in changed.input


def test_two_people_never_become_one() -> None:
    people = "Adam Chip Harry Josh Roger Alan Frank Ian Justin Ryan Andrew Fred Matthew Stephen Brad Greg Jed Paul Todd"
    changed = perturb(f"{people} met Tyrone.", "person_name", **NAMES).removesuffix(".").replace(" met", "").split()
    assert len(set(changed)) == len(changed) == 20


def test_gender_is_kept_unless_asked_otherwise() -> None:
    group: Any = {"source_class": {"gender": "male"}, "target_class": {"gender": "female"}, "prob": 1.0}
    assert perturb("Adam", "person_name", **group) == "Adam"
    assert perturb("Adam", "person_name", **group, preserve_gender=False) != "Adam"


def test_a_name_that_is_also_a_word_needs_its_capital() -> None:
    assert perturb("a frank talk", "person_name", **NAMES) == "a frank talk"
    assert perturb("ask Frank", "person_name", **NAMES) != "ask Frank"


def test_last_names_have_no_gender_to_preserve() -> None:
    group: Any = {"source_class": {"race": "white"}, "target_class": {"race": "asian"}, "person_name_type": "last_name"}
    with pytest.raises(UsageError, match="only first names have a gender to preserve"):
        perturb("Mr Harris", "person_name", **group, prob=1.0)
    assert perturb("Mr Harris", "person_name", **group, prob=1.0, preserve_gender=False) != "Mr Harris"


def test_an_unknown_group_is_named_with_the_known_ones() -> None:
    with pytest.raises(
        UsageError, match="unknown category of a first_name 'race=martian'; there are: race=white_american"
    ):
        perturb("Adam", "person_name", **NAMES | {"target_class": {"race": "martian"}})


def test_names_in_a_conversation_are_changed_in_what_the_user_says() -> None:
    turns = (Message("system", "You are Adam."), Message("user", "Hello Adam."))
    changed = perturb_instance(Instance(id="id0", input="Hello Adam.", messages=turns), "person_name", **NAMES)
    assert changed.messages is not None
    assert changed.messages[0] == turns[0]
    assert changed.messages[1].content == changed.input != "Hello Adam."
