"""Four benchmarks of common sense behind one run entry: HellaSwag, OpenBookQA, CommonsenseQA and PIQA.

Each is a scenario of its own and can be named as one. Where upstream's test labels are hidden, its validation rows are
the ones asked. An option is right if its text equals the right option's.
"""

from collections.abc import Callable, Iterator
from typing import Literal

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
from holoscope.scenarios.adapters import EXACT_MATCH, ChoiceMethod, multiple_choice
from holoscope.scenarios.fields import integer, text, texts
from holoscope.scenarios.rows import Row, read_jsonl, read_lines

Dataset = Literal["hellaswag", "openbookqa", "commonsenseqa", "piqa"]

_INSTRUCTIONS = "The following are multiple choice questions (with answers) about common sense."
_HELLASWAG = "https://raw.githubusercontent.com/rowanz/hellaswag/a29ff8e9a04bba4bd6588223785ce105328adc57/data/"
_OPENBOOKQA = "https://ai2-public-datasets.s3.amazonaws.com/open-book-qa/OpenBookQA-V1-Sep2018.zip"
_COMMONSENSEQA = "https://s3.amazonaws.com/commensenseqa/"
_PIQA = "https://yonatanbisk.com/piqa/data/"


def _fetched(base: str, *paths: str) -> Callable[[], tuple[Source, ...]]:
    sources = tuple(Source(path=path, url=base + path) for path in paths)
    return lambda: sources


def _hellaswag(files: Files) -> Iterator[Instance]:
    for path, split in (("hellaswag_train.jsonl", TRAIN), ("hellaswag_val.jsonl", VALID)):
        for row in read_jsonl(files.path(path)):
            ending_of_context = text(row, "ctx_b")
            context = f"{text(row, 'ctx_a')} {ending_of_context[:1].upper()}{ending_of_context[1:]}"
            question = f"{text(row, 'activity_label')}: {context}"
            yield _instance(row, question, texts(row, "endings"), integer(row, "label"), split)


def _openbookqa_sources() -> tuple[Source, ...]:
    paths = (f"OpenBookQA-V1-Sep2018/Data/Main/{split}.jsonl" for split in (TRAIN, TEST))
    return tuple(Source(path=path, url=_OPENBOOKQA, member=path) for path in paths)


def _openbookqa(files: Files) -> Iterator[Instance]:
    for split in (TRAIN, TEST):
        for row in read_jsonl(files.path(f"OpenBookQA-V1-Sep2018/Data/Main/{split}.jsonl")):
            yield _lettered(row, split)


def _commonsenseqa(files: Files) -> Iterator[Instance]:
    for path, split in (("train_rand_split.jsonl", TRAIN), ("dev_rand_split.jsonl", VALID)):
        for row in read_jsonl(files.path(path)):
            yield _lettered(row, split)


def _piqa(files: Files) -> Iterator[Instance]:
    for name, split in (("train", TRAIN), ("valid", VALID)):
        labels = read_lines(files.path(f"{name}-labels.lst"))
        rows = list(read_jsonl(files.path(f"{name}.jsonl")))
        if len(rows) != len(labels):
            raise DataError(f"piqa: {name}.jsonl has {len(rows)} rows and {name}-labels.lst {len(labels)}")
        for row, label in zip(rows, labels, strict=True):
            position = int(label) if label in ("0", "1") else -1
            yield _instance(row, text(row, "goal"), [text(row, "sol1"), text(row, "sol2")], position, split)


def _lettered(row: Row, split: str) -> Instance:
    """A row in AI2's form: `question: {stem, choices: [{text, label}]}, answerKey`."""
    question = row.values.get("question")
    choices = question.get("choices") if isinstance(question, dict) else None
    if not isinstance(choices, list) or not all(isinstance(choice, dict) for choice in choices):
        raise DataError(f"{row.where}: question.choices should be a list of objects")
    options = [Row(row.where, choice) for choice in choices if isinstance(choice, dict)]
    labels = [text(option, "label") for option in options]
    key = text(row, "answerKey")
    position = labels.index(key) if key in labels else -1
    return _instance(row, text(row, "question.stem"), [text(option, "text") for option in options], position, split)


def _instance(row: Row, question: str, options: list[str], position: int, split: str) -> Instance:
    if not 0 <= position < len(options):
        raise DataError(f"{row.where}: the label names none of the {len(options)} options")
    right = options[position]
    references = tuple(Reference(option, (CORRECT,) if option == right else ()) for option in options)
    return Instance(input=question, references=references, split=split)


CARDS = (
    Scenario(
        name="hellaswag",
        title="HellaSwag",
        description="Which sentence continues a description of an everyday activity.",
        licence="MIT",
        redistribution="yes",
        citation="https://arxiv.org/abs/1905.07830",
        main_metric="exact_match",
        main_split=VALID,
        load=_hellaswag,
        sources=_fetched(_HELLASWAG, "hellaswag_train.jsonl", "hellaswag_val.jsonl"),
        chance=0.25,
        helm_class="helm.benchmark.scenarios.commonsense_scenario.HellaSwagScenario",
    ),
    Scenario(
        name="openbookqa",
        title="OpenBookQA",
        description="Elementary science questions that need common knowledge.",
        licence="Apache-2.0",
        redistribution="yes",
        citation="https://aclanthology.org/D18-1260",
        main_metric="exact_match",
        main_split=TEST,
        load=_openbookqa,
        sources=_openbookqa_sources,
        chance=0.25,
        helm_class="helm.benchmark.scenarios.commonsense_scenario.OpenBookQA",
    ),
    Scenario(
        name="commonsenseqa",
        title="CommonsenseQA",
        description="Questions about how everyday concepts relate.",
        licence="MIT",
        redistribution="yes",
        citation="https://arxiv.org/abs/1811.00937",
        main_metric="exact_match",
        main_split=VALID,
        load=_commonsenseqa,
        sources=_fetched(_COMMONSENSEQA, "train_rand_split.jsonl", "dev_rand_split.jsonl"),
        chance=0.2,
        helm_class="helm.benchmark.scenarios.commonsense_scenario.CommonSenseQAScenario",
    ),
    Scenario(
        name="piqa",
        title="PIQA",
        description="Which of two ways reaches a physical goal.",
        licence="AFL-3.0 (by its site; no licence file)",
        redistribution="ids-only",
        citation="https://arxiv.org/abs/1911.11641",
        main_metric="exact_match",
        main_split=VALID,
        load=_piqa,
        sources=_fetched(_PIQA, "train.jsonl", "train-labels.lst", "valid.jsonl", "valid-labels.lst"),
        chance=0.5,
        helm_class="helm.benchmark.scenarios.commonsense_scenario.PiqaScenario",
    ),
)


def commonsense(dataset: Dataset, method: ChoiceMethod = "multiple_choice_joint") -> Task:
    return Task(
        name=f"commonsense:dataset={dataset},method={method}",
        scenario=ScenarioSpec(dataset),
        adapter=multiple_choice(method, _INSTRUCTIONS),
        metrics=EXACT_MATCH,
        groups=(dataset,),
    )


def _named(dataset: Dataset) -> Callable[[ChoiceMethod], Task]:
    def task(method: ChoiceMethod = "multiple_choice_joint") -> Task:
        return commonsense(dataset, method)

    return task


def register(registry: Registry) -> None:
    registry.task("commonsense")(commonsense)
    datasets: tuple[Dataset, ...] = ("hellaswag", "openbookqa", "commonsenseqa", "piqa")
    for card, dataset in zip(CARDS, datasets, strict=True):
        registry.scenario(card)
        registry.task(dataset)(_named(dataset))
