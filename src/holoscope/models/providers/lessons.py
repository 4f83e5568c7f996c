"""What an endpoint's refusals teach: parameters it doesn't take are left out or renamed, from then on and visibly.

A lesson is learned from a 4xx that names a parameter which was sent. Only parameters without which the answer is
still an answer may go; each that goes is said in `Completion.dropped_params`. Lessons only add up, so learning ends.
Many requests are under way at once, so a refusal is read against what its own request held, not against what has been
learned meanwhile: one that another request has already learned from is a reason to send again like any other.
"""

import re

from holoscope.core import Json
from holoscope.models.model import Capabilities
from holoscope.models.providers.bodies import Body
from holoscope.models.providers.faults import Fault
from holoscope.models.providers.roles import NEXT, REFUSED, SAID, Role, put_as, role_of

_DROPPABLE = ("logprobs", "stop", "seed", "temperature", "top_p", "stream_options", "stream")
_TEACHING_STATUS = frozenset((400, 403, 415, 422, 501))
_MAX_TOKENS = ("max_tokens", "max_completion_tokens")
_KNOWN = frozenset((*_DROPPABLE, *_MAX_TOKENS, "n", "echo", "model", "messages", "prompt"))
_OTHER_NAMES = {
    "stop_sequences": "stop",
    "stopSequences": "stop",
    "topP": "top_p",
    "top_logprobs": "logprobs",
    "responseLogprobs": "logprobs",
    "response_logprobs": "logprobs",
    "max_output_tokens": "max_tokens",
    "maxOutputTokens": "max_tokens",
    "maxTokens": "max_tokens",
    "random_seed": "seed",
}
"""What other wire formats call the same parameters."""
_PLAIN_WORDS = frozenset(("stop", "stream"))
_NOT_TAKEN = re.compile(
    r"unsupported|not supported|not support|n't support|unrecogni[sz]ed|unknown|unexpected|extra|not permitted"
    r"|not allowed|deprecated|invalid|instead",
    re.IGNORECASE,
)
_INTEGER = re.compile(r"\bint(eger)?\b|\bnumber\b", re.IGNORECASE)
_AT_LEAST = re.compile(r"at least|greater than|positive|minimum|>=|>\s*0|non-?zero|less than 1|below", re.IGNORECASE)

_LEAST = re.compile(r"(?:at least|>=|minimum (?:value )?(?:is|of)|greater than or equal to)\s*(\d+)", re.IGNORECASE)
_MOST_LEAST = 64
"""Nobody's least number of new tokens is above this; a greater number in a refusal is about something else."""

_WORDS = {
    "stop": "stop: not sent, applied to the answer here",
    "logprobs": "logprobs: not given by the endpoint",
}


