"""Separate multiple choice: each option as the end of its own prompt, scored by the log-probability of its tokens.

`continuation` is the end of the prompt that is scored: the option, with the space before it where the prompt has one,
because that space belongs to its first token. Its length in tokens is counted on the option alone, as HELM does. The
calibrated method also scores each option after a prompt that asks nothing, to take out how likely it is by itself.
"""

from collections.abc import Iterator

from holoscope.core import Instance, Params, PlannedRequest
from holoscope.prompts.assembly import Shots
from holoscope.prompts.generation import answered, example, question
from holoscope.prompts.methods import Method, TrainTrial

ASKS_NOTHING = "Answer:"
"""The calibration prompt's input."""
_PARAMS = Params(temperature=0.0, max_tokens=0, echo_prompt=True)


def original(trial: TrainTrial, instance: Instance) -> Iterator[PlannedRequest]:
    for position in range(len(instance.references)):
        yield _scored(trial, trial.shots, instance, position, instance.input, "original")


def calibrated(trial: TrainTrial, instance: Instance) -> Iterator[PlannedRequest]:
    bare = trial.without_examples()
    for position in range(len(instance.references)):
        yield _scored(trial, trial.shots, instance, position, instance.input, "original")
        yield _scored(trial, bare, instance, position, ASKS_NOTHING, "calibration")


def _scored(
    trial: TrainTrial, shots: Shots, instance: Instance, position: int, asked: str, mode: str
) -> PlannedRequest:
    option = instance.references[position].text
    prompt = shots.prompt(answered(trial.adapter, question(trial.adapter, asked), option), trial.adapter.max_tokens)
    return trial.request(
        instance,
        prompt,
        _PARAMS,
        reference_index=position,
        request_mode=mode,
        continuation=_continuation(prompt.text, option),
        continuation_tokens=trial.window.count(f" {option}"),
    )


def _continuation(prompt: str, option: str) -> str:
    """The end of `prompt` that is `option`; as much of its end where a suffix or a cut hides the option."""
    spaced = f" {option}"
    if option and prompt.endswith(option) and not prompt.endswith(spaced):
        return option
    return prompt[-len(spaced) :]


ORIGINAL = Method(example, original)
CALIBRATED = Method(example, calibrated)
