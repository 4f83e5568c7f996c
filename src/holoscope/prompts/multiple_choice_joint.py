"""Joint multiple choice: all options in one prompt, each under a letter, and the model answers with a letter.

`num_outputs` is how many candidate tokens to return with log-probabilities, not how many answers: there is one. The
adapter's stop sequences are not sent, as HELM never sends them.
"""

from collections.abc import Iterator

from holoscope.core import AdapterSpec, Instance, Params, PlannedRequest
from holoscope.prompts.generation import NO_ANSWER, SEPARATOR, answered, open_ended, question
from holoscope.prompts.labels import label, prefix
from holoscope.prompts.methods import Method, TrainTrial


def options(adapter: AdapterSpec, instance: Instance, compat: bool) -> str:
    """The question and its options, each on its line."""
    lines = (
        prefix(adapter, position, compat=compat) + reference.text + adapter.reference_suffix
        for position, reference in enumerate(instance.references)
    )
    return question(adapter, instance.input) + "".join(lines)


def example(adapter: AdapterSpec, instance: Instance, compat: bool) -> str:
    right = [
        label(adapter, position, compat=compat)
        for position, reference in enumerate(instance.references)
        if reference.is_correct
    ] or [NO_ANSWER]
    answer = SEPARATOR.join(right) if adapter.multi_label else right[0]
    return answered(adapter, options(adapter, instance, compat), answer)


def requests(trial: TrainTrial, instance: Instance) -> Iterator[PlannedRequest]:
    adapter = trial.adapter
    shown = mapping(trial, instance)
    params = Params(
        temperature=adapter.temperature,
        max_tokens=max_tokens(trial, shown),
        num_completions=1,
        top_k_per_token=adapter.num_outputs,
        random=adapter.random,
    )
    block = open_ended(adapter, options(adapter, instance, trial.compat))
    prompt = trial.shots.prompt(block, params.max_tokens)
    yield trial.request(instance, prompt, params, output_mapping=shown)


def mapping(trial: TrainTrial, instance: Instance) -> dict[str, str]:
    """The options by their labels."""
    return {
        label(trial.adapter, position, compat=trial.compat): reference.text
        for position, reference in enumerate(instance.references)
    }


def max_tokens(trial: TrainTrial, labels: dict[str, str]) -> int:
    """Room for the longest label, which may take a token for each letter: one token cannot say AB."""
    longest = max(map(len, labels), default=1)
    if trial.compat or longest == 1:
        return trial.adapter.max_tokens
    return max(trial.adapter.max_tokens, longest + 1)


JOINT = Method(example, requests)
