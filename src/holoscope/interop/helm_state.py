"""Exchanges in HELM's words: the request states of `scenario_state.json`.

HELM's objects have no place for an outcome, a missing log-probability or a refusal: there a log-probability that the
model didn't give is 0, and a request that failed is one without completions and with an error. That is how HELM's
readers expect it; holoscope's own files keep the difference. What an interval needs and HELM has no field for, an
instance's cluster and groups, stands in its `extra_data` under a name of our own.
"""

import msgspec

from holoscope.core import (
    AdapterSpec,
    Choice,
    Completion,
    Exchange,
    Instance,
    Json,
    Message,
    Outcome,
    PerturbationDescription,
    PlannedRequest,
    Reference,
)
from holoscope.interop.documents import Document
from holoscope.interop.helm_specs import without_none

OWN = "holoscope"
"""Key of an instance's `extra_data`."""


def request_state(exchange: Exchange, adapter: AdapterSpec, *, with_text: bool) -> Document:
    """One request state; without texts, ids and numbers remain."""
    planned = exchange.planned if with_text else _without_text(exchange.planned)
    completion = exchange.completion if with_text else _silent(exchange.completion)
    return without_none(
        {
            "instance": _instance(planned.instance),
            "reference_index": planned.reference_index,
            "request_mode": planned.request_mode,
            "train_trial_index": planned.train_trial_index,
            "output_mapping": None if planned.output_mapping is None else {**planned.output_mapping},
            "request": _request(planned, adapter),
            "result": _result(completion),
            "num_train_instances": planned.num_train_instances,
            "prompt_truncated": planned.prompt_truncated,
            "num_conditioning_tokens": planned.num_conditioning_tokens,
        }
    )


def perturbation(description: PerturbationDescription) -> Document:
    """A perturbed instance's description."""
    seed: Document = {} if description.seed is None else {"seed": description.seed}
    flags: Document = {"robustness": description.robustness, "fairness": description.fairness}
    return {"name": description.name, **flags, "computed_on": "perturbed", **seed, **description.args}


def _instance(instance: Instance) -> Document:
    original: Document | None = None
    if instance.perturbation is not None and instance.original_input is not None:
        original = {"text": instance.original_input}
    return without_none(
        {
            "input": without_none({"text": instance.input, "messages": _messages(instance.messages)}),
            "references": [_reference(reference) for reference in instance.references],
            "split": instance.split,
            "sub_split": instance.sub_split,
            "id": instance.id,
            "perturbation": perturbation(instance.perturbation) if instance.perturbation else None,
            "contrast_inputs": None if original is None else [original],
            "extra_data": {**instance.extra, **_own(instance)} or None,
        }
    )


def _own(instance: Instance) -> Document:
    """What HELM has no field for."""
    groups: Json = {**instance.groups} or None
    own = without_none({"cluster": instance.cluster, "groups": groups})
    return {OWN: own} if own else {}


def _reference(reference: Reference) -> Document:
    return {"output": {"text": reference.text}, "tags": list(reference.tags)}


def _messages(messages: tuple[Message, ...] | None) -> list[Json] | None:
    if messages is None:
        return None
    return [{"role": message.role, "content": msgspec.to_builtins(message.content)} for message in messages]


def _request(planned: PlannedRequest, adapter: AdapterSpec) -> Document:
    request, params = planned.request, planned.request.params
    return without_none(
        {
            "model_deployment": adapter.model_deployment,
            "model": adapter.model,
            "embedding": False,
            "prompt": request.prompt or "",
            "temperature": params.temperature,
            "num_completions": params.num_completions,
            "top_k_per_token": params.top_k_per_token,
            "max_tokens": params.max_tokens,
            "stop_sequences": list(params.stop_sequences),
            "echo_prompt": params.echo_prompt,
            "top_p": params.top_p,
            "presence_penalty": 0,
            "frequency_penalty": 0,
            "random": params.random,
            "messages": _messages(request.messages),
        }
    )


def _result(completion: Completion) -> Document:
    error = None if completion.outcome.has_text else f"{completion.outcome.value}: {completion.reason}"
    return without_none(
        {
            "success": error is None,
            "embedding": [],
            "completions": [_completion(choice) for choice in completion.choices],
            "cached": False,
            "request_time": completion.request_time,
            "request_datetime": int(completion.created) or None,
            "error": error,
        }
    )


def _completion(choice: Choice) -> Document:
    return without_none(
        {
            "text": choice.text,
            "logprob": choice.logprob or 0.0,
            "tokens": [{"text": token.text, "logprob": token.logprob or 0.0} for token in choice.tokens],
            "finish_reason": None if choice.finish_reason is None else {"reason": choice.finish_reason},
            "thinking": None if choice.thinking is None else {"text": choice.thinking},
        }
    )


def _without_text(planned: PlannedRequest) -> PlannedRequest:
    instance = planned.instance
    bare = Instance(
        id=instance.id,
        input="",
        references=tuple(Reference("", reference.tags) for reference in instance.references),
        split=instance.split,
        sub_split=instance.sub_split,
        perturbation=instance.perturbation,
    )
    mapping = None if planned.output_mapping is None else dict.fromkeys(planned.output_mapping, "")
    request = msgspec.structs.replace(planned.request, prompt="", messages=None, continuation="")
    return msgspec.structs.replace(planned, instance=bare, request=request, output_mapping=mapping)


def _silent(completion: Completion) -> Completion:
    """Without what the model wrote, which may repeat what it was given."""
    reason = completion.reason if completion.outcome is Outcome.TRANSPORT_ERROR else ""
    choices = tuple(Choice("", choice.logprob, (), choice.finish_reason) for choice in completion.choices)
    return msgspec.structs.replace(completion, choices=choices, reason=reason)
