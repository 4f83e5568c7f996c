"""Korean benchmarks: inference and likeness of sentences (KLUE), KMMLU's exams, and HAE-RAE's language and culture.

None is HELM's. KLUE's pairs are asked in words, as lm-eval's Korean tasks were: its test labels are hidden, so the rows
asked are the development ones. KMMLU is asked in five shots of its own development rows and HAE-RAE's rows hold their
whole prompt, as in lm-eval.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec.structs import replace

from holoscope.core import (
    TEST,
    TRAIN,
    VALID,
    DataError,
    Files,
    Instance,
    MetricSpec,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, ChoiceMethod, generation, metrics, multiple_choice
from holoscope.scenarios.fields import integer, text
from holoscope.scenarios.hub import converted, path_of
from holoscope.scenarios.references import right_answer, right_text
from holoscope.scenarios.rows import read_csv, read_json_rows, read_parquet

Pair = Literal["nli", "sts"]
KMMLUSubject = Literal[
    "accounting",
    "agricultural_sciences",
    "aviation_engineering_and_maintenance",
    "biology",
    "chemical_engineering",
    "chemistry",
    "civil_engineering",
    "computer_science",
    "construction",
    "criminal_law",
    "ecology",
    "economics",
    "education",
    "electrical_engineering",
    "electronics_engineering",
    "energy_management",
    "environmental_science",
    "fashion",
    "food_processing",
    "gas_technology_and_engineering",
    "geomatics",
    "health",
    "industrial_engineer",
    "information_technology",
    "interior_architecture_and_design",
    "korean_history",
    "law",
    "machine_design_and_manufacturing",
    "management",
    "maritime_engineering",
    "marketing",
    "materials_engineering",
    "math",
    "mechanical_engineering",
    "nondestructive_testing",
    "patent",
    "political_science_and_sociology",
    "psychology",
    "public_safety",
    "railway_and_automotive_engineering",
    "real_estate",
    "refrigerating_machinery",
    "social_welfare",
    "taxation",
    "telecommunications_and_wireless_technology",
]
HaeRae = Literal["general_knowledge", "history", "loan_words", "rare_words", "standard_nomenclature"]


class Asked(NamedTuple):
    """How a pair of sentences is asked about."""

    first: str
    second: str
    question: str
    """With a place for the first sentence and one for the second."""
    labels: dict[str, str]
    """By upstream's label."""


_KLUE = "https://raw.githubusercontent.com/KLUE-benchmark/KLUE/3efd98708a40ff49251fddde35453f8fbb11f536/klue_benchmark/"
_PAIRS: dict[Pair, Asked] = {
    "nli": Asked(
        "premise",
        "hypothesis",
        "{first}\n질문: {second} 참, 거짓, 중립?",
        {"entailment": "참", "contradiction": "거짓", "neutral": "중립"},
    ),
    "sts": Asked(
        "sentence1",
        "sentence2",
        "질문: 문장 1과 문장 2는 서로 유사한 의미를 가지나요? 예, 아니오?\n문장 1: {first}\n문장 2: {second}",
        {"1": "예", "0": "아니오"},
    ),
}


def klue_sources(task: str) -> tuple[Source, ...]:
    path = f"klue-{task}-v1.1/klue-{task}-v1.1_dev.json"
    return (Source(path=path, url=_KLUE + path),)


def load_klue(files: Files, task: Pair) -> Iterator[Instance]:
    asked = _PAIRS[task]
    for row in read_json_rows(files.path(klue_sources(task)[0].path)):
        label = text(row, "gold_label") if task == "nli" else str(integer(row, "labels.binary-label"))
        if label not in asked.labels:
            raise DataError(f"{row.where}: the label should be one of {', '.join(asked.labels)}, and is {label!r}")
        shown = asked.question.format(first=text(row, asked.first), second=text(row, asked.second))
        yield Instance(input=shown, references=right_answer(asked.labels[label]), split=VALID)


