"""Gemini's `generateContent`, of Vertex AI: the same words, within a project."""

from typing import ClassVar

from models.stub import Say
from models.wires.dialect import KEY, Refusal
from models.wires.gemini import Gemini, google_error


class Vertex(Gemini):
    """The format."""

    name: ClassVar[str] = "vertex"
    model: ClassVar[str] = "vertex/gemini-x"

    def environ(self, url: str) -> dict[str, str]:
        return {"VERTEX_API_KEY": KEY, "VERTEX_BASE_URL": url}

    def refuses(self, why: Refusal, headers: dict[str, str] | None = None, message: str = "") -> Say:
        if why == "overflow":
            said = (
                "Unable to submit request because the input token count is 33000 but model only supports up to 32768. "
                "Reduce the input token count and try again."
            )
            return Say(google_error(400, "INVALID_ARGUMENT", message or said), 400, headers or {})
        if why == "bad key":
            said = "Request had invalid authentication credentials. Expected OAuth 2 access token."
            return Say(google_error(401, "UNAUTHENTICATED", message or said), 401, headers or {})
        return super().refuses(why, headers, message)


DIALECT = Vertex()
