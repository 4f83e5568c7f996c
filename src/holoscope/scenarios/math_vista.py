"""MathVista: mathematics that is asked of a picture, a plot, a table or a figure.

Only the `testmini` part has answers. A run is of one school grade and one kind of question. A free answer may be given
with its unit or without.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

from holoscope.core import (
    CORRECT,
    TEST,
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
from holoscope.scenarios.fields import text, texts
from holoscope.scenarios.pictures import read_from
from holoscope.scenarios.rows import Row, read_parquet

Grade = Literal["elementary_school", "high_school", "college", "daily_life"]
QuestionType = Literal["multi_choice", "free_form"]

_PATH = "data/testmini-00000-of-00001-725687bf7a18d64b.parquet"
_URL = "https://huggingface.co/datasets/AI4Math/MathVista/resolve/main/"
_SHA256 = "373f6c0b412a9be2cec36711cee724e03f4c5db6908f3c13db903aa9694d4f2d"


def sources(grade: str, question_type: str) -> tuple[Source, ...]:
    return (Source(path=_PATH, url=_URL + _PATH, sha256=_SHA256),)


def load(files: Files, grade: str, question_type: str) -> Iterator[Instance]:
    for row in read_parquet(files.path(_PATH)):
        if _is_asked(row, grade, question_type):
            yield Instance(
                input=text(row, "question") + image_mark(_name(row)),
                references=_references(row, question_type),
                split=TEST,
                groups={"task": text(row, "metadata.task")},
            )


def images(files: Files, grade: str, question_type: str) -> ImageReader:
    path = files.path(_PATH)

    def found() -> Mapping[str, bytes]:
        rows = (row for row in read_parquet(path) if _is_asked(row, grade, question_type))
        return {_name(row): data for row in rows if (data := _data(row)) is not None}

    return read_from(found, str(path))


def _is_asked(row: Row, grade: str, question_type: str) -> bool:
    is_kind = text(row, "question_type") == question_type
    return is_kind and text(row, "metadata.grade") == grade.replace("_", " ")


def _references(row: Row, question_type: str) -> tuple[Reference, ...]:
    answer, unit = text(row, "answer"), row.values.get("unit")
    if question_type == "multi_choice":
        return tuple(Reference(o, (CORRECT,) if o == answer else ()) for o in texts(row, "choices"))
    accepted = [answer, *([f"{answer} {unit}"] if unit is not None else [])]
    return tuple(Reference(value, (CORRECT,)) for value in accepted)


def _name(row: Row) -> str:
    return f"images/{text(row, 'pid')}.jpg"


def _data(row: Row) -> bytes | None:
    cell: object = row.values.get("decoded_image")
    data = cell.get("bytes") if isinstance(cell, dict) else None
    return data if isinstance(data, bytes) else None


CARD = Scenario(
    name="math_vista",
    title="MathVista",
    description="Mathematics asked of pictures, plots, tables and figures.",
    licence="CC-BY-SA-4.0 (the images have licences of their own)",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2310.02255",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    images=images,
    helm_class="helm.benchmark.scenarios.vision_language.math_vista_scenario.MathVistaScenario",
)


def math_vista(grade: Grade, question_type: QuestionType) -> Task:
    number = "Just give the numerical answer without showing the steps, the unit, or percentage symbol."
    args: dict[str, Json] = {"grade": grade, "question_type": question_type}
    return Task(
        name=f"math_vista:grade={grade},question_type={question_type}",
        scenario=ScenarioSpec("math_vista", args),
        adapter=image_choice() if question_type == "multi_choice" else image_question(number),
        metrics=EXACT_MATCH,
        groups=("math_vista",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("math_vista", "mathvista")(math_vista)
