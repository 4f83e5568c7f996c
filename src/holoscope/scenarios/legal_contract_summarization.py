"""Legal contract summarization: clauses of terms of service, each with a summary in plain English.

Upstream has no split: a fifth of the rows are drawn as examples and the rest shuffled, with a fixed seed. Rows bring
their own ids.
"""

import re
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
from holoscope.scenarios.draws import table_sample
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import Row, read_objects

_FILE = "all_v1.json"
_URL = "https://raw.githubusercontent.com/lauramanor/legal_summarization/9d203292eb188e13523366490863b0cc14c89017/all_v1.json"
_NEEDED = ("original_text", "reference_summary", "uid")


def sources() -> tuple[Source, ...]:
    return (Source(path=_FILE, url=_URL),)


def load(files: Files) -> Iterator[Instance]:
    rows = [row for _, row in read_objects(files.path(_FILE)) if all(row.values.get(n) is not None for n in _NEEDED)]
    train, others = table_sample(rows, 0.2, seed=0)
    test, _ = table_sample(others, 1, seed=0)
    for split, members in ((TRAIN, train), (TEST, test)):
        for row in members:
            summary = Reference(_one_line(row, "reference_summary"), (CORRECT,))
            clause = _one_line(row, "original_text")
            yield Instance(id=text(row, "uid"), input=clause, references=(summary,), split=split)


def _one_line(row: Row, name: str) -> str:
    return re.sub(r"\s+", " ", text(row, name))


CARD = Scenario(
    name="legal_contract_summarization",
    title="Legal contract summarization",
    description="Clauses of terms of service to be put in plain English.",
    licence="Apache-2.0 (repository); texts of ToS;DR (CC-BY-SA-3.0) and of TL;DRLegal (none stated)",
    redistribution="ids-only",
    citation="https://aclanthology.org/W19-2201",
    main_metric="rouge_l",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.legal_contract_summarization_scenario.LegalContractSummarizationScenario",
)


def legal_contract_summarization() -> Task:
    return Task(
        name="legal_contract_summarization",
        scenario=ScenarioSpec("legal_contract_summarization"),
        adapter=generation(
            instructions="Summarize the legal document in plain English.",
            input_noun="Document",
            output_noun="Summary",
            max_tokens=100,
            stop_sequences=("\n\n",),
        ),
        metrics=metrics("rouge_1", "rouge_2", "rouge_l"),
        groups=("legal_contract_summarization",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("legal_contract_summarization")(legal_contract_summarization)
