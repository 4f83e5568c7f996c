"""What all clients of served models do alike, whatever their wire format.

A request becomes a body in OpenAI's names; what the endpoint is known not to take is left out of it; it is sent once
(retries, deadlines and pace are the engine's); and the reply, brought into OpenAI's shape too, is read into a
completion. So outcomes, stop sequences, reasoning and lessons are the same everywhere, and a wire format is a
translation there and back. Where a refusal names a parameter the endpoint doesn't take, that one is dropped,
remembered, said in the completion, and the request goes out again.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import NamedTuple
from urllib.parse import urlsplit

from holoscope.core import Completion, FatalModelError, ModelError, NotSupportedError, Request, digest
from holoscope.models.abilities import unable
from holoscope.models.endpoint import Endpoint
from holoscope.models.model import Api, ModelCard
from holoscope.models.providers.bodies import Body, chat_body, completions_body
from holoscope.models.providers.faults import Fault, Withheld, concerning_all, verdict
from holoscope.models.providers.lessons import Lessons
from holoscope.models.providers.replies import Received, completion_of, lost_to_stop, withheld_completion
from holoscope.models.providers.secrecy import without_secrets
from holoscope.models.tokenizers import Window

_ONE_ANSWER = re.compile(
    r"completions at once|'n' (does not support|is not supported)|(multiple|only one) candidates?", re.IGNORECASE
)
"""What is said to several completions per request where there is one."""
_NO_SCORES = re.compile(r"\becho\b|no log-probabilities for the prompt")
"""What is said where given text is not scored, however it is asked for."""
_MOST_LESSONS = 12
"""More than there are to learn: what can be dropped, renamed and put otherwise."""


class Sending(NamedTuple):
    """A body on its way to the endpoint, and what had to be left out of it."""

    key: str
    """The same whenever the same is asked."""
    body: Body
    api: Api
    dropped: tuple[str, ...]


class Sent(NamedTuple):
    """What came back, and what had been left out of the body that it answers."""

    received: Received | Fault
    dropped: tuple[str, ...]


class Client(ABC):
    """A served model."""

    def __init__(self, card: ModelCard, identity: dict[str, str], endpoint: Endpoint, window: Window) -> None:
        self.card, self.identity = card, identity
        self.way: Callable[[Sending], Awaitable[Sent]] | None = None
        """Another way to the endpoint than one body at once by `_send`, such as in a batch."""
        self._endpoint, self._window = endpoint, window
        self._lessons: dict[Api, Lessons] = {
            "chat": Lessons(endpoint.capabilities),
            "completions": Lessons(endpoint.capabilities),
        }

    @abstractmethod
    async def _send(self, body: Body, api: Api) -> Received | Fault:
        """Send a body once, translated. Raises TransportError where no reply came, or none that can be read."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close the connections."""

    @property
    def endpoint(self) -> Endpoint:
        return self._endpoint

    def window(self) -> Window:
        return self._window

    async def generate(self, request: Request) -> Completion:
        api = self._api(request)
        lessons = self._lessons[api]
        for _ in range(_MOST_LESSONS):
            body, dropped = self._body(request, api)
            if self.way is None:
                received = await self._send(body, api)
            else:
                sending = Sending(request.key or digest(body), body, api, dropped)
                received, dropped = await self.way(sending)
            if isinstance(received, Fault):
                meaning = verdict(received)
                if isinstance(meaning, Withheld):
                    return withheld_completion(meaning, dropped)
                if not lessons.learn(received, body):
                    raise self._remembered(concerning_all(meaning, received, self._endpoint.body), request, api)
                continue
            try:
                completion = completion_of(received, request, self._endpoint, dropped)
            except NotSupportedError as error:
                raise self._remembered(error, request, api) from None
            if "stop" in body and lost_to_stop(completion):
                lessons.drop("stop")
                continue
            return without_secrets(completion, self._endpoint.secrets)
        raise FatalModelError(f"{self.card.name}: the endpoint refuses one parameter after another")

    def _api(self, request: Request) -> Api:
        """Which API serves a request. Raises NotSupportedError where none does."""
        can = self._endpoint.capabilities
        if reason := unable(self.card, request):
            raise NotSupportedError(reason)
        if request.messages is not None:
            return "chat"
        if request.params.echo_prompt:
            return "completions"
        if can.chat and can.completions:
            return can.prefers
        return "chat" if can.chat else "completions"

    def _body(self, request: Request, api: Api) -> tuple[Body, tuple[str, ...]]:
        """The body as the endpoint takes it, and what had to be left out."""
        lessons = self._lessons[api]
        make = chat_body if api == "chat" else completions_body
        body = make(request, self._endpoint)
        for name in ("echo", "n"):
            if name in body and name in lessons.refusals:
                raise NotSupportedError(lessons.refusals[name])
        dropped = lessons.apply(body)
        if "echo" in body and "logprobs" not in body:
            raise NotSupportedError(f"{self.card.name} gives no log-probabilities, so it can't score given text")
        return body, dropped

    def _remembered(self, error: ModelError, request: Request, api: Api) -> ModelError:
        """The same error; where it means that all such requests fail, they are not sent again."""
        if isinstance(error, NotSupportedError):
            if request.params.echo_prompt and _NO_SCORES.search(str(error)):
                self._lessons[api].refusals["echo"] = str(error)
            elif request.params.num_completions > 1 and _ONE_ANSWER.search(str(error)):
                self._lessons[api].refusals["n"] = str(error)
        return error

    @property
    def heard(self) -> dict[str, str]:
        """What refusals taught, by parameter, in the endpoint's own words."""
        return {name: words for lessons in self._lessons.values() for name, words in lessons.heard.items()}

    def _hidden(self, said: bytes) -> bytes:
        """What a server said, without what we identify with, should it repeat that."""
        return self._endpoint.hidden_in(said)

    @property
    def _host(self) -> str:
        return urlsplit(self._endpoint.url).netloc
