"""MedQA: questions of the United States medical licensing exam, four options each.

Some options carry a stray quotation mark and line ends from upstream's extraction; they are taken off.
"""

from collections.abc import Iterator

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    DataError,
    Files,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, multiple_choice
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import Row, read_jsonl

_URL = "https://drive.google.com/uc?export=download&id=1ImYUSLk9JbgHXOemfvyiDiirluZHPeQw&confirm=t"
_FOLDER = "data_clean/questions/US/4_options/"
_SPLITS = {"train": TRAIN, "dev": VALID, "test": TEST}


def sources() -> tuple[Source, ...]:
    return tuple(Source(path=_path(name), url=_URL, member=_path(name)) for name in _SPLITS)


def load(files: Files) -> Iterator[Instance]:
    for name, split in _SPLITS.items():
        for row in read_jsonl(files.path(_path(name))):
            yield _instance(row, split)


def _instance(row: Row, split: str) -> Instance:
    letters = row.values.get("options")
    right = text(row, "answer_idx")
    if not isinstance(letters, dict) or len(letters) != 4 or right not in letters:
        raise DataError(f"{row.where}: expected four options by letter, {right!r} among them; found {letters!r}")
    references = tuple(
        Reference(text(row, f"options.{letter}").rstrip('"').rstrip(), (CORRECT,) if letter == right else ())
        for letter in letters
    )
    return Instance(input=text(row, "question"), references=references, split=split)


def _path(name: str) -> str:
    return f"{_FOLDER}phrases_no_exclude_{name}.jsonl"


CARD = Scenario(
    name="med_qa",
    title="MedQA",
    description="Multiple-choice questions of the United States medical licensing exam.",
    licence="MIT (by its repository; the questions come from exam-preparation sites)",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2009.13081",
    main_metric="quasi_exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    chance=0.25,
    helm_class="helm.benchmark.scenarios.med_qa_scenario.MedQAScenario",
)


def med_qa() -> Task:
    instructions = "The following are multiple choice questions (with answers) about medicine."
    return Task(
        name="med_qa",
        scenario=ScenarioSpec("med_qa"),
        adapter=multiple_choice(JOINT, instructions),
        metrics=EXACT_MATCH,
        groups=("med_qa",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("med_qa", "medqa")(med_qa)
