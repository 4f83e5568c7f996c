"""InfiniteBench's English novels: a question, a choice of four answers, or a summary of the whole book."""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from holoscope.core import (
    TEST,
    AdapterSpec,
    Files,
    Instance,
    MetricSpec,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, OPEN_ENDED, continuation
from holoscope.scenarios.fields import text, texts
from holoscope.scenarios.references import right_answer
from holoscope.scenarios.rows import read_jsonl

Kind = Literal["qa", "mc", "sum"]

_URL = (
    "https://huggingface.co/datasets/xinrongzhang2022/InfiniteBench/resolve/90f0394333616266d9fe85824ceaf505093cbaa5/"
)
_FILES: dict[Kind, str] = {
    "qa": "longbook_qa_eng.jsonl",
    "mc": "longbook_choice_eng.jsonl",
    "sum": "longbook_sum_eng.jsonl",
}
_LETTER = "Respond with only a single letter corresponding to your choice. Do not include a period in your answer."


def load(files: Files, kind: Kind, max_num_words: int) -> Iterator[Instance]:
    for row in read_jsonl(files.path(_FILES[kind])):
        book, asked, options = text(row, "context"), text(row, "input"), texts(row, "options")
        counted = (book, asked) if kind == "sum" else (book, asked, *options)
        if sum(max(1, len(each.split())) for each in counted) <= max_num_words:
            right = texts(row, "answer")[0]
            references = tuple(Reference(option, _tags(option == right)) for option in options)
            yield Instance(
                id=str(row.values.get("id", "")),
                input=f"{book}\n\n{asked}",
                references=references if kind == "mc" else right_answer(right),
                split=TEST,
            )


def _tags(is_right: bool) -> tuple[str, ...]:
    return ("correct",) if is_right else ()


_TITLES: dict[Kind, tuple[str, str, str, str]] = {
    "qa": ("questions about a novel", "f1_score", "QA", "EnQA"),
    "mc": ("choices of an answer to a question about a novel", "exact_match", "MC", "EnMC"),
    "sum": ("summaries of a novel", "rouge_l", "Sum", "EnSum"),
}


def _card(kind: Kind) -> Scenario:
    what, main_metric, title, helm_class = _TITLES[kind]
    name, file = f"infinite_bench_en_{kind}", _FILES[kind]
    return Scenario(
        name=name,
        title=f"InfiniteBench En.{title}",
        description=f"Over a hundred thousand tokens long: {what}.",
        licence="Apache-2.0 (its card); the rights in the novels are not stated",
        redistribution="ids-only",
        citation="https://arxiv.org/abs/2402.13718",
        main_metric=main_metric,
        main_split=TEST,
        load=lambda files, max_num_words: load(files, kind, max_num_words),
        sources=lambda max_num_words: (Source(path=file, url=_URL + file, stand_in=f"infinite_bench/{file}"),),
        chance=0.25 if kind == "mc" else None,
        helm_class=f"helm.benchmark.scenarios.{name}_scenario.InfiniteBench{helm_class}Scenario",
    )


def _task(kind: Kind, max_num_words: int, adapter: AdapterSpec, measured: tuple[MetricSpec, ...]) -> Task:
    name = f"infinite_bench_en_{kind}"
    return Task(
        name=f"{name}:max_num_words={max_num_words}",
        scenario=ScenarioSpec(name, {"max_num_words": max_num_words}),
        adapter=adapter,
        metrics=measured,
        groups=(name,),
    )


def _written(max_tokens: int) -> AdapterSpec:
    return replace(continuation(max_tokens=max_tokens, temperature=0.0), reference_suffix="", instance_prefix="")


def infinite_bench_en_qa(max_num_words: int = 131072) -> Task:
    return _task("qa", max_num_words, _written(40), OPEN_ENDED)


def infinite_bench_en_sum(max_num_words: int = 131072) -> Task:
    return _task("sum", max_num_words, _written(1200), OPEN_ENDED)


def infinite_bench_en_mc(max_num_words: int = 131072) -> Task:
    adapter = AdapterSpec(
        method=JOINT,
        instructions=f"Read the passage and answer the following question. {_LETTER}\n\n",
        input_prefix="",
        output_prefix=f"\nAnswer the question above based on the passage. {_LETTER}\n",
        output_suffix="",
        instance_prefix="",
        max_train_instances=0,
        num_outputs=1,
        max_tokens=40,
        temperature=0.0,
    )
    return _task("mc", max_num_words, adapter, EXACT_MATCH)


def register(registry: Registry) -> None:
    kinds: tuple[Kind, ...] = ("qa", "mc", "sum")
    for kind in kinds:
        registry.scenario(_card(kind))
    registry.task("infinite_bench_en_qa")(infinite_bench_en_qa)
    registry.task("infinite_bench_en_mc")(infinite_bench_en_mc)
    registry.task("infinite_bench_en_sum")(infinite_bench_en_sum)
