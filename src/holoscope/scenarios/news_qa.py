"""NewsQA: questions about articles of CNN whose answer is a span of the article, or that it has none.

Of each article one of its valid questions is drawn with a fixed seed. The articles may not be passed on; upstream's
tools put them together with the questions, and the file that they write is read from the user's data directory.
"""

import random
from collections.abc import Iterator, Sequence

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
from holoscope.scenarios.fields import integer, member, objects, text
from holoscope.scenarios.rows import Row, read_object

_FILE = "combined-newsqa-data-v1.json"
_GATED = "its articles may not be passed on: make the file with the tools at https://github.com/Maluuba/newsqa"
_NONE = "No Answer"


def sources() -> tuple[Source, ...]:
    return (Source(path=_FILE, gated=_GATED),)


def load(files: Files) -> Iterator[Instance]:
    draw = random.Random(0)
    for row in objects(read_object(files.path(_FILE)), "data"):
        valid = [question for question in objects(row, "questions") if _is_valid(question)]
        if valid:
            yield _instance(row, draw.sample(valid, 1)[0])


def _is_valid(question: Row) -> bool:
    consensus = member(question, "consensus")
    return question.values.get("isQuestionBad", 0) == 0 and consensus.values.get("badQuestion") is not True


def _instance(row: Row, question: Row) -> Instance:
    article, consensus = text(row, "text"), member(question, "consensus")
    said = [_NONE if consensus.values.get("noAnswer") is True else _span(article, consensus)]
    for answer in objects(question, "answers"):
        said.append(_answered(article, objects(answer, "sourcerAnswers")))
    references = tuple(Reference(answer, (CORRECT,)) for answer in dict.fromkeys(said))
    split = TRAIN if text(row, "type") == "train" else VALID
    return Instance(input=f"{article}\n\nQuestion: {text(question, 'q')}", references=references, split=split)


def _answered(article: str, answers: Sequence[Row]) -> str:
    """What one person marked first, if anything."""
    first = answers[0] if answers else None
    return _NONE if first is None or "noAnswer" in first.values else _span(article, first)


def _span(article: str, place: Row) -> str:
    return article[integer(place, "s") : integer(place, "e")]


CARD = Scenario(
    name="news_qa",
    title="NewsQA",
    description="Questions about news articles, answered by a span of the article or by none.",
    licence="MIT (questions); articles of CNN",
    redistribution="no",
    citation="https://arxiv.org/abs/1611.09830",
    main_metric="f1_score",
    main_split=VALID,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.newsqa_scenario.NewsQAScenario",
)


def news_qa() -> Task:
    return Task(
        name="news_qa",
        scenario=ScenarioSpec("news_qa"),
        adapter=generation(input_noun="Passage", output_noun="Answer", max_tokens=50),
        metrics=metrics("exact_match", "quasi_exact_match", "f1_score"),
        groups=("news_qa",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("news_qa", "newsqa")(news_qa)
