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


def _block(instructions: str) -> str:
    return f"{instructions}\n" if instructions else ""
