"""Hugging Face's text generation server (TGI) in its own format, as Inference Endpoints speak it.

It is asked for its own format because only that scores given text. Sent over the same connections as OpenAI's format:
the format is one object with parameters, and what `huggingface_hub` adds to it stands in the way here: it drops
parameters it believes a server doesn't take, and keeps each stream open until the client is closed. A temperature of
zero is refused by the server, so it is not sent: without sampling, none is needed.
"""

from typing import cast

import aiohttp
import msgspec
from yarl import URL

from holoscope.core import Json
from holoscope.models.endpoint import Endpoint
from holoscope.models.model import ModelCard
from holoscope.models.providers.bodies import Body, encode
from holoscope.models.providers.faults import Fault
from holoscope.models.providers.openai_compatible import OpenAICompatible
from holoscope.models.providers.sdk import narrowed
from holoscope.models.providers.sse import Stream
from holoscope.models.providers.wire import Logprobs, Reply, ReplyChoice, ReplyUsage, TokenLogprob, decode
from holoscope.models.tokenizers import Window

_PROMPT_TOKENS = "x-prompt-tokens"
_GENERATION_FAILED = 424
_TRANSLATED = frozenset(
    ("model", "prompt", "max_tokens", "temperature", "logprobs", "echo", "stream", "stream_options", "n")
)


class Piece(msgspec.Struct, gc=False):
    """A token."""

    text: str = ""
    logprob: float | None = None
    special: bool = False


class Details(msgspec.Struct):
    finish_reason: str | None = None
    generated_tokens: int | None = None
    input_length: int | None = None
    prefill: list[Piece] | None = None
    """The prompt's tokens, where they were asked for."""
    tokens: list[Piece] | None = None


class Generation(msgspec.Struct):
    """A whole reply, or one event of a stream."""

    generated_text: str | None = None
    details: Details | None = None
    token: Piece | None = None
    error: Json = None


_generation = msgspec.json.Decoder(Generation)
_generations = msgspec.json.Decoder(Generation | list[Generation])


class Tgi(OpenAICompatible):
    """A model behind a text generation server."""

    def __init__(self, card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> None:
        card, endpoint = narrowed(card, endpoint, chat=False, images=False, n=False)
        super().__init__(card, identity, endpoint, window)
        self._urls = dict.fromkeys(self._urls, URL(endpoint.url))

    def _written(self, body: Body) -> bytes:
        return encode(tgi_body(body))

    def _reply(self, response: aiohttp.ClientResponse, raw: bytes) -> Reply:
        found = decode(_generations, raw)
        whole = found[0] if isinstance(found, list) and found else found
        if not isinstance(whole, Generation) or (whole.error is None and whole.generated_text is None):
            return Reply()
        prompt_tokens = response.headers.get(_PROMPT_TOKENS, "")
        reply = reply_of(whole, int(prompt_tokens) if prompt_tokens.isdecimal() else None)
        reply.model = self._endpoint.served_name
        return reply

    def _stream(self) -> Stream:
        return TgiStream(self._endpoint.served_name)

    def _fault(self, response: aiohttp.ClientResponse, raw: bytes) -> Fault:
        fault = super()._fault(response, raw)
        return fault._replace(status=500) if fault.status == _GENERATION_FAILED else fault


class TgiStream(Stream):
    """A reply of this format that is still coming in."""

    def __init__(self, model: str) -> None:
        super().__init__()
        self._reply.model = model

    def _event(self, data: bytes) -> None:
        event = decode(_generation, data)
        if event.error is not None:
            self.error = self.error or data
        token, details = event.token, event.details
        piece = ReplyChoice(finish_reason=details.finish_reason if details else None)
        if token is not None and not token.special:
            piece.text = token.text
            piece.logprobs = Logprobs([TokenLogprob(token.text, token.logprob)])
        if details is not None:
            self._reply.usage = ReplyUsage(details.input_length, details.generated_tokens)
        self._add(piece)


def tgi_body(body: Body) -> Body:
    """A canonical body of the completions API in this format's names; what the user added is passed on."""
    parameters: Body = {name: value for name, value in body.items() if name not in _TRANSLATED}
    parameters |= {"details": True, "return_full_text": False}
    parameters["max_new_tokens"] = max(1, cast(int, body.get("max_tokens", 1)))
    if temperature := body.get("temperature"):
        parameters |= {"do_sample": True, "temperature": temperature}
    if is_scored := body.get("echo") is True:
        parameters["decoder_input_details"] = True
    sent: Body = {"inputs": body["prompt"], "parameters": parameters}
    if body.get("stream") and not is_scored:  # the server doesn't show a prompt's tokens in a stream
        sent["stream"] = True
    return sent


def reply_of(whole: Generation, prompt_tokens: int | None) -> Reply:
    """The reply in the shape of the completions API, the prompt before the answer where it was scored."""
    details = whole.details or Details()
    prefill = details.prefill or []
    spelled = [*prefill, *(token for token in details.tokens or () if not token.special)]
    text = "".join(token.text for token in prefill) + (whole.generated_text or "")
    logprobs = Logprobs([TokenLogprob(token.text, token.logprob) for token in spelled]) if spelled else None
    choice = ReplyChoice(text=text, logprobs=logprobs, finish_reason=details.finish_reason or "stop")
    known = next((n for n in (prompt_tokens, details.input_length, len(prefill)) if n), None)
    return Reply([choice], ReplyUsage(known, details.generated_tokens), error=whole.error)


def open_model(card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> Tgi:
    """The client of a text generation server."""
    return Tgi(card, identity, endpoint, window)
