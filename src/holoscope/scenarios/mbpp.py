"""MBPP: short Python functions, each described in a sentence with three tests that it is to pass.

Asked as it was published, with problems 2, 3 and 4 as examples. The sanitized half was revised by hand: clearer
descriptions, and tests that say what they mean.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    AdapterSpec,
    DataError,
    Files,
    Instance,
    Json,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import metrics
from holoscope.scenarios.fields import integer, text, texts
from holoscope.scenarios.rows import Row, read_rows

Subset = Literal["full", "sanitized"]

_URL = "https://raw.githubusercontent.com/google-research/google-research/"
_FILES = {
    "full": Source(path="mbpp.jsonl", url=f"{_URL}2251e8c67a7fe7d6348714967ee101080b28e956/mbpp/mbpp.jsonl"),
    "sanitized": Source(
        path="sanitized-mbpp.json", url=f"{_URL}dec705a28fea05552916c0b83c52f5f23609e8ee/mbpp/sanitized-mbpp.json"
    ),
}
_DEFINITION = re.compile(r"^(?:def|class)\s+(\w+)", re.MULTILINE)
_SPLITS = {TRAIN: range(2, 5), TEST: range(11, 511), VALID: range(511, 601)}
"""By upstream's number; the others were for prompts that were not used, and for tuning."""


def sources(subset: Subset) -> tuple[Source, ...]:
    return (_FILES[subset],)


def load(files: Files, subset: Subset) -> Iterator[Instance]:
    path: Path = files.path(_FILES[subset].path)
    for row in read_rows(path):
        number = integer(row, "task_id")
        for split, numbers in _SPLITS.items():
            if number in numbers:
                yield _instance(row, subset, split)


def _instance(row: Row, subset: Subset, split: str) -> Instance:
    solution, tests = text(row, "code").replace("\r\n", "\n"), texts(row, "test_list")
    before = texts(row, "test_imports") if subset == "sanitized" else [text(row, "test_setup_code")]
    names: list[Json] = [*_defined(row, solution)]
    return Instance(
        input=f"{text(row, 'prompt' if subset == 'sanitized' else 'text')} Your code should pass these tests:\n\n"
        + "\n".join(tests),
        references=(Reference(solution, (CORRECT,)),),
        split=split,
        extra={"task_id": integer(row, "task_id"), "names": names, "tests": "\n".join([*before, *tests])},
    )


def _defined(row: Row, solution: str) -> list[str]:
    """What the tests may take from a program: the functions and classes of upstream's own."""
    found = _DEFINITION.findall(solution)
    if not found:
        raise DataError(f"{row.where}: its solution defines nothing that could be tested")
    return list(dict.fromkeys(found))


CARD = Scenario(
    name="mbpp",
    title="MBPP",
    description="Short Python functions from a sentence and three tests, tested by running them.",
    licence="CC-BY-4.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2108.07732",
    main_metric="pass",
    main_split=TEST,
    load=load,
    sources=sources,
)


def mbpp(subset: Subset = "full") -> Task:
    return Task(
        name=f"mbpp:subset={subset}",
        scenario=ScenarioSpec(CARD.name, {"subset": subset}),
        adapter=AdapterSpec(
            input_prefix="You are an expert Python programmer, and here is your task: ",
            input_suffix="\n",
            output_prefix="[BEGIN]\n",
            output_suffix="\n[DONE]\n",
            max_train_instances=3,
            sample_train=False,
            num_outputs=1,
            temperature=0.0,
            max_tokens=512,
            stop_sequences=("[DONE]",),
        ),
        metrics=metrics("code_eval_acc", "pass"),
        groups=("mbpp",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("mbpp")(mbpp)
