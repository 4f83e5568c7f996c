"""NarrativeQA from summaries: questions about books and films, asked of their Wikipedia summaries.

One question per document is drawn, always the same: the draws run over train, valid and test documents in file order
from one generator, so leaving a split out would change the questions of the next.
"""

import random
from collections.abc import Iterator

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    DataError,
    Files,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import OPEN_ENDED, generation
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import Row, read_csv

_COMMIT = "f74c266a00d4b6f2306f34a5f7b1cc14f92bdb3e"
_URL = f"https://github.com/google-deepmind/narrativeqa/archive/{_COMMIT}.zip"
_QUESTIONS = "qaps.csv"
_SUMMARIES = "third_party/wikipedia/summaries.csv"


def sources() -> tuple[Source, ...]:
    return tuple(
        Source(path=f"narrativeqa-master/{name}", url=_URL, member=f"narrativeqa-{_COMMIT}/{name}")
        for name in (_QUESTIONS, _SUMMARIES)
    )


def load(files: Files) -> Iterator[Instance]:
    draw = random.Random(0)
    summaries = {
        text(row, "document_id"): text(row, "summary").strip()
        for row in read_csv(files.path(f"narrativeqa-master/{_SUMMARIES}"))
    }
    by_split = _questions(read_csv(files.path(f"narrativeqa-master/{_QUESTIONS}")))
    for split, by_document in by_split.items():
        for document, rows in by_document.items():
            row = draw.choice(rows)
            if document not in summaries:
                raise DataError(f"{row.where}: document {document} has no summary")
            yield _instance(row, document, summaries[document], split)


def _questions(rows: Iterator[Row]) -> dict[str, dict[str, list[Row]]]:
    """Rows by split and document, both in their order."""
    by_split: dict[str, dict[str, list[Row]]] = {TRAIN: {}, VALID: {}, TEST: {}}
    for row in rows:
        split = text(row, "set")
        if split not in by_split:
            raise DataError(f"{row.where}: set should be train, valid or test, and is {split!r}")
        by_split[split].setdefault(text(row, "document_id"), []).append(row)
    return by_split


def _instance(row: Row, document: str, summary: str, split: str) -> Instance:
    question = text(row, "question").strip()
    if not question.endswith("?"):
        question += "?"
    return Instance(
        input=f"{summary}\nQuestion: {question}",
        references=tuple(Reference(text(row, name), (CORRECT,)) for name in ("answer1", "answer2")),
        split=split,
        cluster=document,
    )


CARD = Scenario(
    name="narrative_qa",
    title="NarrativeQA",
    description="Questions about books and films, asked of their summaries.",
    licence="Apache-2.0 (questions); CC-BY-SA-3.0 (Wikipedia summaries)",
    redistribution="yes",
    citation="https://arxiv.org/abs/1712.07040",
    main_metric="f1_score",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.narrativeqa_scenario.NarrativeQAScenario",
)


def narrative_qa() -> Task:
    return Task(
        name="narrative_qa",
        scenario=ScenarioSpec("narrative_qa"),
        adapter=generation(input_noun="Passage", output_noun="Answer", max_tokens=100),
        metrics=OPEN_ENDED,
        groups=("narrative_qa",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("narrative_qa", "narrativeqa")(narrative_qa)
