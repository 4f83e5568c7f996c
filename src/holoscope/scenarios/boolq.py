"""BoolQ: yes/no questions that people asked, each with a passage that answers it.

Some validation questions have a contrast set: people's rewordings that turn the answer round, kept beside the question
for the perturbation of that name. The set is a file of its own, of another project, and the benchmark works without it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from holoscope.core import (
    CORRECT,
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
from holoscope.scenarios.adapters import BIAS, EXACT_MATCH, generation
from holoscope.scenarios.fields import boolean, objects, text
from holoscope.scenarios.rows import Row, read_jsonl, read_rows

_URL = "https://huggingface.co/datasets/stanford-crfm/helm-scenarios/resolve/main/boolq/"
_CONTRAST = "boolq_perturbed.json"
_CONTRAST_URL = (
    "https://raw.githubusercontent.com/allenai/contrast-sets/d178acbcc5469284448a11cb85dea112806846ca/BoolQ/"
)
_SPLITS = {"train": TRAIN, "dev": VALID}


class Contrast(NamedTuple):
    """A question of the contrast set: its answer, and rewordings whose answer is the other."""

    answer: str
    rewordings: tuple[str, ...]


def sources(only_contrast: bool = False) -> tuple[Source, ...]:
    rows = (Source(path=f"{name}.jsonl", url=f"{_URL}{name}.jsonl") for name in _SPLITS)
    return (*rows, Source(path=_CONTRAST, url=_CONTRAST_URL + _CONTRAST, optional=not only_contrast))


def load(files: Files, only_contrast: bool = False) -> Iterator[Instance]:
    contrasts = _contrasts(files.path(_CONTRAST)) if only_contrast or files.has(_CONTRAST) else {}
    for name, split in _SPLITS.items():
        rows = list(read_jsonl(files.path(f"{name}.jsonl")))
        counts = Counter(text(row, "passage") for row in rows)
        shared = {passage: f"passage {i}" for i, passage in enumerate(counts) if counts[passage] > 1}
        for row in rows:
            contrast = contrasts.get(text(row, "question")) if split == VALID else None
            if contrast or not only_contrast or split == TRAIN:
                yield _instance(row, split, contrast, shared.get(text(row, "passage")))


def _instance(row: Row, split: str, contrast: Contrast | None, cluster: str | None) -> Instance:
    passage, answer = text(row, "passage"), _word(boolean(row, "answer"))
    if contrast and contrast.answer != answer:
        raise DataError(f"{row.where}: the answer is {answer}, and in the contrast set it is {contrast.answer}")
    return Instance(
        input=_asked(passage, text(row, "question")),
        references=(Reference(answer, (CORRECT,)),),
        split=split,
        cluster=cluster,
        extra=_extra(passage, contrast) if contrast else {},
    )


def _extra(passage: str, contrast: Contrast) -> dict[str, Json]:
    other: Json = [{"text": _word(contrast.answer == "No"), "tags": [CORRECT]}]
    return {
        "contrast_inputs": [_asked(passage, question) for question in contrast.rewordings],
        "contrast_references": [other for _ in contrast.rewordings],
    }


def _contrasts(path: Path) -> Mapping[str, Contrast]:
    """The contrast set by question; its first row describes the others."""
    found: dict[str, Contrast] = {}
    for row in read_rows(path)[1:]:
        answer = _word(text(row, "answer") == "TRUE")
        reworded = objects(row, "perturbed_questions")
        turned = (text(r, "perturbed_q") for r in reworded if _word(text(r, "answer") == "TRUE") != answer)
        if rewordings := tuple(filter(None, turned)):
            found[text(row, "question")] = Contrast(answer, rewordings)
    return found


def _asked(passage: str, question: str) -> str:
    return f"{passage}\nQuestion: {question.strip().capitalize()}?"


def _word(answer: bool) -> str:
    return "Yes" if answer else "No"


CARD = Scenario(
    name="boolq",
    title="BoolQ",
    description="Yes/no questions from searches, each with a passage that answers it.",
    licence="CC-BY-SA-3.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/1905.10044",
    main_metric="quasi_exact_match",
    main_split=VALID,
    load=load,
    sources=sources,
    chance=0.5,
    helm_class="helm.benchmark.scenarios.boolq_scenario.BoolQScenario",
)


def boolq(only_contrast: bool = False) -> Task:
    return Task(
        name="boolq:only_contrast=True" if only_contrast else "boolq",
        scenario=ScenarioSpec("boolq", {"only_contrast": only_contrast}),
        adapter=generation(input_noun="Passage", output_noun="Answer"),
        metrics=(*EXACT_MATCH, *BIAS),
        groups=("boolq",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("boolq")(boolq)
