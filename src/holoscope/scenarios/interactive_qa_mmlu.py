"""The few questions of five MMLU subjects that HELM's study of people at work with a model asked."""

import csv
from collections.abc import Iterator
from typing import Literal

from holoscope.core import TEST, TRAIN, Files, Instance, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, multiple_choice
from holoscope.scenarios.archives import read_members
from holoscope.scenarios.mmlu import URL as _MMLU
from holoscope.scenarios.references import question_of, right_text
from holoscope.scenarios.rows import read_headless_csv

Subject = Literal["college_chemistry", "global_facts", "miscellaneous", "nutrition", "us_foreign_policy"]

_URL = "https://worksheets.codalab.org/rest/bundles/0x4d49146fe16c4559bc64af6cbc04992d/contents/blob/"
_ASKED = "interactive_qa.tar.gz"


def sources(subject: str) -> tuple[Source, ...]:
    shown = f"data/dev/{subject}_dev.csv"
    return (Source(path=shown, url=_MMLU, member=shown), Source(path=_ASKED, url=_URL))


def load(files: Files, subject: Subject) -> Iterator[Instance]:
    for where, cells in read_headless_csv(files.path(sources(subject)[0].path)):
        yield _instance(where, cells, TRAIN)
    for name, content in read_members(files.path(_ASKED), lambda name: name.endswith(f"{subject}_test.csv")):
        for number, cells in enumerate(csv.reader(content.splitlines(keepends=True)), 1):
            if cells:
                yield _instance(f"{name}:{number}", cells, TEST)


def _instance(where: str, cells: list[str], split: str) -> Instance:
    question = question_of(cells, where)
    return Instance(input=question.text, references=right_text(question.options, question.right), split=split)


CARD = Scenario(
    name="interactive_qa_mmlu",
    title="MMLU (InteractiveQA)",
    description="Questions of five MMLU subjects that people answered with a model's help.",
    licence="MIT",
    redistribution="yes",
    citation="https://arxiv.org/abs/2212.09746",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    chance=0.25,
    helm_class="helm.benchmark.scenarios.interactive_qa_mmlu_scenario.InteractiveQAMMLUScenario",
)


def interactive_qa_mmlu(subject: Subject) -> Task:
    topic = subject.replace("_", " ")
    return Task(
        name=f"interactive_qa_mmlu:subject={subject}",
        scenario=ScenarioSpec("interactive_qa_mmlu", {"subject": subject}),
        adapter=multiple_choice(JOINT, f"The following are multiple choice questions (with answers) about {topic}."),
        metrics=EXACT_MATCH,
        groups=("mmlu",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("interactive_qa_mmlu")(interactive_qa_mmlu)
