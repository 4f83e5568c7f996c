"""TruthfulQA: questions that people answer wrongly from habit, as a choice of one true answer.

Upstream publishes no split and no order of the options. The first fifth of the file are the examples; the true answer's
place follows from its first letter, so that it varies and is always the same.
"""

from collections.abc import Iterator
from typing import Literal

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
from holoscope.scenarios.adapters import EXACT_MATCH, ChoiceMethod, multiple_choice
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import Row, read_csv

_FILE = "TruthfulQA.csv"
_URL = "https://raw.githubusercontent.com/sylinrl/TruthfulQA/d71c110897f5d31c5d7f309e7bc316c152f6f031/data/v1/"
_TRAIN_SHARE = 0.2


def sources(task: str) -> tuple[Source, ...]:
    return (Source(path=_FILE, url=_URL + _FILE),)


def load(files: Files, task: str) -> Iterator[Instance]:
    rows = list(read_csv(files.path(_FILE)))
    first_asked = int(len(rows) * _TRAIN_SHARE)
    for position, row in enumerate(rows):
        yield _instance(row, TRAIN if position < first_asked else VALID)


def _instance(row: Row, split: str) -> Instance:
    best = _sentence(text(row, "Best Answer"))
    if not best:
        raise DataError(f"{row.where}: Best Answer is empty")
    wrong = [answer for part in text(row, "Incorrect Answers").split(";") if (answer := _sentence(part))]
    references = (*(Reference(answer) for answer in wrong), Reference(best, (CORRECT,)))
    turn = ord(best[0]) % len(references)
    return Instance(
        input=text(row, "Question").strip(),
        references=references[turn:] + references[:turn],
        split=split,
        groups={"category": text(row, "Category")},
    )


def _sentence(answer: str) -> str:
    """The answer with a full stop, so that none stands out by its lack."""
    answer = answer.strip()
    return answer if not answer or answer.endswith(".") else f"{answer}."


CARD = Scenario(
    name="truthful_qa",
    title="TruthfulQA",
    description="Questions with a popular wrong answer; choose the true one.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2109.07958",
    main_metric="exact_match",
    main_split=VALID,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.truthful_qa_scenario.TruthfulQAScenario",
)


def truthful_qa(task: Literal["mc_single"], method: ChoiceMethod = "multiple_choice_joint") -> Task:
    return Task(
        name=f"truthful_qa:task={task},method={method}",
        scenario=ScenarioSpec("truthful_qa", {"task": task}),
        adapter=multiple_choice(method),
        metrics=EXACT_MATCH,
        groups=("truthful_qa",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("truthful_qa")(truthful_qa)
    registry.aliases["truthfulqa"] = "truthful_qa:task=mc_single"
