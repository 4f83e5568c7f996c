"""Cohere's chat API, version 2."""

from typing import Any, ClassVar

from models.stub import Asked, Say
from models.wires.dialect import EVENTS, KEY, STATUS, Dialect, Finish, Refusal, Said, events, halves

_FINISH: dict[Finish, str] = {"stop": "COMPLETE", "length": "MAX_TOKENS", "filter": "ERROR_TOXIC", "refusal": ""}
_WORDS: dict[Refusal, str] = {
    "overflow": "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292. Try using a"
    " shorter prompt, or enabling prompt truncating.",
    "rate": "trial token rate limit exceeded, limit is 100000 tokens per minute",
    "overloaded": "service unavailable",
    "broken": "internal server error, this has been reported to our developers.",
    "bad key": "invalid api token",
    "no model": "model 'command-x' not found, make sure the correct model ID was used and that you have access to it.",
    "bad request": "invalid request: message must be at least 1 token long or tool results must be specified.",
}


class Cohere(Dialect):
    """As documented at docs.cohere.com/v2/reference/chat and /chat-stream."""

    name: ClassVar[str] = "cohere"
    model: ClassVar[str] = "cohere/command-x"
    finishes: ClassVar[frozenset[Finish]] = frozenset(("stop", "length", "filter"))
    refusals: ClassVar[frozenset[Refusal]] = frozenset(_WORDS)
    counts_reasoning: ClassVar[bool] = False

    def environ(self, url: str) -> dict[str, str]:
        return {"COHERE_API_KEY": KEY, "COHERE_BASE_URL": url}

    def says(self, said: Said) -> Say:
        parts = [{"type": "thinking", "thinking": said.thinking}] if said.thinking else []
        if said.text:
            parts.append({"type": "text", "text": said.text})
        return Say(
            {
                "id": "c14c80c3",
                "message": {"role": "assistant", "content": parts},
                "finish_reason": _FINISH[said.finish],
                "usage": _usage(said),
            }
        )

    def streamed(self, said: Said) -> Say:
        kinds = [("thinking", said.thinking)] if said.thinking else []
        pieces: list[dict[str, Any]] = [
            {"type": "message-start", "id": "29f14a5a", "delta": {"message": {"role": "assistant", "content": []}}}
        ]
        for index, (kind, text) in enumerate([*kinds, ("text", said.text)]):
            start = {"message": {"content": {"type": kind, kind: ""}}}
            pieces.append({"type": "content-start", "index": index, "delta": start})
            for piece in halves(text):
                delta = {"message": {"content": {kind: piece}}}
                pieces.append({"type": "content-delta", "index": index, "delta": delta})
            pieces.append({"type": "content-end", "index": index})
        end = {"finish_reason": _FINISH[said.finish], "usage": _usage(said)}
        pieces.append({"type": "message-end", "id": "29f14a5a", "delta": end})
        return Say(events(pieces, named=True, done=True), headers=EVENTS)

    def refuses(self, why: Refusal, headers: dict[str, str] | None = None, message: str = "") -> Say:
        return Say({"id": "7e1b", "message": message or _WORDS[why]}, STATUS[why], headers or {})

    def prompt(self, asked: Asked) -> str:
        assert asked.path == "/v2/chat"
        return str(asked.body["messages"][-1]["content"])

    def max_tokens(self, asked: Asked) -> int:
        return int(asked.body["max_tokens"])


def _usage(said: Said) -> dict[str, Any]:
    units = {"input_tokens": said.prompt_tokens, "output_tokens": said.completion_tokens}
    usage: dict[str, Any] = {"billed_units": units, "tokens": {"input_tokens": 70, "output_tokens": 9}}
    if said.cached_tokens is not None:
        usage["cached_tokens"] = said.cached_tokens
    return usage


DIALECT = Cohere()
