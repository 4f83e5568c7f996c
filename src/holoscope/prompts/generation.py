"""Generation: the question, and the model writes the answer.

The evaluation block ends in the output prefix without its trailing white space, since most tokenizers put a space at
the beginning of a word's token.
"""

from collections.abc import Iterator

from holoscope.core import AdapterSpec, Instance, Params, PlannedRequest
from holoscope.prompts.methods import Method, TrainTrial

NO_ANSWER = "n/a"
"""Stands as the answer of an example that has none."""
SEPARATOR = ", "
"""Between the answers of a multi-label example."""


def question(adapter: AdapterSpec, text: str) -> str:
    return adapter.input_prefix + text + adapter.input_suffix


def answered(adapter: AdapterSpec, asked: str, answer: str) -> str:
    """A block that holds its answer."""
    return asked + adapter.output_prefix + answer + adapter.output_suffix


def open_ended(adapter: AdapterSpec, asked: str) -> str:
    """A block that the model is to go on with."""
    return asked + adapter.output_prefix.rstrip()


def example(adapter: AdapterSpec, instance: Instance, compat: bool) -> str:
    answers = [reference.text for reference in instance.correct_references] or [NO_ANSWER]
    answer = SEPARATOR.join(answers) if adapter.multi_label else answers[0]
    return answered(adapter, question(adapter, instance.input), answer)


def requests(trial: TrainTrial, instance: Instance) -> Iterator[PlannedRequest]:
    adapter = trial.adapter
    block = open_ended(adapter, question(adapter, instance.input))
    params = Params(
        temperature=adapter.temperature,
        max_tokens=adapter.max_tokens,
        stop_sequences=adapter.stop_sequences,
        num_completions=adapter.num_outputs,
        random=adapter.random,
    )
    yield trial.request(instance, trial.shots.prompt(block, adapter.max_tokens), params)


GENERATION = Method(example, requests)
