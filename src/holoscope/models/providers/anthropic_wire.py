"""Anthropic's Messages format: bodies, replies and errors, without the SDK.

Reasoning has blocks of its own; some models send them without their text, which still says that there was reasoning.
The prompt's tokens come in three parts (fresh, read from a cache, written to it) and are counted together here.
"""

from typing import NamedTuple, cast

import msgspec

from holoscope.core import Json, TransportError
from holoscope.models.providers.bodies import Body
from holoscope.models.providers.faults import Fault, fault_of
from holoscope.models.providers.sdk import Picture, Turn, read_talk
from holoscope.models.providers.wire import Reply, ReplyChoice, ReplyDetails, ReplyMessage, ReplyUsage

_RENAMED = frozenset(("messages", "stop", "stream_options", "reasoning_effort", "thinking"))
_FINISH = {"tool_use": "stop", "pause_turn": "stop", "model_context_window_exceeded": "length"}
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""Status codes of errors that come within a reply of status 200."""
_THINKING = ("thinking", "redacted_thinking")


class Block(msgspec.Struct, gc=False):
    """A piece of the answer, whole or as it comes in."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None


class SpentDetails(msgspec.Struct, gc=False):
    thinking_tokens: int | None = None


class Spent(msgspec.Struct, gc=False):
    """Usage; a streamed reply gives it in two parts."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens_details: SpentDetails | None = None

    def with_later(self, later: "Spent") -> "Spent":
        """The same, where what came later counts."""
        known = {name: value for name, value in msgspec.structs.asdict(later).items() if value is not None}
        return msgspec.structs.replace(self, **known)


class Message(msgspec.Struct):
    """A reply; an error where `type` says so."""

    type: str = ""
    content: list[Block] | None = None
    stop_reason: str | None = None
    usage: Spent | None = None
    model: str | None = None
    error: Json = None


class Ending(msgspec.Struct, gc=False):
    """The last change of a streamed message, or a piece of one of its blocks."""

    text: str | None = None
    thinking: str | None = None
    stop_reason: str | None = None


class Event(msgspec.Struct):
    """One event of a stream."""

    type: str = ""
    index: int = 0
    message: Message | None = None
    content_block: Block | None = None
    delta: Ending | None = None
    usage: Spent | None = None
    error: Json = None


class Fitted(NamedTuple):
    """A canonical body without what the API would refuse, and what was changed, in words."""

    body: Body
    changes: tuple[str, ...]


def fitted(body: Body) -> Fitted:
    """Make a canonical body one that the API takes, whatever the model."""
    body, changes = dict(body), []
    stops = cast(list[str], body.pop("stop", None) or [])
    if taken := [stop for stop in stops if stop.strip()]:
        body["stop"] = list(taken)
    if len(taken) < len(stops):
        changes.append("stop: white space alone is not taken, applied to the answer here")
    if "temperature" in body and "top_p" in body:
        changes.append(f"top_p={body.pop('top_p')}: not taken beside a temperature")
    begun = _begun(body)
    rested = unsampled(begun.body)
    return Fitted(rested.body, (*changes, *begun.changes, *rested.changes))


def unsampled(body: Body) -> Fitted:
    """The same without what is fixed while the model thinks."""
    if not is_thinking(body):
        return Fitted(body, ())
    kept = {name: value for name, value in body.items() if name not in _FIXED}
    return Fitted(kept, tuple(f"{name}={body[name]}: fixed while the model thinks" for name in _FIXED if name in body))


def _begun(body: Body) -> Fitted:
    """The same, where the answer's beginning ends in no white space: the API refuses that."""
    messages = cast(list[dict[str, Json]], body["messages"])
    last = messages[-1] if messages else {}
    text = last.get("content")
    if last.get("role") != "assistant" or not isinstance(text, str) or text == text.rstrip():
        return Fitted(body, ())
    shorter = [{**last, "content": text.rstrip()}] if text.strip() else []
    return Fitted(
        {**body, "messages": [*messages[:-1], *shorter]}, ("the answer's beginning: without its last white space",)
    )


_FIXED = ("temperature", "top_p")


def is_thinking(body: Body) -> bool:
    """True if the user asks for reasoning."""
    wanted = body.get("thinking") or "none"
    return (wanted.get("type") if isinstance(wanted, dict) else str(wanted)) not in ("none", "0", "disabled")


