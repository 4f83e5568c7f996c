"""LMentry: questions that any reader answers at once, such as which of two words has more letters.

A task's files differ in how hard they are. The answer, and what else one might have said, is named differently in each
task's metadata: a few words below say how.
"""

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec.structs import replace

from holoscope.core import (
    CORRECT,
    TEST,
    AdapterSpec,
    Files,
    Instance,
    Json,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
    UsageError,
)
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, generation, metrics, multiple_choice
from holoscope.scenarios.fields import integer, member, text, texts
from holoscope.scenarios.rows import Row, read_json

Name = Literal[
    "all_words_from_category",
    "any_words_from_category",
    "bigger_number",
    "first_alphabetically",
    "first_letter",
    "first_word",
    "homophones",
    "last_letter",
    "last_word",
    "least_associated_word",
    "less_letters",
    "more_letters",
    "most_associated_word",
    "rhyming_word",
    "smaller_number",
    "word_after",
    "word_before",
]
Method = Literal["generation", "multiple_choice_joint"]

_URL = "https://raw.githubusercontent.com/aviaefrat/lmentry/463763dc681f827bcaddb381ff00e96eb998cf13/data/"
_PARTS: dict[str, tuple[str, ...]] = {
    "all_words_from_category": ("", "_0_distractors", "_1_distractors", "_2_distractors"),
    "any_words_from_category": ("", "_3_distractors", "_4_distractors", "_5_distractors"),
    "first_alphabetically": (
        *("", "_consecutive_first_letter", "_different_first_letter", "_far_first_letter", "_same_first_letter"),
    ),
    "less_letters": ("", "_length_diff_1", "_length_diff_3plus"),
    "more_letters": ("", "_length_diff_1", "_length_diff_3plus"),
    "rhyming_word": ("", "_orthographically_different", "_orthographically_similar"),
}
"""What a task's files are called after its name."""
_QUESTION, _ANSWER = "Q: ", ("\n", "\nA:")


def _yes_no(right: bool) -> tuple[str, list[str]]:
    return ("yes" if right else "no"), ["yes", "no"]


def _of_two(first: str, second: str) -> Callable[[Row], tuple[str, list[str]]]:
    return lambda row: (_said(row, "answer"), [_said(row, first), _said(row, second)])


def _alone(row: Row) -> tuple[str, list[str]]:
    return text(row, "answer"), [text(row, "answer")]


def _among(row: Row) -> tuple[str, list[str]]:
    return text(row, "answer"), [text(row, "answer"), *texts(row, "distractors")]


_NUMBERS, _WORDS, _ODD_ONE = _of_two("n1", "n2"), _of_two("word1", "word2"), _of_two("answer", "distractor")
_OPTIONS: dict[str, Callable[[Row], tuple[str, list[str]]]] = {
    "all_words_from_category": lambda row: _yes_no(integer(row, "num_distractors") == 0),
    "any_words_from_category": lambda row: _yes_no(len(texts(row, "category_words")) > 0),
    "bigger_number": _NUMBERS,
    "smaller_number": _NUMBERS,
    "first_alphabetically": _WORDS,
    "less_letters": _WORDS,
    "more_letters": _WORDS,
    "homophones": _ODD_ONE,
    "rhyming_word": _ODD_ONE,
    "least_associated_word": _among,
    "most_associated_word": _among,
}
"""The right answer and the options, by task; the tasks that are not here have only an answer."""


def _said(row: Row, name: str) -> str:
    value = row.values.get(name)
    return str(value) if isinstance(value, int) else text(row, name)


def _paths(task: str) -> list[str]:
    return [f"{task}{part}.json" for part in _PARTS.get(task, ("",))]


def sources(task: str) -> tuple[Source, ...]:
    return tuple(Source(path=path, url=_URL + path) for path in _paths(task))


def load(files: Files, task: str) -> Iterator[Instance]:
    for name in _paths(task):
        path = files.path(name)
        whole = read_json(path)
        examples = member(Row(str(path), whole if isinstance(whole, dict) else {}), "examples")
        for key in examples.values:
            row = member(examples, key)
            right, options = _OPTIONS.get(task, _alone)(member(row, "metadata"))
            references = tuple(Reference(option, (CORRECT,) if option == right else ()) for option in options)
            yield Instance(input=_question(text(row, "input")), references=references, split=TEST)


def _question(asked: str) -> str:
    """The question without the letters that stand around it, which the adapter adds."""
    asked = asked.removeprefix(_QUESTION)
    return next((asked.removesuffix(end) for end in _ANSWER if asked.endswith(end)), asked)


CARD = Scenario(
    name="lm_entry",
    title="LMentry",
    description="Questions that any reader answers at once, such as which of two words has more letters.",
    licence="none stated",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2211.02069",
    main_metric="",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.lm_entry_scenario.LMEntryScenario",
)


def lm_entry(task: Name, method: Method = "generation") -> Task:
    args: dict[str, Json] = {"task": task}
    if method == JOINT and task not in _OPTIONS:
        raise UsageError(f"lm_entry:task={task} has no options; leave out method={method}")
    return Task(
        name=f"lm_entry:task={task},method={method}",
        scenario=ScenarioSpec("lm_entry", args),
        adapter=_joint() if method == JOINT else _asked(),
        metrics=EXACT_MATCH
        if method == JOINT
        else metrics("quasi_exact_match", "quasi_prefix_exact_match", "f1_score"),
        groups=("lm_entry",),
    )


def _asked() -> AdapterSpec:
    told = "Answer the following question in one word."
    return generation(instructions=told, input_noun="Q", output_noun="\nA", max_tokens=10, stop_sequences=())


def _joint() -> AdapterSpec:
    told = "Answer the following multiple choice question with a single letter"
    return replace(multiple_choice(JOINT, told), output_prefix="\nAnswer: ")


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("lm_entry")(lm_entry)
