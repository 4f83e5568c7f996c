"""Two benchmarks of HELM's finance track: what a bank's customer wants, and questions about companies' reports.

BANKING77's instructions are RAFT's for the same rows, with one sentence more. FinanceBench publishes no examples: ten
of its questions, drawn with a fixed seed, serve as such.
"""

import json
import random
from collections.abc import Iterator

from msgspec.structs import replace

from holoscope.core import (
    TEST,
    TRAIN,
    AdapterSpec,
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
from holoscope.scenarios.adapters import EXACT_MATCH, IN_FILES, generation
from holoscope.scenarios.fields import objects, text
from holoscope.scenarios.references import right_answer
from holoscope.scenarios.rows import read_csv, read_jsonl, read_lines

_CLASSES = "helm.benchmark.scenarios"
_RAW = "https://raw.githubusercontent.com"
_BANKING_URL = f"{_RAW}/PolyAI-LDN/task-specific-datasets/57ec275d8078af65b7731c2a98be812d844a6d6b/banking_data/"
_SETTINGS = "prompt_construction_settings.jsonl"
_SETTINGS_URL = "https://www.dropbox.com/s/a5cyevryzw8rt4f/prompt_construction_settings.json?dl=1"
_BENCH = "financebench_open_source.jsonl"
_BENCH_URL = f"{_RAW}/patronus-ai/financebench/d7beebe5e739e0b806ab4443c1b3e23f51804acf/data/"
_EXAMPLES = 10
_LABELS = ("correct_answer", "incorrect_answer", "failure_to_answer")


def _banking_sources() -> tuple[Source, ...]:
    rows = (Source(path=f"{split}.csv", url=f"{_BANKING_URL}{split}.csv") for split in (TRAIN, TEST))
    return (*rows, Source(path=_SETTINGS, url=_SETTINGS_URL, stand_in=f"raft/{_SETTINGS}"))


def _banking(files: Files) -> Iterator[Instance]:
    for split in (TRAIN, TEST):
        for row in read_csv(files.path(f"{split}.csv")):
            yield Instance(input=text(row, "text"), references=right_answer(text(row, "category")), split=split)


def _banking_instructions(files: Files) -> str:
    path = files.path(_SETTINGS)
    lines = read_lines(path)
    told = json.loads(lines[1]).get("banking_77") if len(lines) == 2 else None
    if not isinstance(told, str):
        raise DataError(f"{path}: expected a second line with the instructions of banking_77")
    return told.replace("\n", " Answer with only the label for the last query.\n", 1)


def _bench_sources() -> tuple[Source, ...]:
    return (Source(path=_BENCH, url=_BENCH_URL + _BENCH),)


def _bench(files: Files) -> Iterator[Instance]:
    found = []
    for row in read_jsonl(files.path(_BENCH)):
        page = text(objects(row, "evidence")[0], "evidence_text_full_page")
        asked = f"Evidence: {page}\nQuestion: {text(row, 'question')}"
        company = row.values.get("company")
        found.append(
            Instance(
                id=text(row, "financebench_id"),
                input=asked,
                references=right_answer(text(row, "answer")),
                split=TEST,
                cluster=company if isinstance(company, str) else None,
            )
        )
    yield from drawn_for_training(found, min(_EXAMPLES, len(found)))


def drawn_for_training(instances: list[Instance], count: int) -> Iterator[Instance]:
    """The instances, `count` of them as examples, drawn as HELM draws them."""
    drawn = frozenset(random.Random(0).sample(range(len(instances)), count))
    for position, instance in enumerate(instances):
        yield replace(instance, split=TRAIN) if position in drawn else instance


CARDS = (
    Scenario(
        name="banking77",
        title="BANKING77",
        description="What a bank's customer wants: 77 intents.",
        licence="CC-BY-4.0",
        redistribution="yes",
        citation="https://arxiv.org/abs/2003.04807",
        main_metric="quasi_exact_match",
        main_split=TEST,
        load=_banking,
        sources=_banking_sources,
        instructions=_banking_instructions,
        chance=1 / 77,
        helm_class=f"{_CLASSES}.banking77_scenario.Banking77Scenario",
    ),
    Scenario(
        name="financebench",
        title="FinanceBench",
        description="Questions about companies' reports, with the page that holds the answer.",
        licence="CC-BY-NC-4.0",
        redistribution="ids-only",
        citation="https://arxiv.org/abs/2311.11944",
        main_metric="annotation_financebench_label_correct_answer",
        main_split=TEST,
        load=_bench,
        sources=_bench_sources,
        helm_class=f"{_CLASSES}.financebench_scenario.FinanceBenchScenario",
    ),
)


def banking77() -> Task:
    return Task(
        name="banking77",
        scenario=ScenarioSpec("banking77"),
        adapter=generation(instructions=IN_FILES, output_noun="Label", max_tokens=30),
        metrics=EXACT_MATCH,
        groups=("banking77",),
    )


def financebench() -> Task:
    told = (
        "Answer only the last question using the given evidence. "
        "Respond with only a single paragraph, sentence or sentence fragment.\n"
    )
    labels = MetricSpec("annotation_label", {"annotator_name": "financebench", "key": "label", "labels": [*_LABELS]})
    return Task(
        name="financebench",
        scenario=ScenarioSpec("financebench"),
        adapter=AdapterSpec(
            instructions=told,
            input_prefix="\n",
            output_prefix="\nAnswer: ",
            instance_prefix="\n###\n",
            num_outputs=1,
            max_tokens=300,
            temperature=0.0,
            stop_sequences=("###",),
        ),
        metrics=(labels,),
        groups=("financebench",),
    )


def register(registry: Registry) -> None:
    for card in CARDS:
        registry.scenario(card)
    registry.task("banking77")(banking77)
    registry.task("financebench")(financebench)
