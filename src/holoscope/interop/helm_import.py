"""HELM's `scenario_state.json` read back into exchanges, so that HELM's results can be scored and compared here.

HELM writes 0 for a log-probability that a model didn't give, so a completion whose log-probabilities are all 0 is read
as one without any: a token that is certain beyond doubt is not told apart from one that is unknown.
"""

from pathlib import Path
from typing import Any

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Instance,
    Message,
    Outcome,
    Params,
    PerturbationDescription,
    PlannedRequest,
    Reference,
    Request,
    StoreError,
    Token,
)
from holoscope.interop.documents import read_json

_STATE_FIELDS = (
    *("reference_index", "request_mode", "train_trial_index", "output_mapping"),
    *("num_train_instances", "prompt_truncated", "num_conditioning_tokens"),
)
_PARAMS = ("temperature", "max_tokens", "num_completions", "top_k_per_token", "echo_prompt", "top_p", "random")


def read_helm_run(folder: Path) -> list[Exchange]:
    """The exchanges of a run folder that HELM (or `export_run`) wrote."""
    path = folder / "scenario_state.json"
    try:
        return [_exchange(state) for state in _object(read_json(path))["request_states"]]
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"cannot read {path}: not as HELM writes it ({error!r})") from error


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, found {type(value).__name__}")
    return value


def _exchange(state: dict[str, Any]) -> Exchange:
    request = state["request"]
    params = {name: request[name] for name in _PARAMS if name in request}
    messages = request.get("messages")
    planned = PlannedRequest(
        instance=_instance(state["instance"]),
        request=Request(
            Params(**params, stop_sequences=tuple(request["stop_sequences"])),
            prompt=None if messages else request["prompt"],
            messages=_messages(messages),
        ),
        **{name: state[name] for name in _STATE_FIELDS if name in state},
    )
    return Exchange(planned, _completion(state["result"]))


def _instance(given: dict[str, Any]) -> Instance:
    contrast = given.get("contrast_inputs")
    return Instance(
        id=given["id"],
        input=given["input"]["text"],
        messages=_messages(given["input"].get("messages")),
        references=tuple(Reference(each["output"]["text"], tuple(each["tags"])) for each in given["references"]),
        split=given["split"],
        sub_split=given.get("sub_split"),
        perturbation=_perturbation(given.get("perturbation")),
        original_input=contrast[0]["text"] if contrast else None,
        extra=given.get("extra_data") or {},
    )


def _perturbation(given: dict[str, Any] | None) -> PerturbationDescription | None:
    if given is None:
        return None
    known = {"name", "robustness", "fairness", "seed"}
    args = {name: value for name, value in given.items() if name not in known | {"computed_on"}}
    return PerturbationDescription(**{name: given[name] for name in known & set(given)}, args=args)


def _messages(given: list[dict[str, Any]] | None) -> tuple[Message, ...] | None:
    return tuple(Message(each["role"], each["content"]) for each in given) if given else None


def _completion(result: dict[str, Any]) -> Completion:
    choices = tuple(_choice(each) for each in result["completions"])
    served = result["success"] and choices
    return Completion(
        outcome=Outcome.OK if served else Outcome.TRANSPORT_ERROR,
        choices=choices if served else (),
        reason="" if served else str(result.get("error") or "HELM kept no completion"),
        request_time=result.get("request_time"),
        created=float(result.get("request_datetime") or 0),
    )


def _choice(given: dict[str, Any]) -> Choice:
    tokens = [(token["text"], token["logprob"]) for token in given["tokens"]]
    unknown = not given["logprob"] and not any(logprob for _, logprob in tokens)
    return Choice(
        text=given["text"],
        logprob=None if unknown else given["logprob"],
        tokens=tuple(Token(text, None if unknown else logprob) for text, logprob in tokens),
        finish_reason=(given.get("finish_reason") or {}).get("reason"),
        thinking=(given.get("thinking") or {}).get("text"),
    )
