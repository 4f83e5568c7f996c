"""BIG-Bench Hard: 27 tasks, asked with upstream's three worked examples and answered after thinking step by step.

The examples are read from upstream's prompts, without the line that marks them as test material: that mark is for those
who collect training text. The answer is what the reply says it is (`So the answer is (B).`).
"""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import TEST, AdapterSpec, DataError, Files, Instance, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import IN_FILES, metrics
from holoscope.scenarios.fields import objects, text
from holoscope.scenarios.references import right_answer
from holoscope.scenarios.rows import read_lines, read_object

Name = Literal[
    "boolean_expressions",
    "causal_judgement",
    "date_understanding",
    "disambiguation_qa",
    "dyck_languages",
    "formal_fallacies",
    "geometric_shapes",
    "hyperbaton",
    "logical_deduction_five_objects",
    "logical_deduction_seven_objects",
    "logical_deduction_three_objects",
    "movie_recommendation",
    "multistep_arithmetic_two",
    "navigate",
    "object_counting",
    "penguins_in_a_table",
    "reasoning_about_colored_objects",
    "ruin_names",
    "salient_translation_error_detection",
    "snarks",
    "sports_understanding",
    "temporal_sequences",
    "tracking_shuffled_objects_five_objects",
    "tracking_shuffled_objects_seven_objects",
    "tracking_shuffled_objects_three_objects",
    "web_of_lies",
    "word_sorting",
]

_URL = "https://raw.githubusercontent.com/suzgunmirac/BIG-Bench-Hard/9ee07bd481feebf959a6b59d61ea57bdcf30964d/"
_MARK = "-----"


def sources(task: str) -> tuple[Source, ...]:
    return (
        Source(path=f"{task}.json", url=f"{_URL}bbh/{task}.json"),
        Source(path=_prompt(task), url=_URL + _prompt(task)),
    )


def load(files: Files, task: str) -> Iterator[Instance]:
    for row in objects(read_object(files.path(f"{task}.json")), "examples"):
        yield Instance(input=text(row, "input"), references=right_answer(text(row, "target")), split=TEST)


def examples(files: Files, task: str) -> str:
    """The task's description and its worked examples."""
    path = files.path(_prompt(task))
    lines = read_lines(path)
    if _MARK not in lines:
        raise DataError(f"{path}: expected worked examples after a line of dashes")
    return "\n".join(lines[lines.index(_MARK) + 1 :])


def _prompt(task: str) -> str:
    return f"cot-prompts/{task}.txt"


CARD = Scenario(
    name="bbh",
    title="BIG-Bench Hard",
    description="27 tasks of BIG-bench that take several steps of reasoning.",
    licence="MIT",
    redistribution="yes",
    citation="https://arxiv.org/abs/2210.09261",
    main_metric="stated_exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    instructions=examples,
)


def bbh(task: Name) -> Task:
    return Task(
        name=f"bbh:task={task}",
        scenario=ScenarioSpec("bbh", {"task": task}),
        adapter=AdapterSpec(
            instructions=IN_FILES,
            input_prefix="Q: ",
            output_prefix="A: Let's think step by step.\n",
            instance_prefix="\n\n",
            max_train_instances=0,
            num_outputs=1,
            max_tokens=1024,
            temperature=0.0,
            stop_sequences=("\n\nQ:",),
        ),
        metrics=metrics("stated_exact_match"),
        groups=("bbh", f"bbh_{task}"),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("bbh", "big_bench_hard")(bbh)
