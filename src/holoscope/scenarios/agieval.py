"""AGIEval: questions of exams for people, from the SAT, LSAT and gaokao to civil service and mathematics.

Asked as the paper asks zero-shot, with the options on one line and the sentence begun that names the letter. Tasks
whose rows have licences that bar their use here, or were taken down, are read from the user's data directory only.
Those with several right options (jec-qa-kd, jec-qa-ca, gaokao-physics) are not asked.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec.structs import replace

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
    Substitution,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, continuation, metrics
from holoscope.scenarios.fields import text, texts
from holoscope.scenarios.references import position_of, right_answer, right_text
from holoscope.scenarios.rows import Row, read_jsonl

Name = Literal[
    "sat-math",
    "sat-en",
    "sat-en-without-passage",
    "lsat-ar",
    "lsat-lr",
    "lsat-rc",
    "aqua-rat",
    "logiqa-en",
    "logiqa-zh",
    "gaokao-biology",
    "gaokao-chemistry",
    "gaokao-chinese",
    "gaokao-english",
    "gaokao-geography",
    "gaokao-history",
    "gaokao-mathqa",
    "gaokao-mathcloze",
    "math",
]


class Words(NamedTuple):
    """What stands around question, options and answer."""

    question: str
    options: str
    answer: str


_ENGLISH = Words("Q: ", " Answer Choices: ", "A: Among A through {last}, the answer is")
_CHINESE = Words("问题：", " 选项：", "答案：从A到{last}, 我们应选择")
_OPEN = {"math": Words("Q: ", "", "A: The answer is"), "gaokao-mathcloze": Words("问题：", "", "答案：")}
_OF_FIVE = frozenset({"lsat-ar", "lsat-lr", "lsat-rc", "aqua-rat"})
_IN_CHINESE = frozenset({"logiqa-zh", *(f"gaokao-{subject}" for subject in ("biology", "chemistry", "chinese"))}) | {
    *("gaokao-geography", "gaokao-history", "gaokao-mathqa"),
}
_NON_COMMERCIAL = "LogiQA's rows are CC-BY-NC-SA-4.0"
_GATED = {
    "math": "the rows of MATH were taken down on request of the rights holder of the problems",
    "logiqa-en": _NON_COMMERCIAL,
    "logiqa-zh": _NON_COMMERCIAL,
}
_URL = "https://raw.githubusercontent.com/ruixiangcui/AGIEval/5c77d073fda993f1652eaae3cf5d04cc5fd21d40/"


def sources(task: str) -> tuple[Source, ...]:
    path = f"data/v1/{task}.jsonl"
    return (Source(path=path, url=_URL + path, gated=_GATED.get(task, "")),)


def load(files: Files, task: str) -> Iterator[Instance]:
    words = _words(task)
    for row in read_jsonl(files.path(f"data/v1/{task}.jsonl")):
        passage = row.values.get("passage") or ""
        yield Instance(
            input=f"{passage}{words.question}{text(row, 'question')}",
            references=right_answer(text(row, "answer")) if task in _OPEN else _options(row),
            split=TEST,
            cluster=str(passage) or None,
        )


def _options(row: Row) -> tuple[Reference, ...]:
    """The options without the letters that upstream writes before them."""
    options = texts(row, "options")
    bare = [option.removeprefix(f"({chr(ord('A') + i)})") for i, option in enumerate(options)]
    if bare == options:
        raise DataError(f"{row.where}: options should begin with (A), (B) ..., and are {options!r}")
    return right_text(bare, position_of(text(row, "label"), bare, row.where))


def _words(task: str) -> Words:
    return _OPEN.get(task) or (_CHINESE if task in _IN_CHINESE else _ENGLISH)


CARD = Scenario(
    name="agieval",
    title="AGIEval",
    description="Questions of admission and qualification exams.",
    licence="MIT (SAT, LSAT, gaokao); Apache-2.0 (AQuA-RAT); CC-BY-NC-SA-4.0 (LogiQA)",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2304.06364",
    main_metric="",
    main_split=TEST,
    load=load,
    sources=sources,
)


def agieval(task: Name) -> Task:
    is_open = task in _OPEN
    return Task(
        name=f"agieval:task={task}",
        scenario=ScenarioSpec("agieval", {"task": task}),
        adapter=_written(task) if is_open else _lettered(task),
        metrics=metrics("math_equiv") if is_open else EXACT_MATCH,
        groups=("agieval", f"agieval_{task}"),
    )


def _lettered(task: Name) -> AdapterSpec:
    words = _words(task)
    answer = words.answer.format(last="E" if task in _OF_FIVE else "D")
    return AdapterSpec(
        method=JOINT,
        input_prefix="",
        input_suffix=words.options,
        reference_prefix="(A)",
        reference_suffix=" ",
        output_prefix=f"\n{answer}",
        substitutions=(Substitution(" \n(?=(?:A: |答案：)[^\n]*$)", "\n"),),  # upstream puts no space after the last
        max_train_instances=0,
        num_outputs=1,
        max_tokens=64,
        temperature=0.0,
    )


def _written(task: Name) -> AdapterSpec:
    return replace(continuation(max_tokens=512, temperature=0.0), output_prefix=f"\n{_words(task).answer}")


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("agieval")(agieval)
