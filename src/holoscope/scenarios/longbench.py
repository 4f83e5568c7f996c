"""LongBench's English tasks: questions, summaries, classes, a paragraph's number and a line of code, from long texts.

Each task's prompt is a template in upstream's configuration, into which text and question are put; it is read from
there. Upstream cuts the middle out of what a model's window does not hold; here such a prompt is not sent.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from holoscope.core import (
    CORRECT,
    TEST,
    Files,
    Instance,
    Json,
    MetricSpec,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import continuation
from holoscope.scenarios.fields import text, texts
from holoscope.scenarios.rows import read_jsonl, read_object

Name = Literal[
    "qasper",
    "multifieldqa_en",
    "hotpotqa",
    "2wikimqa",
    "gov_report",
    "qmsum",
    "trec",
    "triviaqa",
    "passage_retrieval_en",
    "lcc",
]


class Shape(NamedTuple):
    """How a task is answered and graded."""

    max_tokens: int
    metric: str
    first_line: bool = False


_SHAPES: dict[Name, Shape] = {
    "qasper": Shape(128, "longbench_qa_f1"),
    "multifieldqa_en": Shape(64, "longbench_qa_f1"),
    "hotpotqa": Shape(32, "longbench_qa_f1"),
    "2wikimqa": Shape(32, "longbench_qa_f1"),
    "gov_report": Shape(512, "longbench_rouge_l"),
    "qmsum": Shape(512, "longbench_rouge_l"),
    "trec": Shape(64, "longbench_classification", first_line=True),
    "triviaqa": Shape(32, "longbench_qa_f1", first_line=True),
    "passage_retrieval_en": Shape(32, "longbench_retrieval"),
    "lcc": Shape(64, "longbench_code_similarity"),
}
_ARCHIVE = "https://huggingface.co/datasets/zai-org/LongBench/resolve/5e628be450b7e67fb7ae6e201bd6d8f7056f7672/data.zip"
_TEMPLATES = "config/dataset2prompt.json"
_TEMPLATES_URL = (
    f"https://raw.githubusercontent.com/THUDM/LongBench/8ae23fd444b0ed5837e993fb8d764f70b388c568/{_TEMPLATES}"
)


def sources(task: str) -> tuple[Source, ...]:
    path = f"data/{task}.jsonl"
    return (
        Source(path=_TEMPLATES, url=_TEMPLATES_URL),
        Source(path=path, url=_ARCHIVE, member=path),
    )


def load(files: Files, task: str) -> Iterator[Instance]:
    template = text(read_object(files.path(_TEMPLATES)), task)
    for row in read_jsonl(files.path(f"data/{task}.jsonl")):
        asked, classes = text(row, "input"), row.values.get("all_classes")
        named: list[Json] = [*texts(row, "all_classes")] if classes else []
        extra: dict[str, Json] = {"classes": named} if named else {}
        yield Instance(
            input=_filled(template, text(row, "context"), asked),
            references=tuple(Reference(answer, (CORRECT,)) for answer in texts(row, "answers")),
            split=TEST,
            extra=extra,
        )


def _filled(template: str, context: str, asked: str) -> str:
    """The template with both put in; braces within a text stay what they are."""
    before, mark, after = template.partition("{context}")
    return f"{before.replace('{input}', asked)}{context if mark else ''}{after.replace('{input}', asked)}"


CARD = Scenario(
    name="longbench",
    title="LongBench",
    description="Ten tasks over long English texts and code.",
    licence="MIT; the texts are those of the ten source sets, under their own licences",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2308.14508",
    main_metric="",
    main_split=TEST,
    load=load,
    sources=sources,
)


def longbench(task: Name) -> Task:
    shape = _SHAPES[task]
    args: dict[str, Json] = {"first_line": True} if shape.first_line else {}
    return Task(
        name=f"longbench:task={task}",
        scenario=ScenarioSpec("longbench", {"task": task}),
        adapter=continuation(max_tokens=shape.max_tokens, temperature=0.0),
        metrics=(MetricSpec(shape.metric, args),),
        groups=("longbench", f"longbench_{task}"),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("longbench")(longbench)
