"""Servers of different abilities, as they answer a probe: each a function from a request to a reply."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from models.stub import Asked, Say, refusal
from models.wires.dialect import EVENTS

RAINBOW = ["Red", ",", " orange", ",", " yellow", ",", " green", ",", " blue", ",", " indigo", " and", " violet", "."]


def is_question(asked: Asked) -> bool:
    """False for what costs nothing, such as counting tokens."""
    return asked.path.endswith("/completions")


def able(asked: Asked) -> Say:
    """Does everything, as vLLM does."""
    body = asked.body
    if not is_question(asked):
        return refusal(404, "not found")
    if "prompt" in body:
        return _completions(body)
    return _streamed(body) if body.get("stream") else _whole(body)


def _written(body: dict[str, Any]) -> tuple[list[str], str]:
    """Tokens and finish reason."""
    if _has_image(body):
        return ["Red"], "stop"
    if body["temperature"] > 0:
        return [f" word{body.get('seed', '')}"], "stop"
    tokens = RAINBOW[: body.get("max_tokens", body.get("max_completion_tokens"))]
    for at in range(len(tokens)):
        if any(stop in "".join(tokens[: at + 1]) for stop in body.get("stop", ())):
            return tokens[:at], "stop"
    return tokens, "stop"


def _has_image(body: dict[str, Any]) -> bool:
    contents = [message["content"] for message in body.get("messages", ())]
    return any(isinstance(content, list) for content in contents)


def _usage(tokens: list[str]) -> dict[str, int]:
    return {"prompt_tokens": 10, "completion_tokens": len(tokens)}


def _whole(body: dict[str, Any]) -> Say:
    tokens, finish = _written(body)
    choice: dict[str, Any] = {"message": {"content": "".join(tokens)}, "finish_reason": finish}
    if body.get("logprobs"):
        choice["logprobs"] = {"content": [{"token": token, "logprob": -0.5} for token in tokens]}
    choices = [{**choice, "index": i} for i in range(body.get("n", 1))]
    return Say({"model": "served-1", "choices": choices, "usage": _usage(tokens)})


def _streamed(body: dict[str, Any]) -> Say:
    tokens, finish = _written(body)
    pieces: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": {"content": token}}]} for token in tokens]
    pieces.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": _usage(tokens)})
    lines = "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces) + "data: [DONE]\n\n"
    return Say(lines.encode(), headers=EVENTS)


def _completions(body: dict[str, Any]) -> Say:
    if body.get("echo"):
        tokens: list[str] = [" " * (i > 0) + word for i, word in enumerate(body["prompt"].split(" "))]
        logprobs: list[float | None] = [None, *[-1.0] * (len(tokens) - 1)]
    else:
        tokens = _written(body)[0]
        logprobs = [-0.5] * len(tokens)
    given = {"tokens": tokens, "token_logprobs": logprobs} if body.get("logprobs") else None
    choice = {"index": 0, "text": "".join(tokens), "logprobs": given, "finish_reason": "stop"}
    return Say({"model": "served-1", "choices": [choice], "usage": _usage(tokens)})


def ignores_echo(asked: Asked) -> Say:
    """Passes over what it doesn't know, as llama.cpp's server does."""
    known = {name: value for name, value in asked.body.items() if name not in ("echo", "n")}
    if "prompt" in known:
        known |= {"max_tokens": max(1, known["max_tokens"])}
    if _has_image(known):
        return refusal(
            500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"
        )
    return able(replace(asked, body=known))


def reasons(asked: Asked) -> Say:
    """Chat alone, no temperature, another name for max_tokens, as OpenAI's reasoning models have it; thinks."""
    if "prompt" in asked.body:
        return refusal(404, "This is a chat model and not supported in the v1/completions endpoint.")
    for name, said in (
        ("max_tokens", "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
        ("temperature", "'temperature' does not support 0.0 with this model. Only the default (1) is supported."),
        ("top_p", "'top_p' is not supported with this model."),
        ("logprobs", "You are not allowed to request logprobs from this model"),
        ("stop", "'stop' is not supported with this model."),
        ("seed", "'seed' is not supported with this model."),
    ):
        if name in asked.body:
            return refusal(403 if name == "logprobs" else 400, f"Unsupported parameter: {said}", param=name)
    return _thought(asked.body)


def _thought(body: dict[str, Any]) -> Say:
    short = body["max_completion_tokens"] < 100
    made = 16 if short else 40
    message = {"content": "" if short else "Red, orange, yellow, green, blue."}
    choice = {"index": 0, "message": message, "finish_reason": "length" if short else "stop"}
    usage = {"prompt_tokens": 10, "completion_tokens": made, "completion_tokens_details": {"reasoning_tokens": 16}}
    return Say({"model": "o-1", "choices": [{**choice, "index": i} for i in range(body.get("n", 1))], "usage": usage})


def failing_each_other_time(answer: Callable[[Asked], Say]) -> Callable[[Asked], Say]:
    """The same server on a bad day."""
    asked_before = 0

    def now_and_then(asked: Asked) -> Say:
        nonlocal asked_before
        asked_before += 1
        bad = refusal(500 if asked_before % 4 == 1 else 429, "try again")
        return replace(bad, headers={"retry-after": "0.001"}) if asked_before % 2 else answer(asked)

    return now_and_then
