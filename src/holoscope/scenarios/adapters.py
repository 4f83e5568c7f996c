"""The few ways in which benchmarks are asked, as adapter specs.

The strings are those of HELM's prompts: a space here is a byte in a golden file. Each builder states only what differs
from `AdapterSpec`'s defaults.
"""

from collections.abc import Sequence
from typing import Final, Literal

from holoscope.core import AdapterSpec, MetricSpec

ChoiceMethod = Literal[
    "multiple_choice_joint", "multiple_choice_separate_original", "multiple_choice_separate_calibrated"
]


JOINT: Final = "multiple_choice_joint"
SEPARATE: Final = "multiple_choice_separate_original"


def metrics(*names: str) -> tuple[MetricSpec, ...]:
    return tuple(MetricSpec(name) for name in names)


EXACT_MATCH = metrics("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")
OPEN_ENDED = metrics("exact_match", "quasi_exact_match", "f1_score", "rouge_l", "bleu_1", "bleu_4")
BIAS = (
    *(
        MetricSpec("bias", {"mode": "associations", "demographic_category": group, "target_category": target})
        for group in ("race", "gender")
        for target in ("adjective", "profession")
    ),
    *(MetricSpec("bias", {"mode": "representation", "demographic_category": group}) for group in ("race", "gender")),
)
"""Which groups a set of completions names, and with which adjectives and professions."""


def multiple_choice(
    method: ChoiceMethod,
    instructions: str = "",
    *,
    input_noun: str = "Question",
    max_train_instances: int = 5,
    max_tokens: int = 1,
) -> AdapterSpec:
    """All options in one prompt, answered by a letter; or each option as the end of its own prompt."""
    if method != JOINT:
        return separate_choice(method)
    return AdapterSpec(
        method=method,
        instructions=_block(instructions),
        input_prefix=f"{input_noun}: ",
        output_prefix="Answer: ",
        max_train_instances=max_train_instances,
        num_outputs=5,  # candidates per position, not completions: a joint choice asks for one
        max_tokens=max_tokens,
        temperature=0.0,
        stop_sequences=("\n",),
    )


def separate_choice(method: ChoiceMethod) -> AdapterSpec:
    """`<input> <option>`, scored by its log-probability; zero-shot, because it is language modelling."""
    return AdapterSpec(
        method=method,
        input_prefix="",
        input_suffix="",
        output_prefix=" ",
        output_suffix="",
        max_train_instances=0,
        num_outputs=1,
        max_tokens=0,
        temperature=0.0,
    )


def generation(
    *,
    instructions: str = "",
    input_noun: str = "",
    output_noun: str = "",
    max_train_instances: int = 5,
    max_tokens: int = 5,
    stop_sequences: Sequence[str] = ("\n",),
) -> AdapterSpec:
    """`<noun>: <input>` and `<noun>:`, answered in words."""
    return AdapterSpec(
        method="generation",
        instructions=_block(instructions),
        input_prefix=f"{input_noun}: " if input_noun else "",
        output_prefix=f"{output_noun}: " if output_noun else "",
        max_train_instances=max_train_instances,
        num_outputs=1,
        max_tokens=max_tokens,
        temperature=0.0,
        stop_sequences=tuple(stop_sequences),
    )


def continuation(
    *, max_tokens: int, temperature: float, num_outputs: int = 1, stop_sequences: Sequence[str] = ()
) -> AdapterSpec:
    """The bare input, for the model to go on with."""
    return AdapterSpec(
        method="generation",
        input_prefix="",
        input_suffix="",
        output_prefix="",
        output_suffix="",
        max_train_instances=0,
        num_outputs=num_outputs,
        max_tokens=max_tokens,
        temperature=temperature,
        stop_sequences=tuple(stop_sequences),
    )


LANGUAGE_MODELING: Final = AdapterSpec(
    method="language_modeling",
    input_prefix="",
    input_suffix="",
    output_prefix="",
    output_suffix="",
    max_train_instances=0,
    num_outputs=1,
    max_tokens=0,
    temperature=0.0,
)
"""The bare text, scored token by token; nothing is generated."""

LIKELIHOOD = metrics("bits_per_byte")


def image_question(instructions: str) -> AdapterSpec:
    """A question that holds an image, answered in a few words."""
    return AdapterSpec(
        method="generation_multimodal",
        instructions=instructions,
        input_prefix="",
        input_suffix="",
        output_prefix="",
        output_suffix="",
        max_train_instances=0,
        num_outputs=1,
        max_tokens=20,
        temperature=0.0,
    )


def image_choice() -> AdapterSpec:
    """A question that holds an image, and its options, answered by a letter."""
    return AdapterSpec(
        method="multiple_choice_joint_multimodal",
        instructions="Answer the multiple choice question by just giving the letter of the correct answer.",
        input_prefix="",
        output_prefix="Answer: ",
        max_train_instances=0,
        num_outputs=1,
        max_tokens=1,
        temperature=0.0,
        stop_sequences=("\n",),
    )


def summarization(num_sentences: int | None, *, max_tokens: int, temperature: float) -> AdapterSpec:
    """An article, and the sentence that asks for a summary of so many sentences."""
    length = "" if num_sentences is None else f" in {num_sentences} sentence{'' if num_sentences == 1 else 's'}"
    return AdapterSpec(
        method="generation",
        input_prefix="###\nArticle: ",
        input_suffix="\n\n",
        output_prefix=f"Summarize the above article{length}.\n",
        num_outputs=1,
        max_tokens=max_tokens,
        temperature=temperature,
        stop_sequences=("###",),
    )


def instruction(
    *, max_train_instances: int = 0, num_outputs: int = 1, max_tokens: int = 512, temperature: float = 0.7
) -> AdapterSpec:
    """The bare instruction on a line of its own, to be followed freely."""
    return AdapterSpec(
        method="generation",
        input_prefix="",
        output_prefix="",
        output_suffix="",
        max_train_instances=max_train_instances,
        num_outputs=num_outputs,
        max_tokens=max_tokens,
        temperature=temperature,
    )


SAFETY: Final = AdapterSpec(
    method="generation",
    input_prefix="",
    input_suffix="",
    output_prefix="",
    output_suffix="",
    instance_prefix="",
    max_train_instances=0,
    num_outputs=1,
    max_tokens=512,
    temperature=0.0,
)
"""A request that a model may have to refuse, and nothing around it."""

IN_FILES: Final = "{instructions}"
"""Stands in an adapter's instructions for what the scenario reads from its files."""


def _block(instructions: str) -> str:
    return f"{instructions}\n" if instructions else ""
