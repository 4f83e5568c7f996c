"""MMMU: college questions in thirty subjects, each with one image or several.

An image stands in the question where upstream's mark for it is, or is an option. Options are written as a list in
Python's notation, which is read as data. Where an open question has several accepted answers they are such a list too,
and each of them counts (HELM compares with the list as a whole, which nobody answers).
"""

import ast
from collections.abc import Iterator, Mapping
from typing import Literal

from holoscope.core import (
    CORRECT,
    VALID,
    AdapterSpec,
    DataError,
    Files,
    ImageReader,
    Instance,
    Json,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
    image_mark,
)
from holoscope.scenarios.adapters import EXACT_MATCH, image_choice, image_question
from holoscope.scenarios.fields import text
from holoscope.scenarios.pictures import read_from
from holoscope.scenarios.references import position_of, right_position
from holoscope.scenarios.rows import Row, read_parquet

Subject = Literal[
    "Accounting",
    "Agriculture",
    "Architecture_and_Engineering",
    "Art",
    "Art_Theory",
    "Basic_Medical_Science",
    "Biology",
    "Chemistry",
    "Clinical_Medicine",
    "Computer_Science",
    "Design",
    "Diagnostics_and_Laboratory_Medicine",
    "Economics",
    "Electronics",
    "Energy_and_Power",
    "Finance",
    "Geography",
    "History",
    "Literature",
    "Manage",
    "Marketing",
    "Materials",
    "Math",
    "Mechanical_Engineering",
    "Music",
    "Pharmacy",
    "Physics",
    "Psychology",
    "Public_Health",
    "Sociology",
]
QuestionType = Literal["multiple-choice", "open"]

_URL = "https://huggingface.co/datasets/MMMU/MMMU/resolve/98e6ac0cb9b7b2cd2c991b85a50762edc4aedc68/"
_IMAGES = range(1, 7)
"""Upstream has a seventh column, which HELM never reads."""


def sources(subject: str, question_type: str) -> tuple[Source, ...]:
    path = _path(subject)
    return (Source(path=path, url=_URL + path),)


def load(files: Files, subject: str, question_type: str) -> Iterator[Instance]:
    for row in read_parquet(files.path(_path(subject))):
        if text(row, "question_type") == question_type and subject in text(row, "id"):
            yield _instance(row, question_type)


def images(files: Files, subject: str, question_type: str) -> ImageReader:
    path = files.path(_path(subject))

    def found() -> Mapping[str, bytes]:
        return {
            name: data
            for row in read_parquet(path)
            if text(row, "question_type") == question_type
            for name, data in _images(row).items()
        }

    return read_from(found, str(path))


def _instance(row: Row, question_type: str) -> Instance:
    question, marks = text(row, "question"), _marks(row)
    for written, mark in marks.items():
        question = question.replace(written, mark, 1)
    answer = text(row, "answer")
    if question_type == "open":
        references = tuple(Reference(accepted, (CORRECT,)) for accepted in _listed(answer, row) or [answer])
    else:
        options = [marks.get(option, option) for option in _listed(text(row, "options"), row)]
        references = right_position(options, position_of(answer, options, row.where))
    return Instance(input=question, references=references, split=VALID, groups={"subfield": text(row, "subfield")})


def _marks(row: Row) -> dict[str, str]:
    """What stands for an image upstream, and here."""
    return {f"<image {number}>": image_mark(name) for number, name in enumerate(_images(row), 1)}


def _images(row: Row) -> dict[str, bytes]:
    """The row's images by their names here, up to the first that is missing."""
    found = {}
    for number in _IMAGES:
        cell: object = row.values.get(f"image_{number}")
        data = cell.get("bytes") if isinstance(cell, dict) else None
        if not isinstance(data, bytes):
            break
        found[f"{text(row, 'id')}_{number}"] = data
    return found


def _listed(written: str, row: Row) -> list[str]:
    """A list of texts in Python's notation; none where it is no list."""
    try:
        found: Json = ast.literal_eval(written) if written.startswith("[") else []
    except (ValueError, SyntaxError) as error:
        raise DataError(f"{row.where}: not a list: {written!r}") from error
    return [str(item) for item in found] if isinstance(found, list) else []


def _path(subject: str) -> str:
    return f"{subject}/validation-00000-of-00001.parquet"


CARD = Scenario(
    name="mmmu",
    title="MMMU",
    description="College questions in thirty subjects that need an image to be answered.",
    licence="Apache-2.0 (dataset card; images from textbooks and the web)",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2311.16502",
    main_metric="quasi_prefix_exact_match",
    main_split=VALID,
    load=load,
    sources=sources,
    images=images,
    helm_class="helm.benchmark.scenarios.vision_language.mmmu_scenario.MMMUScenario",
)


def mmmu(subject: Subject, question_type: QuestionType) -> Task:
    args: dict[str, Json] = {"subject": subject, "question_type": question_type}
    return Task(
        name=f"mmmu:subject={subject},question_type={question_type}",
        scenario=ScenarioSpec("mmmu", args),
        adapter=_open() if question_type == "open" else image_choice(),
        metrics=EXACT_MATCH,
        groups=("mmmu",),
    )


def _open() -> AdapterSpec:
    return image_question("Just give a short answer without answering in a complete sentence.")


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("mmmu")(mmmu)
