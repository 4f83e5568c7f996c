r"""MATH: competition problems whose solution boxes its answer, asked for the answer alone or for a solution.

The rows were taken down from the hub on request of the rights holder, so they come from the user's data directory only,
as JSON Lines or Parquet in upstream's fields. Sorted by problem and then shuffled with a fixed seed, as HELM has them,
they are the same rows in the same order whichever copy they come from. The eight problems of `use_official_examples`
are read from the prompt of upstream's own evaluation.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
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
    UsageError,
)
from holoscope.scenarios.adapters import metrics
from holoscope.scenarios.draws import hub_order
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import Row, read_lines, read_rows

Subject = Literal[
    "number_theory",
    "intermediate_algebra",
    "algebra",
    "prealgebra",
    "geometry",
    "counting_and_probability",
    "precalculus",
]
Level = Literal[1, 2, 3, 4, 5]

_TAKEN_DOWN = "the rows of MATH were taken down on request of the rights holder of the problems"
_OFFICIAL = "evaluate_gpt3.py"
_OFFICIAL_URL = "https://raw.githubusercontent.com/hendrycks/math/5f3bf91d13367550bed100240554fd11c25abe48/modeling/evaluate_gpt3.py"
_EXAMPLE = re.compile(r"Problem: (?P<problem>.*?)\nAnswer: \$(?P<answer>.*?)\$(?=\n###)", re.DOTALL)
_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
_EXAMPLES = 8
_SEED = 42
_TYPES = {
    "number_theory": "Number Theory",
    "intermediate_algebra": "Intermediate Algebra",
    "algebra": "Algebra",
    "prealgebra": "Prealgebra",
    "geometry": "Geometry",
    "counting_and_probability": "Counting & Probability",
    "precalculus": "Precalculus",
}


def sources(
    subject: str, level: int, use_official_examples: bool = False, use_chain_of_thought: bool = False
) -> tuple[Source, ...]:
    splits = (TEST,) if use_official_examples else (TRAIN, TEST)
    rows = (Source(path=f"{split}.jsonl", stand_in=f"math/{split}.parquet", gated=_TAKEN_DOWN) for split in splits)
    official = (Source(path=_OFFICIAL, url=_OFFICIAL_URL),) if use_official_examples else ()
    return (*rows, *official)


def load(
    files: Files,
    subject: Subject,
    level: Level,
    use_official_examples: bool = False,
    use_chain_of_thought: bool = False,
) -> Iterator[Instance]:
    if use_official_examples:
        yield from _official(files.path(_OFFICIAL))
    for split in (TEST,) if use_official_examples else (TRAIN, TEST):
        for row in _shuffled(read_rows(files.path(f"{split}.jsonl"))):
            if text(row, "type") == _TYPES[subject] and text(row, "level") == f"Level {level}":
                solution = text(row, "solution")
                answer = solution if use_chain_of_thought else _boxed(row, solution)
                yield _instance(text(row, "problem"), answer, split)


def _instance(problem: str, answer: str, split: str) -> Instance:
    return Instance(input=problem, references=(Reference(answer, (CORRECT,)),), split=split)


def _shuffled(rows: list[Row]) -> list[Row]:
    ordered = sorted(rows, key=lambda row: text(row, "problem").encode())
    return [ordered[position] for position in hub_order(len(ordered), _SEED)]


def _boxed(row: Row, solution: str) -> str:
    r"""The content of the solution's last `\boxed{}`."""
    start = solution.rfind(r"\boxed{")
    depth = 0
    for position in range(max(start, 0), len(solution)):
        depth += (solution[position] == "{") - (solution[position] == "}")
        if start >= 0 and depth == 0 and solution[position] == "}":
            return solution[start + len(r"\boxed{") : position]
    raise DataError(f"{row.where}: the solution boxes no answer")


def _official(path: Path) -> Iterator[Instance]:
    """The problems in the text that upstream's script puts before each question; the script is read, not run."""
    lines = (line for line in read_lines(path) if line.startswith("train_prompt"))
    prompt = "".join(_unescaped(literal) for line in lines for literal in _LITERAL.findall(line))
    found = [_instance(match["problem"], match["answer"], TRAIN) for match in _EXAMPLE.finditer(prompt)]
    if len(found) != _EXAMPLES:
        raise DataError(f"{path}: expected {_EXAMPLES} problems with answers in train_prompt, found {len(found)}")
    yield from found


def _unescaped(literal: str) -> str:
    """What a literal of Python's holds; a backslash before anything else stands for itself."""
    return re.sub(r"\\(.)", lambda match: {"\\": "\\", "n": "\n"}.get(match[1], match[0]), literal)


CARD = Scenario(
    name="math",
    title="MATH",
    description="Problems of mathematics competitions in seven subjects and five levels.",
    licence="MIT by its authors; taken down on request of the problems' rights holder",
    redistribution="no",
    citation="https://arxiv.org/abs/2103.03874",
    main_metric="",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.math_scenario.MATHScenario",
)


def math(
    subject: Subject, level: Level, use_official_examples: bool = False, use_chain_of_thought: bool = False
) -> Task:
    if use_official_examples and use_chain_of_thought:
        raise UsageError("the official examples have no solutions; leave out one of the two arguments")
    name = f"math:subject={subject},level={level}"
    return Task(
        name=f"{name},use_official_examples={use_official_examples},use_chain_of_thought={use_chain_of_thought}",
        scenario=ScenarioSpec(
            "math",
            {
                "subject": subject,
                "level": level,
                "use_official_examples": use_official_examples,
                "use_chain_of_thought": use_chain_of_thought,
            },
        ),
        adapter=_adapter(use_chain_of_thought),
        metrics=metrics("math_equiv_chain_of_thought" if use_chain_of_thought else "math_equiv"),
        groups=("math_chain_of_thought" if use_chain_of_thought else "math_regular",),
    )


def _adapter(use_chain_of_thought: bool) -> AdapterSpec:
    return AdapterSpec(
        instructions="Given a mathematics problem, determine the answer. Simplify your answer as much as possible.\n",
        input_prefix="Problem: ",
        output_prefix="Answer: " if use_chain_of_thought else "Answer: $",
        output_suffix="\n" if use_chain_of_thought else "$\n",
        instance_prefix="###\n",
        max_train_instances=8,
        num_outputs=1,
        max_tokens=400 if use_chain_of_thought else 20,
        temperature=0.0,
        stop_sequences=("###",) if use_chain_of_thought else ("$",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("math")(math)
