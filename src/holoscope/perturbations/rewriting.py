"""From a change of text to a change of an instance.

References are changed before the input, with the same generator: an instance's draws are made in one fixed order, which
is also HELM's. Of a conversation, what the user says is changed; what the system and the assistant say is not.
"""

from collections.abc import Callable
from itertools import pairwise
from random import Random

import msgspec

from holoscope.core import IMAGE_MARK, Instance, Message, Reference, Text

Change = Callable[[str], str]


def on_text(change: Callable[..., str], *, references: bool = False) -> Callable[..., Instance]:
    """A perturbation's `apply`, from `change(text, rng, **args) -> text`."""

    def apply(instance: Instance, rng: Random, **args: object) -> Instance:
        return rewrite(instance, lambda text: change(text, rng, **args), references=references)

    return apply


def rewrite(instance: Instance, change: Change, *, references: bool) -> Instance:
    """The instance with its texts changed, but not the marks of images within them."""
    change = _between_images(change)
    changed = instance.references
    if references:
        changed = tuple(msgspec.structs.replace(r, text=change(r.text)) for r in instance.references)
    if instance.messages is None:
        return msgspec.structs.replace(instance, input=change(instance.input), references=changed)
    messages, said = _rewrite_messages(instance.messages, change)
    text = said.get(instance.input)  # the input is one of the turns: it must say what that turn says
    return msgspec.structs.replace(
        instance,
        input=change(instance.input) if text is None else text,
        messages=messages,
        references=changed,
    )


def _between_images(change: Change) -> Change:
    """`change` of each text between marks by itself, as HELM changes the texts between images."""

    def changed(text: str) -> str:
        ends = [end for mark in IMAGE_MARK.finditer(text) for end in mark.span()]
        if not ends:
            return change(text)
        pieces = (text[start:end] for start, end in pairwise([0, *ends, len(text)]))
        return "".join(change(p) if p and i % 2 == 0 else p for i, p in enumerate(pieces))

    return changed


def _rewrite_messages(messages: tuple[Message, ...], change: Change) -> tuple[tuple[Message, ...], dict[str, str]]:
    """The conversation with the user's turns changed, and what became of each text."""
    said: dict[str, str] = {}

    def part(text: str) -> str:
        said[text] = change(text)
        return said[text]

    def turn(message: Message) -> Message:
        if message.role != "user":
            return message
        if isinstance(message.content, str):
            return msgspec.structs.replace(message, content=part(message.content))
        parts = (Text(part(p.text)) if isinstance(p, Text) else p for p in message.content)
        return msgspec.structs.replace(message, content=tuple(parts))

    return tuple(map(turn, messages)), said


def contrast_set(instance: Instance, rng: Random) -> Instance:
    """One of the instance's contrast inputs and its references, where its scenario has them; else the instance.

    They lie in `Instance.extra`: `contrast_inputs` (texts) and `contrast_references`, each a list of `{text, tags}`.
    """
    inputs, answers = instance.extra.get("contrast_inputs"), instance.extra.get("contrast_references")
    if not inputs or not answers:
        return instance
    texts = msgspec.convert(inputs, list[str])
    references = msgspec.convert(answers, list[tuple[Reference, ...]])
    chosen = rng.choice(range(len(texts)))
    return msgspec.structs.replace(instance, input=texts[chosen], references=references[chosen])
