"""The format of Hugging Face's text generation server."""

from typing import Any, ClassVar

from models.stub import Asked, Say
from models.wires.dialect import EVENTS, KEY, Dialect, Finish, Refusal, Said, events, halves

_FINISH: dict[Finish, str] = {"stop": "eos_token", "length": "length", "filter": "", "refusal": ""}
_ERRORS: dict[Refusal, tuple[int, str, str]] = {
    "overflow": (422, "validation", "Input validation error: `inputs` must have less than 2048 tokens. Given: 2222"),
    "rate": (429, "overloaded", "Model is overloaded"),
    "overloaded": (503, "unhealthy", "Service Unavailable"),
    "broken": (424, "generation", "Request failed during generation: Server error: CUDA out of memory"),
    "bad key": (401, "unauthorized", "Invalid username or password."),
    "no model": (404, "not_found", "Model gpt-x does not exist"),
    "bad request": (422, "validation", "Input validation error: `repetition_penalty` must be strictly positive"),
}


class Tgi(Dialect):
    """As documented at huggingface.co/docs/text-generation-inference."""

    name: ClassVar[str] = "tgi"
    model: ClassVar[str] = "tgi/gpt-x"
    finishes: ClassVar[frozenset[Finish]] = frozenset(("stop", "length"))
    refusals: ClassVar[frozenset[Refusal]] = frozenset(_ERRORS)
    thinks: ClassVar[bool] = False
    counts_reasoning: ClassVar[bool] = False
    counts_cached: ClassVar[bool] = False

    def environ(self, url: str) -> dict[str, str]:
        return {"HF_TOKEN": KEY, "TGI_BASE_URL": url}

    def says(self, said: Said) -> Say:
        tokens = [*map(_token, halves(said.text)), {"id": 0, "text": "</s>", "logprob": -0.5, "special": True}]
        details: dict[str, Any] = {"finish_reason": _FINISH[said.finish], "prefill": [], "seed": None, "tokens": tokens}
        details["generated_tokens"] = said.completion_tokens
        return Say({"generated_text": said.text, "details": details}, headers=prompt_tokens(said))

    def streamed(self, said: Said) -> Say:
        pieces: list[dict[str, Any]] = [
            {"index": i, "token": _token(piece), "generated_text": None, "details": None}
            for i, piece in enumerate(halves(said.text))
        ]
        details: dict[str, Any] = {
            "finish_reason": _FINISH[said.finish],
            "generated_tokens": said.completion_tokens,
            "seed": None,
        }
        details["input_length"] = said.prompt_tokens
        end = {"id": 0, "text": "</s>", "logprob": -0.5, "special": True}
        pieces.append({"index": 9, "token": end, "generated_text": said.text, "details": details})
        return Say(events(pieces), headers=EVENTS)

    def refuses(self, why: Refusal, headers: dict[str, str] | None = None, message: str = "") -> Say:
        status, kind, words = _ERRORS[why]
        return Say({"error": message or words, "error_type": kind}, status, headers or {})

    def prompt(self, asked: Asked) -> str:
        return str(asked.body["inputs"])

    def max_tokens(self, asked: Asked) -> int:
        return int(asked.body["parameters"]["max_new_tokens"])


def _token(text: str) -> dict[str, Any]:
    return {"id": 1, "text": text, "logprob": -0.25, "special": False}


def prompt_tokens(said: Said) -> dict[str, str]:
    """The header that counts the prompt."""
    return {"x-prompt-tokens": str(said.prompt_tokens)}


DIALECT = Tgi()
