"""Gemini's format: `generateContent`'s body, its replies and events, and Google's errors.

An ending that is neither a stop, a limit nor a filter, and that leaves no text, is no answer: the model broke off.
With text it is one, under whatever name the ending has, so that a new name costs no answers.
"""

import re
from collections.abc import Iterable, Mapping
from typing import cast

import msgspec

from holoscope.core import Json
from holoscope.models.providers.bodies import Body
from holoscope.models.providers.faults import Fault, read_fault
from holoscope.models.providers.sdk import Picture, Turn, read_talk
from holoscope.models.providers.wire import (
    Logprobs,
    Reply,
    ReplyChoice,
    ReplyDetails,
    ReplyMessage,
    ReplyUsage,
    TokenLogprob,
)

_CONFIG = {
    "max_tokens": "maxOutputTokens",
    "max_completion_tokens": "maxOutputTokens",
    "temperature": "temperature",
    "top_p": "topP",
    "stop": "stopSequences",
    "n": "candidateCount",
    "seed": "seed",
    "logprobs": "responseLogprobs",
}
_TOP = frozenset(("safetySettings", "tools", "toolConfig", "cachedContent", "systemInstruction", "labels"))
_READ = frozenset(
    ("model", "messages", "stream", "stream_options", "reasoning_effort", "thinking", "safety", "generationConfig")
)
_HARMS = ("HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT")
_BUDGETS = {"none": 0, "off": 0, "dynamic": -1, "auto": -1}
_FINISH = {"STOP": "stop", "MAX_TOKENS": "length", "CONTINUATION": "length"}
_FILTERS = frozenset(
    ("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR", "ESCALATION")
)
_SECONDS = re.compile(r"(?:retry in )?(\d+(?:\.\d+)?)s", re.IGNORECASE)


class Part(msgspec.Struct, gc=False):
    text: str | None = None
    thought: bool | None = None


class Said(msgspec.Struct, gc=False):
    parts: list[Part] | None = None


class Chosen(msgspec.Struct, gc=False, rename="camel"):
    token: str = ""
    log_probability: float | None = None


class Scored(msgspec.Struct, gc=False, rename="camel"):
    chosen_candidates: list[Chosen] | None = None


class Candidate(msgspec.Struct, gc=False, rename="camel"):
    """One answer, or a piece of it."""

    index: int | None = None
    content: Said | None = None
    finish_reason: str | None = None
    finish_message: str | None = None
    logprobs_result: Scored | None = None


class Spent(msgspec.Struct, gc=False, rename="camel"):
    """Usage. Thoughts are not among the candidates' tokens; what was cached is among the prompt's."""

    prompt_token_count: int | None = None
    candidates_token_count: int | None = None
    thoughts_token_count: int | None = None
    cached_content_token_count: int | None = None


class Content(msgspec.Struct, rename="camel"):
    """A reply, or one event of a stream."""

    candidates: list[Candidate] | None = None
    prompt_feedback: Json = None
    usage_metadata: Spent | None = None
    model_version: str | None = None
    error: Json = None


def gemini_body(body: Body) -> Body:
    """A canonical body as `generateContent` takes it; the user's own fields go where Google puts such."""
    talk = read_talk(body)
    config = {_CONFIG[name]: value for name, value in body.items() if name in _CONFIG}
    config |= {name: value for name, value in body.items() if name not in _CONFIG.keys() | _TOP | _READ}
    if thinking := _thinking(body):
        config["thinkingConfig"] = thinking
    config |= cast(dict[str, Json], body.get("generationConfig") or {})
    sent: Body = {"contents": [_turn(turn) for turn in talk.turns], "generationConfig": config}
    if talk.system:
        sent["systemInstruction"] = {"parts": [{"text": talk.system}]}
    if threshold := body.get("safety"):
        sent["safetySettings"] = [
            {"category": f"HARM_CATEGORY_{harm}", "threshold": str(threshold).upper()} for harm in _HARMS
        ]
    return {**sent, **{name: value for name, value in body.items() if name in _TOP}}


def _turn(turn: Turn) -> Json:
    role = "model" if turn.role == "assistant" else "user"
    return {"role": role, "parts": [_part(part) for part in turn.parts]}


def _part(part: str | Picture) -> Json:
    if isinstance(part, str):
        return {"text": part}
    return {"inlineData": {"mimeType": part.media_type, "data": part.data}}


def _thinking(body: Body) -> dict[str, Json]:
    """How much the model is to think: a number of tokens, or a level. What it thought is asked for with it."""
    wanted = str(body.get("thinking") or body.get("reasoning_effort") or "").lower()
    if not wanted:
        return {}
    budget = _BUDGETS.get(wanted, int(wanted) if re.fullmatch(r"-?\d+", wanted) else None)
    if budget is None:
        return {"thinkingLevel": wanted.upper(), "includeThoughts": True}
    return {"thinkingBudget": budget, "includeThoughts": budget != 0}


