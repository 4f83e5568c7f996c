"""Smaller benchmarks of HELM's: LMentry, OpinionsQA, InteractiveQA, EWoK, LexGLUE, and legal texts to be summarised."""

from pathlib import Path

import pytest

from holoscope.core import DataError, UsageError
from scenarios.made import load, registry
from scenarios.upstream import LAYOUTS, write_hub_parquet, write_text


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    for name in ("lm_entry", "opinions_qa", "interactive_qa_mmlu", "ewok", "lex_glue", "legal_summarization"):
        LAYOUTS[name](tmp_path / "data")
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("task", "asked", "options", "right"),
    [
        ("smaller_number", "Which number is smaller, 12 or 9?", ["12", "9"], "9"),
        ("first_word", 'What is the first word of "It rains"?', ["It"], "It"),
        ("most_associated_word", 'Which is most associated with "sea"?', ["boat", "oven", "tree"], "boat"),
        ("all_words_from_category", "Are all the words trees?", ["yes", "no"], "yes"),
        ("any_words_from_category", "Are all the words trees?", ["yes", "no"], "yes"),
    ],
)
def test_elementary_tasks(tmp_path: Path, rows: Path, task: str, asked: str, options: list[str], right: str) -> None:
    instance = load(tmp_path, "lm_entry", rows, task=task)[0]
    assert instance.input == asked
    assert [r.text for r in instance.references] == options
    assert [r.text for r in instance.correct_references] == [right]


def test_a_task_without_a_question_mark_keeps_its_colon(tmp_path: Path, rows: Path) -> None:
    instance = load(tmp_path, "lm_entry", rows, task="smaller_number")[1]
    assert instance.input == "From the numbers 12 and 9, write the smaller number:"


def test_files_of_harder_cases_follow(tmp_path: Path, rows: Path) -> None:
    instances = load(tmp_path, "lm_entry", rows, task="all_words_from_category")
    assert [i.correct_references[0].text for i in instances] == ["yes", "no", "yes", "no", "no"]
    assert len(registry().scenarios.get("lm_entry").sources(task="rhyming_word")) == 3


def test_open_tasks_have_no_options_to_choose_from() -> None:
    task = registry().tasks.get("lm_entry")
    with pytest.raises(UsageError, match="has no options"):
        task(task="first_word", method="multiple_choice_joint")
    assert task(task="homophones", method="multiple_choice_joint").adapter.output_prefix == "\nAnswer: "


def test_opinions_have_no_right_answer(tmp_path: Path, rows: Path) -> None:
    args = {"survey_type": "Pew_American_Trends_Panel_W26"}
    instances = load(tmp_path, "opinions_qa", rows, **args, context="default")
    assert [[r.text for r in i.references] for i in instances] == [
        ["Yes", "No", "Refused"],
        ["Never", "Don't know", "Refused"],
    ]
    assert not any(i.correct_references for i in instances)


def test_a_group_is_named_by_an_example_or_before_each_question(tmp_path: Path, rows: Path) -> None:
    args = {"survey_type": "Pew_American_Trends_Panel_W26"}
    example, *asked = load(tmp_path, "opinions_qa", rows, **args, context="steer-qa")
    assert (example.split, [r.text for r in example.correct_references]) == ("train", ["Democrat"])
    assert [i.input for i in asked] == ["Is it so?", "How often?"]
    described = load(tmp_path, "opinions_qa", rows, **args, context="steer-bio")
    assert [i.input for i in described][:2] == [
        "I am a Democrat.\nQuestion: Is it so?\n",
        "I am a Republican.\nQuestion: Is it so?\n",
    ]
    assert len(described) == 4


@pytest.mark.parametrize("options", ["__import__('os')", "['Yes'", "['Yes', 1]"])
def test_options_are_read_as_texts_and_never_run(tmp_path: Path, options: str) -> None:
    path = tmp_path / "data/opinions_qa/Pew_American_Trends_Panel_W27.csv"
    write_text(path, f"question\toptions\nIs it so?\t{options}\n")
    with pytest.raises(DataError, match="options should be a list of texts"):
        load(tmp_path, "opinions_qa", path.parents[1], survey_type="Pew_American_Trends_Panel_W27", context="default")


