"""LegalSupport: which of two cases supports a legal claim more strongly?"""

from collections.abc import Iterator

from holoscope.core import (
    TEST,
    TRAIN,
    VALID,
    DataError,
    Files,
    Instance,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, ChoiceMethod, multiple_choice
from holoscope.scenarios.fields import text
from holoscope.scenarios.references import right_text
from holoscope.scenarios.rows import Row, read_jsonl

_URL = "https://docs.google.com/uc?export=download&id=1PVoyddrCHChMxYrLhsI-zu7Xzs5S8N77"
_SPLITS = {"train": TRAIN, "dev": VALID, "test": TEST}
_CASES = ("a", "b")


def sources() -> tuple[Source, ...]:
    return tuple(Source(path=_path(name), url=_URL, member=_path(name)) for name in _SPLITS)


def load(files: Files) -> Iterator[Instance]:
    for name, split in _SPLITS.items():
        for row in read_jsonl(files.path(_path(name))):
            cases = [text(row, f"citation_{case}.parenthetical") for case in _CASES]
            yield Instance(input=text(row, "context"), references=right_text(cases, _right(row)), split=split)


def _right(row: Row) -> int:
    label = text(row, "label")
    if label not in _CASES:
        raise DataError(f"{row.where}: label should be a or b, and is {label!r}")
    return _CASES.index(label)


def _path(name: str) -> str:
    return f"legal_support/{name}.jsonl"


CARD = Scenario(
    name="legal_support",
    title="LegalSupport",
    description="Which of two case summaries supports a legal claim more strongly.",
    licence="none stated",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2211.09110",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    chance=0.5,
    helm_class="helm.benchmark.scenarios.legal_support_scenario.LegalSupportScenario",
)


def legal_support(method: ChoiceMethod = "multiple_choice_joint") -> Task:
    return Task(
        name=f"legal_support,method={method}",
        scenario=ScenarioSpec("legal_support"),
        adapter=multiple_choice(
            method, "Which statement best supports the passage?", input_noun="Passage", max_train_instances=3
        ),
        metrics=EXACT_MATCH,
        groups=("legal_support",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("legal_support")(legal_support)
