"""The key under which an answer is kept: sha256 of the canonical JSON of everything that may change it.

Two works get the same answer exactly where their keys are equal. What reaches the model is in it: the model's
identity, every parameter, the prompt or messages (images by their hash), the continuation to score, and whether
log-probabilities are asked for, since a reply without them can't serve one who needs them. The repetition is in it,
so that three trials are three draws. Above temperature 0 the instance is in it too: two instances whose prompts are
equal must not share one draw; at temperature 0 they may, and one request serves both. Scenario, metric and prompt
versions are not: they change what is asked or made of the answer, never the answer itself.

A parameter at its default is left out of the JSON. So a new parameter leaves the old keys valid, while a changed
default would give new meaning to old keys: that, like any change here, takes a new `SCHEMA`.
"""

import hashlib
from collections.abc import Mapping

from msgspec import structs

from holoscope.core import Params, Request, canonical, without_image_data

SCHEMA = 1

_DEFAULTS = tuple(structs.asdict(Params()).items())


def request_key(identity: Mapping[str, str], request: Request, trial: int, instance_key: str) -> bytes:
    """The 32 bytes that name the answer to one trial of one request.

    >>> request_key({"deployment": "d"}, Request(Params(temperature=0), prompt="Hi"), 0, "mmlu/id1").hex()[:16]
    '7c379731271d9f0a'
    """
    asked = {
        "schema": SCHEMA,
        "identity": dict(identity),
        "params": _changed(request.params),
        "prompt": request.prompt,
        "messages": None if request.messages is None else [without_image_data(message) for message in request.messages],
        "continuation": request.continuation,
        "logprobs": request.wants_logprobs,
        "trial": trial,
        "instance": instance_key if request.params.temperature > 0 else None,
    }
    return hashlib.sha256(canonical(asked)).digest()


def _changed(params: Params) -> dict[str, object]:
    """The parameters that differ from their defaults; 1 and 1.0 are one temperature."""
    values = zip(_DEFAULTS, structs.astuple(params), strict=True)
    return {
        name: float(value) if isinstance(default, float) else value
        for (name, default), value in values
        if value != default
    }
