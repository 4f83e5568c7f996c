"""LINDSEA: what a model knows of Indonesian grammar and of what its sentences imply, in pairs made by linguists."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Literal

from holoscope.core import (
    TEST,
    AdapterSpec,
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
from holoscope.scenarios.adapters import EXACT_MATCH
from holoscope.scenarios.fields import boolean, text
from holoscope.scenarios.references import right_answer, right_position
from holoscope.scenarios.rows import Row, read_jsonl

Language = Literal["id"]
Subset = Literal["all", "single", "pair"]
Method = Literal["mcq"]

_URL = "https://raw.githubusercontent.com/aisingapore/BHASA/beb96cdec8f4efbe680b2e7ca66d3f42c0f7493e/lindsea/"
_SYNTAX = ("NPIs_and_negation", "argument_structure", "filler-gap_dependencies", "morphology")
_TRUTH = {True: "Benar", False: "Salah"}


def syntax_sources(method: str, language: str) -> tuple[Source, ...]:
    return _sources(*(f"{language}/syntax/{name}.jsonl" for name in _SYNTAX))


def load_syntax(files: Files, method: str, language: str) -> Iterator[Instance]:
    """The categories from the most frequent on; within each, one stream of draws decides which sentence comes first."""
    paths = [files.path(source.path) for source in syntax_sources(method, language)]
    rows = [row for path in paths for row in read_jsonl(path)]
    for category, _ in Counter(text(row, "category") for row in rows).most_common():
        draws = random.Random(1)
        for row in rows:
            if text(row, "category") == category:
                yield _minimal_pair(row, draws)


def _minimal_pair(row: Row, draws: random.Random) -> Instance:
    options = [text(row, "correct"), text(row, "wrong")]
    order = [0, 1]
    draws.shuffle(order)
    first, second = (options[i] for i in order)
    shown = f"Kalimat mana yang lebih mungkin?\nA: {first}\nB: {second}\nJawablah dengan satu huruf saja, A atau B."
    return Instance(input=shown, references=right_position("AB", order.index(0)), split=TEST)


def pragmatics_sources(language: str, subset: str) -> tuple[Source, ...]:
    names = ("single", "pair") if subset == "all" else (subset,)
    return _sources(*(f"{language}/pragmatics/pragmatic_reasoning_{name}.jsonl" for name in names))


def _pragmatics(files: Files, language: str, subset: str, phenomenon: str) -> Iterator[Instance]:
    for source in pragmatics_sources(language, subset):
        for row in read_jsonl(files.path(source.path)):
            if text(row, "linguistic_phenomenon") == phenomenon:
                yield _single(row) if "single" in source.path else _pair(row)


def _single(row: Row) -> Instance:
    """A sentence by itself; the backslash stands in HELM's prompts."""
    choices, own = text(row, "choices").split(), text(row, "choices_translated")
    translated, label = own.split(), text(row, "label").strip()
    named = {choices[0]: translated[0], choices[-1]: translated[-1]}
    if label not in named:
        raise DataError(f"{row.where}: label should be one of {', '.join(named)}, and is {label!r}")
    question = f"Apakah pernyataan berikut ini {text(row, 'question_translated')}?"
    shown = f"{question}\\Pernyataan: {text(row, 'text')}\nJawablah dengan {own} saja."
    return Instance(input=shown, references=right_answer(named[label]), split=TEST)


def _pair(row: Row) -> Instance:
    shown = (
        f"Situasi: {text(row, 'text')}\nBerdasarkan situasi ini, apakah pernyataan berikut ini benar atau salah?\n"
        f"Pernyataan: {text(row, 'conclusion')}\nJawablah dengan Benar atau Salah saja."
    )
    references: tuple[Reference, ...] = right_answer(_TRUTH[boolean(row, "label")])
    return Instance(input=shown, references=references, split=TEST)


def load_presuppositions(files: Files, language: str, subset: str) -> Iterator[Instance]:
    yield from _pragmatics(files, language, subset, "presuppositions")


def load_implicatures(files: Files, language: str, subset: str) -> Iterator[Instance]:
    yield from _pragmatics(files, language, subset, "scalar_implicatures")


def _sources(*paths: str) -> tuple[Source, ...]:
    return tuple(Source(path=path, url=_URL + path) for path in paths)


def _card(
    name: str,
    title: str,
    description: str,
    load: Callable[..., Iterator[Instance]],
    sources: Callable[..., tuple[Source, ...]],
    helm_class: str,
) -> Scenario:
    return Scenario(
        name=name,
        title=f"LINDSEA: {title}",
        description=description,
        licence="CC-BY-4.0",
        redistribution="yes",
        citation="https://arxiv.org/abs/2309.06085",
        main_metric="exact_match",
        main_split=TEST,
        load=load,
        sources=sources,
        folder="seahelm_lindsea",
        helm_class=f"helm.benchmark.scenarios.seahelm_scenario.LINDSEA{helm_class}Scenario",
    )


CARDS = (
    _card(
        "lindsea_syntax_minimal_pairs",
        "minimal pairs",
        "Which of two Indonesian sentences is better.",
        load_syntax,
        syntax_sources,
        "SyntaxMinimalPairs",
    ),
    _card(
        "lindsea_pragmatics_presuppositions",
        "presuppositions",
        "What an Indonesian sentence takes for granted.",
        load_presuppositions,
        pragmatics_sources,
        "PragmaticsPresuppositions",
    ),
    _card(
        "lindsea_pragmatics_scalar_implicatures",
        "scalar implicatures",
        "What an Indonesian sentence lets one conclude.",
        load_implicatures,
        pragmatics_sources,
        "PragmaticsScalarImplicatures",
    ),
)


def _adapter(max_train_instances: int, max_tokens: int) -> AdapterSpec:
    return AdapterSpec(
        input_prefix="",
        output_prefix="Jawaban: ",
        max_train_instances=max_train_instances,
        num_outputs=1,
        max_tokens=max_tokens,
        temperature=0.0,
        stop_sequences=("\n",),
    )


def lindsea_syntax_minimal_pairs(language: Language = "id", method: Method = "mcq") -> Task:
    name = "lindsea_syntax_minimal_pairs"
    return Task(
        name=f"{name}_{language}",
        scenario=ScenarioSpec(name, {"method": method, "language": language}),
        adapter=_adapter(5, 2),
        metrics=EXACT_MATCH,
        groups=("seahelm_linguistic", f"{name}_{language}", f"{name}_{method}_{language}"),
    )


def _implied(name: str, language: str, subset: str) -> Task:
    return Task(
        name=f"{name}_{subset}_{language}",
        scenario=ScenarioSpec(name, {"language": language, "subset": subset}),
        adapter=_adapter(0, 8),
        metrics=EXACT_MATCH,
        groups=("seahelm_linguistic", f"{name}_{language}", f"{name}_{subset}_{language}"),
    )


def lindsea_pragmatics_presuppositions(language: Language = "id", subset: Subset = "all") -> Task:
    return _implied("lindsea_pragmatics_presuppositions", language, subset)


def lindsea_pragmatics_scalar_implicatures(language: Language = "id", subset: Subset = "all") -> Task:
    return _implied("lindsea_pragmatics_scalar_implicatures", language, subset)


def register(registry: Registry) -> None:
    for card in CARDS:
        registry.scenario(card)
    registry.task("lindsea_syntax_minimal_pairs")(lindsea_syntax_minimal_pairs)
    registry.task("lindsea_pragmatics_presuppositions")(lindsea_pragmatics_presuppositions)
    registry.task("lindsea_pragmatics_scalar_implicatures")(lindsea_pragmatics_scalar_implicatures)
