"""PubMedQA: questions of biomedical papers' titles, answered yes, no or maybe from the abstract without its conclusion.

All thousand rows that experts labelled are asked: HELM takes no test split out of them.
"""

from collections.abc import Iterator

from holoscope.core import (
    TEST,
    DataError,
    Files,
    Instance,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, multiple_choice
from holoscope.scenarios.fields import text, texts
from holoscope.scenarios.references import right_position
from holoscope.scenarios.rows import Row, read_objects

_FILE = "ori_pqal.json"
_URL = "https://raw.githubusercontent.com/pubmedqa/pubmedqa/1f00b98d5cc626844bf8c4ca513b6e62c40071ec/data/"
_ANSWERS = ("yes", "no", "maybe")


def sources() -> tuple[Source, ...]:
    return (Source(path=_FILE, url=_URL + _FILE),)


def load(files: Files) -> Iterator[Instance]:
    for _, row in read_objects(files.path(_FILE)):
        yield _instance(row)


def _instance(row: Row) -> Instance:
    labels, contexts = texts(row, "LABELS"), texts(row, "CONTEXTS")
    answer = text(row, "final_decision")
    if len(labels) != len(contexts) or answer not in _ANSWERS:
        raise DataError(f"{row.where}: expected a label for each context, and yes, no or maybe; found {answer!r}")
    abstract = "\n".join(f"{label.title()}. {context}" for label, context in zip(labels, contexts, strict=True))
    return Instance(
        input=f"Context: {abstract}\n\nQuestion: {text(row, 'QUESTION')}\n",
        references=right_position(_ANSWERS, _ANSWERS.index(answer)),
        split=TEST,
    )


CARD = Scenario(
    name="pubmed_qa",
    title="PubMedQA",
    description="Yes, no or maybe: questions answered from abstracts of biomedical papers.",
    licence="MIT",
    redistribution="yes",
    citation="https://arxiv.org/abs/1909.06146",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    chance=1 / 3,
    helm_class="helm.benchmark.scenarios.pubmed_qa_scenario.PubMedQAScenario",
)


def pubmed_qa() -> Task:
    instructions = (
        "Answer A for yes, B for no or C for maybe. Do not include any explanation or additional text. "
        "Output only the letter on a single line."
    )
    return Task(
        name="pubmed_qa",
        scenario=ScenarioSpec("pubmed_qa"),
        adapter=multiple_choice(JOINT, instructions, max_train_instances=0),
        metrics=EXACT_MATCH,
        groups=("pubmed_qa",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("pubmed_qa")(pubmed_qa)
