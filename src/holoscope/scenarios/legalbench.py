"""LegalBench: five of its tasks, chosen by HELM to show five ways of legal reasoning; the others by name.

Upstream says in a settings file how each task is asked. What an entry resolves to cannot wait for a download, so the
settings stand here.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple, cast

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
from holoscope.scenarios.adapters import EXACT_MATCH, generation
from holoscope.scenarios.fields import text
from holoscope.scenarios.legalbench_tasks import ROWS_URL, Other, other_task
from holoscope.scenarios.rows import read_rows

Subset = Literal[
    "abercrombie",
    "corporate_lobbying",
    "international_citizenship_questions",
    "function_of_decision_section",
    "proa",
]
Name = Literal[Subset, Other]


class Settings(NamedTuple):
    """How a task is asked."""

    fields: dict[str, str]
    """Its name in the prompt -> a column."""
    instructions: str
    output_noun: str
    max_train_instances: int = 5


_SETTINGS: dict[str, Settings] = {
    "abercrombie": Settings(
        {"Description": "text"},
        "A mark is generic if it is the common name for the product. A mark is descriptive if it describes a purpose, "
        "nature, or attribute of the product. A mark is suggestive if it suggests or implies a quality or "
        "characteristic of the product. A mark is arbitrary if it is a real English word that has no relation to the "
        "product. A mark is fanciful if it is an invented word. Label the type of mark for the following products.",
        "Type",
    ),
    "corporate_lobbying": Settings(
        {
            "Official title of bill": "bill_title",
            "Official summary of bill": "bill_summary",
            "Company name": "company_name",
            "Company business description": "company_description",
        },
        "You are a lobbyist analyzing Congressional bills for their impacts on companies. Given the title and summary "
        "of the bill, plus information on the company from its 10K SEC filing, it is your job to determine if a bill "
        "is at least somewhat relevant to a company in terms of whether it could impact the company's bottom-line if "
        "it was enacted (by saying Yes or No).",
        "Label",
        max_train_instances=0,
    ),
    "international_citizenship_questions": Settings(
        {"Question": "question"},
        "Answer the following questions considering the state of international law on January 1st, 2020. "
        "Answer Yes or No.",
        "Answer",
    ),
    "function_of_decision_section": Settings(
        {"Text": "Paragraph"},
        "Classify the following text using the following definitions.\n\n"
        "- Facts: The paragraph describes the factual background that led up to the present lawsuit.\n"
        "- Procedural History: The paragraph describes the course of litigation that led to the current proceeding "
        "before the court.\n"
        "- Issue: The paragraph describes the legal or factual issue that must be resolved by the court.\n"
        "- Rule: The paragraph describes a rule of law relevant to resolving the issue.\n"
        "- Analysis: The paragraph analyzes the legal issue by applying the relevant legal principles to the facts "
        "of the present dispute.\n"
        "- Conclusion: The paragraph presents a conclusion of the court.\n"
        "- Decree: The paragraph constitutes a decree resolving the dispute.",
        "Function",
    ),
    "proa": Settings(
        {"Statute": "text"},
        "A private right of action is when a regular person, a private citizen, is legally entitled to enforce their "
        "rights under a given statute. Does the clause specify a private right of action? Answer Yes or No.",
        "Answer",
    ),
}
_SPLITS = (TRAIN, TEST)


def sources(subset: str) -> tuple[Source, ...]:
    return tuple(
        Source(path=_path(subset, split), url=ROWS_URL, member=_path(subset, split), stand_in=_rows(subset, split))
        for split in _SPLITS
    )


def load(files: Files, subset: Subset) -> Iterator[Instance]:
    fields = _SETTINGS[subset].fields
    for split in _SPLITS:
        for row in read_rows(files.path(_path(subset, split))):
            asked = "\n".join(f"{name}: {text(row, column)}" for name, column in fields.items())
            yield Instance(input=asked, references=(Reference(text(row, "answer"), (CORRECT,)),), split=split)


def _path(subset: str, split: str) -> str:
    return f"data/{subset}/{split}.tsv"


def _rows(subset: str, split: str) -> str:
    return f"legalbench/{subset}/{split}.jsonl"


CARD = Scenario(
    name="legalbench",
    title="LegalBench",
    description="Five tasks of legal reasoning, from classifying trademarks to reading statutes.",
    licence="CC-BY-4.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2308.11462",
    main_metric="quasi_exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.legalbench_scenario.LegalBenchScenario",
)


def legalbench(subset: Name) -> Task:
    settings = _SETTINGS.get(subset)
    if settings is None:
        return other_task(cast("Other", subset))
    return Task(
        name=f"legalbench:subset={subset}",
        scenario=ScenarioSpec("legalbench", {"subset": subset}),
        adapter=generation(
            instructions=settings.instructions,
            output_noun=settings.output_noun,
            max_train_instances=settings.max_train_instances,
            max_tokens=30,
        ),
        metrics=EXACT_MATCH,
        groups=("legalbench",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("legalbench")(legalbench)
