"""Chat: the instance's own conversation, as it is, for the model to answer.

The adapter's instructions, prefixes and examples have no place in it, as in HELM. Nothing can be left out of a
conversation to make it fit, so one that is too long is not sent; how many tokens a chat template adds is not known
here, so the count is a lower bound.
"""

from collections.abc import Iterator

from holoscope.core import AdapterSpec, DataError, Instance, Message, Params, PlannedRequest, Text
from holoscope.prompts.methods import Method, TrainTrial


def example(adapter: AdapterSpec, instance: Instance, compat: bool) -> str:
    return ""


def requests(trial: TrainTrial, instance: Instance) -> Iterator[PlannedRequest]:
    adapter = trial.adapter
    if not instance.messages:
        raise DataError(f"{instance.id}: the adapter method chat needs instances that hold messages")
    params = Params(
        temperature=adapter.temperature,
        max_tokens=adapter.max_tokens,
        stop_sequences=adapter.stop_sequences,
        num_completions=adapter.num_outputs,
        random=adapter.random,
    )
    conversation = "\n".join(map(_text, instance.messages))
    prompt = trial.shots.as_it_is(conversation, adapter.max_tokens)
    yield trial.request(instance, prompt, params, messages=instance.messages)


def _text(message: Message) -> str:
    if isinstance(message.content, str):
        return message.content
    return "\n".join(part.text for part in message.content if isinstance(part, Text))


CHAT = Method(example, requests)
