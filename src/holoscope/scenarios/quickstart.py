"""Two small scenarios whose rows come with the package, so that a first run needs neither key nor network.

They are sized for a small local model: cloze sentences, whose options are scored one by one, and sums with worked
examples. Letters A to D would tell such a model from chance no better than a coin.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
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
from holoscope.scenarios.adapters import EXACT_MATCH, SEPARATE, generation, separate_choice
from holoscope.scenarios.fields import text, texts
from holoscope.scenarios.rows import read_jsonl


def _cloze_sources() -> tuple[Source, ...]:
    return (Source(path="test.jsonl"),)


def _load_cloze(files: Files) -> Iterator[Instance]:
    for row in read_jsonl(files.path("test.jsonl")):
        right, choices = text(row, "answer"), texts(row, "choices")
        if right not in choices:
            raise DataError(f"{row.where}: {right!r} is none of the choices")
        references = tuple(Reference(choice, (CORRECT,) if choice == right else ()) for choice in choices)
        yield Instance(input=text(row, "question"), references=references, split=TEST)


def _sums_sources() -> tuple[Source, ...]:
    return tuple(Source(path=f"{split}.jsonl") for split in (TRAIN, TEST))


def _load_sums(files: Files) -> Iterator[Instance]:
    for split in (TRAIN, TEST):
        for row in read_jsonl(files.path(f"{split}.jsonl")):
            references = (Reference(text(row, "answer"), (CORRECT,)),)
            yield Instance(input=text(row, "question"), references=references, split=split)


CLOZE = Scenario(
    name="quickstart_cloze",
    title="Quickstart: cloze",
    description="Sentences whose last word takes a little knowledge of the world.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="",
    main_metric="exact_match",
    main_split=TEST,
    load=_load_cloze,
    sources=_cloze_sources,
    chance=0.25,
)

SUMS = Scenario(
    name="quickstart_sums",
    title="Quickstart: sums",
    description="Sums of numbers of one and two digits.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="",
    main_metric="exact_match",
    main_split=TEST,
    load=_load_sums,
    sources=_sums_sources,
)


def quickstart_cloze() -> Task:
    return Task(
        name="quickstart_cloze",
        scenario=ScenarioSpec("quickstart_cloze"),
        adapter=separate_choice(SEPARATE),
        metrics=EXACT_MATCH,
        groups=("quickstart_cloze",),
    )


def quickstart_sums() -> Task:
    return Task(
        name="quickstart_sums",
        scenario=ScenarioSpec("quickstart_sums"),
        adapter=replace(generation(), input_suffix="", output_prefix=" "),  # `2 + 3 = 5`: one line for each sum
        metrics=EXACT_MATCH,
        groups=("quickstart_sums",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CLOZE)
    registry.scenario(SUMS)
    registry.task("quickstart_cloze")(quickstart_cloze)
    registry.task("quickstart_sums")(quickstart_sums)
