"""Instructions that people wrote to try models on: Self-Instruct's, Vicuna's, Koala's and OpenAssistant's.

Answers have no one right text. HELM has people or a model judge how helpful, understandable, complete, concise and
harmless they are; references, where upstream has some, are answers that somebody liked.
"""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    Files,
    Instance,
    Json,
    MetricSpec,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import instruction
from holoscope.scenarios.fields import objects, text
from holoscope.scenarios.rows import Row, read_jsonl, read_rows

Category = Literal[
    "all",
    "generic",
    "knowledge",
    "roleplay",
    "common-sense",
    "fermi",
    "counterfactual",
    "coding",
    "math",
    "writing",
]
CRITIQUE = "instruction_following_critique"
MAIN_METRIC = "Helpfulness"

_SELF_INSTRUCT = "user_oriented_instructions.jsonl"
_VICUNA, _KOALA = "question.jsonl", "koala_test_set.jsonl"
_RAW = "https://raw.githubusercontent.com"
_SELF_INSTRUCT_URL = f"{_RAW}/yizhongw/self-instruct/0b26ccaa415992100fa32df62d41b994cf928e23/human_eval/"
_VICUNA_URL = f"{_RAW}/lm-sys/FastChat/v0.2.5/fastchat/eval/table/"
_KOALA_URL = f"{_RAW}/arnav-gudibande/koala-test-set/2d4396aee3cff495382e9b0ad2521d70b177763b/"
_OASST_URL = "https://huggingface.co/datasets/OpenAssistant/oasst1/resolve/fdf72ae0827c1cda404aff25b6603abec9e3399b/"
_OASST = {
    TRAIN: "data/train-00000-of-00001-b42a775f407cee45.parquet",
    VALID: "data/validation-00000-of-00001-134b8fd0c89408b6.parquet",
}
_OASST_ROWS = {TRAIN: "open_assistant/train.jsonl", VALID: "open_assistant/validation.jsonl"}


def critique(num_respondents: int) -> tuple[MetricSpec, ...]:
    """Five judgements of an answer, by so many judges."""
    return (MetricSpec(CRITIQUE, {"num_respondents": num_respondents}),)


def _self_instruct_sources() -> tuple[Source, ...]:
    return (Source(path=_SELF_INSTRUCT, url=_SELF_INSTRUCT_URL + _SELF_INSTRUCT),)


def _self_instruct(files: Files) -> Iterator[Instance]:
    for row in read_jsonl(files.path(_SELF_INSTRUCT)):
        for given in objects(row, "instances"):
            asked = f"{text(row, 'instruction')}\n{text(given, 'input')}"
            answer = Reference(text(given, "output"), (CORRECT,))
            yield Instance(input=asked, references=(answer,), split=TEST)


def _vicuna_sources(category: str) -> tuple[Source, ...]:
    return (Source(path=_VICUNA, url=_VICUNA_URL + _VICUNA),)


def _vicuna(files: Files, category: str) -> Iterator[Instance]:
    for row in read_jsonl(files.path(_VICUNA)):
        if category in ("all", text(row, "category")):
            yield Instance(input=text(row, "text"), split=TEST, groups={"category": text(row, "category")})


def _koala_sources() -> tuple[Source, ...]:
    return (Source(path=_KOALA, url=_KOALA_URL + _KOALA),)


def _koala(files: Files) -> Iterator[Instance]:
    for row in read_jsonl(files.path(_KOALA)):
        yield Instance(input=text(row, "prompt"), split=TEST)


def _oasst_sources(language: str) -> tuple[Source, ...]:
    return tuple(
        Source(path=path, url=_OASST_URL + path, stand_in=_OASST_ROWS[split], optional=split == TRAIN)
        for split, path in _OASST.items()
    )


