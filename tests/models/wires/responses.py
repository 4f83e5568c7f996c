"""OpenAI's Responses API, as its reference has it."""

from typing import Any, ClassVar

from models.stub import Asked, Say
from models.wires.dialect import EVENTS, Dialect, OpenAI, Refusal, Said, events, halves

_STATUS = {"stop": "completed", "length": "incomplete", "filter": "incomplete", "refusal": "completed"}
_REASON = {"length": "max_output_tokens", "filter": "content_filter"}


def response(said: Said, **more: Any) -> dict[str, Any]:
    """A whole reply."""
    output: list[dict[str, Any]] = []
    if said.thinking:
        output.append({"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": said.thinking}]})
    kind = "refusal" if said.finish == "refusal" else "output_text"
    field = "refusal" if said.finish == "refusal" else "text"
    if said.text or said.finish == "stop":
        part = {"type": kind, field: said.text, **({"annotations": []} if kind == "output_text" else {})}
        output.append({"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]})
    usage: dict[str, Any] = {"input_tokens": said.prompt_tokens, "output_tokens": said.completion_tokens}
    if said.reasoning_tokens is not None:
        usage["output_tokens_details"] = {"reasoning_tokens": said.reasoning_tokens}
    if said.cached_tokens is not None:
        usage["input_tokens_details"] = {"cached_tokens": said.cached_tokens}
    return {
        "id": "resp_1",
        "object": "response",
        "status": _STATUS[said.finish],
        "error": None,
        "incomplete_details": {"reason": _REASON[said.finish]} if said.finish in _REASON else None,
        "model": "gpt-x-1",
        "output": output,
        "usage": usage,
        **more,
    }


class Responses(Dialect):
    """The format."""

    name: ClassVar[str] = "responses"
    model: ClassVar[str] = "openai/gpt-x?wire=responses"

    def environ(self, url: str) -> dict[str, str]:
        return OpenAI().environ(url)

    def says(self, said: Said) -> Say:
        return Say(response(said))

    def streamed(self, said: Said) -> Say:
        pieces: list[dict[str, Any]] = [{"type": "response.created", "response": {"status": "in_progress"}}]
        pieces += [{"type": "response.reasoning_summary_text.delta", "delta": t} for t in halves(said.thinking)]
        kind = "response.refusal.delta" if said.finish == "refusal" else "response.output_text.delta"
        pieces += [{"type": kind, "delta": text} for text in halves(said.text)]
        pieces.append({"type": f"response.{_STATUS[said.finish]}", "response": response(said)})
        return Say(events(pieces, named=True), headers=EVENTS)

    def refuses(self, why: Refusal, headers: dict[str, str] | None = None, message: str = "") -> Say:
        return OpenAI().refuses(why, headers, message)

    def prompt(self, asked: Asked) -> str:
        return str(asked.body["input"][-1]["content"])

    def max_tokens(self, asked: Asked) -> int:
        return int(asked.body["max_output_tokens"])


DIALECT = Responses()
