"""What an endpoint's refusal means: try again, never again, not this request, or an outcome.

Servers say the same thing in many words and under many status codes, so the words are tables here. Whatever is not
known is taken as the status code says. Messages become one clean line, without markup and without the key.
"""

import html
import re
import time
from collections.abc import Collection, Mapping
from email.utils import parsedate_to_datetime
from typing import NamedTuple

import msgspec

from holoscope.core import FatalModelError, Json, ModelError, NotSupportedError, Outcome, TransportError

_LONGEST = 300


class Fault(NamedTuple):
    """An error reply, read."""

    status: int
    message: str
    code: str = ""
    """The codes and types the server gave, in lower case."""
    parameter: str = ""
    retry_after: float | None = None


class Withheld(NamedTuple):
    """No answer, for good: the reason is an outcome."""

    outcome: Outcome
    reason: str


_OVERFLOW = re.compile(
    r"context[ _-]?(length|window|size|limit)|(input|prompt)( is)? too (long|large)"
    r"|maximum (context|input|prompt|sequence)|max(imum)?[ _]?(model|seq\w*|input)[ _]?len|longest allowed"
    r"|\b(input|prompt|token|message)s?\b.{0,60} (exceed|is longer than|are longer than)"
    r"|exceeds? the (configured|maximum|model).{0,40}(limit|length|tokens)|too many (input |prompt )?tokens"
    r"|token count .{0,40}only supports? up to|must have less than \d+ tokens"
    r"|max_tokens must be at least 1, got -|n_keep.{0,20}n_ctx"
    r"|reduce the length of|tokens? \+ `?max_new_tokens`? must be|reduce your prompt",
    re.IGNORECASE | re.DOTALL,
)
_ANSWER_TOO_LONG = re.compile(
    r"(?<!\+ )`?\bmax[_ ](new_|completion_|output_)?tokens`? (must be (<=|less|at most)|cannot exceed)"
    r"|maximum tokens you requested exceeds",
    re.IGNORECASE,
)
"""Said where no prompt would be short enough, for too many new tokens are asked for."""
_SHARES = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        r"must be <= (?P<window>\d+)\. Given: \d+ `inputs` tokens and (?P<asked>\d+) `max_new_tokens`",
        r"\((?P<asked>\d+) > (?P<window>\d+) - \d+\)",
        r"context length is (?P<window>\d+) tokens.{0,90}?(?P<asked>\d+) (in|for) the completion",
    )
)
"""How servers say that prompt and answer together don't fit, with the share of each."""
_OVERFLOW_CODES = ("context_length_exceeded", "exceed_context_size", "string_above_max_length")
_POLICY = re.compile(
    r"content[ _-]?(management |safety )?(policy|filter)|safety (system|polic|filter|setting)|usage (polic|guideline)"
    r"|flagged (as|for|by)|was flagged|responsible ?ai|inappropriate content|violat\w+ .{0,40}polic"
    r"|moderation|safety_check|content exists risk"
    r"|blocked (by|due to|for) .{0,30}(safety|policy|filter|prohibited)",
    re.IGNORECASE | re.DOTALL,
)
_POLICY_CODES = ("content_filter", "content_policy", "responsibleaipolicy", "data_inspection_failed", "moderation")
_NO_ROOM = re.compile(r"could not finish the message because max_tokens", re.IGNORECASE)
_QUOTA = re.compile(
    r"insufficient_quota|exceeded your current quota|billing|insufficient balance|out of credits?", re.I
)
_UNPAID = re.compile(r"credit balance is too low|reached your specified .{0,20}usage limits", re.IGNORECASE)
"""Said under status 400, as if it were about the request."""
_NO_MODEL = re.compile(
    r"model_not_(found|supported)|invalid_model"
    r"|(model|deployment)\b.{0,80}(not found|not exist|n't exist|is unknown|not available)"
    r"|unknown model|no such model|not a valid model|model identifier is invalid"
    r"|model ID .{0,200}on-demand throughput isn.t supported",
    re.IGNORECASE | re.DOTALL,
)
_NOT_CHAT = re.compile(r"chat.?template|not a chat model|does not support chat", re.IGNORECASE)
_CANNOT = re.compile(r"\b(not|un) ?supported\b|not implemented", re.IGNORECASE)
_BAD_KEY = re.compile(r"\b(incorrect|invalid|wrong) api key", re.IGNORECASE)
_RETRY_STATUS = frozenset((408, 409, 425, 429, 498, 499))
_OVERLOADED_STATUS = frozenset((429, 498, 503, 529))
_TOKEN_RATE = re.compile(r"per (minute|day|hour|second)|rate.?limit|\btpm\b", re.IGNORECASE)


def read_fault(status: int, headers: Mapping[str, str], body: bytes) -> Fault:
    """Read an error reply, JSON or not."""
    try:
        tree: Json = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Fault(status, clean(body.decode(errors="replace")), retry_after=retry_after(headers))
    fault = fault_of(tree, status)
    return fault._replace(retry_after=retry_after(headers))


