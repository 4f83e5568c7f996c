"""Scenarios of one skill each: grammar, stories, tables, code, contracts, translation, instructions."""

import gzip
import json
from pathlib import Path
from typing import get_args

import pytest

from holoscope.core import DataError, Instance, Json
from holoscope.scenarios.blimp import Phenomenon
from paths import DATA, needs_data
from scenarios.made import load, registry, write_rows


def splits(instances: list[Instance]) -> dict[str, int]:
    found = [i.split for i in instances]
    return {split: found.count(split) for split in ("train", "valid", "test") if split in found}


@needs_data
@pytest.mark.parametrize(
    ("name", "args", "counts", "first", "answer"),
    [
        (
            "babi_qa",
            {"task": 19},
            {"train": 20, "valid": 5, "test": 20},
            "The hallway is south of the kitchen.\n",
            "east east",
        ),
        ("babi_qa", {"task": "all"}, {"train": 416, "valid": 478, "test": 415}, "", None),
        (
            "entity_data_imputation",
            {"dataset": "Buy"},
            {"train": 229, "valid": 57, "test": 32},
            "name: Linksys",
            "LINKSYS",
        ),
        ("code_humaneval", {"dataset": "humaneval"}, {"test": 100}, "from typing import List\n", None),
        ("ifeval", {}, {"test": 250}, "I am planning a trip to Japan", None),
        (
            "legal_contract_summarization",
            {},
            {"train": 30, "test": 120},
            "you acknowledge that y combinator",
            "this services gives no guarantee regarding quality.",
        ),
        (
            "wmt_14",
            {"source_language": "de", "target_language": "en"},
            {"train": 80, "valid": 80, "test": 120},
            "Die Resolution bekräftigt außerdem",
            None,
        ),
        ("wmt_14", {"source_language": "hi", "target_language": "en"}, {"train": 60, "test": 120}, "", None),
        (
            "big_bench",
            {"task": "date_understanding", "subtask": ""},
            {"train": 90, "valid": 30, "test": 30},
            "Jane was born on the last day of Feb",
            "02/19/2016",
        ),
    ],
)
def test_rows_become_instances(
    tmp_path: Path, name: str, args: dict[str, Json], counts: dict[str, int], first: str, answer: str | None
) -> None:
    instances = load(tmp_path, name, DATA, **args)
    assert splits(instances) == counts
    assert instances[0].input.startswith(first)
    assert answer is None or [r.text for r in instances[0].correct_references] == [answer]


@needs_data
def test_blimps_phenomena_are_all_its_paradigms(tmp_path: Path) -> None:
    found = [i for name in get_args(Phenomenon) for i in load(tmp_path, "blimp", DATA, phenomenon=name)]
    assert len({i.groups["paradigm"] for i in found}) == 67
    assert all((i.input, len(i.references)) == ("", 2) for i in found)


def test_blimps_good_sentence_comes_first(tmp_path: Path) -> None:
    for name in ("ellipsis_n_bar_1", "ellipsis_n_bar_2"):
        write_rows(tmp_path / f"blimp/data/{name}.jsonl", {"sentence_good": "She left.", "sentence_bad": "Left she."})
    instance = load(tmp_path, "blimp", tmp_path, phenomenon="ellipsis")[0]
    assert [(r.text, r.is_correct) for r in instance.references] == [("She left.", True), ("Left she.", False)]


def babi(tmp_path: Path, task: int, text: str) -> list[Instance]:
    for split in ("train", "valid", "test"):
        path = tmp_path / f"babi_qa/tasks_1-20_v1-2/en-valid/qa{task}_{split}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return load(tmp_path, "babi_qa", tmp_path, task=task)


def test_a_babi_story_grows_until_the_next_begins(tmp_path: Path) -> None:
    first = "1 Al is in.\n2 Where is Al? \tin\t1\n3 Al is out.\n4 Where is Al?\tout\t3\n"
    instances = babi(tmp_path, 1, f"{first}1 Bo is up.\n2 Where is Bo?\tup\t1\n")
    assert [i.input for i in instances[:3]] == [
        "Al is in.\nQuestion: Where is Al?",
        "Al is in.\nAl is out.\nQuestion: Where is Al?",
        "Bo is up.\nQuestion: Where is Bo?",
    ]
    assert [i.cluster for i in instances[:3]] == [f"task 1 train story {story}" for story in (1, 1, 2)]


def test_babis_paths_are_words(tmp_path: Path) -> None:
    [reference] = babi(tmp_path, 19, "1 A is n of B.\n2 How do you go?\ts,w\t1\n")[0].references
    assert reference.text == "south west"


