"""The sentence that says in which form to answer: which one, and where it goes."""

import pytest

from holoscope.core import AdapterSpec, RunSpec, ScenarioSpec, UsageError
from holoscope.entries.expanders import expand

LETTER = "Answer with only a single letter."


def told(
    value: str, method: str = "generation", instructions: str = "", output_prefix: str = "", global_suffix: str = ""
) -> AdapterSpec:
    adapter = AdapterSpec(
        method=method, instructions=instructions, output_prefix=output_prefix, global_suffix=global_suffix
    )
    run = RunSpec(name="t", entry="t", scenario=ScenarioSpec("t"), adapter=adapter, metrics=())
    (made,) = expand(run, "output_format_instructions", value, "")
    return made.adapter


def test_the_sentence_stands_before_the_instructions() -> None:
    told_so = told("wmt_14", instructions="Translate.")
    assert told_so.instructions == "Answer with the English translation.\n\nTranslate."


def test_without_instructions_it_is_them() -> None:
    assert told("natural_qa_short_answer").instructions == "Answer with a short answer.\n"


def test_with_suffix_it_ends_the_prompt() -> None:
    told_so = told("mmlu_pro_suffix", "multiple_choice_joint_chain_of_thought", global_suffix="Think.")
    assert told_so.global_suffix == (
        'Think.\n\nIn your response, replace "insert answer here" with the single uppercase letter corresponding to '
        "your answer."
    )
    assert told_so.instructions == ""


def test_with_no_prefix_it_forbids_the_words_before_the_answer() -> None:
    told_so = told("legalbench_no_prefix", output_prefix="Label: ")
    assert told_so.instructions == "Answer with the label. Do not include 'Label:' in your answer.\n"


def test_both_endings_go_together() -> None:
    told_so = told("math_no_prefix_suffix", output_prefix="Answer: ")
    assert told_so.global_suffix == (
        "\n\nWrap the final answer with the \\boxed{} command. Do not include 'Answer:' in your answer."
    )


def test_legalbench_asks_for_what_the_prompt_calls_the_answer() -> None:
    assert told("legalbench", output_prefix="Answer: ").instructions == "Answer yes or no.\n"


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("mmlu", LETTER),
        ("openbookqa", LETTER),
        ("mcqa_no_period", f"{LETTER} Do not include a period in your answer."),
        ("mcqa_only_last_question", "Answer only the last question with only a single letter."),
        ("arabic_mcqa", "اكتب حرف الإجابة فقط، دون أي إضافات أخرى."),
    ],
)
def test_joint_multiple_choice_asks_for_a_letter(value: str, sentence: str) -> None:
    assert told(value, "multiple_choice_joint").instructions == f"{sentence}\n"


def test_a_method_that_writes_nothing_has_no_sentence() -> None:
    with pytest.raises(UsageError, match="for generation and joint multiple choice; t is language_modeling"):
        told("mmlu", "language_modeling")


def test_it_shows_in_the_name_but_not_under_compat() -> None:
    run = RunSpec(name="t", entry="t", scenario=ScenarioSpec("t"), adapter=AdapterSpec(), metrics=())
    names = [expand(run, "output_format_instructions", "wmt_14", compat)[0].name for compat in ("", "helm")]
    assert names == ["t:output_format_instructions=wmt_14", "t"]