def fault_of(tree: Json, status: int) -> Fault:
    """The fault in a JSON body, also in a reply of status 200; an error's own numeric code counts as the status."""
    outer = tree if isinstance(tree, dict) else {}
    error = outer.get("error", tree)
    if not isinstance(error, dict):
        return Fault(status, clean(_words(error) or _words(tree)))
    inner = error.get("code")
    if status == 200 and isinstance(inner, int) and 400 <= inner <= 599:
        status = inner
    message = next((_words(node[k]) for node in (error, outer) for k in ("message", "detail") if node.get(k)), "")
    codes = [str(node.get(k)) for node in (error, outer) for k in ("code", "type", "status") if node.get(k) is not None]
    metadata = error.get("metadata")
    raw = _words(metadata.get("raw")) if isinstance(metadata, dict) else ""
    said = clean(f"{message} {raw}".strip() or _words(error))
    return Fault(status, said, " ".join(codes).lower(), str(error.get("param") or ""))


def verdict(fault: Fault) -> Withheld | ModelError:
    """What a fault means."""
    said = f"HTTP {fault.status}: {fault.message}" if fault.message else f"HTTP {fault.status}"
    words = f"{fault.code} {fault.message}"
    if fault.status == 402 or (fault.status in (403, 429) and _QUOTA.search(words) and not _returns(fault)):
        return FatalModelError(said)
    if fault.status == 400 and _UNPAID.search(fault.message):
        return FatalModelError(said)
    if fault.status not in _RETRY_STATUS | {401} and (withheld := _withheld(fault, said)):
        return withheld
    if fault.status in (500, 501) and _CANNOT.search(fault.message):
        return NotSupportedError(said)
    if fault.status in _RETRY_STATUS or fault.status >= 500 or fault.status == 200:
        overloaded = fault.status in _OVERLOADED_STATUS
        return TransportError(said, retry_after=fault.retry_after, overloaded=overloaded)
    if (
        fault.status in (401, 403, 404, 405, 410)
        or fault.status < 400
        or _NO_MODEL.search(words)
        or _BAD_KEY.search(words)
    ):
        return FatalModelError(said + _hint(fault))
    return FatalModelError(said + _hint(fault)) if _NOT_CHAT.search(words) else NotSupportedError(said)


def concerning_all(error: ModelError, fault: Fault, fields: Collection[str]) -> ModelError:
    """The same error; a fatal one where it names a field that the user puts into every request."""
    named = re.split(r"[.\[]", fault.parameter)[0]
    named = "reasoning_effort" if named == "reasoning" and named not in fields else named
    if isinstance(error, NotSupportedError) and named in fields:
        return FatalModelError(f"{error}; {named} stands in every request, by the model's name or its deployment")
    return error


def _returns(fault: Fault) -> bool:
    """True for Google's quotas of a minute, which it puts like one that is used up, but with a time to wait."""
    return "resource_exhausted" in fault.code and fault.retry_after is not None


def _withheld(fault: Fault, said: str) -> Withheld | None:
    if any(code in fault.code for code in _POLICY_CODES) or _POLICY.search(fault.message):
        return Withheld(Outcome.CONTENT_FILTER, said)
    if _TOKEN_RATE.search(fault.message):
        return None
    if _asks_too_much(fault.message):
        return None
    if any(code in fault.code for code in _OVERFLOW_CODES) or _OVERFLOW.search(fault.message) or fault.status == 413:
        return Withheld(Outcome.CONTEXT_OVERFLOW, said)
    return Withheld(Outcome.TRUNCATED_IN_REASONING, said) if _NO_ROOM.search(fault.message) else None


def _asks_too_much(message: str) -> bool:
    """True if the longest answer that is asked for is the fault, and not the prompt."""
    given = next((found for pattern in _SHARES if (found := pattern.search(message))), None)
    if given is not None:
        return int(given["asked"]) >= int(given["window"])
    return _ANSWER_TOO_LONG.search(message) is not None


def _hint(fault: Fault) -> str:
    if _NOT_CHAT.search(fault.message):
        return "; add ?api=completions to the model's name"
    if fault.status in (404, 405):
        return "; is the base URL right (it usually ends in /v1), and is this model served there?"
    return "; check the key" if fault.status == 401 else ""


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds to wait, from `retry-after-ms`, or from `Retry-After` in either of its forms."""
    found = {name.lower(): value.strip() for name, value in headers.items() if name.lower().startswith("retry-after")}
    try:
        if "retry-after-ms" in found:
            return max(0.0, float(found["retry-after-ms"]) / 1000)
        return max(0.0, float(found["retry-after"]))
    except KeyError:
        return None
    except ValueError:
        return _until(found.get("retry-after", ""), time.time() if now is None else now)


def _until(date: str, now: float) -> float | None:
    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - now)
    except ValueError:
        return None


_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_MARKUP = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def clean(text: str) -> str:
    """One line of plain text: an HTML page's title, or else what it says."""
    if re.search(r"<(!doctype|html|head|body|title)\b", text, re.IGNORECASE):
        title = _TITLE.search(text)
        text = html.unescape(_MARKUP.sub(" ", title.group(1) if title else text))
    text = " ".join(_UNPRINTABLE.sub(" ", text).split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _words(value: Json) -> str:
    """A message as text; what is no text, such as a validator's list of complaints, as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
