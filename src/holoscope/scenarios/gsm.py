"""GSM8K: grade-school word problems whose worked solution ends in a number.

Solutions become one line that ends in "The answer is N.", so that a blank line can end the model's answer.
"""

from collections.abc import Iterator

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    Files,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import generation, metrics
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import read_jsonl

_URL = (
    "https://raw.githubusercontent.com/openai/grade-school-math/"
    "3101c7d5072418e28b9008a6636bde82a006892c/grade_school_math/data/"
)


def sources() -> tuple[Source, ...]:
    return tuple(Source(path=f"{split}.jsonl", url=f"{_URL}{split}.jsonl") for split in (TRAIN, TEST))


def load(files: Files) -> Iterator[Instance]:
    for split in (TRAIN, TEST):
        for row in read_jsonl(files.path(f"{split}.jsonl")):
            solution = text(row, "answer").replace("####", "The answer is").replace("\n", " ") + "."
            yield Instance(input=text(row, "question"), references=(Reference(solution, (CORRECT,)),), split=split)


CARD = Scenario(
    name="gsm",
    title="GSM8K",
    description="Grade-school math word problems with worked solutions.",
    licence="MIT",
    redistribution="yes",
    citation="https://arxiv.org/abs/2110.14168",
    main_metric="final_number_exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.gsm_scenario.GSM8KScenario",
)


def gsm() -> Task:
    return Task(
        name="gsm",
        scenario=ScenarioSpec("gsm"),
        adapter=generation(input_noun="Q", output_noun="A", max_tokens=400, stop_sequences=("\n\n",)),
        metrics=metrics("exact_match_indicator", "final_number_exact_match"),
        groups=("gsm",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("gsm", "gsm8k")(gsm)