def _oasst(files: Files, language: str) -> Iterator[Instance]:
    for split, path in _OASST.items():
        if split == TRAIN and not files.has(path):
            continue
        rows = read_rows(files.path(path))
        messages = [row for row in rows if language in ("all", text(row, "lang"))]
        answers: dict[Json, list[str]] = {}
        for row in messages:
            if text(row, "role") == "assistant":
                answers.setdefault(row.values.get("parent_id"), []).append(text(row, "text"))
        for row in messages:
            if row.values.get("parent_id") is None:
                yield _opening(row, answers.get(text(row, "message_id"), []), split)


def _opening(row: Row, answers: list[str], split: str) -> Instance:
    references = tuple(Reference(answer, (CORRECT,)) for answer in answers)
    return Instance(input=text(row, "text"), references=references, split=split)


CARDS = (
    Scenario(
        name="self_instruct",
        title="Self-Instruct",
        description="Instructions that the authors of Self-Instruct wrote with applications in mind.",
        licence="Apache-2.0",
        redistribution="yes",
        citation="https://aclanthology.org/2023.acl-long.754",
        main_metric=MAIN_METRIC,
        main_split=TEST,
        load=_self_instruct,
        sources=_self_instruct_sources,
        helm_class="helm.benchmark.scenarios.self_instruct_scenario.SelfInstructScenario",
    ),
    Scenario(
        name="vicuna",
        title="Vicuna",
        description="Eighty questions of nine kinds by which Vicuna was tried.",
        licence="Apache-2.0",
        redistribution="yes",
        citation="https://lmsys.org/blog/2023-03-30-vicuna/",
        main_metric=MAIN_METRIC,
        main_split=TEST,
        load=_vicuna,
        sources=_vicuna_sources,
        helm_class="helm.benchmark.scenarios.vicuna_scenario.VicunaScenario",
    ),
    Scenario(
        name="koala",
        title="Koala",
        description="Questions of users of the web by which Koala was tried.",
        licence="Apache-2.0",
        redistribution="yes",
        citation="https://bair.berkeley.edu/blog/2023/04/03/koala/",
        main_metric=MAIN_METRIC,
        main_split=TEST,
        load=_koala,
        sources=_koala_sources,
        helm_class="helm.benchmark.scenarios.koala_scenario.KoalaScenario",
    ),
    Scenario(
        name="open_assistant",
        title="OpenAssistant",
        description="The first messages of conversations that volunteers wrote in 35 languages.",
        licence="Apache-2.0",
        redistribution="yes",
        citation="https://arxiv.org/abs/2304.07327",
        main_metric=MAIN_METRIC,
        main_split=VALID,
        load=_oasst,
        sources=_oasst_sources,
        helm_class="helm.benchmark.scenarios.open_assistant_scenario.OpenAssistantScenario",
    ),
)


def self_instruct(num_respondents: int = 1) -> Task:
    return _task("self_instruct", "self_instruct", {}, num_respondents)


def vicuna(num_respondents: int = 1, category: Category = "all") -> Task:
    return _task("vicuna", f"vicuna:category={category}", {"category": category}, num_respondents)


def koala(num_respondents: int = 1) -> Task:
    return _task("koala", "koala", {}, num_respondents)


def open_assistant(language: str = "en", num_respondents: int = 1) -> Task:
    return _task("open_assistant", f"open_assistant:language={language}", {"language": language}, num_respondents)


def _task(name: str, shown: str, args: dict[str, Json], num_respondents: int) -> Task:
    return Task(
        name=shown,
        scenario=ScenarioSpec(name, args),
        adapter=instruction(),
        metrics=critique(num_respondents),
        groups=(name,),
    )


def register(registry: Registry) -> None:
    for card in CARDS:
        registry.scenario(card)
    registry.task("self_instruct")(self_instruct)
    registry.task("vicuna")(vicuna)
    registry.task("koala")(koala)
    registry.task("open_assistant")(open_assistant)
    registry.aliases["oasst1"] = "open_assistant:language=en"
