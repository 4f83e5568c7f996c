"""BBQ: does a model answer from a stereotype where the passage does not say?

Each template is asked four ways: with a passage that leaves the answer open or settles it, and with a question that
casts the group in a bad light or not. Which letter is right, the stereotyped group's, the other's and "unknown" stands
as tags on every reference, since the bias is computed from them. Upstream's rows have no split: all categories' rows
are shuffled together with a fixed seed, and the last thousand are asked.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    DataError,
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
from holoscope.scenarios.adapters import EXACT_MATCH, ChoiceMethod, multiple_choice
from holoscope.scenarios.fields import integer, text, texts
from holoscope.scenarios.rows import Row, read_jsonl

Subject = Literal[
    "all",
    "Age",
    "Disability_status",
    "Gender_identity",
    "Nationality",
    "Physical_appearance",
    "Race_ethnicity",
    "Race_x_SES",
    "Race_x_gender",
    "Religion",
    "SES",
    "Sexual_orientation",
    "age",
    "disability_status",
    "gender_identity",
    "nationality",
    "physical_appearance",
    "race_ethnicity",
    "race_x_SES",
    "race_x_gender",
    "religion",
    "sexual_orientation",
]
"""Upstream's files, and the spelling of HELM's conf files."""

_CATEGORIES = (
    *("Age", "Disability_status", "Gender_identity", "Nationality", "Physical_appearance", "Race_ethnicity"),
    *("Race_x_SES", "Race_x_gender", "Religion", "SES", "Sexual_orientation"),
)
_URL = "https://raw.githubusercontent.com/nyu-mll/BBQ/bea11bd97d79217245b5871acd247b9d6eb24598/data/"
_ASKED = 1000
_UNKNOWN = frozenset(
    {
        *("Cannot answer", "Can't be determined", "Cannot be determined", "Can't answer", "Not known"),
        *("Not enough info", "Not enough information", "Not answerable", "Undetermined", "Unknown"),
    }
)


class Letters(NamedTuple):
    """Which option is whose; empty where none is."""

    target: str = ""
    non_target: str = ""
    unknown: str = ""


def sources(subject: str) -> tuple[Source, ...]:
    return tuple(Source(path=f"{name}.jsonl", url=f"{_URL}{name}.jsonl") for name in _files(subject))


def load(files: Files, subject: str) -> Iterator[Instance]:
    rows = [(row, name) for name in _files(subject) for row in read_jsonl(files.path(f"{name}.jsonl"))]
    random.Random(0).shuffle(rows)
    for position, (row, category) in enumerate(rows):
        yield _instance(row, category, TRAIN if position < len(rows) - _ASKED else TEST)


def _files(subject: str) -> tuple[str, ...]:
    if subject == "all":
        return _CATEGORIES
    return tuple(name for name in _CATEGORIES if name.lower() == subject.lower())


def _instance(row: Row, category: str, split: str) -> Instance:
    answers = [text(row, f"ans{i}") for i in range(3)]
    label = integer(row, "label")
    if not 0 <= label < len(answers):
        raise DataError(f"{row.where}: label should be 0, 1 or 2, and is {label}")
    stereotyped = texts(row, "additional_metadata.stereotyped_groups")
    letters = _letters([texts(row, f"answer_info.ans{i}") for i in range(3)], stereotyped, category)
    tags = (
        "negative" if text(row, "question_polarity") == "neg" else "non-negative",
        "ambiguous" if text(row, "context_condition") == "ambig" else "non-ambiguous",
        "ABC"[label],
        *letters,
    )
    right = answers[label]
    return Instance(
        input=f"{text(row, 'context')}\nQuestion: {text(row, 'question')}",
        references=tuple(Reference(a, (CORRECT, *tags) if a == right else tags) for a in answers),
        split=split,
        cluster=f"{category} {text(row, 'question_index')}",
        groups={"category": category, "target": ", ".join(stereotyped)},
    )


def _letters(infos: Sequence[Sequence[str]], stereotyped: Sequence[str], category: str) -> Letters:
    found = Letters()
    for letter, info in zip("ABC", infos, strict=True):
        if not _UNKNOWN.isdisjoint(info):
            found = found._replace(unknown=letter)
        elif any(_names(info, group, category) for group in stereotyped):
            found = found._replace(target=letter)
        else:
            found = found._replace(non_target=letter)
    return found


def _names(info: Sequence[str], group: str, category: str) -> bool:
    """True if the answer is of the stereotyped group; some files spell it otherwise there, as `M-Black` or `lowSES`."""
    spellings: list[str] = []
    if category == "Race_ethnicity" and group in ("Black", "African American", "Latino"):
        spellings = [group]
    elif category == "SES" and group == "low SES":
        spellings = ["lowSES"]
    elif category == "Race_x_SES":
        spellings = [f"lowSES-{gender}{group}" for gender in ("", "M-", "F-")]
    return group in info or any(spelling in part for part in info for spelling in spellings)


CARD = Scenario(
    name="bbq",
    title="BBQ",
    description="Questions about people whose passage may not say the answer, to see where stereotypes fill in.",
    licence="CC-BY-4.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2110.08193",
    main_metric="exact_match",  # of letters; unlike bbq_accuracy, also where options are scored one by one
    main_split=TEST,
    load=load,
    sources=sources,
    chance=1 / 3,
    helm_class="helm.benchmark.scenarios.bbq_scenario.BBQScenario",
)


def bbq(subject: Subject, method: ChoiceMethod = "multiple_choice_joint") -> Task:
    instructions = "The following are multiple choice questions (with answers)."
    return Task(
        name=f"bbq:subject={subject},method={method}",
        scenario=ScenarioSpec("bbq", {"subject": subject}),
        adapter=multiple_choice(method, instructions, input_noun="Passage"),
        metrics=(MetricSpec("bbq"), *EXACT_MATCH),
        groups=("bbq",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("bbq")(bbq)
