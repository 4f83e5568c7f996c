"""Images in prompts: the text is put together as for any instance, then its marks give way to the images.

Examples, options, instructions and fitting are therefore those of the methods without images. What an image costs of
the window is the model's affair and not known here: only text is counted, as in HELM, and a prompt is never cut, since
no end of it can be spared.
"""

from collections.abc import Iterator

from holoscope.core import IMAGE_MARK, Image, ImageReader, Instance, Message, Params, PlannedRequest, Text
from holoscope.prompts import multiple_choice_joint as joint
from holoscope.prompts.generation import GENERATION, open_ended, question
from holoscope.prompts.methods import Method, TrainTrial


def generation(trial: TrainTrial, instance: Instance) -> Iterator[PlannedRequest]:
    adapter = trial.adapter
    block = open_ended(adapter, question(adapter, instance.input))
    yield _request(trial, instance, block, adapter.max_tokens, adapter.stop_sequences)


def choices(trial: TrainTrial, instance: Instance) -> Iterator[PlannedRequest]:
    mapping = joint.mapping(trial, instance)
    block = open_ended(trial.adapter, joint.options(trial.adapter, instance, trial.compat))
    yield _request(trial, instance, block, joint.max_tokens(trial, mapping), mapping=mapping)


def parts(text: str, images: ImageReader) -> tuple[Text | Image, ...]:
    """The text with its images in their places; a mark that names no image is text."""
    found: list[Text | Image] = []
    at = 0
    for mark in IMAGE_MARK.finditer(text):
        if (image := images(mark[1])) is not None:
            found += [Text(text[at : mark.start()]), image]
            at = mark.end()
    found.append(Text(text[at:]))
    return tuple(part for part in found if part != Text(""))


def _request(
    trial: TrainTrial,
    instance: Instance,
    block: str,
    max_tokens: int,
    stops: tuple[str, ...] = (),
    mapping: dict[str, str] | None = None,
) -> PlannedRequest:
    adapter = trial.adapter
    params = Params(
        temperature=adapter.temperature,
        max_tokens=max_tokens,
        stop_sequences=stops,
        num_completions=adapter.num_outputs,
        random=adapter.random,
    )
    prompt = trial.shots.prompt(block, max_tokens, cut=False)
    messages = (Message("user", parts(prompt.text, trial.images)),)
    return trial.request(instance, prompt, params, messages=messages, output_mapping=mapping)


GENERATION_MULTIMODAL = Method(GENERATION.example, generation)
JOINT_MULTIMODAL = Method(joint.example, choices)
