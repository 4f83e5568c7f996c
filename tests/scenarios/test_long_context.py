"""Long-context benchmarks: how many documents fit, which are chosen, and what is left out for its length."""

from pathlib import Path

import pytest

from holoscope.core import DataError, Json
from holoscope.scenarios.ruler import Library, Question, hotpotqa, prompts, squad
from paths import DATA, needs_data
from scenarios import long_texts
from scenarios.made import load, registry
from scenarios.upstream import write_json


def documents_of(prompt: str) -> list[str]:
    body = prompt.split("given documents.\n\n", 2)[1].rsplit("\n\nAnswer the question", 1)[0]
    return [part.split(":\n", 1)[1] for part in body.split("\n\n")]


def library(count: int) -> Library:
    documents = [f"text {number:02d} a b c d e f" for number in range(count)]
    return Library([Question(f"Which {n}?", [f"text {n:02d}"], [n], [n + 1, n + 2]) for n in range(3)], documents)


def test_documents_are_added_ten_at_a_time_until_they_no_longer_fit() -> None:
    for words, expected in ((200, 10), (400, 30), (10_000, 40)):
        [first, *_] = prompts(library(40), words)
        assert len(documents_of(first[0])) == expected


def test_the_documents_that_hold_the_answer_are_among_them() -> None:
    for prompt, question in prompts(library(40), 200):
        chosen = documents_of(prompt)
        assert len(chosen) == len(set(chosen)) == 10
        assert {f"text {n:02d} a b c d e f" for n in (*question.documents, *question.related)} <= set(chosen)


def test_rulers_draws_are_those_of_its_own_program() -> None:
    """The order that `random.seed(42)`, `random.sample` and `random.Random(42).shuffle` give."""
    [first, second, _] = prompts(library(40), 200)
    assert [text[5:7] for text in documents_of(first[0])] == FIRST
    assert [text[5:7] for text in documents_of(second[0])] == SECOND


FIRST = ["03", "29", "02", "13", "31", "20", "25", "17", "00", "01"]
SECOND = ["16", "30", "03", "38", "20", "12", "06", "24", "01", "02"]


def test_a_limit_that_ten_documents_exceed_is_an_error() -> None:
    with pytest.raises(DataError, match="max_num_words=60"):
        list(prompts(library(40), 60))


def test_squads_unanswerable_questions_are_left_out(tmp_path: Path) -> None:
    asked: list[Json] = [
        {"question": "Who?", "id": "1", "is_impossible": False, "answers": [{"text": "Ann", "answer_start": 0}]},
        {"question": "Why?", "id": "2", "is_impossible": True, "answers": [], "plausible_answers": []},
    ]
    article: Json = {"title": "T", "paragraphs": [{"context": "Ann.", "qas": asked}, {"context": "Bo.", "qas": []}]}
    write_json(tmp_path / "dev.json", {"version": "v2.0", "data": [article]})
    found = squad(tmp_path / "dev.json")
    assert found == Library([Question("Who?", ["Ann"], [0], [1])], ["Ann.", "Bo."])


@needs_data
def test_hotpotqas_paragraphs_carry_their_titles() -> None:
    found = hotpotqa(DATA / "ruler_hotpotqa/hotpot_dev_distractor_v1.json")
    assert len(found.questions) == 100
    assert all(found.documents[place].count("\n") >= 1 for question in found.questions for place in question.documents)


def test_books_that_are_too_long_are_left_out(tmp_path: Path) -> None:
    long_texts.infinite_bench(tmp_path)
    found = load(tmp_path, "infinite_bench_en_qa", tmp_path, max_num_words=200)
    assert [(i.id, i.references[0].text) for i in found] == [("0", "Ann Lee")]
    assert found[0].input.endswith("w49\n\nWho rows?")


def test_mrcr_keeps_the_conversation_and_the_string_that_comes_first(tmp_path: Path) -> None:
    long_texts.openai_mrcr(tmp_path)
    [instance] = load(tmp_path, "openai_mrcr", tmp_path, needles=2, max_num_words=200)
    assert instance.id == "2needle1"
    assert [turn.role for turn in instance.messages or ()] == ["user", "assistant", "user"]
    assert instance.extra == {"random_string_to_prepend": "Qx7"}


def test_longbench_fills_upstreams_template_and_leaves_braces_alone(tmp_path: Path) -> None:
    long_texts.longbench(tmp_path)
    [instance] = load(tmp_path, "longbench", tmp_path, task="qasper")
    text = "A text with {input} and {braces}."
    assert instance.input == f"Read.\n\nArticle: {text}\n\nQuestion: What is used?\n\nAnswer:"


def test_longbench_grades_each_task_by_its_own_metric() -> None:
    task = registry().tasks.get("longbench")
    assert [(m.name, m.args) for m in task(task="trec").metrics] == [("longbench_classification", {"first_line": True})]
    assert task(task="gov_report").adapter.max_tokens == 512
