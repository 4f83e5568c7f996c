"""EWoK: which of two contexts makes a sentence plausible, in eleven domains of knowledge about the world.

Each pair of contexts goes with two sentences, of which each fits one. Its authors ask that the rows be shared in no
form that a crawler reads, and put them behind a gate: they come from the user's own copy alone. Two examples, of no
domain, stand in the prompts of its paper.
"""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import TEST, TRAIN, AdapterSpec, Files, Instance, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT
from holoscope.scenarios.fields import text
from holoscope.scenarios.references import right_position
from holoscope.scenarios.rows import read_rows

Domain = Literal[
    "all",
    "agent_properties",
    "material_dynamics",
    "material_properties",
    "physical_dynamics",
    "physical_interactions",
    "physical_relations",
    "quantitative_properties",
    "social_interactions",
    "social_properties",
    "social_relations",
    "spatial_relations",
]

_FILE = "data/test-00000-of-00001.parquet"
_GATED = "its authors ask for agreement to their conditions at https://huggingface.co/datasets/ewok-core/ewok-core-1.0"
_EXAMPLES = (
    ("I drew a ball from the bag.", ("The bag is full of blocks.", "The bag is full of balls."), 1),
    ("The boy chose to eat a cookie.", ("The boy likes cookies.", "The boy does not like cookies."), 0),
)


def sources(domain: str) -> tuple[Source, ...]:
    return (Source(path=_FILE, gated=_GATED, stand_in="ewok/test.jsonl"),)


def load(files: Files, domain: str) -> Iterator[Instance]:
    wanted, number = domain.replace("_", "-"), 0
    for row in read_rows(files.path(_FILE)):
        contexts = [text(row, "Context1"), text(row, "Context2")]
        for right in (0, 1):
            if wanted in ("all", text(row, "Domain")):
                yield Instance(
                    id=f"id{number}",
                    input=text(row, f"Target{right + 1}"),
                    references=right_position(contexts, right),
                    split=TEST,
                    groups={"domain": text(row, "Domain")},
                    cluster=f"pair {number // 2}",
                )
            number += 1
    for added, (sentence, shown, right) in enumerate(_EXAMPLES):
        yield Instance(id=f"id{number + added}", input=sentence, references=right_position(shown, right), split=TRAIN)


CARD = Scenario(
    name="ewok",
    title="EWoK",
    description="Which of two contexts makes a sentence plausible, in eleven domains of knowledge about the world.",
    licence="CC-BY-4.0, behind a gate",
    redistribution="no",
    citation="https://arxiv.org/abs/2405.09605",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    chance=0.5,
    helm_class="helm.benchmark.scenarios.ewok_scenario.EWoKScenario",
)


def ewok(domain: Domain = "all") -> Task:
    told = (
        "In this study, you will see multiple examples. In each example, you will be given two contexts and a "
        "scenario. Your task is to read the two contexts and the subsequent scenario, and pick the context that "
        'makes more sense considering the scenario that follows. The contexts will be numbered "1" or "2". You '
        'must answer using "1" or "2" in your response.'
    )
    asked = 'Which context makes more sense given the scenario? Please answer using either "1" or "2".'
    adapter = AdapterSpec(
        method=JOINT,
        instructions=f"# INSTRUCTIONS\n\n{told}\n",
        input_prefix='# TEST EXAMPLE\n\n## Scenario\n"',
        input_suffix='"\n\n## Contexts\n',
        reference_prefix='1. "',
        reference_suffix='"\n',
        output_prefix=f"\n## Task\n{asked}\n\n## Response\n",
        max_train_instances=2,
        num_outputs=1,
        max_tokens=2,
        temperature=0.0,
        stop_sequences=("\n\n",),
    )
    return Task(
        name=f"ewok:domain={domain}",
        scenario=ScenarioSpec("ewok", {"domain": domain}),
        adapter=adapter,
        metrics=EXACT_MATCH,
        groups=("ewok", f"ewok_{domain}"),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("ewok")(ewok)
