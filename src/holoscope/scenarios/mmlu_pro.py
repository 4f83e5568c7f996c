"""MMLU-Pro: harder exam questions in fourteen subjects, with up to ten options.

Asked with or without reasoning first, and with or without the five worked examples that upstream gives each subject.
Rows bring their own ids. The metric follows from the way of asking, so the card names none.
"""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import (
    TEST,
    TRAIN,
    AdapterSpec,
    Files,
    Instance,
    Json,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, metrics
from holoscope.scenarios.fields import integer, text, texts
from holoscope.scenarios.references import position_of, right_text
from holoscope.scenarios.rows import Row, read_rows

Subject = Literal[
    "all",
    "biology",
    "business",
    "chemistry",
    "computer science",
    "economics",
    "engineering",
    "health",
    "history",
    "law",
    "math",
    "other",
    "philosophy",
    "physics",
    "psychology",
]

_URL = "https://huggingface.co/datasets/TIGER-Lab/MMLU-Pro/resolve/3373e0b32277875b8db2aa555a333b78a08477ea/"
_SPLITS = {"validation": TRAIN, "test": TEST}
_FORMAT = 'Format your response as follows: "The correct answer is (insert answer here)".'
_REASON = "Let’s think step by step. Based on your reasoning, what is the single, most likely answer choice?"


def sources(subject: str) -> tuple[Source, ...]:
    return tuple(
        Source(path=_path(name), url=_URL + _path(name), stand_in=f"mmlu_pro/{name}.jsonl") for name in _SPLITS
    )


def load(files: Files, subject: str) -> Iterator[Instance]:
    for name, split in _SPLITS.items():
        for row in read_rows(files.path(_path(name))):
            if subject in ("all", text(row, "category")):
                yield _instance(row, split)


def _instance(row: Row, split: str) -> Instance:
    options = texts(row, "options")
    worked: dict[str, Json] = {"chain_of_thought": text(row, "cot_content")} if split == TRAIN else {}
    return Instance(
        id=f"id{integer(row, 'question_id')}",
        input=text(row, "question"),
        references=right_text(options, position_of(text(row, "answer"), options, row.where)),
        split=split,
        groups={"category": text(row, "category")},
        extra=worked,
    )


def _path(name: str) -> str:
    return f"data/{name}-00000-of-00001.parquet"


CARD = Scenario(
    name="mmlu_pro",
    title="MMLU-Pro",
    description="Harder exam questions in fourteen subjects, with up to ten options.",
    licence="Apache-2.0 (repository); MIT (dataset card)",
    redistribution="yes",
    citation="https://arxiv.org/abs/2406.01574",
    main_metric="",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.mmlu_pro_scenario.MMLUProScenario",
)


def mmlu_pro(subject: Subject = "all", use_chain_of_thought: bool = True, use_few_shot: bool = False) -> Task:
    how = f"use_chain_of_thought={use_chain_of_thought},use_few_shot={use_few_shot}".lower()
    return Task(
        name=f"mmlu_pro:subset={subject},{how}",
        scenario=ScenarioSpec("mmlu_pro", {"subject": subject}),
        adapter=AdapterSpec(
            method="multiple_choice_joint_chain_of_thought" if use_chain_of_thought else JOINT,
            global_suffix=f"{_REASON} {_FORMAT}" if use_chain_of_thought else _FORMAT,
            input_prefix="What is the correct answer to this question: ",
            input_suffix="\nChoices:\n",
            output_prefix="",
            max_train_instances=5 if use_few_shot else 0,
            max_tokens=4096,
        ),
        metrics=metrics("chain_of_thought_correctness") if use_chain_of_thought else EXACT_MATCH,
        groups=("mmlu_pro",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("mmlu_pro")(mmlu_pro)
