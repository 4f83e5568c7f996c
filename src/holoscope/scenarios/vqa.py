"""VQAv2: short questions about photographs, each with the answers of ten people.

Any of the ten counts as right, as in HELM; upstream's own score gives part of the credit to an answer of few. The
photographs are in one archive of many gigabytes, of which only those that are asked about are read.
"""

from collections.abc import Iterator

from holoscope.core import (
    CORRECT,
    VALID,
    DataError,
    Files,
    ImageReader,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
    image_mark,
)
from holoscope.scenarios.adapters import EXACT_MATCH, image_question, metrics
from holoscope.scenarios.fields import integer, objects, text
from holoscope.scenarios.pictures import read_from_zip
from holoscope.scenarios.rows import Row, read_json

_URL = "https://s3.amazonaws.com/cvmlp/vqa/mscoco/vqa/"
_QUESTIONS = "v2_OpenEnded_mscoco_val2014_questions.json"
_ANSWERS = "v2_mscoco_val2014_annotations.json"
_PHOTOGRAPHS = "val2014.zip"
_TRAIN_ROWS = 443_757
"""Rows of the training part, which is not read but counts in HELM's ids."""


def sources() -> tuple[Source, ...]:
    return (
        Source(path=_QUESTIONS, url=f"{_URL}v2_Questions_Val_mscoco.zip", member=_QUESTIONS),
        Source(path=_ANSWERS, url=f"{_URL}v2_Annotations_Val_mscoco.zip", member=_ANSWERS),
        Source(path=_PHOTOGRAPHS, url=f"http://images.cocodataset.org/zips/{_PHOTOGRAPHS}"),
    )


def load(files: Files) -> Iterator[Instance]:
    answers = {integer(row, "question_id"): row for row in _rows(files, _ANSWERS, "annotations")}
    for position, row in enumerate(_rows(files, _QUESTIONS, "questions"), _TRAIN_ROWS):
        answered = answers.get(integer(row, "question_id"))
        if answered is None or integer(answered, "image_id") != integer(row, "image_id"):
            raise DataError(f"{row.where}: no answers to question {integer(row, 'question_id')} about its image")
        given = (text(answer, "answer") for answer in objects(answered, "answers"))
        yield Instance(
            id=f"id{position}",
            input=image_mark(_name(integer(row, "image_id"))) + text(row, "question"),
            references=tuple(Reference(answer, (CORRECT,)) for answer in given),
            split=VALID,
            cluster=f"image {integer(row, 'image_id')}",
            groups={"answer_type": text(answered, "answer_type")},
        )


def images(files: Files) -> ImageReader:
    def member(name: str) -> str:
        return f"val2014/{name}" if name.startswith("COCO_val2014_") else ""

    return read_from_zip(lambda: files.path(_PHOTOGRAPHS), member)


def _rows(files: Files, path: str, key: str) -> list[Row]:
    content = read_json(files.path(path))
    if not isinstance(content, dict):
        raise DataError(f"{path}: expected an object that holds {key}")
    return objects(Row(path, content), key)


def _name(image: int) -> str:
    return f"COCO_val2014_{image:012d}.jpg"


CARD = Scenario(
    name="vqa",
    title="VQAv2",
    description="Short questions about photographs.",
    licence="CC-BY-4.0 (the photographs are Flickr's users')",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/1612.00837",
    main_metric="quasi_prefix_exact_match",
    main_split=VALID,
    load=load,
    sources=sources,
    images=images,
    helm_class="helm.benchmark.scenarios.vision_language.vqa_scenario.VQAScenario",
)
_CAPTION = metrics(
    *("exact_match", "quasi_exact_match", "quasi_leave_articles_exact_match", "f1_score", "rouge_l", "bleu_1"),
    *("bleu_4", "cider"),
)


def vqa() -> Task:
    instructions = (
        'Answer the question using a single word or phrase. When the question asks "How many...", '
        "respond with just a number (e.g., 3) and not the word corresponding to the number."
    )
    return Task(
        name="vqa",
        scenario=ScenarioSpec("vqa"),
        adapter=image_question(instructions),
        metrics=(*EXACT_MATCH, *_CAPTION),
        groups=("vqa",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("vqa", "vqav2")(vqa)
