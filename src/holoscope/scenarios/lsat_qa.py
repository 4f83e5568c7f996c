"""LSAT: the law school test's puzzles of assigning, grouping and ordering under conditions.

Several questions share a passage. Upstream tags most questions with their kind; a question without a tag is of the
miscellaneous ones, as is one tagged so.
"""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import (
    TEST,
    TRAIN,
    VALID,
    DataError,
    Files,
    Instance,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, ChoiceMethod, multiple_choice
from holoscope.scenarios.fields import objects, text, texts
from holoscope.scenarios.references import position_of, right_position
from holoscope.scenarios.rows import Row, read_rows

Kind = Literal["all", "grouping", "ordering", "assignment", "miscellaneous"]

_URL = "https://raw.githubusercontent.com/zhongwanjun/AR-LSAT/41f78ca7be3e24602b694b9d6b78105fc0c8bfc6/data/"
_SPLITS = {"Training": TRAIN, "Development": VALID, "Test": TEST}
_KINDS = {
    "in/out grouping": "grouping",
    "distribution grouping": "grouping",
    "grouping (distribution)": "grouping",
    "simple ordering": "ordering",
    "relative ordering": "ordering",
    "complex ordering": "ordering",
    "determined assignment": "assignment",
    "undetermined assignment": "assignment",
    "": "miscellaneous",
}
"""Kind by tag; any other tag is a kind of its own."""


def sources(task: str) -> tuple[Source, ...]:
    return tuple(Source(path=_file(name), url=_URL + _file(name)) for name in _SPLITS)


def load(files: Files, task: Kind) -> Iterator[Instance]:
    for name, split in _SPLITS.items():
        for passage in read_rows(files.path(_file(name))):
            for question in objects(passage, "questions"):
                kind = _kind(question)
                if task in ("all", kind):
                    yield _instance(passage, question, kind, split)


def _kind(question: Row) -> str:
    tags = texts(question, "tags")
    if len(tags) < 3:
        raise DataError(f"{question.where}: expected the question's kind as third tag; there are {tags}")
    return _KINDS.get(tags[2], tags[2])


def _instance(passage: Row, question: Row, kind: str, split: str) -> Instance:
    options = texts(question, "options")
    position = position_of(text(question, "answer"), options, question.where)
    return Instance(
        input=f"{text(passage, 'passage')}\nQuestion: {text(question, 'question')}",
        references=right_position(options, position),
        split=split,
        cluster=text(passage, "id"),
        groups={"kind": kind},
    )


def _file(name: str) -> str:
    return f"AR_{name}Data.json"


CARD = Scenario(
    name="lsat_qa",
    title="LSAT",
    description="Analytical reasoning questions of the law school admission test.",
    licence="MIT (by its repository; the items are retired LSAT questions)",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2104.06598",
    main_metric="exact_match",  # the one that there is also where options are scored one by one
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.lsat_qa_scenario.LSATScenario",
)


def lsat_qa(task: Kind, method: ChoiceMethod = "multiple_choice_joint") -> Task:
    instructions = "The following are multiple choice questions (with answers)."
    return Task(
        name=f"lsat_qa:task={task},method={method}",
        scenario=ScenarioSpec("lsat_qa", {"task": task}),
        adapter=multiple_choice(method, instructions, input_noun="Passage"),
        metrics=EXACT_MATCH,
        groups=("lsat_qa",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("lsat_qa")(lsat_qa)
