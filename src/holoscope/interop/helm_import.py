"""HELM's `scenario_state.json` read back into exchanges, so that HELM's results can be scored and compared here.

Files of every version since 2022 are read: before inputs and outputs were objects they were strings, and what was None
was written. HELM writes 0 for a log-probability that a model didn't give, so a completion whose log-probabilities are
all 0 is read as one without any: a token that is certain beyond doubt is not told apart from one that is unknown.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from holoscope.core import (
    TEST,
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
    image_mark,
)
from holoscope.interop.helm_json import read_states
from holoscope.interop.helm_state import OWN

STATE = "scenario_state.json"

_STATE_FIELDS = (
    *("reference_index", "request_mode", "train_trial_index", "output_mapping"),
    *("num_train_instances", "prompt_truncated", "num_conditioning_tokens"),
)
_PARAMS = ("temperature", "max_tokens", "num_completions", "top_k_per_token", "echo_prompt", "top_p", "random")
_LETTER_ONLY = 5
"""Up to this many tokens a joint multiple-choice request asks for the letter alone: to end there is no truncation."""
_OUTCOMES = {outcome.value: outcome for outcome in Outcome if not outcome.has_text}


def read_helm_run(folder: Path) -> list[Exchange]:
    """The exchanges of a run folder that HELM (or `export_run`) wrote."""
    return list(read_exchanges(folder))


def read_exchanges(folder: Path) -> Iterator[Exchange]:
    """The same, one in memory at a time."""
    path = folder / STATE
    for state in read_states(path):
        try:
            yield _exchange(state)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StoreError(f"cannot read {path}: not as HELM writes it ({error!r})") from error


def perturbation(given: dict[str, Any] | None) -> PerturbationDescription | None:
    """The description in an instance, or in a statistic's name."""
    if given is None:
        return None
    known = {"name", "robustness", "fairness", "seed"}
    args = {name: value for name, value in given.items() if name not in known | {"computed_on"}}
    return PerturbationDescription(**{name: given[name] for name in known & set(given)}, args=args)


def _exchange(state: dict[str, Any]) -> Exchange:
    request = state["request"]
    params = {name: request[name] for name in _PARAMS if request.get(name) is not None}
    messages = request.get("messages")
    planned = PlannedRequest(
        instance=_instance(state["instance"]),
        request=Request(
            Params(**params, stop_sequences=tuple(request["stop_sequences"])),
            prompt=None if messages else _media(request.get("multimodal_prompt")) or request["prompt"],
            messages=_messages(messages),
        ),
        **{name: state[name] for name in _STATE_FIELDS if state.get(name) is not None},
    )
    return Exchange(planned, _completion(state.get("result"), planned))


def _instance(given: dict[str, Any]) -> Instance:
    contrast, asked = given.get("contrast_inputs"), given["input"]
    extra = dict(given.get("extra_data") or {})
    own = extra.pop(OWN, {})
    return Instance(
        id=given["id"],
        input=_text(asked),
        messages=None if isinstance(asked, str) else _messages(asked.get("messages")),
        references=tuple(Reference(_text(each["output"]), tuple(each["tags"])) for each in given["references"]),
        split=given.get("split") or TEST,
        sub_split=given.get("sub_split"),
        perturbation=perturbation(given.get("perturbation")),
        original_input=_text(contrast[0]) if contrast else None,
        cluster=own.get("cluster"),
        groups=own.get("groups", {}),
        extra=extra,
    )


def _text(given: Any) -> str:
    """An input's or output's text: an object in today's files, a string in those of 2022."""
    text = given if isinstance(given, str) else _media(given.get("multimedia_content")) or given["text"]
    if not isinstance(text, str):
        raise TypeError(f"expected a text, found {type(text).__name__}")
    return text


def _media(given: dict[str, Any] | None) -> str:
    """The texts of a question with images, each image by its mark: HELM's files have where it lay, not what it is."""
    parts = (given or {}).get("media_objects") or ()
    return "".join(part["text"] if part.get("text") is not None else image_mark(_image_name(part)) for part in parts)


def _image_name(part: dict[str, Any]) -> str:
    return re.sub(r"[<>\s]+", "-", str(part.get("location") or part["content_type"]).rpartition("/")[2])


def _messages(given: list[dict[str, Any]] | None) -> tuple[Message, ...] | None:
    return tuple(Message(each["role"], each["content"]) for each in given) if given else None


def _completion(result: dict[str, Any] | None, planned: PlannedRequest) -> Completion:
    if result is None:
        return Completion(Outcome.TRANSPORT_ERROR, reason="HELM kept no result of this request")
    choices = tuple(map(_choice, result["completions"]))
    if result["success"] and choices:
        outcome, reason = _ended(choices[0], planned)
    else:
        outcome, reason = _failure(result.get("error"))
        choices = ()
    return Completion(
        outcome=outcome,
        choices=choices,
        reason=reason,
        request_time=result.get("request_time"),
        created=float(result.get("request_datetime") or 0),
    )


def _failure(error: str | None) -> tuple[Outcome, str]:
    """What an error says; one that this package wrote begins with the outcome's name."""
    name, _, reason = (error or "").partition(": ")
    if name in _OUTCOMES:
        return _OUTCOMES[name], reason
    return Outcome.TRANSPORT_ERROR, str(error or "HELM kept no completion")


def _ended(choice: Choice, planned: PlannedRequest) -> tuple[Outcome, str]:
    """Whether an answer is whole, as it is told of our own."""
    params = planned.request.params
    if choice.finish_reason != "length" or params.echo_prompt:
        return Outcome.OK, ""
    if not choice.text and choice.thinking:
        return Outcome.TRUNCATED_IN_REASONING, "the reasoning did not end (finish_reason length)"
    if planned.output_mapping is not None and params.max_tokens <= _LETTER_ONLY and choice.text.strip():
        return Outcome.OK, ""
    return Outcome.TRUNCATED, "cut off at the token limit"


def _choice(given: dict[str, Any]) -> Choice:
    tokens = [(token["text"], token["logprob"]) for token in given.get("tokens") or ()]
    unknown = not given.get("logprob") and not any(logprob for _, logprob in tokens)
    return Choice(
        text=given["text"],
        logprob=None if unknown else given["logprob"],
        tokens=tuple(Token(text, None if unknown else logprob) for text, logprob in tokens),
        finish_reason=(given.get("finish_reason") or {}).get("reason"),
        thinking=(given.get("thinking") or {}).get("text"),
    )
