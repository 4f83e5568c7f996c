"""OpinionsQA: questions of opinion polls, to which there is no right answer, asked as they are or as one of a group.

What is looked at is how a model's answers are distributed, beside those of people; no answer is graded. The group is
named by an example question (`steer-qa`), by a description of oneself (`steer-bio`), or by an instruction to answer as
one of it (`steer-portray`); in the last two every question is asked for every group.
"""

import ast
from collections.abc import Iterator
from typing import Literal

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
from holoscope.scenarios.adapters import JOINT, multiple_choice
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import Row, read_csv

Survey = Literal[
    "Pew_American_Trends_Panel_W26",
    "Pew_American_Trends_Panel_W27",
    "Pew_American_Trends_Panel_W29",
    "Pew_American_Trends_Panel_W32",
    "Pew_American_Trends_Panel_W34",
    "Pew_American_Trends_Panel_W36",
    "Pew_American_Trends_Panel_W41",
    "Pew_American_Trends_Panel_W42",
    "Pew_American_Trends_Panel_W43",
    "Pew_American_Trends_Panel_W45",
    "Pew_American_Trends_Panel_W49",
    "Pew_American_Trends_Panel_W50",
    "Pew_American_Trends_Panel_W54",
    "Pew_American_Trends_Panel_W82",
    "Pew_American_Trends_Panel_W92",
    "Pew_American_Trends_Panel_disagreement_500",
]
Context = Literal["default", "steer-qa", "steer-bio", "steer-portray"]

_URL = "https://worksheets.codalab.org/rest/bundles/0xa6f81cc62d7d4ccb93031a72d2043669/contents/blob/model_input/"


def sources(survey_type: str, context: str) -> tuple[Source, ...]:
    names = (survey_type,) if context == "default" else (context, survey_type)
    return tuple(Source(path=f"{name}.csv", url=f"{_URL}{name}.csv") for name in names)


def load(files: Files, survey_type: Survey, context: Context) -> Iterator[Instance]:
    steering = [] if context == "default" else list(read_csv(files.path(f"{context}.csv"), "\t"))
    if context == "steer-qa":
        for row in steering:
            right = text(row, "correct")
            references = tuple(Reference(o, (CORRECT,) if o == right else ()) for o in _options(row))
            yield Instance(input=text(row, "question"), references=references, split=TRAIN)
        steering = []
    for row in read_csv(files.path(f"{survey_type}.csv"), "\t"):
        asked, references = text(row, "question"), tuple(map(Reference, _options(row)))
        if context in ("default", "steer-qa"):
            yield Instance(input=asked, references=references, split=TEST)
        for group in steering:
            yield Instance(input=f"{text(group, 'question')}\nQuestion: {asked}\n", references=references, split=TEST)


def _options(row: Row) -> list[str]:
    """The options of a row, which are written as a list of Python's."""
    written = text(row, "options")
    try:
        found = ast.literal_eval(written)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(option, str) for option in found):
        raise DataError(f"{row.where}: options should be a list of texts, and is {written!r}")
    return found


CARD = Scenario(
    name="opinions_qa",
    title="OpinionsQA",
    description="Questions of Pew's opinion polls, asked as they are or as one of a group of people.",
    licence="none stated (questions of the Pew Research Center)",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2303.17548",
    main_metric="",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.opinions_qa_scenario.OpinionsQAScenario",
)


def opinions_qa(survey_type: Survey, num_logprobs: int = 10, context: Context = "default") -> Task:
    adapter = multiple_choice(JOINT, max_train_instances=0 if context == "default" else 1)
    return Task(
        name=f"opinions_qa:survey={survey_type},num_logprobs={num_logprobs},context={context},num_train_trials=1",
        scenario=ScenarioSpec("opinions_qa", {"survey_type": survey_type, "context": context}),
        adapter=replace(adapter, num_outputs=num_logprobs, sample_train=False),
        metrics=(),
        groups=("opinions_qa",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("opinions_qa", "opinionsqa")(opinions_qa)
