"""BigCodeBench: Python tasks that need many libraries, described in words and tested by unit tests.

HELM sends the programs to a service of the benchmark's authors; here the same tests run in the sandbox. A task whose
libraries the sandbox's Python lacks has no score, and says which they are.
"""

import ast
from collections.abc import Iterator
from typing import Literal

from holoscope.core import (
    TEST,
    AdapterSpec,
    DataError,
    Files,
    Instance,
    Json,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import metrics
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import Row, read_rows

Version = Literal["v0.1.0_hf", "v0.1.1", "v0.1.2", "v0.1.3"]

_URL = "https://huggingface.co/datasets/bigcode/bigcodebench/resolve/057dd1a30dd73d4ed59cfbaaae049870491fa4d6/"


def sources(version: Version) -> tuple[Source, ...]:
    path = _path(version)
    return (Source(path=path, url=_URL + path, stand_in=f"bigcodebench/{version}.jsonl"),)


def load(files: Files, version: Version) -> Iterator[Instance]:
    for row in read_rows(files.path(_path(version))):
        yield Instance(
            id=text(row, "task_id"),
            input=text(row, "instruct_prompt"),
            split=TEST,
            extra={
                "task_id": text(row, "task_id"),
                "entry_point": text(row, "entry_point"),
                "solution": text(row, "code_prompt") + text(row, "canonical_solution"),
                "unit_tests": text(row, "test"),
                "libs": _libraries(row),
            },
        )


def _libraries(row: Row) -> Json:
    """What the task imports: upstream has it as the text of a Python list."""
    try:
        found = ast.literal_eval(text(row, "libs"))
    except (ValueError, SyntaxError) as error:
        raise DataError(f"{row.where}: libs should be a list of names ({error})") from error
    return [str(name) for name in found]


def _path(version: str) -> str:
    return f"data/{version}-00000-of-00001.parquet"


CARD = Scenario(
    name="bigcodebench",
    title="BigCodeBench",
    description="Python tasks that need many libraries, tested by unit tests.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2406.15877",
    main_metric="bigcodebench_p@1",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.bigcodebench_scenario.BigCodeBenchScenario",
)


def bigcodebench(version: Version = "v0.1.3") -> Task:
    return Task(
        name=f"bigcodebench:version={version}",
        scenario=ScenarioSpec(CARD.name, {"version": version}),
        adapter=AdapterSpec(
            global_prefix="Please provide a self-contained Python script that solves the following problem in a "
            "markdown code block:",
            input_prefix="",
            output_prefix="",
            num_outputs=1,
            temperature=0.0,
            max_tokens=4096,
        ),
        metrics=metrics("bigcodebench_p@1"),
        groups=("bigcodebench",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("bigcodebench")(bigcodebench)
