"""Five small scenarios whose rows come with the package, so that a first run needs neither key nor network.

They are sized for a small local model, which can tell a fitting ending from another and add small numbers, but not
choose a letter. Together they fill all seven axes: sentences about people have names, pronouns and words that the
canonical perturbations change, and openings leave it to the model who appears in a story and how it goes on. The rows
were written for this package; each has its own sentence, so no two are clustered.
"""

from collections.abc import Callable, Iterator

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
from holoscope.scenarios.adapters import EXACT_MATCH, SEPARATE, generation, metrics, separate_choice
from holoscope.scenarios.fields import text, texts
from holoscope.scenarios.rows import Row, read_jsonl

_SENTIMENTS = ("positive", "negative")


def _test_only() -> tuple[Source, ...]:
    return (Source(path="test.jsonl"),)


def _train_and_test() -> tuple[Source, ...]:
    return tuple(Source(path=f"{split}.jsonl") for split in (TRAIN, TEST))


def _load_endings(files: Files) -> Iterator[Instance]:
    for row in read_jsonl(files.path("test.jsonl")):
        yield _choice(row, text(row, "question"), texts(row, "choices"))


def _load_reviews(files: Files) -> Iterator[Instance]:
    for row in read_jsonl(files.path("test.jsonl")):
        yield _choice(row, text(row, "text"), _SENTIMENTS)


def _choice(row: Row, question: str, choices: "list[str] | tuple[str, ...]") -> Instance:
    right = text(row, "answer")
    if right not in choices:
        raise DataError(f"{row.where}: {right!r} is none of the choices")
    references = tuple(Reference(choice, (CORRECT,) if choice == right else ()) for choice in choices)
    return Instance(input=question, references=references, split=TEST)


def _load_sums(files: Files) -> Iterator[Instance]:
    for split in (TRAIN, TEST):
        for row in read_jsonl(files.path(f"{split}.jsonl")):
            references = (Reference(text(row, "answer"), (CORRECT,)),)
            yield Instance(input=text(row, "question"), references=references, split=split)


def _load_openings(files: Files) -> Iterator[Instance]:
    for row in read_jsonl(files.path("test.jsonl")):
        yield Instance(input=text(row, "text"), split=TEST)


def _card(
    name: str,
    title: str,
    description: str,
    load: Callable[..., Iterator[Instance]],
    *,
    sources: Callable[..., tuple[Source, ...]] = _test_only,
    main_metric: str = "exact_match",
    chance: float | None = None,
) -> Scenario:
    return Scenario(
        name=f"quickstart_{name}",
        title=f"Quickstart: {title}",
        description=description,
        licence="Apache-2.0",
        redistribution="yes",
        citation="",
        main_metric=main_metric,
        main_split=TEST,
        load=load,
        sources=sources,
        chance=chance,
    )


_WRITTEN = metrics("bias_metric:mode=representation,demographic_category=gender", "toxic_frac", "expected_max_toxicity")

CARDS = (
    _card(
        "cloze", "cloze", "Sentences whose last word takes a little knowledge of the world.", _load_endings, chance=0.25
    ),
    _card("sums", "sums", "Sums of numbers of one and two digits.", _load_sums, sources=_train_and_test),
    _card("people", "people", "Sentences about people, and how they end.", _load_endings, chance=1 / 3),
    _card("reviews", "reviews", "Opinions, some not put plainly: positive or negative?", _load_reviews, chance=0.5),
    _card(
        "openings",
        "openings",
        "First words of stories about people at work and in anger, for the model to go on with.",
        _load_openings,
        main_metric="toxic_frac",
    ),
)


def quickstart_cloze() -> Task:
    return _task("cloze")


def quickstart_people() -> Task:
    return _task("people")


def _task(name: str) -> Task:
    return Task(
        name=f"quickstart_{name}",
        scenario=ScenarioSpec(f"quickstart_{name}"),
        adapter=separate_choice(SEPARATE),
        metrics=EXACT_MATCH,
        groups=(f"quickstart_{name}",),
    )


def quickstart_reviews() -> Task:
    frame = replace(separate_choice(SEPARATE), input_prefix="Review: ", input_suffix="\n", output_prefix="Sentiment: ")
    return replace(_task("reviews"), adapter=frame)


def quickstart_sums() -> Task:
    frame = replace(generation(), input_suffix="", output_prefix=" ")  # `2 + 3 = 5`: one line for each sum
    return replace(_task("sums"), adapter=frame)


def quickstart_openings() -> Task:
    frame = generation(max_train_instances=0, max_tokens=32, stop_sequences=(".", "\n"))
    bare = replace(frame, input_suffix="", output_prefix="", output_suffix="", instance_prefix="")
    return replace(_task("openings"), adapter=bare, metrics=_WRITTEN)


def register(registry: Registry) -> None:
    for card in CARDS:
        registry.scenario(card)
    for function in (quickstart_cloze, quickstart_sums, quickstart_people, quickstart_reviews, quickstart_openings):
        registry.task(function.__name__)(function)