def test_a_babi_question_without_an_answer_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"qa1_train\.txt:2: a question without an answer"):
        babi(tmp_path, 1, "1 Al is in.\n2 Where is Al?\n")


def test_cells_that_say_nothing_read_nan(tmp_path: Path) -> None:
    path = tmp_path / "entity_data_imputation/Buy/Buy.csv"
    path.parent.mkdir(parents=True)
    path.write_text('id,name,description,manufacturer,price\n1,TV,flat,Acme,\n2,Radio,"",Acme,$1\n', encoding="utf-8")
    [instance] = load(tmp_path, "entity_data_imputation", tmp_path, dataset="Buy")
    assert instance.input == "name: TV. description: flat. price: nan. manufacturer?"
    assert instance.references[0].text == "Acme"


RESTAURANTS = """@relation restaurant

@attribute name string
@attribute city string
@attribute class integer
@data
"art's, deli", "la",'1'
"fish","",'2'
"""


def test_restaurants_are_read_from_their_arff_file(tmp_path: Path) -> None:
    path = tmp_path / "entity_data_imputation/Restaurant/fz.arff"
    path.parent.mkdir(parents=True)
    path.write_text(RESTAURANTS, encoding="utf-8")
    [instance] = load(tmp_path, "entity_data_imputation", tmp_path, dataset="Restaurant")
    assert (instance.input, instance.references[0].text) == ("name: art's, deli. city?", "la")


def test_humanevals_tests_lie_in_extra(tmp_path: Path) -> None:
    row = {"task_id": "HumanEval/0", "prompt": "def f():\n", "entry_point": "f", "canonical_solution": "    pass\n"}
    path = tmp_path / "code_humaneval/HumanEval.jsonl.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress(json.dumps({**row, "test": "def check(f): ..."}).encode()))
    [instance] = load(tmp_path, "code_humaneval", tmp_path, dataset="humaneval")
    assert instance.extra == {"task_id": "HumanEval/0", "entry_point": "f", "test": "def check(f): ..."}
    assert (instance.input, instance.references[0].text) == ("def f():\n", "    pass\n")


@needs_data
def test_ifevals_instructions_lie_in_extra_under_upstreams_ids(tmp_path: Path) -> None:
    instance = load(tmp_path, "ifeval", DATA)[0]
    assert instance.id == "id1001"
    assert instance.extra == {"instruction_ids": ["punctuation:no_comma"], "instruction_kwargs": [{}]}


@needs_data
def test_contracts_keep_upstreams_ids(tmp_path: Path) -> None:
    ids = {i.id for i in load(tmp_path, "legal_contract_summarization", DATA)}
    assert len(ids) == 150
    assert "tosdr171" in ids


def test_of_equal_translations_the_first_drawn_is_an_example(tmp_path: Path) -> None:
    pairs: list[Json] = [{"translation": {"cs": f"věta {i}", "en": f"sentence {i // 2}"}} for i in range(4)]
    for name in ("train", "validation", "test"):
        write_rows(tmp_path / f"wmt_14/cs-en/{name}.jsonl", *pairs)
    instances = load(tmp_path, "wmt_14", tmp_path, source_language="cs", target_language="en")
    assert splits(instances) == {"train": 2, "valid": 4, "test": 4}
    assert [i.input for i in instances[:2]] == ["věta 3", "věta 1"]


def test_both_directions_of_a_pair_come_from_one_file() -> None:
    card = registry().scenarios.get("wmt_14")
    there = card.sources(source_language="fr", target_language="en")
    assert there == card.sources(source_language="en", target_language="fr")
    assert len(there) == 32


def big_bench(tmp_path: Path, *examples: Json) -> list[Instance]:
    path = tmp_path / "big_bench/tracking_shuffled_objects/five_objects/task.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"examples": list(examples)}), encoding="utf-8")
    return load(tmp_path, "big_bench", tmp_path, task="tracking_shuffled_objects", subtask="five_objects")


def test_big_bench_asks_at_least_sixteen_of_each_split(tmp_path: Path) -> None:
    examples: list[Json] = [{"input": str(i), "target_scores": {"a": 0, "b": 1}} for i in range(40)]
    instances = big_bench(tmp_path, *examples)
    assert [i.split for i in instances] == ["train"] * 8 + ["test"] * 16 + ["valid"] * 16


def test_big_benchs_best_scores_are_right(tmp_path: Path) -> None:
    [instance] = big_bench(tmp_path, {"input": "?", "target_scores": {"a": 0.5, "b": 0.1, "c": 0.5}})
    assert [r.is_correct for r in instance.references] == [True, False, True]


def test_big_bench_rows_need_scores(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="target_scores should be numbers"):
        big_bench(tmp_path, {"input": "?", "target_scores": {"a": "yes"}})
