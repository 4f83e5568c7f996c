"""GPQA comes from its user's own copy; its options are shuffled once and for all."""

import csv
from pathlib import Path

import pytest

from holoscope.core import DataError, Instance
from scenarios.made import load, registry

COLUMNS = ("Record ID", "Question", "Correct Answer", *(f"Incorrect Answer {n}" for n in (1, 2, 3)), "Explanation")


def layout(root: Path, rows: int = 45) -> None:
    path = root / "gpqa/gpqa_diamond.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*COLUMNS, "High-level domain"])
        for n in range(rows):
            options = [f" right {n}\n", *(f"wrong {n}-{k}" for k in "abc")]
            writer.writerow([f"rec{n}", f"Question {n}? ", *options, f"because {n}", "Physics"])


def rows(tmp_path: Path) -> list[Instance]:
    layout(tmp_path)
    return load(tmp_path, "gpqa", tmp_path, subset="gpqa_diamond")


def test_a_row_is_a_question_with_four_shuffled_options(tmp_path: Path) -> None:
    first, second = rows(tmp_path)[:2]
    assert (first.input, first.split, first.groups) == ("Question 0?", "test", {"domain": "Physics"})
    assert sorted(r.text for r in first.references) == ["right 0", "wrong 0-a", "wrong 0-b", "wrong 0-c"]
    assert [r.text for r in first.correct_references] == ["right 0"]
    assert [r.text[:7] for r in first.references] != [r.text[:7] for r in second.references]


def test_the_papers_examples_are_worked_ones(tmp_path: Path) -> None:
    found = [(i.id, i.extra) for i in rows(tmp_path) if i.split == "train"]
    assert found == [("id39", {"chain_of_thought": "because 39"})]


def test_its_rows_are_not_fetched(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="its authors ask for agreement to their conditions"):
        load(tmp_path, "gpqa", subset="gpqa_main")


def test_nothing_of_it_may_be_shown() -> None:
    assert registry().scenarios.get("gpqa").redistribution == "no"


@pytest.mark.parametrize(
    ("few_shot", "reasons", "method", "max_tokens"),
    [
        (False, True, "multiple_choice_joint_chain_of_thought", 4096),
        (False, False, "multiple_choice_joint", 4096),
        (True, True, "multiple_choice_joint_chain_of_thought", 2000),
        (True, False, "multiple_choice_joint", 1),
    ],
)
def test_it_is_asked_in_four_ways(few_shot: bool, reasons: bool, method: str, max_tokens: int) -> None:
    task = registry().tasks.get("gpqa")(subset="main", use_chain_of_thought=reasons, use_few_shot=few_shot)
    assert (task.adapter.method, task.adapter.max_tokens) == (method, max_tokens)
    assert task.name == f"gpqa:subset=gpqa_main,use_chain_of_thought={reasons},use_few_shot={few_shot}".lower()
    assert task.metrics[0].name == ("chain_of_thought_correctness" if reasons else "exact_match")
