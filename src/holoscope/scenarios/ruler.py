"""RULER's question answering over long contexts: the documents that hold the answer among as many others as fit.

The prompts are drawn as RULER's own program draws them, as HELM runs it: from one stream of random numbers for the
choice of documents and one for each prompt's order, with lengths counted in words. Where every document fits, it
shuffles its list in place, so that the next prompt's order depends on it; here each prompt shuffles its own copy.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec.structs import replace

from holoscope.core import (
    CORRECT,
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
from holoscope.scenarios.adapters import OPEN_ENDED, continuation, metrics
from holoscope.scenarios.fields import boolean, objects, text
from holoscope.scenarios.rows import Row, read_json_rows, read_object

Name = Literal["ruler_hotpotqa", "ruler_squad"]

_STEP = 10
_SEED = 42
_FOR_ANSWER = 32
"""Words that are kept free."""
_ASKED = 500
_DEMAND = "Answer the question based on the given documents. Only give me the answer and do not output any other words."
_FILES: dict[Name, tuple[str, str]] = {
    "ruler_hotpotqa": ("hotpot_dev_distractor_v1.json", "http://curtis.ml.cmu.edu/datasets/hotpot/"),
    "ruler_squad": ("dev-v2.0.json", "https://rajpurkar.github.io/SQuAD-explorer/dataset/"),
}


class Question(NamedTuple):
    text: str
    answers: list[str]
    documents: list[int]
    """Positions of those that hold the answer."""
    related: list[int]
    """Positions of those that are taken before any other."""


class Library(NamedTuple):
    questions: list[Question]
    documents: list[str]


def squad(path: Path) -> Library:
    """Answerable questions; an article's other paragraphs are related to each."""
    articles = [objects(article, "paragraphs") for article in objects(read_object(path), "data")]
    documents = sorted({text(paragraph, "context") for article in articles for paragraph in article})
    place = {document: position for position, document in enumerate(documents)}
    questions = []
    for article in articles:
        own = [place[text(paragraph, "context")] for paragraph in article]
        for paragraph, here in zip(article, own, strict=True):
            related = [position for position in own if position != here]
            for asked in objects(paragraph, "qas"):
                if not boolean(asked, "is_impossible"):
                    answers = [text(answer, "text") for answer in objects(asked, "answers")]
                    questions.append(Question(text(asked, "question"), answers, [here], related))
    return Library(questions, documents)


def hotpotqa(path: Path) -> Library:
    """Questions with ten paragraphs each, two of which hold the answer."""
    rows = [(row, [_paragraph(row, pair) for pair in _listed(row)]) for row in read_json_rows(path)]
    documents = sorted({paragraph for _, paragraphs in rows for paragraph in paragraphs})
    place = {document: position for position, document in enumerate(documents)}
    questions = [
        Question(text(row, "question"), [text(row, "answer")], [place[paragraph] for paragraph in paragraphs], [])
        for row, paragraphs in rows
    ]
    return Library(questions, documents)


def _listed(row: Row) -> list[object]:
    context = row.values.get("context")
    if not isinstance(context, list):
        raise DataError(f"{row.where}: context should be a list of titles and sentences")
    return list(context)


def _paragraph(row: Row, pair: object) -> str:
    match pair:
        case [str() as title, list() as sentences]:
            return f"{title}\n{''.join(map(str, sentences))}"
        case _:
            raise DataError(f"{row.where}: context should hold a title and its sentences, and holds {pair!r}")


def prompts(library: Library, max_num_words: int) -> Iterator[tuple[str, Question]]:
    """The prompts of the first questions, each with as many documents as fit."""
    draws = random.Random(_SEED)
    most = max(_STEP, _documents_that_fit(library, draws, max_num_words))
    for question in library.questions[:_ASKED]:
        count = most
        asked = _prompt(library, question, count, draws)
        while _words(asked) + _FOR_ANSWER > max_num_words:
            count -= _STEP
            if count < _STEP:
                raise DataError(f"{_STEP} documents and a question are more than max_num_words={max_num_words}")
            asked = _prompt(library, question, count, draws)
        yield asked, question


