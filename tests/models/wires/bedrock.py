"""Amazon Bedrock's Converse API, as its reference has it; streams are frames of Amazon's event stream encoding."""

import json
import struct
from binascii import crc32
from typing import Any, ClassVar
from urllib.parse import unquote

from models.stub import Asked, Say
from models.wires.dialect import KEY, Dialect, Finish, Refusal, Said, halves

STOP_REASON: dict[Finish, str] = {"stop": "end_turn", "length": "max_tokens", "filter": "guardrail_intervened"}
WORDS: dict[Refusal, tuple[int, str, str]] = {
    "overflow": (400, "ValidationException", "The model returned the following errors: Input is too long for ..."),
    "policy": (400, "ValidationException", "The request was blocked by content filtering policy"),
    "rate": (429, "ThrottlingException", "Too many requests, please wait before trying again."),
    "overloaded": (503, "ServiceUnavailableException", "Bedrock is unable to process your request."),
    "broken": (500, "InternalServerException", "The system encountered an unexpected error."),
    "bad key": (403, "UnrecognizedClientException", "The security token included in the request is invalid."),
    "no model": (404, "ResourceNotFoundException", "Could not resolve the foundation model from model identifier"),
    "bad request": (400, "ValidationException", "A conversation must start with a user message."),
}


def usage(said: Said) -> dict[str, int]:
    """Tokens: those read from a cache are not among the input's."""
    cached = said.cached_tokens or 0
    return {
        "inputTokens": said.prompt_tokens - cached,
        "outputTokens": said.completion_tokens,
        "totalTokens": said.prompt_tokens + said.completion_tokens,
        "cacheReadInputTokens": cached,
        "cacheWriteInputTokens": 0,
    }


def reply(said: Said) -> dict[str, Any]:
    """A whole reply."""
    content: list[dict[str, Any]] = []
    if said.thinking:
        content.append({"reasoningContent": {"reasoningText": {"text": said.thinking, "signature": "c2ln"}}})
    if said.text:
        content.append({"text": said.text})
    return {
        "output": {"message": {"role": "assistant", "content": content}},
        "stopReason": STOP_REASON[said.finish],
        "usage": usage(said),
        "metrics": {"latencyMs": 1},
    }


def frame(kind: str, payload: dict[str, Any], message: str = "event") -> bytes:
    """One event: lengths and their checksum, headers, the payload, and a checksum of it all."""
    headers = {f":{message}-type": kind, ":content-type": "application/json", ":message-type": message}
    head = b"".join(
        bytes([len(name)]) + name.encode() + b"\x07" + struct.pack("!H", len(value)) + value.encode()
        for name, value in headers.items()
    )
    body = json.dumps(payload).encode()
    prelude = struct.pack("!II", 16 + len(head) + len(body), len(head))
    data = prelude + struct.pack("!I", crc32(prelude)) + head + body
    return data + struct.pack("!I", crc32(data))


STREAM = {"Content-Type": "application/vnd.amazon.eventstream"}


class Bedrock(Dialect):
    """The format."""

    name: ClassVar[str] = "bedrock"
    model: ClassVar[str] = "bedrock/anthropic.claude-x-v1:0"
    finishes: ClassVar[frozenset[Finish]] = frozenset(STOP_REASON)
    counts_reasoning: ClassVar[bool] = False

    def environ(self, url: str) -> dict[str, str]:
        return {
            "AWS_ACCESS_KEY_ID": "AKIA-EXAMPLE",
            "AWS_SECRET_ACCESS_KEY": KEY,
            "AWS_REGION": "eu-west-1",
            "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": url,
        }

    def says(self, said: Said) -> Say:
        return Say(reply(said))

    def streamed(self, said: Said) -> Say:
        frames = [frame("messageStart", {"role": "assistant"})]
        blocks = [("reasoning", said.thinking)] if said.thinking else []
        blocks += [("text", said.text)] if said.text else []
        for index, (kind, text) in enumerate(blocks):
            for piece in halves(text):
                delta = {"text": piece} if kind == "text" else {"reasoningContent": {"text": piece}}
                frames.append(frame("contentBlockDelta", {"contentBlockIndex": index, "delta": delta}))
            frames.append(frame("contentBlockStop", {"contentBlockIndex": index}))
        frames.append(frame("messageStop", {"stopReason": STOP_REASON[said.finish]}))
        frames.append(frame("metadata", {"usage": usage(said), "metrics": {"latencyMs": 1}}))
        return Say(b"".join(frames), headers=STREAM)

    def refuses(self, why: Refusal, headers: dict[str, str] | None = None, message: str = "") -> Say:
        status, code, words = WORDS[why]
        return Say({"message": message or words}, status, {"x-amzn-ErrorType": code, **(headers or {})})

    def prompt(self, asked: Asked) -> str:
        assert unquote(asked.path).startswith("/model/anthropic.claude-x-v1:0/converse")
        return str(asked.body["messages"][-1]["content"][0]["text"])

    def max_tokens(self, asked: Asked) -> int:
        return int(asked.body["inferenceConfig"]["maxTokens"])


DIALECT = Bedrock()
