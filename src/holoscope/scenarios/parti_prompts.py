"""PartiPrompts: 1,600 descriptions of images to be made. They are listed and can't be run: no model here makes images.

The rows load, so that they can be looked at and perturbed; an entry resolves to the run that HELM would make.
"""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import TEST, AdapterSpec, Files, Instance, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import read_csv

Category = Literal[
    "all",
    "Abstract",
    "Animals",
    "Artifacts",
    "Arts",
    "Food",
    "Illustrations",
    "Indoor",
    "Outdoor",
    "People",
    "Produce",
    "Vehicles",
    "World",
]

_PATH = "PartiPrompts.tsv"
_URL = "https://raw.githubusercontent.com/google-research/parti/5a657978134374ce28973948331b319adef164bd/"
_ASPECTS = {"Illustrations": "reasoning", "World": "knowledge", "Abstract": "extra"}
"""What else than the quality of images a category tries."""


def sources(category: str) -> tuple[Source, ...]:
    return (Source(path=_PATH, url=_URL + _PATH),)


def load(files: Files, category: str) -> Iterator[Instance]:
    for row in read_csv(files.path(_PATH), "\t"):
        named = text(row, "Category")
        if category == "all" or named.startswith(category):
            yield Instance(input=text(row, "Prompt"), split=TEST, groups={"category": named})


CARD = Scenario(
    name="parti_prompts",
    title="PartiPrompts",
    description="Descriptions of images to be made.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2206.10789",
    main_metric="",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.image_generation.parti_prompts_scenario.PartiPromptsScenario",
    unavailable="it asks for images, and no model that makes images is supported yet",
)


def parti_prompts(category: Category, run_human_eval: bool = False) -> Task:
    return Task(
        name=f"parti_prompts:category={category}",
        scenario=ScenarioSpec("parti_prompts", {"category": category}),
        adapter=AdapterSpec(
            method="generation",
            input_prefix="",
            input_suffix="",
            output_prefix="",
            output_suffix="",
            max_train_instances=0,
            num_outputs=4,
            max_tokens=0,
        ),
        metrics=(),
        groups=(f"parti_prompts_{_ASPECTS.get(category, 'image_quality')}",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("parti_prompts", "partiprompts")(parti_prompts)
