"""`test/echo`: a model without weights or network, whose every answer is a function of the prompt.

It is right now and then and wrong now and then: it picks one of the lettered options at the end of a prompt, or else a
word of its last lines, by a hash; and it gives every token a log-probability, so that each method of asking can be
tried end to end. Nothing about it is random or depends on the machine; its times are nominal.
"""

import hashlib
import re

import msgspec

from holoscope.core import Choice, Completion, Message, Outcome, Params, Request, Text, Token, Usage
from holoscope.models.answer import sum_logprobs
from holoscope.models.model import Capabilities, ModelCard
from holoscope.models.thinking import cut_at_stop
from holoscope.models.tokenizers import WORDS, Limits, Window, WindowOption, open_window

NAME = "test/echo"
SECONDS_PER_TOKEN = 0.001
"""Nominal, so that equal runs are equal."""

_OPTION = re.compile(r"^\W?([A-Z])[.)] ?\S", re.MULTILINE)
_WORD = re.compile(r"\w+")
_LAST_LINES = 3


class EchoOptions(msgspec.Struct, frozen=True):
    """Options after `?`."""

    window: WindowOption | None = None
    tokenizer: str = WORDS


class Echo:
    """The model."""

    def __init__(self, card: ModelCard) -> None:
        self.card = card
        self.identity = {"deployment": NAME, "tokenizer": card.tokenizer}
        self._window = open_window(card.tokenizer, card.limits)

    def window(self) -> Window:
        return self._window

    async def generate(self, request: Request) -> Completion:
        prompt = request.prompt if request.prompt is not None else _flat(request.messages or ())
        size = self._window.count(prompt)
        if request.params.echo_prompt:
            choices: tuple[Choice, ...] = (self._scored(prompt),)
            made = 0
        else:
            choices = tuple(self._written(prompt, request.params, i) for i in range(request.params.num_completions))
            made = sum(len(choice.tokens) for choice in choices)
        return Completion(
            outcome=Outcome.OK,
            choices=choices,
            usage=Usage(prompt_tokens=size, completion_tokens=made),
            request_time=SECONDS_PER_TOKEN * (size + made),
            served_model=NAME,
        )

    async def aclose(self) -> None:
        """Nothing to close."""

    def _scored(self, prompt: str) -> Choice:
        tokens = self._tokens(prompt, prompt)
        tokens = (Token(tokens[0].text), *tokens[1:]) if tokens else ()
        return Choice(prompt, sum_logprobs(tokens), tokens, "length")

    def _written(self, prompt: str, params: Params, index: int) -> Choice:
        draw = f"{params.random}/{index}" if params.temperature > 0 else ""
        text = cut_at_stop(" " + _pick(prompt, draw), params.stop_sequences)
        text = self._window.truncate_right(text, params.max_tokens)
        tokens = self._tokens(prompt, text)
        return Choice(text, sum_logprobs(tokens), tokens, "stop")

    def _tokens(self, prompt: str, text: str) -> tuple[Token, ...]:
        seed = hashlib.blake2b(prompt.encode(errors="surrogatepass"), digest_size=16).digest()
        return tuple(Token(piece, _logprob(seed, i)) for i, piece in enumerate(self._window.pieces(text)))


def open_echo(options: EchoOptions, name: str = NAME) -> Echo:
    """The model under a name, with a window and a way of counting."""
    return Echo(
        ModelCard(
            name=name,
            deployment=NAME,
            provider="test",
            served_name="echo",
            limits=Limits(options.window),
            tokenizer=options.tokenizer,
            capabilities=Capabilities(),
        )
    )


def _pick(prompt: str, draw: str) -> str:
    """One of the options that end the prompt, or else a word of its last lines."""
    lines = [line for line in prompt.splitlines() if line.strip()]
    options = _last_run(prompt)
    candidates = options or _WORD.findall(" ".join(lines[-_LAST_LINES:])) or ["echo"]
    return candidates[_hash(prompt.encode(errors="surrogatepass"), draw.encode()) % len(candidates)]


def _last_run(prompt: str) -> list[str]:
    """Letters of the last question's options: from the last A on, in order."""
    letters = _OPTION.findall(prompt)
    if "A" not in letters:
        return []
    last = len(letters) - 1 - letters[::-1].index("A")
    run = letters[last:]
    return run if run == [chr(ord("A") + i) for i in range(len(run))] else []


def _flat(messages: tuple[Message, ...]) -> str:
    return "\n".join(_text(message) for message in messages)


def _text(message: Message) -> str:
    if isinstance(message.content, str):
        return message.content
    return "".join(part.text if isinstance(part, Text) else part.sha256 for part in message.content)


def _logprob(seed: bytes, position: int) -> float:
    """Between -4 and 0, in steps of a thousandth."""
    return -(1 + _hash(seed, position.to_bytes(8, "big")) % 4000) / 1000


def _hash(*parts: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(b"\0".join(parts), digest_size=8).digest(), "big")
