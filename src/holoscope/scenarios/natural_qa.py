"""Natural Questions: what people asked a search engine, answered from Wikipedia.

Asked without a passage (`closedbook`), with the paragraph in which an annotator found the answer (`openbook_longans`),
or with the whole page (`openbook_wiki`), which few windows hold. Only upstream's development files are read, and of
those the questions that someone answered shortly: every other one is an example with one answer, the rest are asked and
every annotator's answer counts. One generator draws the answers over all files, so no file may be left out.

A data directory that holds NQ-open (questions and short answers alone) instead of these files serves `closedbook`: the
run is then of NQ-open's questions, split in the same way, and its manifest names that file.
"""

import html
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from holoscope.core import (
    CORRECT,
    TRAIN,
    VALID,
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
from holoscope.scenarios.fields import integer, member, objects, text, texts
from holoscope.scenarios.rows import Row, read_jsonl

Mode = Literal["closedbook", "openbook_longans", "openbook_wiki"]

_URL = "https://storage.googleapis.com/natural_questions/v1.0/dev/"
_FILES = tuple(f"nq-dev-{i:02d}.jsonl.gz" for i in range(5))
_OPEN = "natural_questions_open/NQ-open.dev.jsonl"


class Asked(NamedTuple):
    """A question, and its short answers each with the paragraph it was found in (empty if unknown)."""

    question: str
    answers: tuple[str, ...]
    paragraphs: tuple[str, ...]
    page: Row = Row("", {})
    """Its row, where the page is still to be made of it."""


def sources(mode: str) -> tuple[Source, ...]:
    stand_in = _OPEN if mode == "closedbook" else ""
    return tuple(Source(path=name, url=_URL + name, stand_in=stand_in) for name in _FILES)


def load(files: Files, mode: Mode) -> Iterator[Instance]:
    draw = random.Random(0)
    for path in dict.fromkeys(files.path(name) for name in _FILES):
        for position, asked in enumerate(_read(path)):
            yield _instance(asked, mode, draw, TRAIN if position % 2 == 0 else VALID)


def _instance(asked: Asked, mode: Mode, draw: random.Random, split: str) -> Instance:
    chosen = draw.randint(0, len(asked.answers) - 1)
    question = asked.question.capitalize()
    question = question if question.endswith("?") else f"{question}?"
    passage = _context(asked, chosen, mode)
    answers = [asked.answers[chosen]] if split == TRAIN else dict.fromkeys(asked.answers)
    references = tuple(Reference(answer, (CORRECT,)) for answer in answers)
    return Instance(input=passage + question, references=references, split=split)


def _context(asked: Asked, chosen: int, mode: Mode) -> str:
    """What stands before the question."""
    if mode == "openbook_longans":
        return f"Passage: {asked.paragraphs[chosen]}\n\nQuestion: "
    if mode == "openbook_wiki":
        words = " ".join(_word(text(token, "token")) for token in objects(asked.page, "document_tokens"))
        return f"Title: {text(asked.page, 'document_title')}\n\nPassage: {words}\n\nQuestion: "
    return ""


def _read(path: Path) -> Iterator[Asked]:
    """The questions that have a short answer."""
    read = _with_paragraphs if path.name in _FILES else _open
    for row in read_jsonl(path):
        asked = read(row)
        if asked.answers:
            yield asked


def _with_paragraphs(row: Row) -> Asked:
    page = text(row, "document_html").encode()
    found = [
        (_passage(page, answer), _passage(page, member(annotation, "long_answer")))
        for annotation in objects(row, "annotations")
        for answer in objects(annotation, "short_answers")
    ]
    return Asked(text(row, "question_text"), tuple(short for short, _ in found), tuple(long for _, long in found), row)


def _open(row: Row) -> Asked:
    answers = texts(row, "answer")
    return Asked(text(row, "question"), tuple(answers), ("",) * len(answers))


def _passage(page: bytes, place: Row) -> str:
    """The words of a page between two bytes."""
    words = page[integer(place, "start_byte") : integer(place, "end_byte")].replace(b"\xc2\xa0", b" ")
    return _without_marks(words.decode())


def _word(token: str) -> str:
    """A token of a page as upstream shows it: no space within, no marks."""
    return _without_marks(token.replace(" ", "_"))


def _without_marks(words: str) -> str:
    return re.sub("<([^>]*)>", "", html.unescape(words))


CARD = Scenario(
    name="natural_qa",
    title="Natural Questions",
    description=(
        "Questions from searches, answered from Wikipedia; "
        "closedbook reads NQ-open where the data directory holds that instead."
    ),
    licence="CC-BY-SA-3.0",
    redistribution="yes",
    citation="https://aclanthology.org/Q19-1026",
    main_metric="f1_score",
    main_split=VALID,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.natural_qa_scenario.NaturalQAScenario",
)


def natural_qa(mode: Mode) -> Task:
    input_noun = "Question" if mode == "closedbook" else ""
    return Task(
        name=f"natural_qa:mode={mode}",
        scenario=ScenarioSpec("natural_qa", {"mode": mode}),
        adapter=generation(input_noun=input_noun, output_noun="Answer", max_tokens=300),
        metrics=metrics("exact_match", "quasi_exact_match", "f1_score"),
        groups=(f"natural_qa_{mode}",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("natural_qa")(natural_qa)
    registry.aliases["naturalquestions"] = "natural_qa:mode=closedbook"
