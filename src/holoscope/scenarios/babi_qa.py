"""bAbI: twenty small tasks of reasoning over a story that a simulation wrote.

A file is a list of numbered lines; number one begins a story, and a line with a question mark asks about the story so
far. Questions of one story are not independent. The answer to task 19 is a path, whose letters become words.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

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
from holoscope.scenarios.adapters import EXACT_MATCH, generation
from holoscope.scenarios.rows import read_lines

Number = Literal["all", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]

_URL = "http://www.thespermwhale.com/jaseweston/babi/tasks_1-20_v1-2.tar.gz"
_SPLITS = (TRAIN, VALID, TEST)
_PATHS = 19
_DIRECTIONS = {"s": "south", "n": "north", "e": "east", "w": "west"}


class Asked(NamedTuple):
    story: int
    """Counted within its file."""
    facts: tuple[str, ...]
    question: str
    answer: str


def sources(task: str | int) -> tuple[Source, ...]:
    paths = [_path(number, split) for number in _numbers(task) for split in _SPLITS]
    return tuple(Source(path=path, url=_URL, member=path) for path in paths)


def load(files: Files, task: str | int) -> Iterator[Instance]:
    for number in _numbers(task):
        for split in _SPLITS:
            for asked in _read(files.path(_path(number, split))):
                yield _instance(asked, number, split)


def _instance(asked: Asked, number: int, split: str) -> Instance:
    passage = "".join(f"{fact}\n" for fact in asked.facts)
    answer = asked.answer
    if number == _PATHS:
        answer = " ".join(_DIRECTIONS[step] for step in answer.split(","))
    return Instance(
        input=f"{passage}Question: {asked.question}",
        references=(Reference(answer, (CORRECT,)),),
        split=split,
        cluster=f"task {number} {split} story {asked.story}",
        groups={"task": str(number)},
    )


def _read(path: Path) -> Iterator[Asked]:
    story = 0
    facts: list[str] = []
    for number, line in enumerate(read_lines(path), 1):
        position, _, said = line.partition(" ")
        if position == "1":
            story, facts = story + 1, []
        if "?" not in said:
            facts.append(said)
            continue
        question, *rest = said.split("\t")
        if not rest:
            raise DataError(f"{path}:{number}: a question without an answer: {said!r}")
        yield Asked(story, tuple(facts), question.strip(), rest[0].strip())


def _numbers(task: str | int) -> range:
    return range(1, 21) if task == "all" else range(int(task), int(task) + 1)


def _path(number: int, split: str) -> str:
    return f"tasks_1-20_v1-2/en-valid/qa{number}_{split}.txt"


CARD = Scenario(
    name="babi_qa",
    title="bAbI",
    description="Questions about short simulated stories, each task one kind of reasoning.",
    licence="CC-BY-3.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/1502.05698",
    main_metric="quasi_exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.babi_qa_scenario.BabiQAScenario",
)


def babi_qa(task: Number = "all") -> Task:
    return Task(
        name=f"babi_qa:task={task}",
        scenario=ScenarioSpec("babi_qa", {"task": task}),
        adapter=generation(input_noun="Passage", output_noun="Answer"),
        metrics=EXACT_MATCH,
        groups=("babi_qa",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("babi_qa")(babi_qa)
