"""Gemini's `generateContent`, of the Developer API."""

from collections.abc import Sequence
from typing import Any, ClassVar

from models.stub import Asked, Say
from models.wires.dialect import EVENTS, KEY, STATUS, Dialect, Finish, Refusal, Said, events, halves

_FINISH: dict[Finish, str] = {"stop": "STOP", "length": "MAX_TOKENS", "filter": "SAFETY", "refusal": "STOP"}
_TYPE = "type.googleapis.com/google.rpc."
_ERRORS: dict[Refusal, tuple[int, str, str]] = {
    "overflow": (
        400,
        "INVALID_ARGUMENT",
        "The input token count (1054016) exceeds the maximum number of tokens allowed (1048576).",
    ),
    "rate": (429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
    "overloaded": (503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
    "broken": (500, "INTERNAL", "An internal error has occurred. Please retry or report."),
    "bad key": (400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
    "no model": (
        404,
        "NOT_FOUND",
        "models/gemini-x is not found for API version v1beta, or is not supported for generateContent.",
    ),
    "bad request": (400, "INVALID_ARGUMENT", "Invalid value at 'contents[0].parts[0]' (oneof)."),
}


def content(candidates: Sequence[dict[str, Any]], said: Said | None = None, **more: Any) -> dict[str, Any]:
    """A reply, or an event of a stream."""
    usage: dict[str, Any] = {}
    if said is not None:
        thoughts = said.reasoning_tokens
        usage = {"promptTokenCount": said.prompt_tokens, "candidatesTokenCount": said.completion_tokens}
        if thoughts is not None:
            usage["candidatesTokenCount"] -= thoughts
            usage["thoughtsTokenCount"] = thoughts
        if said.cached_tokens is not None:
            usage["cachedContentTokenCount"] = said.cached_tokens
    return {
        "candidates": list(candidates),
        **({"usageMetadata": usage} if usage else {}),
        "modelVersion": "gemini-x-001",
        "responseId": "r1",
        **more,
    }


def candidate(parts: Sequence[dict[str, Any]], finish: str | None = "STOP", **more: Any) -> dict[str, Any]:
    """One answer; without parts, without content, as a model says that was stopped before it said anything."""
    said = {"content": {"parts": list(parts), "role": "model"}} if parts else {}
    return {**said, **({"finishReason": finish} if finish else {}), "index": 0, **more}


def parts_of(said: Said) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [{"text": said.thinking, "thought": True}] if said.thinking else []
    if said.text or said.finish == "stop":
        parts.append({"text": said.text})
    return parts


def google_error(status: int, code: str, message: str, details: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    return {"error": {"code": status, "message": message, "status": code, "details": list(details)}}


class Gemini(Dialect):
    """The format."""

    name: ClassVar[str] = "gemini"
    model: ClassVar[str] = "google/gemini-x"
    finishes: ClassVar[frozenset[Finish]] = frozenset(("stop", "length", "filter"))
    statuses: ClassVar[dict[Refusal, int]] = {**STATUS, "bad key": 400}

    def environ(self, url: str) -> dict[str, str]:
        return {"GEMINI_API_KEY": KEY, "GOOGLE_BASE_URL": url}

    def says(self, said: Said) -> Say:
        return Say(content([candidate(parts_of(said), _FINISH[said.finish])], said))

    def streamed(self, said: Said) -> Say:
        parts: list[dict[str, Any]] = [{"text": text, "thought": True} for text in halves(said.thinking)]
        parts += [{"text": text} for text in halves(said.text)]
        pieces = [content([candidate([part], None)]) for part in parts]
        pieces.append(content([candidate([{"text": ""}] if parts else [], _FINISH[said.finish])], said))
        return Say(events(pieces), headers=EVENTS)

    def refuses(self, why: Refusal, headers: dict[str, str] | None = None, message: str = "") -> Say:
        if why == "policy":
            return Say({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": "gemini-x-001"})
        status, code, words = _ERRORS[why]
        details = [{"@type": f"{_TYPE}ErrorInfo", "reason": "API_KEY_INVALID"}] if why == "bad key" else []
        return Say(google_error(status, code, message or words, details), status, headers or {})

    def prompt(self, asked: Asked) -> str:
        return str(asked.body["contents"][-1]["parts"][0]["text"])

    def max_tokens(self, asked: Asked) -> int:
        return int(asked.body["generationConfig"]["maxOutputTokens"])


DIALECT = Gemini()