def messages_body(body: Body) -> Body:
    """A canonical body as the API takes it; what it names alike, and the user's own fields, go as they are."""
    talk = read_talk(body)
    sent = {name: value for name, value in body.items() if name not in _RENAMED}
    sent["messages"] = [_turn(turn) for turn in talk.turns]
    if talk.system:
        sent["system"] = talk.system
    if stops := body.get("stop"):
        sent["stop_sequences"] = stops
    if effort := body.get("reasoning_effort"):
        sent["output_config"] = {"effort": effort, **cast(dict[str, Json], body.get("output_config") or {})}
    if "thinking" in body:
        _add_thinking(sent, body["thinking"])
    return sent


def _add_thinking(sent: Body, wanted: Json) -> None:
    """A budget comes on top of the limit, so that the answer keeps the room it was given."""
    words = str(wanted)
    if isinstance(wanted, dict):
        sent["thinking"] = wanted
    elif words in ("none", "0"):
        sent["thinking"] = {"type": "disabled"}
    elif words.isdigit():
        sent["thinking"] = {"type": "enabled", "budget_tokens": int(words)}
        sent["max_tokens"] = cast(int, sent["max_tokens"]) + int(words)
    else:
        sent["thinking"] = {"type": words, "display": "summarized"}


def _turn(turn: Turn) -> Json:
    if all(isinstance(part, str) for part in turn.parts):
        return {"role": turn.role, "content": turn.text}
    return {"role": turn.role, "content": [_part(part) for part in turn.parts]}


def _part(part: str | Picture) -> Json:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image", "source": {"type": "base64", "media_type": part.media_type, "data": part.data}}


def reply_of(message: Message) -> Reply:
    """The reply in the shape that all wire formats share."""
    if message.content is None:
        raise TransportError("the reply holds no content: the endpoint doesn't speak the Messages API")
    text = "".join(block.text or "" for block in message.content if block.type == "text")
    thoughts = [block for block in message.content if block.type in _THINKING]
    choice = ReplyChoice(
        message=ReplyMessage(text, "\n\n".join(block.thinking for block in thoughts if block.thinking)),
        finish_reason=_FINISH.get(message.stop_reason or "", message.stop_reason),
        reasoned=bool(thoughts),
    )
    return Reply([choice], _usage(message.usage), message.model)


def _usage(spent: Spent | None) -> ReplyUsage | None:
    if spent is None:
        return None
    parts = (spent.input_tokens, spent.cache_read_input_tokens, spent.cache_creation_input_tokens)
    details = spent.output_tokens_details
    return ReplyUsage(
        prompt_tokens=None if spent.input_tokens is None else sum(part or 0 for part in parts),
        completion_tokens=spent.output_tokens,
        completion_tokens_details=ReplyDetails(reasoning_tokens=details.thinking_tokens) if details else None,
        prompt_tokens_details=ReplyDetails(cached_tokens=spent.cache_read_input_tokens),
    )


def error_of(error: Json) -> Fault:
    """An error that came in a reply of status 200, or in the middle of a stream."""
    fault = fault_of({"error": error}, 200)
    return fault._replace(status=next((_STATUS[code] for code in fault.code.split() if code in _STATUS), 500))


class Streamed:
    """A message that is still coming in."""

    def __init__(self) -> None:
        self._message = Message()
        self._blocks: dict[int, Block] = {}
        self.is_whole = False
        self.has_text = False
        """True from the first piece of text or reasoning on."""

    @property
    def message(self) -> Message:
        """What has come so far."""
        self._message.content = [self._blocks[at] for at in sorted(self._blocks)]
        return self._message

    def add(self, event: Event) -> None:
        """Take in an event."""
        if event.type == "message_start" and event.message is not None:
            self._message = event.message
        elif event.type == "content_block_start" and event.content_block is not None:
            self._blocks[event.index] = event.content_block
        elif event.type == "content_block_delta" and event.delta is not None:
            self._extend(self._blocks.setdefault(event.index, Block("text")), event.delta)
        elif event.type == "message_delta":
            self._message.stop_reason = (event.delta and event.delta.stop_reason) or self._message.stop_reason
            if event.usage is not None:
                self._message.usage = (self._message.usage or Spent()).with_later(event.usage)
        elif event.type == "message_stop":
            self.is_whole = True

    def _extend(self, block: Block, piece: Ending) -> None:
        if piece.text:
            block.text = (block.text or "") + piece.text
        if piece.thinking:
            block.thinking = (block.thinking or "") + piece.thinking
        self.has_text = self.has_text or bool(piece.text or piece.thinking)


message_decoder = msgspec.json.Decoder(Message)
event_decoder = msgspec.json.Decoder(Event)