class Lessons:
    """What is known of one API of one endpoint. Grows, and never forgets."""

    def __init__(self, capabilities: Capabilities) -> None:
        self._max_tokens_name: str = capabilities.max_tokens_name
        self._renamed = False
        self._logprobs_as_number = False
        self._max_stops = capabilities.max_stops
        self._system_role: Role = "system"
        self._max_output = capabilities.max_output
        self.least_max_tokens = 0
        """What is sent where a request wants no new tokens at all."""
        self.refusals: dict[str, str] = {}
        """Why `echo` or `n` is of no use here, once that is known."""
        self.heard: dict[str, str] = {}
        """What was said as each lesson was learned, by parameter."""
        self._dropped: set[str] = set()
        for name in ("logprobs", "stop", "temperature"):
            if not getattr(capabilities, name):
                self._dropped.add(name)

    def apply(self, body: Body) -> tuple[str, ...]:
        """Change a body to what the endpoint takes; what was left out or renamed, in words."""
        said = [_said(name, body.pop(name)) for name in _DROPPABLE if name in self._dropped and name in body]
        stops = body.get("stop")
        if self._max_stops is not None and isinstance(stops, list) and len(stops) > self._max_stops:
            body["stop"] = stops[: self._max_stops]
            said.append(f"stop: {self._max_stops} of {len(stops)} sent, all applied to the answer here")
        if self._system_role != "system" and role_of(body):
            put_as(body, self._system_role)
            said.append(SAID[self._system_role])
        if self._logprobs_as_number and body.get("logprobs") is True:
            body["logprobs"] = 1
        limit = body.get("max_tokens")
        if isinstance(limit, int) and self._max_output is not None and limit > self._max_output:
            body["max_tokens"] = self._max_output
            said.append(f"max_tokens={limit}: {self._max_output} sent, the most that the model writes")
        if isinstance(limit, int) and limit < self.least_max_tokens:
            body["max_tokens"] = self.least_max_tokens
            if limit > 0:  # none at all are wanted where given text is scored, and the one too many is cut off
                said.append(f"max_tokens={limit}: {self.least_max_tokens} sent, the least that the endpoint takes")
        if self._max_tokens_name != "max_tokens":
            body[self._max_tokens_name] = body.pop("max_tokens")
        if self._renamed:
            said.append(f"max_tokens: sent as {self._max_tokens_name}")
        return tuple(said)

    def drop(self, name: str) -> None:
        """Send this parameter no more."""
        self._dropped.add(name)
        if name == "stream":
            self._dropped.add("stream_options")

    def learn(self, fault: Fault, sent: Body) -> bool:
        """True if the fault names a parameter of `sent` that is no longer sent so: send again.

        `sent` came from `apply`, so it holds nothing that was dropped before it went out, and what it is refused for
        here is never sent by the next `apply`.
        """
        if fault.status not in _TEACHING_STATUS:
            return False
        if self._learn_max_tokens(fault, sent):
            self.heard.setdefault("max_tokens", fault.message)
            return True
        if self._learn_role(fault, sent):
            self.heard.setdefault("system", fault.message)
            return True
        for name in _DROPPABLE:
            if name in sent and _names(fault, name):
                self.heard.setdefault(name, fault.message)
                if name == "logprobs" and sent[name] is True and _INTEGER.search(fault.message):
                    self._logprobs_as_number = True
                else:
                    self.drop(name)
                return True
        return False

    def _learn_role(self, fault: Fault, sent: Body) -> bool:
        role = role_of(sent)
        if role is None or not REFUSED.search(fault.message):
            return False
        if role == self._system_role:
            self._system_role = NEXT[role]
        return True

    def _learn_max_tokens(self, fault: Fault, sent: Body) -> bool:
        name = next((n for n in _MAX_TOKENS if n in sent), "")
        if not name or not _names(fault, name):
            return False
        if least := _least(fault, sent[name]):
            self.least_max_tokens = max(self.least_max_tokens, least)
            return True
        other = _MAX_TOKENS[1 - _MAX_TOKENS.index(name)]
        if self._renamed:
            return name != self._max_tokens_name  # sent before another request learned the name
        if not (other in fault.message or _NOT_TAKEN.search(fault.message)):
            return False
        self._max_tokens_name, self._renamed = other, True
        return True


def _least(fault: Fault, sent: Json) -> int:
    """The least number of new tokens that a refusal names, where it refuses too small a one; else 0."""
    if not isinstance(sent, int) or not _AT_LEAST.search(fault.message):
        return 0
    named = _LEAST.search(fault.message)
    least = int(named.group(1)) if named else 1
    return least if sent < least <= _MOST_LEAST else 0


def _said(name: str, value: Json) -> str:
    return _WORDS.get(name, f"{name}={value}: not taken by the endpoint")


def _names(fault: Fault, name: str) -> bool:
    """True if the fault is about this parameter; `stop` is also a plain word, so it must stand as a name."""
    named = re.split(r"[.\[]", fault.parameter)[-1] if fault.parameter else ""
    named = _OTHER_NAMES.get(named, named)
    if named in _KNOWN:
        return named == name
    if any(ours == name and re.search(rf"\b{theirs}\b", fault.message) for theirs, ours in _OTHER_NAMES.items()):
        return True
    if name not in _PLAIN_WORDS:
        return re.search(rf"(?<!\w){name}(?!\w)", fault.message, re.IGNORECASE) is not None
    quoted = rf"""['"`]{name}['"`]|\b{name} (sequences?|parameter|is|are)\b"""
    return (
        re.search(rf"{quoted}|\b(param\w*|argument|field|property|support\w*|allow\w*):? {name}\b", fault.message)
        is not None
    )
