"""Streamed replies: server-sent events, put together into the reply that would have come in one piece.

A stream that breaks off is no answer: it must end with `[DONE]`, or with a finish reason for every choice.
"""

import msgspec

from holoscope.core import TransportError
from holoscope.models.providers.wire import (
    Logprobs,
    Reply,
    ReplyChoice,
    ReplyMessage,
    TokenLogprob,
    reply_decoder,
)

_DONE = b"[DONE]"


def stream_headers(url: str) -> dict[str, str] | None:
    """What else to say when a stream is asked for.

    Without TLS a connection costs nothing and serves one stream: llama.cpp's server closes it after that without saying
    so, and the next request on it would be lost.
    """
    return {"Connection": "close"} if url.startswith("http:") else None


class Events:
    """The data of server-sent events, whatever they hold."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take in what came over the wire, cut anywhere; the events that are whole by now."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return [data for line in lines if (data := self._line(line.rstrip(b"\r"))) is not None]

    def finish(self) -> list[bytes]:
        """The events that only the end of the stream ends."""
        ends = (self._line(self._rest.rstrip(b"\r")), self._line(b""))
        return [data for data in ends if data is not None]

    def _line(self, line: bytes) -> bytes | None:
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
        elif not line and self._data:
            data, self._data = b"\n".join(self._data), []
            return data
        return None


class Stream:
    """A reply that is still coming in."""

    def __init__(self) -> None:
        self._events = Events()
        self._reply = Reply(choices=[])
        self._choices: dict[int, ReplyChoice] = {}
        self._done = False
        self.error = b""
        """The event that said so, if the server reported an error midway."""
        self.has_text = False
        """True from the first piece of text or reasoning on."""

    def feed(self, chunk: bytes) -> None:
        """Take in what came over the wire, cut anywhere."""
        for data in self._events.feed(chunk):
            self._event(data)

    def finish(self) -> Reply:
        """The whole reply; TransportError if the stream broke off."""
        for data in self._events.finish():
            self._event(data)
        finished = bool(self._choices) and all(c.finish_reason is not None for c in self._choices.values())
        if not self.error and not self._done and not finished:
            raise TransportError("the streamed reply broke off before its end")
        self._reply.choices = [self._choices[index] for index in sorted(self._choices)]
        return self._reply

    def _event(self, data: bytes) -> None:
        if data.strip() == _DONE:
            self._done = True
            return
        try:
            event = reply_decoder.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise TransportError(f"an event of the streamed reply is not readable: {error}") from None
        if event.error is not None:
            self.error = self.error or data
        self._reply.model = event.model or self._reply.model
        self._reply.usage = event.usage or self._reply.usage
        self._reply.prompt_feedback = event.prompt_feedback or self._reply.prompt_feedback
        for piece in event.choices or ():
            self._add(piece)

    def _add(self, piece: ReplyChoice) -> None:
        choice = self._choices.setdefault(piece.index, ReplyChoice(piece.index))
        if piece.delta is not None:
            choice.message = choice.message or ReplyMessage("")
            self._add_message(choice.message, piece.delta)
        if piece.text:
            choice.text = (choice.text or "") + piece.text
            self.has_text = True
        if piece.logprobs is not None:
            _add_logprobs(choice, piece.logprobs)
        choice.finish_reason = piece.finish_reason or choice.finish_reason

    def _add_message(self, whole: ReplyMessage, delta: ReplyMessage) -> None:
        thinking = delta.thinking
        if delta.text:
            whole.content = whole.text + delta.text
        if thinking:
            whole.reasoning_content = (whole.thinking or "") + thinking
        if delta.refusal:
            whole.refusal = (whole.refusal or "") + delta.refusal
        self.has_text = self.has_text or bool(delta.text or thinking or delta.refusal)


def _add_logprobs(choice: ReplyChoice, piece: Logprobs) -> None:
    if choice.logprobs is None or choice.logprobs.content is None:
        choice.logprobs = Logprobs([])
    assert choice.logprobs.content is not None
    choice.logprobs.content.extend(TokenLogprob(token.text, token.logprob) for token in piece.read())
