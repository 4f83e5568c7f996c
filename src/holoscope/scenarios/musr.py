"""MuSR: who committed a murder, where somebody looks for a thing, who does which task, by reasoning over a story.

Zero-shot, with the story, its question and the options in one prompt; the Open LLM Leaderboard scores the options one
by one, which is the entry's other `method`.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from holoscope.core import TEST, DataError, Files, Instance, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, ChoiceMethod, multiple_choice
from holoscope.scenarios.fields import integer, objects, text, texts
from holoscope.scenarios.references import right_position
from holoscope.scenarios.rows import read_json_rows

Name = Literal["murder_mysteries", "object_placements", "team_allocation"]

_URL = "https://raw.githubusercontent.com/Zayne-sprague/MuSR/0c97d09cba4189a3bca6a04c31303379cf110f45/output_datasets/"


def sources(task: str) -> tuple[Source, ...]:
    return (Source(path=f"{task}.json", url=f"{_URL}{task}.json"),)


def load(files: Files, task: str) -> Iterator[Instance]:
    for position, row in enumerate(read_json_rows(files.path(f"{task}.json"))):
        story = text(row, "context")
        for asked in objects(row, "questions"):
            options, right = texts(asked, "choices"), integer(asked, "answer")
            if not 0 <= right < len(options):
                raise DataError(f"{asked.where}: answer should count one of {len(options)} choices, and is {right}")
            yield Instance(
                input=f"{story}\n\n{text(asked, 'question')}",
                references=right_position(options, right),
                split=TEST,
                cluster=f"story {position}",
            )


CARD = Scenario(
    name="musr",
    title="MuSR",
    description="Murder mysteries, placements of objects and allocations of people, told as stories.",
    licence="MIT",
    redistribution="yes",
    citation="https://arxiv.org/abs/2310.16049",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
)


def musr(task: Name, method: ChoiceMethod = "multiple_choice_joint") -> Task:
    adapter = multiple_choice(method, max_train_instances=0, max_tokens=16)
    return Task(
        name=f"musr:task={task},method={method}",
        scenario=ScenarioSpec("musr", {"task": task}),
        adapter=replace(adapter, input_prefix="", input_suffix="\n\n") if method == JOINT else adapter,
        metrics=EXACT_MATCH,
        groups=("musr", f"musr_{task}"),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("musr")(musr)
