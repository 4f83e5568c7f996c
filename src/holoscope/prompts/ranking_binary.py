"""Ranking: each passage of a query in a prompt of its own, and the model says whether it answers the query.

How sure it is of its word orders the passages, so the words' log-probabilities are what counts. An in-context example
is a query with all its passages, one block each, and is dropped as a whole: a relevant passage without its
counterpart would teach the model to say yes.
"""

from collections.abc import Iterator

from holoscope.core import AdapterSpec, Instance, Params, PlannedRequest, Reference
from holoscope.prompts.generation import answered, open_ended, question
from holoscope.prompts.methods import Method, TrainTrial

YES, NO = "Yes", "No"


def example(adapter: AdapterSpec, instance: Instance, compat: bool) -> str:
    blocks = (
        answered(adapter, _asked(adapter, instance, passage), YES if passage.is_correct else NO)
        for passage in instance.references
    )
    return adapter.instance_prefix.join(blocks)


def requests(trial: TrainTrial, instance: Instance) -> Iterator[PlannedRequest]:
    adapter = trial.adapter
    params = Params(
        temperature=adapter.temperature,
        max_tokens=adapter.max_tokens,
        stop_sequences=adapter.stop_sequences,
        num_completions=adapter.num_outputs,
        random=adapter.random,
    )
    for position, passage in enumerate(instance.references):
        block = open_ended(adapter, _asked(adapter, instance, passage))
        prompt = trial.shots.prompt(block, adapter.max_tokens)
        yield trial.request(
            instance,
            prompt,
            params,
            reference_index=position,
            request_mode="original",
            continuation_tokens=trial.window.count(f" {passage.text}"),
        )


def _asked(adapter: AdapterSpec, instance: Instance, passage: Reference) -> str:
    shown = adapter.reference_prefix + passage.text + adapter.reference_suffix
    return shown + question(adapter, instance.input)


RANKING = Method(example, requests)
