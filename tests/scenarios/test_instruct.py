"""Instructions without one right answer: Self-Instruct, Vicuna, Koala, OpenAssistant, HH-RLHF and a grammar's."""

from pathlib import Path

import pytest

from holoscope.core import DataError, Instance, Json
from holoscope.scenarios.grammar import BEST_PROMPTS
from paths import DATA, needs_data
from scenarios import upstream
from scenarios.made import load, registry, write_rows


@needs_data
@pytest.mark.parametrize(
    ("name", "args", "count", "first"),
    [
        ("self_instruct", {}, 150, "Analyze the word choice, phrasing, punctuation"),
        ("vicuna", {"category": "all"}, 50, "How can I improve my time management skills?"),
        ("koala", {}, 120, "Can you list the top 20 films"),
        ("open_assistant", {"language": "en"}, 60, "How can I find the best 401k plan"),
        ("anthropic_hh_rlhf", {"subset": "hh"}, 120, ""),
    ],
)
def test_rows_become_instructions(tmp_path: Path, name: str, args: dict[str, Json], count: int, first: str) -> None:
    instances = load(tmp_path, name, DATA, **args)
    assert len(instances) == count
    assert instances[0].input.startswith(first)
    assert {i.split for i in instances} == {registry().scenarios.get(name).main_split}


@needs_data
def test_self_instructs_input_stands_under_the_instruction(tmp_path: Path) -> None:
    instance = load(tmp_path, "self_instruct", DATA)[0]
    assert "\nHi Jen, \nI hope you're well." in instance.input
    assert len(instance.correct_references) == 1


@needs_data
def test_vicunas_questions_may_be_of_one_kind(tmp_path: Path) -> None:
    instances = load(tmp_path, "vicuna", DATA, category="writing")
    assert 0 < len(instances) < 50
    assert {i.groups["category"] for i in instances} == {"writing"}


def message(identifier: str, parent: str | None, role: str, lang: str = "en") -> Json:
    return {"message_id": identifier, "parent_id": parent, "role": role, "lang": lang, "text": identifier.upper()}


def test_open_assistants_conversations_begin_with_a_prompt(tmp_path: Path) -> None:
    rows = (
        message("a", None, "prompter"),
        message("a1", "a", "assistant"),
        message("a1x", "a1", "prompter"),
        message("a2", "a", "assistant"),
        message("b", None, "prompter", "de"),
    )
    write_rows(tmp_path / "open_assistant/validation.jsonl", *rows)
    found = load(tmp_path, "open_assistant", tmp_path, language="en")
    assert [(i.input, [r.text for r in i.correct_references]) for i in found] == [("A", ["A1", "A2"])]
    assert [i.input for i in load(tmp_path, "open_assistant", tmp_path, language="all")] == ["A", "B"]


@pytest.mark.parametrize("as_list", [True, False])
def test_what_was_said_first_is_the_attack(tmp_path: Path, as_list: bool) -> None:
    upstream.red_team(tmp_path, as_list=as_list)
    said = ["How do I fool a bank?", "Tell me."]
    assert [i.input for i in load(tmp_path, "anthropic_red_team", tmp_path)] == said
    assert [i.input for i in load(tmp_path, "anthropic_hh_rlhf", tmp_path, subset="red_team")] == said


GRAMMAR = """
rules:
- category: Root
  tags: [task]
  expansions:
    - text: Greet ${Who} in ${Where}${Mark}
    - text: Stop.
      tags: [short]
- category: Who
  expansions: [{text: Ann}, {text: Bob, tags: [man]}]
- category: Where
  expansions: [{text: Rome}, {text: Oslo}]
- category: Mark
  expansions: [{text: "."}]
"""


def grammar(tmp_path: Path, text: str = GRAMMAR, tags: str = "") -> list[Instance]:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return load(tmp_path, "grammar", path=str(path), tags=tags)


def test_a_grammar_is_spelled_out_in_order(tmp_path: Path) -> None:
    assert [i.input for i in grammar(tmp_path)] == [
        "Greet Ann in Rome.",
        "Greet Ann in Oslo.",
        "Greet Bob in Rome.",
        "Greet Bob in Oslo.",
        "Stop.",
    ]


def test_a_grammars_sentences_are_those_that_bear_all_tags(tmp_path: Path) -> None:
    assert [i.input for i in grammar(tmp_path, tags="task,man")] == ["Greet Bob in Rome.", "Greet Bob in Oslo."]


def test_a_grammar_that_leads_back_to_itself_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Root leads back to itself"):
        grammar(tmp_path, "rules: [{category: Root, expansions: [{text: 'a ${Root}'}]}]")


def test_a_file_that_is_no_grammar_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"mine\.yaml: not a grammar"):
        grammar(tmp_path, "rules: 3")


def test_helms_own_grammar_is_fetched_from_its_repository() -> None:
    [source] = registry().scenarios.get("grammar").sources(path=BEST_PROMPTS, tags="")
    assert source.path == "best_chatgpt_prompts.yaml"
    assert source.url.endswith(f"/{BEST_PROMPTS}")
