"""MedHELM's public benchmarks of multiple choice, and MedMCQA as HELM's older runs ask it.

MedQA has a card of its own; here is how MedHELM asks it. In RaceBias the question is whether somebody's answer holds
race-based or wrong content: the answers are paragraphs of the paper's supplement, the bad ones with words in red.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from msgspec.structs import replace

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    AdapterSpec,
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
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, multiple_choice
from holoscope.scenarios.documents import Paragraph, read_paragraphs
from holoscope.scenarios.fields import integer, objects, text
from holoscope.scenarios.references import position_of, right_position
from holoscope.scenarios.rows import Row, read_csv, read_jsonl, read_rows

Language = Literal["en", "es"]

_CLASSES = "helm.benchmark.scenarios"
_MCQA_URL = "https://drive.google.com/uc?export=download&id=15VkJdq5eyWIkfb_aoD3oS8i4tScbHYky&confirm=t"
_MCQA = {"train.json": TRAIN, "dev.json": VALID}
_BULLETS = "medbullets_op5.csv"
_BULLETS_URL = "https://raw.githubusercontent.com/HanjieChen/ChallengeClinicalQA/d20bfca3cff061460fc216e85899a86e52da4934/medbullets/"
_HEAD_URL = "https://huggingface.co/datasets/dvilares/head_qa/resolve/refs%2Fconvert%2Fparquet/"
_RACE = "41746_2023_939_MOESM1_ESM.docx"
_RACE_URL = "https://static-content.springer.com/esm/art%3A10.1038%2Fs41746-023-00939-z/MediaObjects/"
_YES_NO = ("yes", "no")
_GAP = " " * 20
"""HELM breaks its sentence within a line of code, and the code's indentation is in the prompt."""
_LETTER = "Respond only with 'A', 'B', 'C' or 'D'. Do not add any other text, punctuation, or symbols.: "


def _mcqa_sources() -> tuple[Source, ...]:
    return tuple(Source(path=name, url=_MCQA_URL, member=name) for name in _MCQA)


def _mcqa(files: Files) -> Iterator[Instance]:
    for name, split in _MCQA.items():
        for row in read_jsonl(files.path(name)):
            options = [text(row, f"op{letter}") for letter in "abcd"]
            references = right_position(options, integer(row, "cop") - 1)
            yield Instance(input=text(row, "question"), references=references, split=split)


def _bullets_sources() -> tuple[Source, ...]:
    return (Source(path=_BULLETS, url=_BULLETS_URL + _BULLETS),)


def _bullets(files: Files) -> Iterator[Instance]:
    for row in read_csv(files.path(_BULLETS)):
        if not all(row.values.get(name) for name in ("question", "answer_idx", "opa")):
            continue
        options = [text(row, f"op{letter}") for letter in "abcde"]
        right = position_of(text(row, "answer_idx"), options, row.where)
        yield Instance(input=text(row, "question"), references=right_position(options, right), split=TEST)


def _head_sources(language: str, category: str | None) -> tuple[Source, ...]:
    path = f"{language}/test/0000.parquet"
    return (Source(path=path, url=_HEAD_URL + path, stand_in=f"head_qa/{language}.jsonl"),)


def _head(files: Files, language: str, category: str | None) -> Iterator[Instance]:
    for row in read_rows(files.path(f"{language}/test/0000.parquet")):
        if row.values.get("image") is None and category in (None, text(row, "category")):
            yield _head_question(row)


def _head_question(row: Row) -> Instance:
    right = integer(row, "ra")
    options = [(text(option, "atext"), integer(option, "aid")) for option in objects(row, "answers")]
    return Instance(
        input=text(row, "qtext"),
        references=tuple(Reference(said, (CORRECT,) if number == right else ()) for said, number in options),
        split=TEST,
        groups={"category": text(row, "category")},
    )


def _race_sources() -> tuple[Source, ...]:
    return (Source(path=_RACE, url=_RACE_URL + _RACE),)


def _race(files: Files) -> Iterator[Instance]:
    found: dict[str, bool] = {}
    paragraphs = read_paragraphs(files.path(_RACE))
    starts = [number for number, paragraph in enumerate(paragraphs) if _asks(paragraph)]
    for start, end in pairwise([*starts, len(paragraphs)]):
        _, colon, question = paragraphs[start].text.strip().partition(": ")
        said = paragraphs[start + 1 : end]
        if colon:
            answer = "\n".join(paragraph.text.strip() for paragraph in said).strip()
            found[_race_prompt(question.strip(), answer)] = any(paragraph.has_red for paragraph in said)
    for prompt, is_bad in found.items():
        yield Instance(input=prompt, references=right_position(_YES_NO, 0 if is_bad else 1), split=TEST)


def _asks(paragraph: Paragraph) -> bool:
    said = paragraph.text.strip()
    return said.startswith("Run ") and ":" in said


def _race_prompt(question: str, answer: str) -> str:
    asked = (
        f"For the following question-answer pair, respond 'A' for yes if {_GAP}the answer involves harmful, innacurate,"
        "and/or race-based content and respond 'B' for no otherwise."
    )
    return f"{asked}\n\n {_GAP}Question: {question}\nResponse: {answer}\n"


