"""WildBench: conversations that users had with chatbots, up to a turn that is hard to answer well.

What a judge should look at is part of each row. What three models answered, with which HELM can have a judge compare,
is published apart.
"""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import (
    TEST,
    AdapterSpec,
    DataError,
    Files,
    Instance,
    Json,
    Message,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import metrics
from holoscope.scenarios.fields import objects, text, texts
from holoscope.scenarios.rows import Row, read_rows

Subset = Literal["v2"]

_HUB = "https://huggingface.co/datasets/allenai/WildBench/resolve/7c05c1b4550282b2ed6a2e6ac5db069f1e07df5c/"


def sources(subset: str, use_model_outputs: bool) -> tuple[Source, ...]:
    path = _path(subset)
    return (Source(path=path, url=_HUB + path, stand_in=f"wildbench/{subset}.jsonl"),)


def load(files: Files, subset: str, use_model_outputs: bool) -> Iterator[Instance]:
    for row in read_rows(files.path(_path(subset))):
        turns = tuple(_message(turn) for turn in objects(row, "conversation_input"))
        checklist: list[Json] = [*texts(row, "checklist")]
        spoken = "\n".join(f"{turn.role}: {turn.content}" for turn in turns)
        yield Instance(input=spoken, messages=turns, split=TEST, extra={"checklist": checklist})


def _message(turn: Row) -> Message:
    match text(turn, "role"):
        case "system" | "user" | "assistant" as role:
            return Message(role, text(turn, "content"))
        case other:
            raise DataError(f"{turn.where}: nobody speaks as {other!r} in a chat")


def _path(subset: str) -> str:
    return f"{subset}/test-00000-of-00001.parquet"


CARD = Scenario(
    name="wildbench",
    title="WildBench",
    description="Conversations that users had with chatbots, up to a turn that is hard to answer well.",
    licence="AI2 ImpACT (low risk); the conversations are WildChat's",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2406.04770",
    main_metric="wildbench_score_rescaled",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.wildbench_scenario.WildBenchScenario",
)


def wildbench(subset: Subset = "v2") -> Task:
    return Task(
        name=f"wildbench:subset={subset}",
        scenario=ScenarioSpec("wildbench", {"subset": subset, "use_model_outputs": False}),
        adapter=AdapterSpec(
            method="chat", input_prefix="", output_prefix="", num_outputs=1, max_tokens=2000, temperature=0.0
        ),
        metrics=metrics("wildbench"),
        groups=("wildbench",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("wildbench")(wildbench)