def test_interactive_questions_lie_in_an_archive(tmp_path: Path, rows: Path) -> None:
    shown, asked = load(tmp_path, "interactive_qa_mmlu", rows, subject="nutrition")
    assert (shown.split, asked.split) == ("train", "test")
    assert asked.input == "Which, of these, is a fruit?"
    assert [r.text for r in asked.correct_references] == ["plum"]


def test_worlds_are_asked_twice_and_keep_their_numbers(tmp_path: Path, rows: Path) -> None:
    instances = load(tmp_path, "ewok", rows, domain="agent_properties")
    assert [(i.id, i.split) for i in instances] == [
        ("id2", "test"),
        ("id3", "test"),
        ("id4", "train"),
        ("id5", "train"),
    ]
    assert [i.correct_references[0].text for i in instances[:2]] == ["It is hot.", "It is cold."]
    assert instances[0].groups == {"domain": "agent-properties"}
    assert len(load(tmp_path, "ewok", rows, domain="all")) == 6


def test_labels_are_the_names_that_the_hub_gives_their_numbers(tmp_path: Path, rows: Path) -> None:
    instances = load(tmp_path, "lex_glue", rows, subset="ledgar")
    assert [[r.text for r in i.correct_references] for i in instances[:2]] == [["Terms"], ["Payments"]]
    assert {r.text for r in instances[0].references} == {"Payments", "Terms", "Waivers"}
    assert [i.split for i in instances] == ["train", "train", "valid", "valid", "test", "test"]


def test_several_labels_are_numbers_or_none(tmp_path: Path, rows: Path) -> None:
    won, nothing = load(tmp_path, "lex_glue", rows, subset="ecthr_a")[:2]
    assert won.input == "He sued. He won."
    assert [r.text for r in won.correct_references] == ["3", "9"]
    assert nothing.correct_references == ()
    assert {r.text for r in nothing.references} == {"3", "9"}


def test_holdings_are_numbered(tmp_path: Path, rows: Path) -> None:
    instance = load(tmp_path, "lex_glue", rows, subset="case_hold")[0]
    assert instance.input == "See (<HOLDING>) Holdings: 0: a 1: b 2: c 3: d 4: e"
    assert [r.text for r in instance.correct_references] == ["2"]


def test_labels_without_names_are_refused(tmp_path: Path) -> None:
    for split in ("train", "validation", "test"):
        path = tmp_path / f"data/lex_glue/ledgar/{split}-00000-of-00001.parquet"
        write_hub_parquet(path, [{"text": "It ends.", "label": 1}])
    with pytest.raises(DataError, match="does not say what the numbers in label stand for"):
        load(tmp_path, "lex_glue", tmp_path / "data", subset="ledgar")


@pytest.mark.parametrize(
    ("dataset_name", "lengths", "splits", "words"),
    [
        ("BillSum", (200, 800, 2048), ["train", "test", "test"], 300),
        ("MultiLexSum", (100, 400, 1024), ["train", "valid", "test"], 150),
        ("EurLexSum", (400, 1600, 450), ["train", "valid", "test"], 450),
    ],
)
def test_legal_texts_are_cut_and_examples_chosen_by_length(
    tmp_path: Path, rows: Path, dataset_name: str, lengths: tuple[int, int, int], splits: list[str], words: int
) -> None:
    shortest, longest, most = lengths
    instances = load(
        tmp_path,
        "legal_summarization",
        rows,
        dataset_name=dataset_name,
        sampling_min_length=shortest,
        sampling_max_length=longest,
        doc_max_length=most,
    )
    assert [i.split for i in instances] == splits
    assert len(instances[0].input.split(" ")) == words
    assert "\n" not in instances[0].correct_references[0].text


def test_spans_of_news_are_answers_and_bad_questions_are_none(tmp_path: Path) -> None:
    LAYOUTS["news_qa"](tmp_path / "data")
    instances = load(tmp_path, "news_qa", tmp_path / "data")
    assert [(i.split, i.input.split("\n\nQuestion: ")[1]) for i in instances] == [
        ("train", "What sank?"),
        ("valid", "What sank?"),
        ("valid", "Who sank it?"),
    ]
    assert [r.text for r in instances[0].correct_references] == ["A boat", "boat", "No Answer"]
    assert [r.text for r in instances[2].correct_references] == ["No Answer"]
