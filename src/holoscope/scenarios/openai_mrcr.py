"""OpenAI's MRCR: a long conversation that asks for one thing several times, and then for one of the answers again."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from holoscope.core import TEST, AdapterSpec, Files, Instance, Message, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import EXACT_MATCH, metrics
from holoscope.scenarios.fields import text
from holoscope.scenarios.references import right_answer
from holoscope.scenarios.rows import read_parquet

Needles = Literal[2, 4, 8]

_URL = "https://huggingface.co/datasets/openai/mrcr/resolve/204b0d4e8d9ca5c0a90bf942fdb2a5969094adc0/"


class Turn(msgspec.Struct):
    role: Literal["system", "user", "assistant"]
    content: str


def sources(needles: int, max_num_words: int) -> tuple[Source, ...]:
    path = f"{needles}needle.parquet"
    return (Source(path=path, url=_URL + path),)


def load(files: Files, needles: int, max_num_words: int) -> Iterator[Instance]:
    for position, row in enumerate(read_parquet(files.path(f"{needles}needle.parquet"))):
        turns = msgspec.json.decode(text(row, "prompt"), type=list[Turn])
        if sum(max(1, len(turn.content.split())) for turn in turns) <= max_num_words:
            yield Instance(
                id=f"{needles}needle{position}",
                input="\n".join(f"{turn.role}: {turn.content}" for turn in turns),
                messages=tuple(Message(turn.role, turn.content) for turn in turns),
                references=right_answer(text(row, "answer")),
                split=TEST,
                extra={"random_string_to_prepend": text(row, "random_string_to_prepend")},
            )


CARD = Scenario(
    name="openai_mrcr",
    title="OpenAI MRCR",
    description="Which of several equal requests in a long conversation had which answer.",
    licence="MIT",
    redistribution="yes",
    citation="https://huggingface.co/datasets/openai/mrcr",
    main_metric="openai_mrcr_accuracy",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.openai_mrcr_scenario.OpenAIMRCRScenario",
)


def openai_mrcr(needles: Needles, max_num_words: int = 131072) -> Task:
    return Task(
        name=f"openai_mrcr:needles={needles},max_num_words={max_num_words}",
        scenario=ScenarioSpec("openai_mrcr", {"needles": needles, "max_num_words": max_num_words}),
        adapter=AdapterSpec(
            method="chat", input_prefix="", output_prefix="", num_outputs=1, max_tokens=2000, temperature=0.0
        ),
        metrics=(*EXACT_MATCH, *metrics("openai_mrcr_accuracy")),
        groups=("openai_mrcr",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("openai_mrcr")(openai_mrcr)
