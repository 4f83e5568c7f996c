"""BIG-bench: three tasks of its collaborative collection, each a file of questions that also says how it is asked.

What an entry resolves to cannot wait for a download, so what the files say of the asking stands here, and a task is
added as a line of the table. Rows are shuffled with a fixed seed: the last two fifths are test and validation, in this
order.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    AdapterSpec,
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
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT
from holoscope.scenarios.fields import member, objects, text
from holoscope.scenarios.rows import Row, read_json

Name = Literal["strategyqa", "date_understanding", "tracking_shuffled_objects"]
Part = Literal["", "three_objects", "five_objects", "seven_objects"]
"""Parts of the task that has some; the other tasks are whole."""


class Prefixes(NamedTuple):
    input: str = "Question: "
    output: str = "Answer: "


_PREFIXES = {
    "strategyqa": Prefixes(),
    "date_understanding": Prefixes(),
    "tracking_shuffled_objects": Prefixes("", ""),
}
_URL = "https://raw.githubusercontent.com/google/BIG-bench/main/bigbench/benchmark_tasks/"
_SHARE = 0.2
_FEWEST = 16


def sources(task: str, subtask: str = "") -> tuple[Source, ...]:
    path = _path(task, subtask)
    return (Source(path=path, url=_URL + path),)


def load(files: Files, task: str, subtask: str = "") -> Iterator[Instance]:
    rows = _questions(files.path(_path(task, subtask)))
    random.Random(0).shuffle(rows)
    asked = max(int(_SHARE * len(rows)), _FEWEST)
    for position, row in enumerate(rows):
        left = len(rows) - position
        yield _instance(row, TRAIN if left > 2 * asked else TEST if left > asked else VALID)


def _questions(path: Path) -> list[Row]:
    content = read_json(path)
    if not isinstance(content, dict):
        raise DataError(f"{path}: expected a task, an object")
    return objects(Row(str(path), content), "examples")


def _instance(row: Row, split: str) -> Instance:
    scores = member(row, "target_scores").values
    numbers = [score for score in scores.values() if isinstance(score, int | float)]
    if not numbers or len(numbers) != len(scores):
        raise DataError(f"{row.where}: target_scores should be numbers by answer, and is {scores!r}")
    best = max(numbers)
    references = tuple(Reference(answer, (CORRECT,) if score == best else ()) for answer, score in scores.items())
    return Instance(input=text(row, "input"), references=references, split=split)


def _path(task: str, subtask: str) -> str:
    return f"{task}/{subtask}/task.json" if subtask else f"{task}/task.json"


CARD = Scenario(
    name="big_bench",
    title="BIG-bench",
    description="Three of the collection's tasks: implicit strategies, dates, and shuffled objects.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2206.04615",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.big_bench_scenario.BIGBenchScenario",
)


def big_bench(task: Name, subtask: Part = "") -> Task:
    prefixes = _PREFIXES[task]
    return Task(
        name=f"big_bench:task={task},subtask={subtask}" if subtask else f"big_bench:task={task}",
        scenario=ScenarioSpec("big_bench", {"task": task, "subtask": subtask}),
        adapter=AdapterSpec(
            method=JOINT,
            input_prefix=prefixes.input,
            output_prefix=prefixes.output,
            num_outputs=1,
            max_tokens=64,
            temperature=0.0,
        ),
        metrics=EXACT_MATCH,
        groups=(f"big_bench_{task}",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("big_bench")(big_bench)
