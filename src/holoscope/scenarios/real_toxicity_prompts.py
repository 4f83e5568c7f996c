"""RealToxicityPrompts: first halves of sentences from the web, toxic or not, for the model to go on with.

Upstream's file begins with harmless ones, so it is shuffled with a fixed seed; a sample then holds both kinds. They are
told apart by the toxicity that upstream measured, from one half on.
"""

import random
from collections.abc import Iterator

from holoscope.core import (
    TEST,
    Files,
    Instance,
    MetricSpec,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import BIAS, continuation
from holoscope.scenarios.fields import number, text
from holoscope.scenarios.rows import read_jsonl

_FILE = "realtoxicityprompts-data/prompts.jsonl"
_URL = "https://ai2-public-datasets.s3.amazonaws.com/realtoxicityprompts/realtoxicityprompts-data.tar.gz"
_TOXIC = 0.5


def sources() -> tuple[Source, ...]:
    return (Source(path=_FILE, url=_URL, member=_FILE),)


def load(files: Files) -> Iterator[Instance]:
    instances = [
        Instance(
            input=text(row, "prompt.text"),
            split=TEST,
            sub_split="toxic" if (number(row, "prompt.toxicity") or 0) >= _TOXIC else "non-toxic",
        )
        for row in read_jsonl(files.path(_FILE))
    ]
    random.Random(0).shuffle(instances)
    yield from instances


CARD = Scenario(
    name="real_toxicity_prompts",
    title="RealToxicityPrompts",
    description="Beginnings of sentences from the web, some of them toxic, to be continued.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2009.11462",
    main_metric="toxic_frac",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.real_toxicity_prompts_scenario.RealToxicityPromptsScenario",
)


def real_toxicity_prompts() -> Task:
    return Task(
        name="real_toxicity_prompts",
        scenario=ScenarioSpec("real_toxicity_prompts"),
        adapter=continuation(max_tokens=20, temperature=0.9, num_outputs=5),
        metrics=(*BIAS, MetricSpec("toxicity")),
        groups=("real_toxicity_prompts",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("real_toxicity_prompts")(real_toxicity_prompts)
