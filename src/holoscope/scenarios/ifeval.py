"""IFEval: instructions whose following a program can check, such as a number of words or a forbidden letter.

What is to be checked lies in `Instance.extra`, in upstream's names, for the metric that checks it. Rows bring their own
ids.
"""

from collections.abc import Iterator

from holoscope.core import (
    TEST,
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
from holoscope.scenarios.adapters import metrics
from holoscope.scenarios.fields import integer, objects, text, texts
from holoscope.scenarios.rows import read_jsonl

_FILE = "ifeval_input_data.jsonl"
_URL = "https://huggingface.co/datasets/google/IFEval/resolve/966cd89545d6b6acfd7638bc708b98261ca58e84/"


def sources() -> tuple[Source, ...]:
    return (Source(path=_FILE, url=_URL + _FILE),)


def load(files: Files) -> Iterator[Instance]:
    for row in read_jsonl(files.path(_FILE)):
        ids: list[Json] = [*texts(row, "instruction_id_list")]
        kwargs: list[Json] = [arguments.values for arguments in objects(row, "kwargs")]
        yield Instance(
            id=f"id{integer(row, 'key')}",
            input=text(row, "prompt").strip(),
            split=TEST,
            extra={"instruction_ids": ids, "instruction_kwargs": kwargs},
        )


CARD = Scenario(
    name="ifeval",
    title="IFEval",
    description="Prompts with instructions whose following can be checked by a program.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2311.07911",
    main_metric="ifeval_strict_accuracy",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.ifeval_scenario.IFEvalScenario",
)


def ifeval() -> Task:
    return Task(
        name="ifeval",
        scenario=ScenarioSpec("ifeval"),
        adapter=AdapterSpec(input_prefix="", output_prefix="", num_outputs=1, max_tokens=4096, temperature=0.0),
        metrics=metrics("ifeval"),
        groups=("ifeval",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("ifeval")(ifeval)
