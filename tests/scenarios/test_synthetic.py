"""Scenarios that are drawn, not fetched: closing brackets, and what follows from rules in words."""

import pytest

from holoscope.core import Instance
from scenarios.made import load

PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}


@pytest.fixture(scope="module")
def brackets(tmp_path_factory: pytest.TempPathFactory) -> list[Instance]:
    return load(tmp_path_factory.mktemp("dyck"), "dyck_language", num_parenthesis_pairs=2)


def test_dyck_sequences_have_helms_sizes_and_lengths(brackets: list[Instance]) -> None:
    train, test = ([i.input.split(" ") for i in brackets if i.split == split] for split in ("train", "test"))
    assert (len(train), len(test)) == (3, 500)
    assert max(map(len, train)) < 50
    assert max(map(len, test)) < 100


def test_dyck_sequences_begin_as_helms(brackets: list[Instance]) -> None:
    assert (brackets[0].input, brackets[0].references[0].text) == ("[ [ [ [ [ [ ] ] ] ]", " ] ]")


def test_dyck_answers_close_what_is_open(brackets: list[Instance]) -> None:
    for instance in brackets:
        whole = instance.input + instance.references[0].text
        open_: list[str] = []
        for bracket in whole.split(" "):
            if bracket in PAIRS:
                assert open_.pop() == PAIRS[bracket]
            else:
                open_.append(bracket)
        assert not open_


def test_dyck_questions_are_distinct_and_of_the_kinds_asked_for(brackets: list[Instance]) -> None:
    assert len({i.input for i in brackets}) == len(brackets)
    assert set("".join(i.input for i in brackets)) == set("()[] ")


@pytest.fixture(scope="module")
def by_difficulty(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Instance]]:
    folder = tmp_path_factory.mktemp("natural")
    levels = ("easy", "medium", "hard")
    return {level: load(folder, "synthetic_reasoning_natural", difficulty=level) for level in levels}


def test_reasoning_in_words_has_helms_sizes(by_difficulty: dict[str, list[Instance]]) -> None:
    found = [i.split for i in by_difficulty["easy"]]
    assert [found.count(split) for split in ("train", "valid", "test")] == [1000, 5000, 5000]


def test_medium_and_hard_problems_are_the_same_draws(by_difficulty: dict[str, list[Instance]]) -> None:
    medium, hard = by_difficulty["medium"][0], by_difficulty["hard"][0]
    assert medium.references[0].text == hard.references[0].text == "The poppy is strong."
    assert "The poppy is weak and beautiful." in medium.input
    assert "The poppy is fragile and beautiful." in hard.input


def test_only_easy_rules_are_all_of_the_subject(by_difficulty: dict[str, list[Instance]]) -> None:
    easy, medium = ("\n".join(i.input for i in by_difficulty[level]) for level in ("easy", "medium"))
    assert "If an animal is" in medium
    assert "If an animal is" not in easy
    assert "If an elephant is" in easy


def test_people_have_no_article(by_difficulty: dict[str, list[Instance]]) -> None:
    text = "\n".join(i.input for i in by_difficulty["medium"])
    assert "If person is" in text
    assert "a Alice" not in text
    assert "the Alice" not in text


def test_some_facts_imply_nothing(by_difficulty: dict[str, list[Instance]]) -> None:
    answers = [i.references[0].text for i in by_difficulty["easy"]]
    assert 0 < answers.count("Nothing.") < 0.3 * len(answers)


def test_an_answer_follows_from_a_rule_that_the_problem_states(by_difficulty: dict[str, list[Instance]]) -> None:
    for instance in by_difficulty["easy"][:200]:
        answer = instance.references[0].text
        if answer != "Nothing.":
            subject, attributes = answer.removesuffix(".").split(" is ")
            said = subject[0].lower() + subject[1:] if subject.startswith("The ") else subject
            for attribute in attributes.split(" and "):
                assert f"then {said} is {attribute}." in instance.input
