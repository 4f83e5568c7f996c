"""GPQA: questions of biology, physics and chemistry that a search engine does not answer.

The options are shuffled with a fixed seed. Two or three questions of each subset, those of the paper's prompts, serve
as worked examples. Its authors ask that no question be shown in plain text where models may read it, and gave their
file a gate: the rows come from the user's own copy alone and go into no export.
"""

import random
from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    AdapterSpec,
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
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, metrics
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import read_csv

Subset = Literal["main", "diamond", "extended", "gpqa_main", "gpqa_diamond", "gpqa_extended"]

_PAGE = "https://huggingface.co/datasets/Idavidrein/gpqa"
_GATED = f"its authors ask for agreement to their conditions at {_PAGE}"
_WORKED = {"gpqa_main": (339, 105), "gpqa_diamond": (124, 39), "gpqa_extended": (146, 330, 436)}
"""Positions of the rows that are examples."""
_SEED = 42
_FORMAT = 'Format your response as follows: "The correct answer is (insert answer here)".'
_REASON = "Let’s think step by step. Based on your reasoning, what is the single, most likely answer choice?"
_EXAMPLES = (
    "Here are some example questions from experts. An explanation is given before the final answer. "
    "Answer the final question yourself, giving your reasoning beforehand.\n"
)
_WHEN_READY = (
    "Give step by step reasoning before you answer, and when you’re ready to answer, "
    'please use the format "The correct answer is (insert answer here)":'
)


def sources(subset: str) -> tuple[Source, ...]:
    return (Source(path=f"{subset}.csv", gated=_GATED),)


def load(files: Files, subset: str) -> Iterator[Instance]:
    draw = random.Random(_SEED)
    for position, row in enumerate(read_csv(files.path(f"{subset}.csv"))):
        wrong = (text(row, f"Incorrect Answer {number}") for number in (1, 2, 3))
        options = [Reference(text(row, "Correct Answer").strip(), (CORRECT,)), *(Reference(w.strip()) for w in wrong)]
        draw.shuffle(options)
        worked: dict[str, Json] = {"chain_of_thought": text(row, "Explanation")}
        is_example = position in _WORKED[subset]
        yield Instance(
            input=text(row, "Question").strip(),
            references=tuple(options),
            split=TRAIN if is_example else TEST,
            groups={"domain": domain} if isinstance(domain := row.values.get("High-level domain"), str) else {},
            extra=worked if is_example else {},
        )


CARD = Scenario(
    name="gpqa",
    title="GPQA",
    description="Questions of graduate biology, physics and chemistry that a search engine does not answer.",
    licence="CC-BY-4.0, behind a gate",
    redistribution="no",
    citation="https://arxiv.org/abs/2311.12022",
    main_metric="",
    main_split=TEST,
    load=load,
    sources=sources,
    chance=0.25,
    helm_class="helm.benchmark.scenarios.gpqa_scenario.GPQAScenario",
)


def gpqa(subset: Subset, use_chain_of_thought: bool = True, use_few_shot: bool = False) -> Task:
    name = subset if subset.startswith("gpqa_") else f"gpqa_{subset}"
    how = f"use_chain_of_thought={use_chain_of_thought},use_few_shot={use_few_shot}".lower()
    return Task(
        name=f"gpqa:subset={name},{how}",
        scenario=ScenarioSpec("gpqa", {"subset": name}),
        adapter=(_few_shot if use_few_shot else _zero_shot)(use_chain_of_thought),
        metrics=metrics("chain_of_thought_correctness") if use_chain_of_thought else EXACT_MATCH,
        groups=("gpqa",),
    )


def _zero_shot(reasons: bool) -> AdapterSpec:
    return AdapterSpec(
        method="multiple_choice_joint_chain_of_thought" if reasons else JOINT,
        global_suffix=f"{_REASON} {_FORMAT}" if reasons else _FORMAT,
        input_prefix="What is the correct answer to this question: ",
        input_suffix="\nChoices:\n",
        reference_prefix="(A) ",
        output_prefix="",
        max_train_instances=0,
        max_tokens=4096,
    )


def _few_shot(reasons: bool) -> AdapterSpec:
    asked = AdapterSpec(
        method=JOINT,
        instructions=_EXAMPLES,
        input_prefix="Question: ",
        input_suffix="\nChoices: \n",
        reference_prefix="(A) ",
        output_prefix="The correct answer is ",
        max_tokens=1,
        temperature=0.0,
        stop_sequences=("\n",),
    )
    if not reasons:
        return asked
    return replace(
        asked,
        method="multiple_choice_joint_chain_of_thought",
        chain_of_thought_prefix="Let's think step by step: ",
        chain_of_thought_suffix="The correct answer is ",
        output_prefix="",
        global_suffix=_WHEN_READY,
        max_tokens=2000,
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("gpqa")(gpqa)
