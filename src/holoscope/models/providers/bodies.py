"""The bodies of requests: what a request asks for, before an endpoint's refusals take anything away.

Log-probabilities are asked for only where something reads them, and never more than the chosen token's, since a
completion keeps no others. A parameter at its default is not sent: fewer fields, fewer refusals.
"""

import hashlib
import json

import msgspec

from holoscope.core import Json, Message, Params, Request, Text
from holoscope.models.endpoint import Endpoint

Body = dict[str, Json]

_encoder = msgspec.json.Encoder()


def chat_body(request: Request, endpoint: Endpoint) -> Body:
    """The body for `/chat/completions`; a plain prompt becomes one user message."""
    messages: Json
    if request.messages is None:
        messages = [{"role": "user", "content": request.prompt or ""}]
    else:
        messages = [{"role": m.role, "content": _content(m)} for m in request.messages]
    body: Body = {"model": endpoint.served_name, "messages": messages}
    if wants_logprobs(request):
        body["logprobs"] = True
    return _with_params(body, request.params, endpoint)


def completions_body(request: Request, endpoint: Endpoint) -> Body:
    """The body for `/completions`."""
    body: Body = {"model": endpoint.served_name, "prompt": request.prompt or ""}
    if wants_logprobs(request):
        body["logprobs"] = 1
    if request.params.echo_prompt:
        body["echo"] = True
    return _with_params(body, request.params, endpoint)


def wants_logprobs(request: Request) -> bool:
    params = request.params
    return request.wants_logprobs or params.top_k_per_token > 1 or params.echo_prompt


def encode(body: Body) -> bytes:
    """The body as JSON; lone surrogates, which are no text, go as escapes."""
    try:
        return _encoder.encode(body)
    except UnicodeEncodeError:
        return json.dumps(body).encode("ascii")


def _with_params(body: Body, params: Params, endpoint: Endpoint) -> Body:
    body["max_tokens"] = params.max_tokens
    body["temperature"] = params.temperature
    if params.stop_sequences:
        body["stop"] = list(params.stop_sequences)
    if params.top_p != 1:
        body["top_p"] = params.top_p
    if params.num_completions > 1:
        body["n"] = params.num_completions
    if endpoint.seed is not None:
        body["seed"] = _seed(endpoint.seed, params.random)
    if endpoint.capabilities.streaming:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    body.update(endpoint.body)
    return body


def _content(message: Message) -> Json:
    if isinstance(message.content, str):
        return message.content
    return [
        {"type": "text", "text": part.text}
        if isinstance(part, Text)
        else {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{part.data}"}}
        for part in message.content
    ]


def _seed(seed: int, draw: str | None) -> int:
    """The user's seed, or another for each further draw of a request."""
    if draw is None:
        return seed
    return int.from_bytes(hashlib.sha256(f"{seed}/{draw}".encode()).digest()[:4], "big") >> 1
