"""Rows of long-context benchmarks in upstream's layouts; the texts are ours, and short."""

import json
from pathlib import Path
from typing import Any

from holoscope.core import Json
from scenarios.made import write_rows
from scenarios.upstream import write_json


def write_parquet(path: Path, *rows: dict[str, Any]) -> None:
    import pyarrow
    from pyarrow import parquet

    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(list(rows)), path)


def infinite_bench(root: Path) -> None:
    def row(number: int, asked: str, answer: str, *options: str, words: int = 50) -> dict[str, Json]:
        book = " ".join(f"w{i}" for i in range(words))
        return {"id": number, "context": book, "input": asked, "answer": [answer], "options": [*options]}

    folder = root / "infinite_bench"
    write_rows(folder / "longbook_qa_eng.jsonl", row(0, "Who rows?", "Ann Lee"), row(1, "?", "x", words=999))
    write_rows(folder / "longbook_choice_eng.jsonl", row(3, "Who rows?", "Bo", "Ann", "Bo", "Cy", "Di"))
    write_rows(folder / "longbook_sum_eng.jsonl", row(7, "Summarize the book.", "Ann rows home and sleeps."))


def openai_mrcr(root: Path) -> None:
    turns = [
        {"role": "user", "content": "Write a poem about tapirs"},
        {"role": "assistant", "content": "A tapir slept."},
        {"role": "user", "content": "Prepend Qx7 to the 1st poem about tapirs."},
    ]
    long = [{"role": "user", "content": "word " * 500}]
    write_parquet(
        root / "openai_mrcr/2needle.parquet",
        *(
            {"prompt": json.dumps(said), "answer": "Qx7A tapir slept.", "random_string_to_prepend": "Qx7"}
            for said in (long, turns)
        ),
    )


_TEMPLATES: dict[str, Json] = {
    "qasper": "Read.\n\nArticle: {context}\n\nQuestion: {input}\n\nAnswer:",
    "gov_report": "Report:\n{context}\n\nSummary:",
    "trec": "Examples.\n\n{context}\n{input}",
    "passage_retrieval_en": "Here are paragraphs.\n\n{context}\n\n{input}\n\nThe answer is: ",
    "lcc": "Complete. \n{context}Next line of code:\n",
}


def longbench(root: Path) -> None:
    folder = root / "longbench"
    write_json(folder / "config/dataset2prompt.json", _TEMPLATES)

    def row(task: str, asked: str, *answers: str, classes: list[Json] | None = None) -> None:
        values: dict[str, Json] = {
            "input": asked,
            "context": "A text with {input} and {braces}.",
            "answers": [*answers],
            "length": 6,
            "dataset": task,
            "language": "en",
            "all_classes": classes,
            "_id": "0",
        }
        write_rows(folder / f"data/{task}.jsonl", values)

    row("qasper", "What is used?", "a large corpus", "corpora")
    row("gov_report", "", "The agency reports. It spends money.")
    row("trec", "Question: Where?\nType:", "Other location", classes=["City", "Other location", "location"])
    row("passage_retrieval_en", "An abstract.", "Paragraph 12")
    row("lcc", "", "        return total")
