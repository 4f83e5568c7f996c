"""Azure OpenAI: OpenAI's chat format with Azure's addresses, filters and errors."""

from dataclasses import dataclass
from typing import Any, ClassVar

from models.stub import Asked, Say
from models.wires.dialect import KEY, STATUS, OpenAI, Refusal, Said

_SAFE = {"filtered": False, "severity": "safe"}
PROMPT_RESULTS = [{"prompt_index": 0, "content_filter_results": {"hate": _SAFE, "violence": _SAFE}}]


def filtered(message: str = "") -> dict[str, Any]:
    """The error for a prompt that the content filter stops."""
    found = {"hate": _SAFE, "violence": {"filtered": True, "severity": "medium"}}
    words = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
    inner = {"code": "ResponsibleAIPolicyViolation", "content_filter_result": found}
    return {
        "message": message or words,
        "type": None,
        "param": "prompt",
        "code": "content_filter",
        "status": 400,
        "innererror": inner,
    }


@dataclass(frozen=True)
class Azure(OpenAI):
    """The format."""

    name: ClassVar[str] = "azure"
    model: ClassVar[str] = "azure/my-gpt"

    def environ(self, url: str) -> dict[str, str]:
        return {"AZURE_OPENAI_API_KEY": KEY, "AZURE_OPENAI_ENDPOINT": f"{url}/"}

    def says(self, said: Said) -> Say:
        say = super().says(said)
        results = {"hate": _SAFE, "violence": {"filtered": said.finish == "filter", "severity": "medium"}}
        choice = {**say.body["choices"][0], "content_filter_results": results}
        return Say({**say.body, "choices": [choice], "prompt_filter_results": PROMPT_RESULTS})

    def refuses(self, why: Refusal, headers: dict[str, str] | None = None, message: str = "") -> Say:
        words: dict[Refusal, tuple[str, str]] = {
            "bad key": (
                "401",
                "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key",
            ),
            "no model": ("DeploymentNotFound", "The API deployment for this resource does not exist."),
            "rate": (
                "429",
                "Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-10-21 have "
                "exceeded call rate limit of your current OpenAI S0 pricing tier. Please retry after 6 seconds.",
            ),
        }
        if why == "policy":
            return Say({"error": filtered(message)}, STATUS[why], headers or {})
        if why in words:
            code, said = words[why]
            return Say({"error": {"code": code, "message": message or said}}, STATUS[why], headers or {})
        return super().refuses(why, headers, message)

    def max_tokens(self, asked: Asked) -> int:
        return int(asked.body["max_tokens"])


DIALECT = Azure()