def klue(task: Pair) -> Task:
    return Task(
        name=f"klue:task={task}",
        scenario=ScenarioSpec("klue", {"task": task}),
        adapter=generation(output_noun="정답", max_train_instances=0, max_tokens=8),
        metrics=(*EXACT_MATCH, MetricSpec("classification", {"labels": [*_PAIRS[task].labels.values()]})),
        groups=("klue", f"klue_{task}"),
    )


def kmmlu_sources(subject: str) -> tuple[Source, ...]:
    name = "-".join(word if word == "and" else word.capitalize() for word in subject.split("_"))
    base = "https://huggingface.co/datasets/HAERAE-HUB/KMMLU/resolve/main/"
    paths = [f"data/{name}-{split}.csv" for split in ("dev", "test")]
    return tuple(Source(path=path, url=base + path) for path in paths)


def load_kmmlu(files: Files, subject: str) -> Iterator[Instance]:
    for source, split in zip(kmmlu_sources(subject), (TRAIN, TEST), strict=True):
        for row in read_csv(files.path(source.path)):
            options = [text(row, letter) for letter in "ABCD"]
            number = text(row, "answer")
            if number not in ("1", "2", "3", "4"):
                raise DataError(f"{row.where}: answer should be a number from 1 to 4, and is {number!r}")
            references = right_text(options, int(number) - 1)
            yield Instance(input=text(row, "question").strip(), references=references, split=split)


def kmmlu(subject: KMMLUSubject, method: ChoiceMethod = "multiple_choice_joint") -> Task:
    adapter = multiple_choice(method)
    return Task(
        name=f"kmmlu:subject={subject},method={method}",
        scenario=ScenarioSpec("kmmlu", {"subject": subject}),
        adapter=replace(adapter, input_prefix="", output_prefix="정답：") if method == JOINT else adapter,
        metrics=EXACT_MATCH,
        groups=("kmmlu", f"kmmlu_{subject}"),
    )


def haerae_sources(task: str) -> tuple[Source, ...]:
    return converted("HAERAE-HUB/HAE_RAE_BENCH", task, "test")


def load_haerae(files: Files, task: str) -> Iterator[Instance]:
    for row in read_parquet(files.path(path_of(task, "test"))):
        yield Instance(input=text(row, "query"), references=right_answer(text(row, "answer")), split=TEST)


def haerae(task: HaeRae) -> Task:
    return Task(
        name=f"haerae:task={task}",
        scenario=ScenarioSpec("haerae", {"task": task}),
        adapter=replace(generation(max_train_instances=0, max_tokens=16), input_suffix="", output_suffix=""),
        metrics=metrics("stated_exact_match", "exact_match"),
        groups=("haerae", f"haerae_{task}"),
    )


CARDS = (
    Scenario(
        name="klue",
        title="KLUE",
        description="Whether one Korean sentence follows from another, or means much the same.",
        licence="CC-BY-SA-4.0",
        redistribution="yes",
        citation="https://arxiv.org/abs/2105.09680",
        main_metric="exact_match",
        main_split=VALID,
        load=load_klue,
        sources=klue_sources,
    ),
    Scenario(
        name="kmmlu",
        title="KMMLU",
        description="Questions of Korean exams in 45 subjects.",
        licence="CC-BY-ND-4.0",
        redistribution="ids-only",
        citation="https://arxiv.org/abs/2402.11548",
        main_metric="exact_match",
        main_split=TEST,
        load=load_kmmlu,
        sources=kmmlu_sources,
        chance=0.25,
    ),
    Scenario(
        name="haerae",
        title="HAE-RAE Bench",
        description="Korean vocabulary, history and general knowledge.",
        licence="CC-BY-NC-ND-4.0",
        redistribution="ids-only",
        citation="https://arxiv.org/abs/2309.02706",
        main_metric="stated_exact_match",
        main_split=TEST,
        load=load_haerae,
        sources=haerae_sources,
        chance=0.2,
    ),
)


def register(registry: Registry) -> None:
    for card in CARDS:
        registry.scenario(card)
    registry.task("klue")(klue)
    registry.task("kmmlu")(kmmlu)
    registry.task("haerae", "hae_rae")(haerae)
