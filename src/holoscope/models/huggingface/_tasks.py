"""From a request to what has to be computed for it."""

import random
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from holoscope.core import Completion, Image, Message, NotSupportedError, Request
from holoscope.models.huggingface._weights import Weights
from holoscope.models.local._asking import draws_of, overflow
from holoscope.models.thinking import TAGS


@dataclass(frozen=True, kw_only=True)
class Task:
    """One request, tokenized."""

    request: Request
    ids: list[int]
    first: int
    """The first token whose log-probability is wanted: the one after the last where an answer is."""
    texts: tuple[str, ...] = ()
    """With a text that is scored: of each of its tokens."""
    draws: tuple[random.Random, ...] = ()
    """A generator for each answer; none where a text is scored."""
    reasons: bool = False
    """True if the prompt opens the model's reasoning."""
    inputs: Any = None
    """What the processor made of messages with images."""

    @property
    def shareable(self) -> int:
        """How much of the beginning may be computed for others too: what comes after gives all that is wanted."""
        return 0 if self.inputs is not None else self.first - 1


def task_of(request: Request, weights: Weights, chat: bool | None, seed: int | None) -> Task | Completion:
    """The task; a completion where it is clear without one. Raises NotSupportedError."""
    task = _scoring(request, weights) if request.params.echo_prompt else _answering(request, weights, chat, seed)
    over = len(task.ids) > weights.window if request.params.echo_prompt else len(task.ids) >= weights.window
    if not over:
        return task
    return overflow(len(task.ids), weights.window)


def _answering(request: Request, weights: Weights, chat: bool | None, seed: int | None) -> Task:
    messages, inputs, reasons = request.messages, None, False
    if messages is None and not (weights.tokenizer.chat_template if chat is None else chat):
        ids = weights.tokens(request.prompt or "")
    elif messages is not None and chat is False:
        raise NotSupportedError("the chat template is switched off (?chat=false), which messages need")
    elif messages is not None and _has_images(request):
        inputs = weights.seen(messages)
        ids = [int(each) for each in inputs["input_ids"][0]]
    else:
        text = weights.chat(messages or (Message("user", request.prompt or ""),))
        ids, reasons = weights.chat_tokens(text), text.rstrip().endswith(TAGS.start)
    return Task(request=request, ids=ids, first=len(ids), draws=draws_of(request, seed), reasons=reasons, inputs=inputs)


def _scoring(request: Request, weights: Weights) -> Task:
    if request.prompt is None:
        raise NotSupportedError("a model in this process scores prompts, not messages")
    prompt, continuation = request.prompt, request.continuation
    if not prompt.endswith(continuation):
        raise NotSupportedError(f"the prompt does not end with what is to be scored: {continuation!r}")
    ids, offsets = weights.tokens(prompt), weights.offsets(prompt)
    ends = [0] * len(ids)
    for at, (_, end) in enumerate(offsets):
        ends[at] = max(end, ends[at - 1] if at else 0)
    boundary = len(prompt) - len(continuation) if continuation else 0
    first = bisect_right(ends, boundary)
    texts = [prompt[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    return Task(request=request, ids=ids, first=max(first, 1), texts=tuple(texts[first:]))


def _has_images(request: Request) -> bool:
    contents = (message.content for message in request.messages or () if not isinstance(message.content, str))
    return any(isinstance(part, Image) for content in contents for part in content)
