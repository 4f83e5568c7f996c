"""ThaiExam: multiple-choice questions of five Thai examinations."""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import TEST, TRAIN, Files, Instance, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import EXACT_MATCH, ChoiceMethod, multiple_choice
from holoscope.scenarios.fields import text
from holoscope.scenarios.references import position_of, right_text
from holoscope.scenarios.rows import read_jsonl

Exam = Literal["onet", "ic", "tgat", "tpat1", "a_level"]

_URL = "https://huggingface.co/datasets/scb10x/thai_exam/resolve/main/data/"
_SPLITS = (TRAIN, TEST)


def sources(exam: str) -> tuple[Source, ...]:
    return tuple(
        Source(path=_path(exam, split), url=_URL + _path(exam, split), optional=split == TRAIN) for split in _SPLITS
    )


def load(files: Files, exam: str) -> Iterator[Instance]:
    for source, split in zip(sources(exam), _SPLITS, strict=True):
        if source.optional and not files.has(source.path):
            continue
        for row in read_jsonl(files.path(source.path)):
            options = [text(row, letter) for letter in "abcde" if row.values.get(letter, "") != ""]
            right = position_of(text(row, "answer").upper(), options, row.where)
            yield Instance(input=text(row, "question"), references=right_text(options, right), split=split)


def _path(exam: str, split: str) -> str:
    return f"{exam}/{exam}_{split}.jsonl"


CARD = Scenario(
    name="thai_exam",
    title="ThaiExam",
    description="Questions of Thai school, aptitude and investment exams.",
    licence="Apache-2.0 (its card)",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2312.13951",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.thai_exam_scenario.ThaiExamScenario",
)


def thai_exam(exam: Exam = "onet", method: ChoiceMethod = "multiple_choice_joint") -> Task:
    return Task(
        name=f"thai_exam:exam={exam},method={method}",
        scenario=ScenarioSpec("thai_exam", {"exam": exam}),
        adapter=multiple_choice(method, "The following are multiple choice questions (with answers)."),
        metrics=EXACT_MATCH,
        groups=("thai_exam", f"thai_exam_{exam}"),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("thai_exam")(thai_exam)
