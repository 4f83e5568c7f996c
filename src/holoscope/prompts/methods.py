"""What an adapter method is: how it writes an example, and which requests it makes of an instance.

A method is a value of two functions, so that a further one is a module of its own and a line in `plan.METHODS`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from holoscope.core import (
    AdapterSpec,
    ImageReader,
    Instance,
    Message,
    Outcome,
    Params,
    PlannedRequest,
    Request,
    no_images,
)
from holoscope.models.tokenizers import Window
from holoscope.prompts.assembly import Prompt, Shots


@dataclass(frozen=True)
class TrainTrial:
    """One draw of in-context examples, and everything else that all its requests share."""

    adapter: AdapterSpec
    window: Window
    shots: Shots
    index: int
    compat: bool
    wants_logprobs: bool
    images: ImageReader = no_images

    def without_examples(self) -> Shots:
        return Shots(self.adapter, (), self.window, compat=self.compat)

    def request(
        self,
        instance: Instance,
        prompt: Prompt,
        params: Params,
        *,
        messages: tuple[Message, ...] | None = None,
        reference_index: int | None = None,
        request_mode: str | None = None,
        output_mapping: dict[str, str] | None = None,
        continuation: str = "",
        continuation_tokens: int = 0,
        num_conditioning_tokens: int = 0,
    ) -> PlannedRequest:
        """`prompt`, or `messages` that say the same, as a planned request; unsent where it does not fit."""
        return PlannedRequest(
            instance=instance,
            request=Request(
                params=params,
                prompt=prompt.text if messages is None else None,
                messages=messages,
                continuation=continuation,
                wants_logprobs=self.wants_logprobs or params.echo_prompt,
            ),
            reference_index=reference_index,
            request_mode=request_mode,
            train_trial_index=self.index,
            output_mapping=output_mapping,
            num_train_instances=prompt.num_train_instances,
            prompt_truncated=prompt.truncated,
            num_conditioning_tokens=num_conditioning_tokens,
            num_prompt_tokens=prompt.num_tokens,
            continuation_tokens=continuation_tokens,
            unsent=Outcome.CONTEXT_OVERFLOW if prompt.overflow else None,
            unsent_reason=prompt.overflow,
        )


@dataclass(frozen=True)
class Method:
    """How instances become requests."""

    example: Callable[[AdapterSpec, Instance, bool], str]
    """An in-context example with its answer; the last argument is compat."""
    requests: Callable[[TrainTrial, Instance], Iterator[PlannedRequest]]
