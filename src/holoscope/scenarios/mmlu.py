"""MMLU: 57 subjects of multiple-choice exam questions.

An option is right if its text equals the right option's: a few rows repeat a text, and then both letters are right.
"""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import (
    TEST,
    TRAIN,
    VALID,
    Files,
    Instance,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, ChoiceMethod, multiple_choice
from holoscope.scenarios.references import question_of, right_text
from holoscope.scenarios.rows import read_headless_csv

Subject = Literal[
    "abstract_algebra",
    "anatomy",
    "astronomy",
    "business_ethics",
    "clinical_knowledge",
    "college_biology",
    "college_chemistry",
    "college_computer_science",
    "college_mathematics",
    "college_medicine",
    "college_physics",
    "computer_security",
    "conceptual_physics",
    "econometrics",
    "electrical_engineering",
    "elementary_mathematics",
    "formal_logic",
    "global_facts",
    "high_school_biology",
    "high_school_chemistry",
    "high_school_computer_science",
    "high_school_european_history",
    "high_school_geography",
    "high_school_government_and_politics",
    "high_school_macroeconomics",
    "high_school_mathematics",
    "high_school_microeconomics",
    "high_school_physics",
    "high_school_psychology",
    "high_school_statistics",
    "high_school_us_history",
    "high_school_world_history",
    "human_aging",
    "human_sexuality",
    "international_law",
    "jurisprudence",
    "logical_fallacies",
    "machine_learning",
    "management",
    "marketing",
    "medical_genetics",
    "miscellaneous",
    "moral_disputes",
    "moral_scenarios",
    "nutrition",
    "philosophy",
    "prehistory",
    "professional_accounting",
    "professional_law",
    "professional_medicine",
    "professional_psychology",
    "public_relations",
    "security_studies",
    "sociology",
    "us_foreign_policy",
    "virology",
    "world_religions",
]

URL = "https://people.eecs.berkeley.edu/~hendrycks/data.tar"
_SPLITS = {"auxiliary_train": TRAIN, "dev": TRAIN, "val": VALID, "test": TEST}
"""Upstream's folders, in the order that decides ids. None of auxiliary_train's files is named after a subject."""


def sources(subject: str) -> tuple[Source, ...]:
    return tuple(
        Source(
            path=_path(folder, subject),
            url="" if folder == "auxiliary_train" else URL,
            member="" if folder == "auxiliary_train" else _path(folder, subject),
            optional=folder in ("auxiliary_train", "val"),
        )
        for folder in _SPLITS
    )


def load(files: Files, subject: str) -> Iterator[Instance]:
    for source in sources(subject):
        if source.optional and not files.has(source.path):
            continue
        split = _SPLITS[source.path.split("/")[1]]
        for where, cells in read_headless_csv(files.path(source.path)):
            yield _instance(where, cells, split)


def _instance(where: str, cells: list[str], split: str) -> Instance:
    question = question_of(cells, where)
    return Instance(input=question.text, references=right_text(question.options, question.right), split=split)


def _path(folder: str, subject: str) -> str:
    return f"data/{folder}/{subject}_{folder}.csv"


CARD = Scenario(
    name="mmlu",
    title="MMLU",
    description="Multiple-choice exam questions in 57 subjects.",
    licence="MIT",
    redistribution="yes",
    citation="https://arxiv.org/abs/2009.03300",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    chance=0.25,
    helm_class="helm.benchmark.scenarios.mmlu_scenario.MMLUScenario",
)


def mmlu(subject: Subject, method: ChoiceMethod = "multiple_choice_joint") -> Task:
    topic = subject.replace("_", " ")
    return Task(
        name=f"mmlu:subject={subject},method={method}",
        scenario=ScenarioSpec("mmlu", {"subject": subject}),
        adapter=multiple_choice(method, f"The following are multiple choice questions (with answers) about {topic}."),
        metrics=EXACT_MATCH,
        groups=("mmlu",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("mmlu")(mmlu)
