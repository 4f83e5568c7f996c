"""QuAC: a student asks about a section of a Wikipedia page that only the teacher sees, one question after the other.

A dialogue is broken off at a drawn place: the questions and answers before it are shown, the one there is asked. As in
HELM the turn right before it is left out, and the draws follow the order of the dialogues, so none may be skipped.
"""

import random
from collections.abc import Iterator

from holoscope.core import (
    CORRECT,
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
from holoscope.scenarios.adapters import generation, metrics
from holoscope.scenarios.fields import member, objects, text
from holoscope.scenarios.rows import Row, read_rows

_URL = "https://s3.amazonaws.com/my89public/quac/"
_SPLITS = {"train_v0.2.json": TRAIN, "val_v0.2.json": VALID}
_NO_ANSWER = "CANNOTANSWER"
_NO_ANSWER_IN_WORDS = ("Not enough information", "Cannot answer", "Do not know")
_FEWEST_TURNS = 3


def sources() -> tuple[Source, ...]:
    return tuple(Source(path=name, url=_URL + name) for name in _SPLITS)


def load(files: Files) -> Iterator[Instance]:
    draw = random.Random(0)
    for name, split in _SPLITS.items():
        for row in read_rows(files.path(name)):
            yield _instance(row, draw, split)


def _instance(row: Row, draw: random.Random, split: str) -> Instance:
    section = objects(row, "paragraphs")[0]
    passage, turns = text(section, "context"), objects(section, "qas")
    if not passage.endswith(f" {_NO_ANSWER}") or len(turns) < _FEWEST_TURNS:
        raise DataError(f"{row.where}: expected a passage that ends in {_NO_ANSWER} and {_FEWEST_TURNS} questions")
    asked = draw.randint(_FEWEST_TURNS, len(turns)) - 1
    told = "".join(
        f"Question: {text(turn, 'question')}\nAnswer: {text(member(turn, 'orig_answer'), 'text')}\n\n"
        for turn in turns[: asked - 1]
    )
    head = (
        f"Title: {text(row, 'title')}\n\nBackground: {text(row, 'background')}\n\n"
        f"Section: {text(row, 'section_title')}\nPassage: {passage.removesuffix(f' {_NO_ANSWER}')}\n\n"
    )
    answers = list(dict.fromkeys(text(answer, "text") for answer in objects(turns[asked], "answers")))
    if answers == [_NO_ANSWER]:
        answers += _NO_ANSWER_IN_WORDS
    references = tuple(Reference(answer, (CORRECT,)) for answer in answers)
    question = text(turns[asked], "question")
    return Instance(input=f"{head}{told}Question: {question}", references=references, split=split)


CARD = Scenario(
    name="quac",
    title="QuAC",
    description="Questions of a dialogue about a section of a Wikipedia page.",
    licence="CC-BY-SA-4.0",
    redistribution="yes",
    citation="https://aclanthology.org/D18-1241",
    main_metric="f1_score",
    main_split=VALID,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.quac_scenario.QuACScenario",
)


def quac() -> Task:
    return Task(
        name="quac",
        scenario=ScenarioSpec("quac"),
        adapter=generation(output_noun="Answer", max_tokens=100),
        metrics=metrics("exact_match", "quasi_exact_match", "f1_score"),
        groups=("quac",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("quac")(quac)
