"""Anthropic's Messages API, as its reference has it."""

from typing import Any, ClassVar

from models.stub import Asked, Say
from models.wires.dialect import EVENTS, KEY, STATUS, Dialect, Finish, Refusal, Said, events, halves

STOP_REASON: dict[Finish, str] = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}
WORDS: dict[Refusal, tuple[int, str, str]] = {
    "overflow": (400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"),
    "policy": (400, "invalid_request_error", "Output blocked by content filtering policy"),
    "rate": (429, "rate_limit_error", "This request would exceed your account's rate limit. Please try again later."),
    "overloaded": (529, "overloaded_error", "Overloaded"),
    "broken": (500, "api_error", "Internal server error"),
    "bad key": (401, "authentication_error", "invalid x-api-key"),
    "no model": (404, "not_found_error", "model: claude-x"),
    "bad request": (400, "invalid_request_error", "messages: at least one message is required"),
}


def usage(said: Said) -> dict[str, Any]:
    """Tokens: those read from a cache are not among the input's."""
    cached = said.cached_tokens or 0
    spent: dict[str, Any] = {
        "input_tokens": said.prompt_tokens - cached,
        "output_tokens": said.completion_tokens,
        "cache_read_input_tokens": cached,
        "cache_creation_input_tokens": 0,
    }
    if said.reasoning_tokens is not None:
        spent["output_tokens_details"] = {"thinking_tokens": said.reasoning_tokens}
    return spent


def message(said: Said) -> dict[str, Any]:
    """A whole reply."""
    content: list[dict[str, Any]] = []
    if said.thinking:
        content.append({"type": "thinking", "thinking": said.thinking, "signature": "c2ln"})
    if said.text:
        content.append({"type": "text", "text": said.text, "citations": None})
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x-1",
        "content": content,
        "stop_reason": STOP_REASON[said.finish],
        "stop_sequence": None,
        "usage": usage(said),
    }


class Anthropic(Dialect):
    """The format."""

    name: ClassVar[str] = "anthropic"
    model: ClassVar[str] = "anthropic/claude-x"
    finishes: ClassVar[frozenset[Finish]] = frozenset(STOP_REASON)

    def environ(self, url: str) -> dict[str, str]:
        return {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url}

    def says(self, said: Said) -> Say:
        return Say(message(said))

    def streamed(self, said: Said) -> Say:
        begun = {**message(said), "content": [], "stop_reason": None, "usage": {**usage(said), "output_tokens": 1}}
        pieces: list[dict[str, Any]] = [{"type": "message_start", "message": begun}, {"type": "ping"}]
        blocks = [("thinking", said.thinking)] if said.thinking else []
        blocks += [("text", said.text)] if said.text else []
        for index, (kind, text) in enumerate(blocks):
            pieces.append(
                {"type": "content_block_start", "index": index, "content_block": {"type": kind, kind: "", "new": 1}}
            )
            pieces += [
                {"type": "content_block_delta", "index": index, "delta": {"type": f"{kind}_delta", kind: piece}}
                for piece in halves(text)
            ]
            pieces.append({"type": "content_block_stop", "index": index})
        delta = {"stop_reason": STOP_REASON[said.finish], "stop_sequence": None}
        spent = {name: value for name, value in usage(said).items() if name.startswith("output")}
        pieces += [{"type": "message_delta", "delta": delta, "usage": spent}, {"type": "message_stop"}]
        return Say(events(pieces, named=True), headers=EVENTS)

    def refuses(self, why: Refusal, headers: dict[str, str] | None = None, message: str = "") -> Say:
        status, kind, words = WORDS[why]
        assert status in (STATUS[why], 529)
        return Say({"type": "error", "error": {"type": kind, "message": message or words}}, status, headers or {})

    def prompt(self, asked: Asked) -> str:
        return str(asked.body["messages"][-1]["content"])

    def max_tokens(self, asked: Asked) -> int:
        return int(asked.body["max_tokens"])


DIALECT = Anthropic()