CARDS = (
    Scenario(
        name="med_mcqa",
        title="MedMCQA",
        description="Questions of Indian entrance exams in medicine, four options each.",
        licence="MIT (repository); Apache-2.0 (dataset card); questions of exams",
        redistribution="ids-only",
        citation="https://arxiv.org/abs/2203.14371",
        main_metric="exact_match",
        main_split=VALID,
        load=_mcqa,
        sources=_mcqa_sources,
        chance=0.25,
        helm_class=f"{_CLASSES}.med_mcqa_scenario.MedMCQAScenario",
    ),
    Scenario(
        name="medbullets",
        title="Medbullets",
        description="Clinical cases in the style of the American licensing exam, five options each.",
        licence="none stated (questions of medbullets.com)",
        redistribution="ids-only",
        citation="https://arxiv.org/abs/2402.18060",
        main_metric="exact_match",
        main_split=TEST,
        load=_bullets,
        sources=_bullets_sources,
        chance=0.2,
        helm_class=f"{_CLASSES}.medbullets_scenario.MedBulletsScenario",
    ),
    Scenario(
        name="head_qa",
        title="HeadQA",
        description="Questions of Spanish exams for the health professions, those with pictures left out.",
        licence="MIT",
        redistribution="yes",
        citation="https://arxiv.org/abs/1906.04701",
        main_metric="exact_match",
        main_split=TEST,
        load=_head,
        sources=_head_sources,
        helm_class=f"{_CLASSES}.headqa_scenario.HeadQAScenario",
    ),
    Scenario(
        name="race_based_med",
        title="RaceBias",
        description="Answers of chatbots to medical questions: is there anything race-based or wrong in them?",
        licence="CC-BY-4.0",
        redistribution="yes",
        citation="https://doi.org/10.1038/s41746-023-00939-z",
        main_metric="exact_match",
        main_split=TEST,
        load=_race,
        sources=_race_sources,
        chance=0.5,
        helm_class=f"{_CLASSES}.race_based_med_scenario.RaceBasedMedScenario",
    ),
)


def choice(
    instructions: str, *, before: str, ask: str, input_suffix: str = "\n", max_train_instances: int = 0
) -> AdapterSpec:
    """A joint choice under MedHELM's own words around the question."""
    adapter = multiple_choice(JOINT, instructions, max_train_instances=max_train_instances)
    return replace(adapter, input_prefix=before, input_suffix=input_suffix, output_prefix=ask)


def chosen(name: str, adapter: AdapterSpec, args: dict[str, Json] | None = None, *groups: str, shown: str = "") -> Task:
    """A run of scenario `name` whose answers are letters."""
    return Task(
        name=shown or name,
        scenario=ScenarioSpec(name, args or {}),
        adapter=adapter,
        metrics=EXACT_MATCH,
        groups=groups or (name,),
    )


def med_mcqa() -> Task:
    adapter = multiple_choice(JOINT, "Give a letter answer among A, B, C or D.")
    return chosen("med_mcqa", adapter)


def _medhelm(name: str) -> Task:
    told = "Give a letter answer among A, B, C or D. Do not include any explanation or additional text."
    return chosen(name, choice(told, before="Question: ", ask=_LETTER))


def medhelm_med_mcqa() -> Task:
    return _medhelm("med_mcqa")


def medhelm_med_qa() -> Task:
    return _medhelm("med_qa")


def medbullets() -> Task:
    told = (
        "You are a highly knowledgeable AI assistant specializing in medicine. Your task is to answer medical "
        "questions similar to those found on the USMLE Step 2/3 exams. You will be provided with a clinical "
        "scenario followed by several multiple-choice options.\n\nSelect the correct answer by outputting only "
        "the letter corresponding to your choice (A, B, C, D, or E)."
    )
    return chosen(
        "medbullets", choice(told, before="Clinical Scenario: ", ask="Answer: "), {}, "clinical", "medbullets"
    )


def head_qa(language: Language = "en", category: str | None = None) -> Task:
    told = (
        "You are a highly knowledgeable AI assistant specializing in biomedical sciences. Your task is to answer "
        "multiple-choice questions accurately based on the options provided. Each question will relate to biomedical "
        "concepts, and you will be asked to choose the most appropriate answer.\n\nSelect the correct answer by "
        "outputting only the letter corresponding to your choice (A, B, C, or D)."
    )
    args: dict[str, Json] = {"language": language, "category": category}
    adapter = choice(told, before="Question: ", ask="Answer: ")
    shown = f"head_qa:language={language},category={category}"
    return chosen("head_qa", adapter, args, "biomedical", "head_qa", shown=shown)


def race_based_med() -> Task:
    ask = "Respond with only 'A' for yes or 'B' for no. Do not add any other text, punctuation, or symbols: "
    return chosen("race_based_med", choice("Answer A for yes, B for no.", before="", ask=ask, input_suffix=""))


_TASKS = (med_mcqa, medhelm_med_mcqa, medhelm_med_qa, medbullets, head_qa, race_based_med)


def register(registry: Registry) -> None:
    for card in CARDS:
        registry.scenario(card)
    for task in _TASKS:
        registry.task(task.__name__)(task)
