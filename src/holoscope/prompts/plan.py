"""The plan of a run: every request, in the order in which results are written.

Train trials, then instances, then repetitions, then an instance's own requests: the exchanges of one score stand
together. A plan depends on its arguments alone, so two machines make the same one.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from holoscope.core import AdapterSpec, ImageReader, Instance, PlannedRequest, UnknownNameError, no_images
from holoscope.models.tokenizers import Window
from holoscope.prompts.assembly import Shots
from holoscope.prompts.chain_of_thought import CHAIN_OF_THOUGHT
from holoscope.prompts.chat import CHAT
from holoscope.prompts.fewshot import choose_train
from holoscope.prompts.generation import GENERATION
from holoscope.prompts.language_modeling import LANGUAGE_MODELING
from holoscope.prompts.methods import Method, TrainTrial
from holoscope.prompts.multimodal import GENERATION_MULTIMODAL, JOINT_MULTIMODAL
from holoscope.prompts.multiple_choice_joint import JOINT
from holoscope.prompts.multiple_choice_separate import CALIBRATED, ORIGINAL
from holoscope.prompts.ranking_binary import RANKING

METHODS = {
    "generation": GENERATION,
    "chat": CHAT,
    "language_modeling": LANGUAGE_MODELING,
    "multiple_choice_joint": JOINT,
    "multiple_choice_joint_chain_of_thought": CHAIN_OF_THOUGHT,
    "multiple_choice_separate_original": ORIGINAL,
    "multiple_choice_separate_calibrated": CALIBRATED,
    "ranking_binary": RANKING,
    "generation_multimodal": GENERATION_MULTIMODAL,
    "multiple_choice_joint_multimodal": JOINT_MULTIMODAL,
}


def plan(
    adapter: AdapterSpec,
    train: Sequence[Instance],
    eval_: Sequence[Instance],
    window: Window,
    *,
    compat: bool,
    seed: int,
    trials: int,
    wants_logprobs: bool,
    images: ImageReader = no_images,
) -> Iterator[PlannedRequest]:
    """Every request of a run. Each is asked `trials` times, beside the repetitions that the adapter itself asks for.

    `images` reads those whose marks stand in the instances' texts.
    """
    if adapter.method not in METHODS:
        raise UnknownNameError("adapter method", adapter.method, METHODS)
    method = METHODS[adapter.method]
    drawn = (
        _train_trial(method, adapter, train, window, index, compat, 0 if compat else seed, wants_logprobs, images)
        for index in range(adapter.num_train_trials)
    )
    return (planned for trial in drawn for planned in _of_trial(method, trial, eval_, trials))


def _train_trial(
    method: Method,
    adapter: AdapterSpec,
    train: Sequence[Instance],
    window: Window,
    index: int,
    compat: bool,
    seed: int,
    wants_logprobs: bool,
    images: ImageReader,
) -> TrainTrial:
    examples = choose_train(train, adapter, trial=index, seed=seed)
    blocks = [method.example(adapter, instance, compat) for instance in examples]
    shots = Shots(adapter, blocks, window, compat=compat)
    return TrainTrial(adapter, window, shots, index, compat, wants_logprobs, images)


def _of_trial(method: Method, trial: TrainTrial, eval_: Sequence[Instance], trials: int) -> Iterator[PlannedRequest]:
    for instance in eval_:
        requests = tuple(method.requests(trial, instance))
        for repetition in range(trial.adapter.num_trials * trials):
            draw = repetition // trials
            yield from requests if not repetition else (_repeated(r, repetition, draw) for r in requests)


def _repeated(planned: PlannedRequest, repetition: int, draw: int) -> PlannedRequest:
    """The same request again; `draw` numbers the adapter's own repetitions, which differ in `random`."""
    if draw:
        params = replace(planned.request.params, random=str(draw))
        planned = replace(planned, request=replace(planned.request, params=params))
    return replace(planned, trial=repetition)
