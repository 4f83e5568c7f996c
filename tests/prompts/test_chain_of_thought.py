"""Examples reason before they answer; the model is asked as in joint multiple choice."""

import pytest
from msgspec.structs import replace

from holoscope.core import AdapterSpec, DataError, Json
from prompts.made import asked, planned

REASONING = AdapterSpec(
    method="multiple_choice_joint_chain_of_thought",
    input_prefix="Question: ",
    input_suffix="\nChoices:\n",
    reference_prefix="(A) ",
    output_prefix="",
    chain_of_thought_prefix="Let's think: ",
    chain_of_thought_suffix=" The correct answer is ",
    global_suffix="Think first.",
    max_train_instances=1,
    max_tokens=100,
)
TREE = asked("Which is a tree?", "oak", "cat")


def shown(**extra: Json) -> str:
    train = replace(asked("Which is warm?", "ice", "fire", right=1, split="train"), extra=extra)
    [request] = planned(REASONING, TREE, train=(train,))
    return str(request.request.prompt)


def test_an_example_reasons_and_then_names_its_option() -> None:
    assert shown(chain_of_thought="Ice is cold.").startswith(
        "Question: Which is warm?\nChoices:\n(A) ice\n(B) fire\n"
        "Let's think: Ice is cold. The correct answer is (B) \n\nQuestion: Which is a tree?"
    )


def test_an_example_without_reasoning_has_an_empty_one() -> None:
    assert "Let's think:  The correct answer is (B) \n" in shown()


def test_reasoning_that_is_no_text_is_an_error() -> None:
    with pytest.raises(DataError, match="chain_of_thought should be text, and is 7"):
        shown(chain_of_thought=7)


def test_the_question_ends_in_the_suffix_and_is_answered_by_a_letter() -> None:
    [request] = planned(replace(REASONING, max_train_instances=0), TREE)
    assert request.request.prompt == "Question: Which is a tree?\nChoices:\n(A) oak\n(B) cat\nThink first."
    assert request.output_mapping == {"A": "oak", "B": "cat"}


def test_several_right_options_are_all_named_where_multi_label() -> None:
    both = replace(
        asked("Which?", "a", "b", split="train"),
        references=tuple(replace(r, tags=("correct",)) for r in asked("Which?", "a", "b").references),
    )
    [request] = planned(replace(REASONING, multi_label=True), TREE, train=(both,))
    assert "The correct answer is (A) , (B) \n" in str(request.request.prompt)
