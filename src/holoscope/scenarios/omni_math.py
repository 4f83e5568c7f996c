"""Omni-MATH: problems of mathematical olympiads, whose answers a judge compares with the right one.

Its problems come from pages that the owner of MATH's had taken down, so they are read from the user's own copy alone.
Beside the judge a rule compares the answers: many are numbers or formulas.
"""

from collections.abc import Iterator

from holoscope.core import TEST, AdapterSpec, Files, Instance, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import metrics
from holoscope.scenarios.fields import text
from holoscope.scenarios.references import right_answer
from holoscope.scenarios.rows import read_rows

_FILE = "test.jsonl"
_GATED = (
    "its problems come from the pages from which MATH's were taken, which are under takedown; those who may have them "
    "find the file at https://huggingface.co/datasets/KbsdJames/Omni-MATH (revision 40ba231)"
)


def sources() -> tuple[Source, ...]:
    return (Source(path=_FILE, gated=_GATED, stand_in="omni_math/test.parquet"),)


def load(files: Files) -> Iterator[Instance]:
    for row in read_rows(files.path(_FILE)):
        domains = row.values.get("domain")
        domain = domains[0] if isinstance(domains, list) and domains else domains
        yield Instance(
            input=text(row, "problem"),
            references=right_answer(text(row, "answer")),
            split=TEST,
            groups={"domain": domain} if isinstance(domain, str) else {},
        )


CARD = Scenario(
    name="omni_math",
    title="Omni-MATH",
    description="Problems of mathematical olympiads in 33 fields, of ten degrees of difficulty.",
    licence="Apache-2.0 (dataset card); the problems are olympiads' and the Art of Problem Solving's",
    redistribution="no",
    citation="https://arxiv.org/abs/2410.07985",
    main_metric="omni_math_accuracy",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.omni_math_scenario.OmniMATHScenario",
)


def omni_math() -> Task:
    told = "Answer the question, giving your reasoning beforehand. Wrap the final answer with the \\boxed{} command."
    return Task(
        name="omni_math",
        scenario=ScenarioSpec("omni_math"),
        adapter=AdapterSpec(
            instructions=told, input_prefix="", output_prefix="", num_outputs=1, max_tokens=4096, temperature=0.0
        ),
        metrics=metrics("omni_math"),
        groups=("omni_math",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("omni_math")(omni_math)
