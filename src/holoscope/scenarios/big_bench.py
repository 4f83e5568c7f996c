"""BIG-bench: any task of its collaborative collection, each a file of questions that also says how it is asked.

What an entry resolves to cannot wait for a download. For the tasks of the table, what their files say stands here; any
other is first taken for a choice between options, and is asked as its file says once that is there, before anything is
sent. Rows are shuffled with a fixed seed: the last two fifths are test and validation, in this order.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    AdapterSpec,
    DataError,
    Files,
    Instance,
    MetricSpec,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, metrics
from holoscope.scenarios.fields import member, objects, text, texts
from holoscope.scenarios.rows import Row, read_json


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
_CHOICE = "multiple_choice_grade"
_METRICS = {
    "exact_str_match": ("exact_match", "quasi_exact_match"),
    "bleu": ("bleu_1", "bleu_4"),
    "rouge": ("rouge_1", "rouge_2", "rouge_l"),
}
"""Ours for upstream's, of tasks without options; those without a counterpart are passed over, as HELM does."""
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


def asking(
    files: Files, adapter: AdapterSpec, listed: tuple[MetricSpec, ...], task: str, subtask: str = ""
) -> tuple[AdapterSpec, tuple[MetricSpec, ...]]:
    """How a task that is not in the table is asked: as its file says, but for what the entry itself changed."""
    if task in _PREFIXES:
        return adapter, listed
    stated = _task(files.path(_path(task, subtask)))
    names, default = texts(stated, "metrics"), _adapter(Prefixes())
    is_choice, stop = _CHOICE in names, stated.values.get("stop_string")
    said = {
        "method": JOINT if is_choice else "generation",
        "instructions": stated.values.get("task_prefix", ""),
        "input_prefix": stated.values.get("example_input_prefix", default.input_prefix),
        "output_prefix": stated.values.get("example_output_prefix", default.output_prefix),
        "stop_sequences": (str(stop),) if stop else (),
    }
    unchanged = {name: value for name, value in said.items() if getattr(adapter, name) == getattr(default, name)}
    own = tuple(ours for name in names for ours in _METRICS.get(name, ()))
    graded = listed if is_choice or listed != EXACT_MATCH else metrics(*own)
    return replace(adapter, **unchanged), graded


def _questions(path: Path) -> list[Row]:
    return objects(_task(path), "examples")


def _task(path: Path) -> Row:
    content = read_json(path)
    if not isinstance(content, dict):
        raise DataError(f"{path}: expected a task, an object")
    return Row(str(path), content)


def _instance(row: Row, split: str) -> Instance:
    if "target_scores" not in row.values:
        answers = texts(row, "target") if isinstance(row.values.get("target"), list) else [text(row, "target")]
        references = tuple(Reference(answer, (CORRECT,)) for answer in answers)
        return Instance(input=text(row, "input"), references=references, split=split)
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
    description="Any task of the collection, by its name.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2206.04615",
    main_metric="",
    main_split=TEST,
    load=load,
    sources=sources,
    asking=asking,
    helm_class="helm.benchmark.scenarios.big_bench_scenario.BIGBenchScenario",
)


def big_bench(task: str, subtask: str = "") -> Task:
    return Task(
        name=f"big_bench:task={task},subtask={subtask}" if subtask else f"big_bench:task={task}",
        scenario=ScenarioSpec("big_bench", {"task": task, "subtask": subtask}),
        adapter=_adapter(_PREFIXES.get(task, Prefixes())),
        metrics=EXACT_MATCH,
        groups=(f"big_bench_{task}",),
    )


def _adapter(prefixes: Prefixes) -> AdapterSpec:
    return AdapterSpec(
        method=JOINT,
        input_prefix=prefixes.input,
        output_prefix=prefixes.output,
        num_outputs=1,
        max_tokens=64,
        temperature=0.0,
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("big_bench")(big_bench)
