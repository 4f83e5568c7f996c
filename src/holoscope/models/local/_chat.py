"""A chat as the text the model was trained on: the file's own Jinja template, rendered in a sandbox.

Nothing is put in that the messages and the template don't say: no date, no default of ours, so the same messages give
the same text on any day.
"""

from collections.abc import Mapping

from holoscope.core import Message, MissingExtraError, NotSupportedError, Text


def render_chat(template: str, messages: tuple[Message, ...], special: Mapping[str, str]) -> str:
    """The prompt for a chat, up to where the assistant's answer begins."""
    try:
        from jinja2 import TemplateError
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError:
        raise MissingExtraError("a chat with a local model", "local") from None
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.globals["raise_exception"] = _refuse
    turns = [{"role": message.role, "content": text_of(message)} for message in messages]
    try:
        return environment.from_string(template).render(messages=turns, add_generation_prompt=True, **special)
    except TemplateError as error:
        raise NotSupportedError(f"the model's chat template cannot hold these messages: {error}") from error


def text_of(message: Message) -> str:
    """A message's text. Raises NotSupportedError where there are images in it."""
    if isinstance(message.content, str):
        return message.content
    texts = [part.text for part in message.content if isinstance(part, Text)]
    if len(texts) < len(message.content):
        raise NotSupportedError("this model reads no images")
    return "".join(texts)


def _refuse(reason: str) -> None:
    raise NotSupportedError(f"the model's chat template refuses these messages: {reason}")
