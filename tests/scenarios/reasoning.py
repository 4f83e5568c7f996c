"""Problems of our own in the layouts of benchmarks of reasoning whose rows may not or cannot be shipped."""

from pathlib import Path

from holoscope.core import Json
from scenarios.made import write_rows
from scenarios.upstream import math_row, write_json, write_text

_TREE: list[Json] = [{"depth": 2, "nodes": []}]


def musr(root: Path) -> None:
    for task, choices in (
        ("murder_mysteries", ["Ann", "Bo"]),
        ("object_placements", ["shed", "barn", "loft"]),
        ("team_allocation", ["Row: Ann, Sing: Bo", "Row: Bo, Sing: Ann"]),
    ):
        asked: list[Json] = [
            {"question": f"Which {n}?", "answer": n, "choices": [*choices], "intermediate_trees": _TREE} for n in (0, 1)
        ]
        write_json(root / f"musr/{task}.json", [{"context": "A story.", "questions": asked}])


def math_hard(root: Path) -> None:
    for split in ("train", "test"):
        write_rows(root / f"math/{split}.jsonl", *(math_row(number, level=5) for number in (1, 2, 3, 4, 5)))


def agieval(root: Path) -> None:
    folder = root / "agieval/data/v1"
    options: list[Json] = ["(A)red", "(B)green", "(C)blue", "(D)grey"]
    for task in ("logiqa-en", "gaokao-history"):
        row: Json = {
            "passage": "P. ",
            "question": "Which?",
            "options": options,
            "label": "C",
            "answer": None,
            "other": None,
        }
        write_rows(folder / f"{task}.jsonl", row)
    for task in ("math", "gaokao-mathcloze"):
        row = {"passage": None, "question": "1/2+1/4=?", "options": None, "label": None, "answer": "\\frac{3}{4}"}
        write_rows(folder / f"{task}.jsonl", row)


PROMPT = "Is there hearsay?\n\nQ: Tim ran. Is there hearsay?\nA: No\n\nQ: {{text}} Said by {{who}}.\nA:\n"


def legalbench(root: Path) -> None:
    for task, answer in (
        ("hearsay", "Yes"),
        ("opp115_user_access,_edit_and_deletion", "No"),
        ("ssla_plaintiff", "Ann"),
    ):
        write_text(root / f"legalbench/tasks/{task}/base_prompt.txt", PROMPT)
        path = root / f"legalbench/data/{task}/test.tsv"
        write_text(path, f"index\tanswer\ttext\twho\n0\t{answer}\tBo said it.\tBo\n1\t{answer}\tCy {{{{x}}}}.\tCy\n")


def big_bench(root: Path) -> None:
    described: dict[str, Json] = {"name": "n", "description": "d", "keywords": ["k"], "canary": "c"}
    rows: list[Json] = [{"input": f"{n}+1=", "target": [str(n + 1), f"{n + 1}.0"]} for n in range(40)]
    write_json(
        root / "big_bench/simple_sums/task.json",
        {
            **described,
            "metrics": ["exact_str_match", "rouge", "log_likelihood"],
            "task_prefix": "Add.\n",
            "example_input_prefix": "Sum: ",
            "stop_string": "\n",
            "examples": rows,
        },
    )
    choices: list[Json] = [{"input": f"Q{n}", "target_scores": {"yes": 1, "no": 0}} for n in range(40)]
    write_json(
        root / "big_bench/choices/easy/task.json",
        {**described, "metrics": ["multiple_choice_grade"], "examples": choices},
    )