def _documents_that_fit(library: Library, draws: random.Random, max_num_words: int) -> int:
    """How many documents the first question has room for, a step at a time."""
    first, count, length = library.questions[0], _STEP, 0
    while length + _FOR_ANSWER < max_num_words:
        length = _words(f"{_prompt(library, first, count, draws)} {first.answers}")
        if length + _FOR_ANSWER > max_num_words:
            return count - _STEP
        count += _STEP
        if count > len(library.documents):
            return len(library.documents)
    return count


def _prompt(library: Library, question: Question, count: int, draws: random.Random) -> str:
    chosen = [library.documents[position] for position in _chosen(library, question, count, draws)]
    random.Random(_SEED).shuffle(chosen)
    context = "\n\n".join(f"Document {number}:\n{document}" for number, document in enumerate(chosen, 1))
    given = f"The following are given documents.\n\n{context}"
    return f"{_DEMAND}\n\n{given}\n\n{_DEMAND}\n\nQuestion: {question.text} Answer:"


def _chosen(library: Library, question: Question, count: int, draws: random.Random) -> Sequence[int]:
    if count >= len(library.documents):
        return range(len(library.documents))
    own, related = question.documents, question.related
    if count - len(own) <= len(related):
        return own + draws.sample(related, max(0, count - len(own)))
    taken = {*own, *related}
    others = [position for position in range(len(library.documents)) if position not in taken]
    return own + related + draws.sample(others, max(0, count - len(own) - len(related)))


def _words(shown: str) -> int:
    return len(shown.split())


def load(files: Files, name: Name, max_num_words: int) -> Iterator[Instance]:
    path = files.path(_FILES[name][0])
    library = squad(path) if name == "ruler_squad" else hotpotqa(path)
    if not library.questions:
        raise DataError(f"{path}: it holds no question")
    for position, (asked, question) in enumerate(prompts(library, max_num_words)):
        references = tuple(Reference(answer, (CORRECT,)) for answer in question.answers)
        yield Instance(id=str(position), input=asked, references=references, split=VALID)


def _card(name: Name, title: str, helm_class: str) -> Scenario:
    file, base = _FILES[name]
    return Scenario(
        name=name,
        title=title,
        description="Questions whose answer is in one or two of very many documents.",
        licence="CC-BY-SA-4.0",
        redistribution="yes",
        citation="https://arxiv.org/abs/2404.06654",
        main_metric="ruler_string_match_part",
        main_split=VALID,
        load=lambda files, max_num_words: load(files, name, max_num_words),
        sources=lambda max_num_words: (Source(path=file, url=base + file),),
        helm_class=f"helm.benchmark.scenarios.ruler_qa_scenarios.{helm_class}",
    )


def _task(name: Name, max_num_words: int) -> Task:
    return Task(
        name=f"{name}:max_num_words={max_num_words}",
        scenario=ScenarioSpec(name, {"max_num_words": max_num_words}),
        adapter=replace(continuation(max_tokens=100, temperature=0.0), reference_suffix="", instance_prefix=""),
        metrics=(*OPEN_ENDED, *metrics("ruler_string_match_part")),
        groups=(name,),
    )


def ruler_hotpotqa(max_num_words: int = 131072) -> Task:
    return _task("ruler_hotpotqa", max_num_words)


def ruler_squad(max_num_words: int = 131072) -> Task:
    return _task("ruler_squad", max_num_words)


def register(registry: Registry) -> None:
    registry.scenario(_card("ruler_hotpotqa", "RULER HotpotQA", "RULERHotpotQAScenario"))
    registry.scenario(_card("ruler_squad", "RULER SQuAD", "RULERSQuADScenario"))
    registry.task("ruler_hotpotqa")(ruler_hotpotqa)
    registry.task("ruler_squad")(ruler_squad)