def merged(events: Iterable[Content]) -> Content:
    """The events of a stream as the reply that would have come in one piece."""
    whole, found = Content(), dict[int, Candidate]()
    for event in events:
        whole.error = event.error or whole.error
        whole.prompt_feedback = event.prompt_feedback or whole.prompt_feedback
        whole.usage_metadata = event.usage_metadata or whole.usage_metadata
        whole.model_version = event.model_version or whole.model_version
        for piece in event.candidates or ():
            _add(found.setdefault(piece.index or 0, Candidate(piece.index, Said([]))), piece)
    whole.candidates = list(found.values()) or None
    return whole


def _add(candidate: Candidate, piece: Candidate) -> None:
    assert candidate.content is not None
    assert candidate.content.parts is not None
    candidate.content.parts.extend((piece.content and piece.content.parts) or ())
    candidate.finish_reason = piece.finish_reason or candidate.finish_reason
    candidate.finish_message = piece.finish_message or candidate.finish_message
    if piece.logprobs_result is not None:
        known = candidate.logprobs_result or Scored([])
        chosen = [*(known.chosen_candidates or ()), *(piece.logprobs_result.chosen_candidates or ())]
        candidate.logprobs_result = Scored(chosen)


def has_text(content: Content) -> bool:
    """True if there is text or a thought in it."""
    said = (candidate.content for candidate in content.candidates or ())
    return any(part.text for content in said for part in (content and content.parts) or ())


def is_whole(content: Content) -> bool:
    """True if every answer of a streamed reply has ended, or the prompt was blocked."""
    if not content.candidates:
        return content.prompt_feedback is not None
    return all(candidate.finish_reason for candidate in content.candidates)


def reply_of(content: Content) -> Reply:
    """The reply in the shape that all wire formats share."""
    choices = [_choice(at, candidate) for at, candidate in enumerate(content.candidates or ())]
    return Reply(
        choices, _usage(content.usage_metadata), content.model_version, prompt_feedback=content.prompt_feedback
    )


def _choice(at: int, candidate: Candidate) -> ReplyChoice:
    parts = (candidate.content and candidate.content.parts) or []
    text = "".join(part.text for part in parts if part.text and not part.thought)
    thinking = "".join(part.text for part in parts if part.text and part.thought)
    chosen = (candidate.logprobs_result and candidate.logprobs_result.chosen_candidates) or []
    tokens = [TokenLogprob(token.token, token.log_probability) for token in chosen]
    return ReplyChoice(
        index=at if candidate.index is None else candidate.index,
        message=ReplyMessage(text, reasoning_content=thinking),
        logprobs=Logprobs(tokens) if tokens else None,
        finish_reason=_finish(candidate.finish_reason, bool(text)),
        reasoned=bool(thinking) or not parts,
    )


def _finish(reason: str | None, has_text: bool) -> str | None:
    """How an answer ended, in words that all wire formats share."""
    if reason in _FINISH:
        return _FINISH[reason]
    if reason is None:
        return None if has_text else "error"
    if reason in _FILTERS or reason.startswith("IMAGE_"):
        return "content_filter"
    return reason.lower() if has_text else "error"


def _usage(spent: Spent | None) -> ReplyUsage | None:
    if spent is None:
        return None
    made, thoughts = spent.candidates_token_count, spent.thoughts_token_count
    return ReplyUsage(
        prompt_tokens=spent.prompt_token_count,
        completion_tokens=None if made is None and thoughts is None else (made or 0) + (thoughts or 0),
        completion_tokens_details=None if thoughts is None else ReplyDetails(reasoning_tokens=thoughts),
        prompt_tokens_details=ReplyDetails(cached_tokens=spent.cached_content_token_count),
    )


def google_fault(status: int, headers: Mapping[str, str], raw: bytes) -> Fault:
    """An error of Google's: a bad key is a bad request there, and how long to wait stands in the body."""
    fault, details = read_fault(status, headers, raw), _details(raw)
    reasons = {str(detail.get("reason")) for detail in details}
    if "API_KEY_INVALID" in reasons or "api key not valid" in fault.message.lower():
        return fault._replace(status=401)
    if fault.status == 400 and "failed_precondition" in fault.code:
        return fault._replace(status=403)  # the user's country or billing, not the request
    if fault.status == 500 and "logprobs" in fault.message.lower():
        return fault._replace(status=400)  # said so where a model gives none
    return fault if fault.retry_after is not None else fault._replace(retry_after=_wait(fault, details))


def _details(raw: bytes) -> list[dict[str, Json]]:
    try:
        tree: Json = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return []
    error = tree.get("error") if isinstance(tree, dict) else None
    found = error.get("details") if isinstance(error, dict) else None
    return [detail for detail in found if isinstance(detail, dict)] if isinstance(found, list) else []


def _wait(fault: Fault, details: list[dict[str, Json]]) -> float | None:
    """Seconds until a quota is there again; None for one of a day, which no run can wait for."""
    violations = [v for d in details for v in cast(list[Json], d.get("violations") or ()) if isinstance(v, dict)]
    if any("perday" in str(violation.get("quotaId")).lower() for violation in violations):
        return None
    delays = [str(detail["retryDelay"]) for detail in details if detail.get("retryDelay")]
    said = _SECONDS.search(" ".join(delays)) or re.search(r"retry in (\d+(?:\.\d+)?)s", fault.message, re.IGNORECASE)
    return float(said.group(1)) if said else None
