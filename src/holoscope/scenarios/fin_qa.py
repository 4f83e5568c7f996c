"""FinQA and ConvFinQA: sums over the tables of financial reports, as a program or as the result.

FinQA's references are, as in HELM, the right program and, marked as no answers, what it gives and the report's table:
its metric runs programs over the one and compares with the other. How programs are written is told in upstream's words.
"""

import json
from collections.abc import Iterator

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    DataError,
    Files,
    Instance,
    Json,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import IN_FILES, generation, metrics
from holoscope.scenarios.constants import constant
from holoscope.scenarios.fields import member, text, texts
from holoscope.scenarios.references import right_answer
from holoscope.scenarios.rows import Row, read_rows

_CLASSES = "helm.benchmark.scenarios"
_RAW = "https://raw.githubusercontent.com"
_URL = f"{_RAW}/czyssrs/FinQA/0f16e2867befa6840783e58be38c9efb9229d742/dataset/"
_TOLD = "fin_qa_scenario.py"
_TOLD_URL = f"{_RAW}/stanford-crfm/helm/v0.5.16/src/helm/benchmark/scenarios/"
_CONVERSATIONS_URL = "https://github.com/czyssrs/ConvFinQA/raw/cf3eed2d5984960bf06bb8145bcea5e80b0222a6/data.zip"
_CONVERSATIONS = {"train_turn.json": TRAIN, "dev_turn.json": VALID}


def _sources() -> tuple[Source, ...]:
    rows = (Source(path=f"{split}.json", url=f"{_URL}{split}.json") for split in (TRAIN, TEST))
    return (*rows, Source(path=_TOLD, url=_TOLD_URL + _TOLD))


def _load(files: Files) -> Iterator[Instance]:
    for split in (TRAIN, TEST):
        for row in read_rows(files.path(f"{split}.json")):
            yield _instance(row, split)


def _instance(row: Row, split: str) -> Instance:
    asked = member(row, "qa")
    table = json.dumps(row.values.get("table"))
    parts = (
        "Pre-table text: " + "\n".join(texts(row, "pre_text")),
        f"Table: {table}",
        "Post-table text: " + "\n".join(texts(row, "post_text")),
        f"Question: {text(asked, 'question')}",
    )
    program = Reference(text(asked, "program"), (CORRECT,))
    return Instance(
        input="\n".join(parts),
        references=(program, Reference(str(asked.values.get("exe_ans"))), Reference(table)),
        split=split,
    )


def _instructions(files: Files) -> str:
    return str(constant(files.path(_TOLD), "INSTRUCTIONS"))


def _conversation_sources() -> tuple[Source, ...]:
    return tuple(Source(path=name, url=_CONVERSATIONS_URL, member=f"data/{name}") for name in _CONVERSATIONS)


def _conversations(files: Files) -> Iterator[Instance]:
    for name, split in _CONVERSATIONS.items():
        for row in read_rows(files.path(name)):
            noted = member(row, "annotation")
            answer = str(noted.values.get("exe_ans"))
            cluster = row.values.get("filename")
            yield Instance(
                input=_conversation(row, noted),
                references=right_answer(answer),
                split=split,
                cluster=cluster if isinstance(cluster, str) else None,
            )


def _conversation(row: Row, noted: Row) -> str:
    """The table, the passages that matter, and the questions so far with their answers."""
    rows = row.values.get("table")
    if not isinstance(rows, list):
        raise DataError(f"{row.where}: table should be a list of rows")
    lines = [f"| {' | '.join(map(str, cells))} |" for cells in rows if isinstance(cells, list)]
    parts = ["Table: ", *lines, ""]
    if said := _passages(noted):
        parts += ["Text: ", said, ""]
    *before, last = texts(noted, "cur_dial")
    answers = noted.values.get("exe_ans_list")
    known = answers if isinstance(answers, list) else []
    for question, answer in zip(before, known, strict=False):  # the last question's answer is in the list, too
        parts += [f"Question: {question}", f"Answer: {answer}"]
    return "\n".join([*parts, f"Question: {last}"])


def _passages(noted: Row) -> str:
    facts: Json = noted.values.get("gold_ind", noted.values.get("gold_inds"))
    return "".join(str(fact) for kind, fact in facts.items() if "text" in kind) if isinstance(facts, dict) else ""


CARDS = (
    Scenario(
        name="fin_qa",
        title="FinQA",
        description="Sums over the tables of financial reports, to be written as programs.",
        licence="MIT",
        redistribution="yes",
        citation="https://arxiv.org/abs/2109.00122",
        main_metric="program_accuracy",
        main_split=TEST,
        load=_load,
        sources=_sources,
        instructions=_instructions,
        helm_class=f"{_CLASSES}.fin_qa_scenario.FinQAScenario",
    ),
    Scenario(
        name="conv_fin_qa_calc",
        title="ConvFinQA",
        description="Conversations about the tables of financial reports, up to a question whose answer is a number.",
        licence="MIT",
        redistribution="yes",
        citation="https://arxiv.org/abs/2210.03849",
        main_metric="float_equiv",
        main_split=VALID,
        load=_conversations,
        sources=_conversation_sources,
        helm_class=f"{_CLASSES}.conv_fin_qa_calc_scenario.ConvFinQACalcScenario",
    ),
)


def fin_qa() -> Task:
    return Task(
        name="fin_qa",
        scenario=ScenarioSpec("fin_qa"),
        adapter=generation(instructions=IN_FILES, output_noun="Program", max_tokens=100),
        metrics=metrics("fin_qa"),
        groups=("fin_qa",),
    )


def conv_fin_qa_calc() -> Task:
    told = (
        "Based on the table, answer the final question. Respond with the answer only, with no additional explanation."
    )
    return Task(
        name="conv_fin_qa_calc",
        scenario=ScenarioSpec("conv_fin_qa_calc"),
        adapter=generation(instructions=told, output_noun="Answer"),
        metrics=metrics("float_equiv"),
        groups=("conv_fin_qa_calc",),
    )


def register(registry: Registry) -> None:
    for card in CARDS:
        registry.scenario(card)
    registry.task("fin_qa")(fin_qa)
    registry.task("conv_fin_qa_calc", "conv_fin_qa", "convfinqa")(conv_fin_qa_calc)
